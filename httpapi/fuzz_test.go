package httpapi_test

import (
	stdjson "encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func request(method, target string) *http.Request { return httptest.NewRequest(method, target, nil) }

// documented are the statuses that the API documents.
var documented = map[int]bool{
	200: true, 201: true, 202: true, 204: true, 304: true,
	400: true, 401: true, 403: true, 404: true, 405: true, 409: true, 412: true, 413: true, 415: true, 422: true, 429: true,
}

// checkAnswer holds an answer to what every answer promises.
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if !documented[w.Code] {
		t.Errorf("undocumented answer %d %s", w.Code, w.Body)
	}
	body := w.Body.Bytes()
	bare := w.Code == http.StatusOK && len(body) == 0 && w.Header().Get("Content-Type") == "" // an association was made
	empty := w.Code == http.StatusNoContent || w.Code == http.StatusNotModified || bare
	if got := w.Header().Get("Content-Type"); empty != (got == "") {
		t.Errorf("%d has the content type %q", w.Code, got)
	}
	if empty {
		if len(body) > 0 {
			t.Errorf("%d has a body: %s", w.Code, body)
		}
		return
	}
	if media := w.Header().Get("Content-Type"); w.Code == http.StatusOK && media != "application/json" {
		if w.Header().Get("Content-Length") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s has the header %v", media, w.Header())
		}
		return
	}
	if !stdjson.Valid(body) {
		t.Errorf("%d has a body that is no JSON: %q", w.Code, body)
	}
	var failure struct {
		Error *struct {
			Code, Message string
			Details       []struct{ Code, Message string }
		}
	}
	if err := stdjson.Unmarshal(body, &failure); err != nil {
		t.Errorf("%d: %v", w.Code, err)
	}
	if w.Code < 400 {
		return
	}
	if failure.Error == nil || failure.Error.Code == "" || failure.Error.Message == "" {
		t.Errorf("%d has the body %s", w.Code, body)
		return
	}
	for _, d := range failure.Error.Details {
		if d.Code == "" || d.Message == "" {
			t.Errorf("%d has the body %s", w.Code, body)
		}
	}
}

// fuzzedRequest makes a request of what may not even be one; nil then.
func fuzzedRequest(method, target, name, value, body string) *http.Request {
	r, err := http.NewRequest(method, "http://example.com", strings.NewReader(body))
	if err != nil {
		return nil
	}
	u, err := r.URL.Parse(target)
	if err != nil {
		return nil
	}
	r.URL, r.RequestURI = u, target
	r.Header.Set(name, value)
	return r
}

func FuzzCore(f *testing.F) {
	cfg := httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{token: me}),
		Rate:          httpapi.Unlimited,
	}
	h, err := httpapi.NewThings(cfg, thing())
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range []string{
		"GET /things?$top=2&deltaToken=x", "GET /things/a", "POST /things", "PATCH /things/a", "POST /things/batch",
		"DELETE /things?thingIds=a,b", "DELETE /things/%00", "GET /things/%2e%2e/x", "PUT /things", "GET //", "GET /openapi.json",
		"POST /things/a/values", "POST /things/a/strict", "OPTIONS *", "GET things", "GET /boxes/%zz/things?%zz",
	} {
		method, target, _ := strings.Cut(line, " ")
		f.Add(method, target, "If-None-Match", `"1"`, `{"name":"a","inner":{"on":true},"batch":[{"size":1}]}`)
		f.Add(method, target, "Authorization", "Bearer x", `{"name":1,"NAME":"\ud800"}`)
	}
	f.Fuzz(func(t *testing.T, method, target, name, value, body string) {
		r := fuzzedRequest(method, target, name, value, body)
		if r == nil {
			return
		}
		if name != "Authorization" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if method != http.MethodHead {
			checkAnswer(t, w)
		}
	})
}

// FuzzHandler sends anything to the schedules area: the answer is always a
// documented one.
func FuzzHandler(f *testing.F) {
	for _, s := range scenarios(f) {
		for _, st := range s.steps {
			_, method, target := requestLine(st.request)
			f.Add(method, target, "If-None-Match", "*", body(st.request))
		}
	}
	var mu sync.Mutex
	w := newWorld(f)
	f.Fuzz(func(t *testing.T, method, target, name, value, body string) {
		r := fuzzedRequest(method, target, name, value, body)
		if r == nil {
			return
		}
		if r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer writer")
		}
		mu.Lock()
		defer mu.Unlock()
		if _, err := w.schedules.Schedule(t.Context(), "plan"); err != nil {
			w = newWorld(t) // an earlier request deleted it
		}
		res := httptest.NewRecorder()
		w.handler.ServeHTTP(res, r)
		if res.Code >= 500 {
			t.Errorf("%s %s %s", method, target, body)
		}
		if method != http.MethodHead {
			checkAnswer(t, res)
		}
	})
}
