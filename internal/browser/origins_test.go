package browser_test

import (
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// page serves a page at its own origin, which has a script.
func page(t *testing.T, script string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/script.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(script))
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(`<!doctype html><title>A page</title><script src="/script.js"></script>`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

//go:embed origins.js
var originsScript string

// used is what a page got of the API.
type used struct {
	Twins, Tasks, Pages int
	Operation           bool   // the headers of a write say where to follow it
	Read                string // the file, from its third byte on
	ETag                bool   // that of the file is the same when it is written and read
	Missing             int    // the status of a schedule that is not there
	Unknown             int    // the status without a token
}

func TestAPageOfAnotherOriginUsesTheAPIAndFiles(t *testing.T) {
	t.Parallel()
	app := page(t, originsScript)
	api := serve(t, "-seed", seed, "-origins", app.URL+",https://app.example")
	b := open(t, app.URL)
	b.visit("/")
	got := eval[used](b, fmt.Sprintf("use(%q)", api.URL))
	want := used{
		Twins: 2, Tasks: 64, Pages: 7, Operation: true, Read: "llo, wörld", ETag: true,
		Missing: http.StatusNotFound, Unknown: http.StatusUnauthorized,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAPageOfAnUnknownOriginReadsNothing(t *testing.T) {
	t.Parallel()
	app := page(t, originsScript)
	b := open(t, app.URL)
	for name, args := range map[string][]string{
		"none is known": {"-seed", seed}, "another is known": {"-seed", seed, "-origins", "https://app.example"},
	} {
		api := serve(t, args...)
		b.visit("/")
		const try = `fetch(BASE + "/schedules", HEADERS).then(r => r.text(), e => e.name)`
		for _, headers := range []string{`{}`, `{headers: {Authorization: "Bearer demo"}}`} {
			expression := fmt.Sprintf(`((BASE, HEADERS) => %s)(%q, %s)`, try, api.URL, headers)
			if got := eval[string](b, expression); got != "TypeError" {
				t.Errorf("%s: a page reads %q with %s", name, got, headers)
			}
		}
	}
}
