package httpapi_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func TestWordsOfWhatIsNotImplementedAreNoIds(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	for _, what := range []string{"GET /forms/templates", "DELETE /forms/templates", "GET /forms/any/download", "GET /schedules/any/sync-configuration"} {
		method, path, _ := strings.Cut(what, " ")
		res := ask(h, method, path, `{}`, "Authorization: Bearer writer")
		if res.Code != 404 || !strings.Contains(res.Body.String(), `"OperationNotFound"`) {
			t.Errorf("%s: %d %s", what, res.Code, res.Body)
		}
	}
}

func TestOperationThatIsNotImplementedIsNamed(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	for _, o := range httpapi.NotImplemented() {
		path := strings.NewReplacer("{", "", "}", "").Replace(o.Path)
		for _, at := range []string{path, path + "/", strings.ToUpper(path)} {
			res := ask(h, o.Method, at, `{}`, "Authorization: Bearer writer")
			if res.Code != 404 || !strings.Contains(res.Body.String(), "The operation '"+o.Summary+"' is not implemented.") {
				t.Errorf("%s %s: %d %s", o.Method, at, res.Code, res.Body)
			}
		}
	}
	res := ask(h, "GET", "/forms/a/b/c/d", "", "Authorization: Bearer writer")
	if res.Code != 404 || strings.Contains(res.Body.String(), "not implemented") {
		t.Errorf("a path that no one knows: %d %s", res.Code, res.Body)
	}
}
