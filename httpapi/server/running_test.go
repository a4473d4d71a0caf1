package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	seedFile = "../../examples/server/testdata/world-j30.json"
	plan     = "/schedules/mp-j30-a2-nr1"
)

// running is a server that serves, and a client of it.
type running struct {
	t      *testing.T
	base   string // from the banner
	token  string
	banner string
	client *http.Client
	stop   func() error // ends the server as SIGTERM does; more often is harmless
	log    *bytes.Buffer
}

// start runs a server within the test, on a free port, until the test ends.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, stdout := io.Pipe()
	s := &running{t: t, client: &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}, log: new(bytes.Buffer)}
	done := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), nil, stdout, s.log)
		stdout.CloseWithError(io.EOF)
		done <- err
	}()
	var result error
	ended := false
	s.stop = func() error {
		if !ended {
			s.client.CloseIdleConnections()
			cancel()
			result, ended = <-done, true
		}
		return result
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	if !s.readBanner(out) {
		err := s.stop()
		t.Fatalf("the server did not start: %v", err)
	}
	return s
}

// readBanner reads until the server says that it serves.
func (s *running) readBanner(out io.Reader) bool {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := lines.Text()
		s.banner += line + "\n"
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "  base URL"):
			s.base = fields[2]
		case strings.HasPrefix(line, "  listens"):
			s.base = fields[1]
		case strings.HasPrefix(line, "  token"):
			s.token = fields[1]
		case strings.HasPrefix(line, "  try"):
			go io.Copy(io.Discard, out)
			return true
		}
	}
	return false
}

// in is the server as a subtest calls it.
func (s *running) in(t *testing.T) *running {
	own := *s
	own.t = t
	return &own
}

// answer is a response that was read to its end.
type answer struct {
	status int
	header http.Header
	body   map[string]any
}

// call sends a request as the holder of the token, and wants the status.
func (s *running) call(method, path, body string, status int) answer {
	s.t.Helper()
	return s.callAs(s.token, method, path, body, status)
}

func (s *running) callAs(token, method, path, body string, status int) answer {
	s.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = s.base + path
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return s.send(req, token, status)
}

func (s *running) send(req *http.Request, token string, status int) answer {
	s.t.Helper()
	method, path := req.Method, req.URL
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{status: resp.StatusCode, header: resp.Header}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &a.body); err != nil {
			s.t.Fatalf("%s %s answers %q: %v", method, path, text, err)
		}
	}
	if a.status != status {
		s.t.Fatalf("%s %s answers %d, want %d: %s", method, path, a.status, status, text)
	}
	return a
}

// list follows a list to its end and returns its records and its delta token.
func (s *running) list(path, name string) (records []map[string]any, delta string) {
	s.t.Helper()
	for path != "" {
		a := s.call("GET", path, "", http.StatusOK)
		for _, r := range a.body[name].([]any) {
			records = append(records, r.(map[string]any))
		}
		path, delta = "", a.header.Get("Delta-Token")
		links, _ := a.body["_links"].(map[string]any)
		if next, ok := links["next"].(map[string]any); ok {
			path = next["href"].(string)
		}
	}
	return records, delta
}

// ids are the values of a property of records, in order.
func ids(records []map[string]any, property string) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i], _ = r[property].(string)
	}
	return out
}

// everything is what the server shows of the seeded schedule.
func (s *running) everything() map[string][]map[string]any {
	s.t.Helper()
	all := make(map[string][]map[string]any)
	for path, name := range map[string]string{"/tasks": "tasks", "/task-links": "taskLinks", "/resources": "resources", "/baselines": "baselines"} {
		all[name], _ = s.list(plan+path+"?$top=50", name)
	}
	return all
}

func wantSame(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
