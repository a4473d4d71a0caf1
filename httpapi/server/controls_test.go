package server

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestControlsAreServedToTestsAlone(t *testing.T) {
	t.Parallel()
	const fault, minute = `{"op": "twins.list", "status": 429, "retryAfter": "1m"}`, `{"advance": "1m"}`
	tests := start(t, "-test-controls")
	tests.call("POST", "/_test/faults", fault, 204)
	tests.call("GET", "/twins", "", 429)
	tests.call("POST", "/_test/clock", minute, 200)
	tests.call("GET", "/twins", "", 200)
	others := start(t)
	others.call("POST", "/_test/faults", fault, 404)
	others.call("GET", "/twins", "", 200)
}

// What goes wrong on cue is an answer that pages of other origins read like others.
func TestPagesOfOtherOriginsReadWhatGoesWrongOnCue(t *testing.T) {
	t.Parallel()
	const app = "https://app.example"
	s := start(t, "-test-controls", "-origins", app)
	s.call("POST", "/_test/faults", `{"op": "twins.list", "status": 429, "retryAfter": "1m"}`, 204)
	s.call("POST", "/_test/faults", `{"op": "schedules.list", "status": 502, "bare": true}`, 204)
	for path, want := range map[string]struct {
		status int
		origin string
	}{"/twins": {429, app}, "/users/me": {200, app}, "/schedules": {502, ""}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Origin", app)
		header := s.send(req, s.token, want.status).header
		exposed := header.Get("Access-Control-Expose-Headers")
		if header.Get("Access-Control-Allow-Origin") != want.origin || strings.Contains(exposed, "Retry-After") != (want.origin != "") {
			t.Errorf("%s is answered with %v", path, header)
		}
	}
}

func TestOperationsAreHeldByControlsAndOnPages(t *testing.T) {
	t.Parallel()
	const operations = "/_test/operations"
	s := start(t, "-seed", seedFile, "-test-controls")
	of := func(a answer, member string) string { return a.body["operation"].(map[string]any)[member].(string) }
	add := func() string {
		t.Helper()
		return of(s.call("POST", plan+"/tasks", `{"name": "Paint", "type": "Work"}`, 202), "id")
	}
	status := func(id string) string {
		t.Helper()
		return of(s.call("GET", plan+"/operations/"+id, "", 200), "status")
	}
	s.call("POST", operations, `{"kind": "tasks.create", "percent": 40}`, 204)
	one, two, three := add(), add(), add()
	if got := len(s.call("GET", operations, "", 200).body["held"].([]any)); got != 3 || status(one) != "Running" {
		t.Errorf("%d operations are held, the first is %s", got, status(one))
	}
	s.call("POST", operations+"/fail", `{"id": "`+one+`", "failWith": "TaskNotFound"}`, 204)
	s.call("POST", operations+"/release", `{"id": "`+two+`"}`, 204)
	s.call("POST", operations+"/release", `{"id": "`+two+`"}`, 400)
	if status(one) != "Failed" || status(two) != "Succeeded" || status(three) != "Running" {
		t.Errorf("failed, released and held are %s, %s and %s", status(one), status(two), status(three))
	}
	if p := s.page("GET", "/console/operations", 200); !strings.Contains(p, ">Release<") || !strings.Contains(p, ">Hold<") || !strings.Contains(p, "TaskNotFound") {
		t.Errorf("the page of operations is %s", p)
	}
	s.page("POST", "/console"+plan+"/operations/"+three+"/end", 303)
	if got := status(three); got != "Succeeded" {
		t.Errorf("what was released on the page is %s", got)
	}

	for _, args := range [][]string{{"-seed", seedFile}, {"-seed", seedFile, "-test-controls", "-console", "read-only"}} {
		s := start(t, args...)
		if p := s.page("GET", "/console/operations", 200); strings.Contains(p, ">Hold<") || strings.Contains(p, ">Release") {
			t.Errorf("with %q the page of operations is %s", args, p)
		}
	}
	s = start(t, "-seed", seedFile)
	if p := s.page("GET", "/console/", 200); strings.Count(p, ">well<") != 4 || !strings.Contains(p, "Store takes writes") {
		t.Errorf("the overview does not say that all is well: %s", p)
	}
	s.call("POST", operations, `{"kind": "tasks.create"}`, 404)
	s.page("POST", "/console/operations/hold", 404)
}

func TestRetentionFollowsTheClockOfTests(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile, "-test-controls", "-retain", "24h")
	op := s.call("POST", plan+"/tasks", `{"name": "Paint", "type": "Work"}`, 202).body["operation"].(map[string]any)["id"].(string)
	s.call("GET", plan+"/operations/"+op, "", 200)
	s.call("POST", "/_test/clock", `{"advance": "23h"}`, 200)
	s.call("GET", plan+"/operations/"+op, "", 200)
	s.call("POST", "/_test/clock", `{"advance": "2h"}`, 200)
	s.call("GET", plan+"/operations/"+op, "", 404)
}

// page is what the console answers to a browser on this machine.
func (s *running) page(method, path string, status int) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.client.Transport.RoundTrip(req) // which follows no redirect
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		s.t.Errorf("%s %s answers %d, %v, want %d: %s", method, path, res.StatusCode, err, status, b)
	}
	return string(b)
}
