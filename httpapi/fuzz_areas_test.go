package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// fuzzedAreas are the areas besides schedules, each with its world and the caller who may
// do most in it. Their scenarios are in the folders of their names.
var fuzzedAreas = []struct {
	folders []string
	caller  string
	world   func(testing.TB) *httpapi.Handler
}{
	{[]string{"twins"}, "admin", newTwinsWorld},
	{[]string{"forms"}, "owner", formsWorld},
	{[]string{"realitydata", "detectors", "transformations"}, "admin", newDataWorld},
	{[]string{"webhooks"}, "writer", func(t testing.TB) *httpapi.Handler { return newWebhooksWorld(t) }},
}

// FuzzAreas sends anything to every area: what comes back is a documented
// answer.
func FuzzAreas(f *testing.F) {
	handlers := make([]*httpapi.Handler, len(fuzzedAreas))
	for i, a := range fuzzedAreas {
		handlers[i] = a.world(f)
		for _, s := range scenariosIn(f, a.folders...) {
			for _, st := range s.steps {
				caller, method, target := requestLine(st.request)
				if caller == "" {
					caller = a.caller
				}
				f.Add(byte(i), method, target, "Authorization", "Bearer "+caller, body(st.request))
				f.Add(byte(i), method, target, "Prefer", "return=representation", body(st.request))
			}
		}
	}
	var mu sync.Mutex
	f.Fuzz(func(t *testing.T, area byte, method, target, name, value, body string) {
		i := int(area) % len(fuzzedAreas)
		r := fuzzedRequest(method, target, name, value, body)
		if r == nil {
			return
		}
		if r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer "+fuzzedAreas[i].caller)
		}
		mu.Lock()
		defer mu.Unlock()
		w := httptest.NewRecorder()
		handlers[i].ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%d to %s %s %s: %s", w.Code, method, target, body, w.Body)
		}
		// The bytes of attachments are what they are.
		if method != http.MethodHead && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
			checkAnswer(t, w)
		}
	})
}
