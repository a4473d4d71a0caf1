package httpapi_test

import (
	"strings"
	"testing"
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
