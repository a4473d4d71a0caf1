package server

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// adminOf is the address of a server's admin listener, from its banner.
func adminOf(t *testing.T, s *running) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^  admin     (http://\S+)/metrics$`).FindStringSubmatch(s.banner)
	if m == nil {
		t.Fatalf("the banner names no admin listener:\n%s", s.banner)
	}
	return m[1]
}

// ask sends a request without credentials and returns the status and the body.
func ask(t *testing.T, method, address string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestProbesNeedNoToken(t *testing.T) {
	t.Parallel()
	words := fileWith(t, `{"paths": {"/access-control": "/gate"}, "segments": {"twins": "gardens"}}`)
	for _, args := range [][]string{nil, {"-vocabulary", words}, {"-base-url", "https://example.com/twin"}, {"-tokens", tokensFile(t), "-rate", "1"}} {
		s := start(t, args...)
		for path, want := range map[string]string{
			"/healthz": `{"status":"ok"}`, "/readyz": `{"status":"ready","checks":{"staying":"ok","seed":"ok","store":"ok","work":"ok"}}`, "/version": `"go":"go`,
		} {
			for range 3 {
				if status, body := ask(t, "GET", s.base+path); status != http.StatusOK || !strings.Contains(body, want) {
					t.Errorf("%v: %s answers %d %s", args, path, status, body)
				}
			}
			if status, body := ask(t, "HEAD", s.base+path); status != http.StatusOK || body != "" {
				t.Errorf("%v: HEAD %s answers %d %q", args, path, status, body)
			}
		}
	}
}

func TestMetricsCountWhatTheServerDoes(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", seedFile, "-admin", "127.0.0.1:0", "-rate", "3")
	for range 3 {
		s.call("GET", plan+"/tasks?$top=1", "", http.StatusOK)
	}
	s.call("GET", plan+"/tasks?$top=1", "", http.StatusTooManyRequests)
	status, text := ask(t, "GET", adminOf(t, s)+"/metrics")
	for _, want := range []string{
		`twinplatform_http_requests_total{operation="tasks.list",status="200"} 3`,
		`twinplatform_http_requests_total{operation="tasks.list",status="429"} 1`,
		`twinplatform_http_request_duration_seconds_count{operation="tasks.list"} 4`,
		"twinplatform_http_rate_limited_total 1",
		"twinplatform_running 1",
		`twinplatform_records{area="schedules",collection="tasks"} 64`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the metrics (%d) do not say %s", status, want)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/backup"} {
		if status, _ := ask(t, "GET", s.base+path); status == http.StatusOK {
			t.Errorf("%s is served to everybody", path)
		}
	}
	if status, _ := ask(t, "GET", adminOf(t, s)+"/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("profiles that no one asked for: %d", status)
	}
	profiled := start(t, "-admin", "127.0.0.1:0", "-pprof")
	if status, _ := ask(t, "GET", adminOf(t, profiled)+"/debug/pprof/heap"); status != http.StatusOK {
		t.Errorf("profiles that were asked for: %d", status)
	}
}

// A page of the internet whose name someone leads to this machine reads neither metrics
// nor profiles; who runs the server may give its listener names.
func TestTheAdminListenerAnswersKnownHostsAlone(t *testing.T) {
	t.Parallel()
	s := start(t, "-admin", "127.0.0.1:0", "-admin-host", "metrics.internal,twin", "-pprof")
	for host, want := range map[string]int{
		"evil.example:4791": http.StatusMisdirectedRequest, "twin:4791": http.StatusOK, "metrics.internal": http.StatusOK, "localhost:1": http.StatusOK,
	} {
		for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/symbol"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, adminOf(t, s)+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s at host %s answers %d, want %d", path, host, resp.StatusCode, want)
			}
		}
	}
}

// A caller of the admin listener without the secret gets no copy of the store and
// replaces nothing.
func TestBackupNeedsTheSecret(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	s := start(t, "-db", db, "-admin", "127.0.0.1:0")
	for method, path := range map[string]string{"GET": "/backup", "POST": "/restore"} {
		if status, _ := ask(t, method, adminOf(t, s)+path); status != http.StatusUnauthorized {
			t.Errorf("%s %s without the secret: %d", method, path, status)
		}
	}
	info, err := os.Stat(db + ".admin")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file with the secret: %v, %v", info, err)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(db + ".admin"); !os.IsNotExist(err) {
		t.Errorf("the secret of a server that is gone: %v", err)
	}
}
