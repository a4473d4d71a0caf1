package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestPlatformUnderAPrefix(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	mux, err := routes(store)
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer demo")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}

	if w := call("GET", "/", ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "/twin/") {
		t.Errorf("the application's page answers %d: %s", w.Code, w.Body)
	}
	w := call("POST", "/twin/schedules/", `{"id": "s1", "name": "Tower", "twinId": "tower"}`)
	if w.Code != http.StatusCreated || !strings.HasSuffix(w.Header().Get("Location"), "/twin/schedules/s1") {
		t.Errorf("creating a schedule answers %d at %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	for range 3 {
		if w := call("POST", "/twin/schedules/s1/tasks", `{"name": "Dig", "type": "Work"}`); w.Code != http.StatusAccepted {
			t.Fatalf("creating a task answers %d: %s", w.Code, w.Body)
		}
	}

	seen := 0
	for next := "/twin/schedules/s1/tasks?$top=2"; next != ""; {
		w := call("GET", next, "")
		var page struct {
			Tasks []struct{ ID string }
			Links struct{ Next *struct{ Href string } } `json:"_links"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || w.Code != http.StatusOK {
			t.Fatalf("GET %s answers %d: %s", next, w.Code, w.Body)
		}
		seen += len(page.Tasks)
		next = ""
		if page.Links.Next != nil {
			if next = page.Links.Next.Href; !strings.HasPrefix(next, "http://example.com/twin/schedules/s1/tasks?") {
				t.Fatalf("the next page is said to be at %s", next)
			}
		}
	}
	if seen != 3 {
		t.Errorf("following the links shows %d tasks, want 3", seen)
	}

	if w := call("POST", "/twin/schedules/", `{"name": "Bridge", "twinId": "bridge"}`); w.Code != http.StatusBadRequest {
		t.Errorf("a schedule for a twin that there is not answers %d: %s", w.Code, w.Body)
	}
}
