package httpapi_test

import (
	"strings"
	"testing"
)

func TestWordsOfWhatIsNotImplementedAreNoIds(t *testing.T) {
	t.Parallel()
	h := newTwinsWorld(t)
	for _, what := range []string{"GET /twins/repositories", "PATCH /twins/repositories", "DELETE /twins/repositories", "GET /twins/" + towerID + "/repositories/any/resources"} {
		method, path, _ := strings.Cut(what, " ")
		res := ask(h, method, path, `{}`, writing)
		if res.Code != 404 || !strings.Contains(res.Body.String(), `"OperationNotFound"`) {
			t.Errorf("%s: %d %s", what, res.Code, res.Body)
		}
	}
	if res := ask(h, "GET", "/twins/"+towerID, "", writing); res.Code != 200 {
		t.Errorf("the tower: %d %s", res.Code, res.Body)
	}
}
