package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// browser calls the application as the user that is logged in.
type browser struct {
	t      *testing.T
	mux    http.Handler
	cookie *http.Cookie
}

func newBrowser(t *testing.T) *browser {
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	mux, err := routes(p)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, mux: mux}
}

// call sends a request and reads the answer into out, where there is one.
func (b *browser) call(method, path, body string, status int, out any) http.Header {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, path, strings.NewReader(body))
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	w := httptest.NewRecorder()
	b.mux.ServeHTTP(w, r)
	if w.Code != status {
		b.t.Fatalf("%s %s answers %d, want %d: %s", method, path, w.Code, status, w.Body)
	}
	if out != nil {
		if err := json.Unmarshal(w.Body.Bytes(), out); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, c := range w.Result().Cookies() {
		b.cookie = c
	}
	return w.Header()
}

func TestWhoIsLoggedInCreatesAScheduleUnderThePrefix(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	b.call("POST", "/login?user=ada", "", http.StatusOK, nil)
	var made struct{ Twin struct{ ID string } }
	b.call("POST", "/twin/twins", `{"class": "Endeavor", "displayName": "Tower"}`, http.StatusCreated, &made)
	header := b.call("POST", "/twin/schedules", `{"id": "plan", "name": "Plan", "twinId": "`+made.Twin.ID+`"}`, http.StatusCreated, nil)
	if at := header.Get("Location"); at != "http://example.com/twin/schedules/plan" {
		t.Errorf("the schedule is reported at %s", at)
	}
	for range 3 {
		b.call("POST", "/twin/schedules/plan/tasks", `{"name": "Dig", "type": "Work"}`, http.StatusAccepted, nil)
	}

	seen := 0
	for next := "/twin/schedules/plan/tasks?$top=2"; next != ""; {
		var page struct {
			Tasks []struct{ ID string }
			Links struct{ Next *struct{ Href string } } `json:"_links"`
		}
		b.call("GET", next, "", http.StatusOK, &page)
		seen += len(page.Tasks)
		next = ""
		if page.Links.Next != nil {
			next = page.Links.Next.Href
		}
	}
	if seen != 3 {
		t.Errorf("following the links shows %d tasks, want 3", seen)
	}
}

func TestWhoIsNotLoggedInIsRefused(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	b.call("GET", "/twin/schedules?twinId=tower", "", http.StatusUnauthorized, nil)
	b.cookie = &http.Cookie{Name: "session", Value: "guessed"}
	b.call("GET", "/twin/schedules?twinId=tower", "", http.StatusUnauthorized, nil)
}
