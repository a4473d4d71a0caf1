package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// logged are the lines of a log in JSON with a message.
func (s *running) logged(message string) (found []map[string]any) {
	s.t.Helper()
	if err := s.stop(); err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(s.log.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			s.t.Fatalf("%q: %v", line, err)
		}
		if v["msg"] == message {
			found = append(found, v)
		}
	}
	return found
}

func TestTheStartIsOneLineWithVersionAddressStoreAndFlags(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	s := start(t, "-log", "json", "-db", db, "-rate", "0", "-webhook-allow", "10.0.0.0/8", "-webhook-allow", "::1/128", "-pprof", "-admin", "127.0.0.1:0")
	lines := s.logged("serving")
	if len(lines) != 1 {
		t.Fatalf("the log is\n%s", s.log)
	}
	flags, _ := lines[0]["flags"].(map[string]any)
	wantSame(t, "flags", map[string]any{
		"addr": "127.0.0.1:0", "admin": "127.0.0.1:0", "db": db, "log": "json", "pprof": "true", "rate": "0", "webhook-allow": "10.0.0.0/8,::1/128",
	}, flags)
	if at := "http://" + lines[0]["address"].(string); at != s.base || lines[0]["store"] != db || lines[0]["version"] == "" || lines[0]["tls"] != false {
		t.Errorf("the start is %v, the banner\n%s", lines[0], s.banner)
	}
}

func TestTheStartHasNoPasswordOfAStore(t *testing.T) {
	t.Parallel()
	c := Config{Engines: map[string]Engine{"postgres": func(context.Context, string, *slog.Logger) (storage.Store, error) { return nil, nil }}, DB: "postgres://twin:sesame@db.internal/twin?password=sesame"}
	c.given = []givenOption{{"db", c.DB}}
	if got := c.flags(); len(got) != 1 || strings.Contains(got[0].String(), "sesame") || !strings.Contains(got[0].String(), "db.internal/twin") {
		t.Errorf("the flags are %v", got)
	}
}

func TestTheNameOfAStoreHasNoPasswordOfItsAddress(t *testing.T) {
	t.Parallel()
	engines := map[string]Engine{"postgres": func(context.Context, string, *slog.Logger) (storage.Store, error) { return nil, nil }}
	const one, other = "postgres://twin:sesame@db1/twin?password=sesame", "postgres://twin:open sesame@db2/twin"
	for name, tt := range map[string]struct {
		args, env  []string
		want, name string
	}{
		"flag":          {[]string{"-db", one}, nil, one, "postgres://db1/twin"},
		"the last flag": {[]string{"-db", one, "-db", other}, nil, other, "postgres://db2/twin"},
		"environment":   {nil, []string{"TWIN_DB=" + one}, one, "postgres://db1/twin"},
		"file":          {[]string{"-db", "one.db"}, []string{"TWIN_DB=" + one}, "one.db", "one.db"},
	} {
		c, _, err := parseOptions(everyOption(), engines, tt.args, tt.env)
		if err != nil || c.DB != tt.want || c.storeName() != tt.name {
			t.Errorf("%s: the store is %q, named %q, %v", name, c.DB, c.storeName(), err)
		}
	}
}

func TestFailedRequestsAreLoggedByDefaultAndAllOnDemand(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		want []any
	}{
		"by default": {nil, []any{"twins.get 404"}},
		"all":        {[]string{"-log-requests"}, []any{"twins.list 200", "twins.get 404"}},
		"debug":      {[]string{"-log-level", "debug"}, []any{"twins.list 200", "twins.get 404"}},
		"all slow":   {[]string{"-log-slow", "1ns", "-log-level", "warn"}, []any{"twins.list 200", "twins.get 404"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(tt.args, "-log", "json")...)
			s.call("GET", "/twins?$top=1", "", http.StatusOK)
			s.call("GET", "/twins/00000000-0000-4000-8000-000000000000", "", http.StatusNotFound)
			var got []any
			for _, line := range s.logged("request") {
				got = append(got, strings.Join(strings.Fields(line["operation"].(string)+" "+jsonOf(t, line["status"])), " "))
				if line["client"] != "127.0.0.1" || line["size"].(float64) <= 0 || line["duration"].(float64) <= 0 {
					t.Errorf("a line is %v", line)
				}
			}
			wantSame(t, "the requests in the log", tt.want, got)
		})
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheLogOfARefusalNamesThePermissionAndTheTrace(t *testing.T) {
	t.Parallel()
	tokens := fileWith(t, `[{"token": "t-ada", "principal": {"id": "ada", "accountId": "b0000000-0000-4000-8000-000000000001", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}},
		{"token": "t-mia", "principal": {"id": "mia", "accountId": "b0000000-0000-4000-8000-000000000001", "kind": "User", "scopes": ["twin-platform"]},
		"grants": [{"twinId": "`+bridge+`", "permissions": ["twins_read", "schedules_read"]}]}]`)
	s := start(t, "-log", "json", "-seed", bridgeFile, "-tokens", tokens, "-trusted-proxies", "127.0.0.0/8")
	req, err := http.NewRequestWithContext(t.Context(), "PATCH", s.base+"/twins/"+bridge+"?sig=sesame", strings.NewReader(`{"displayName": "Mine"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	req.Header.Set("X-Forwarded-For", "203.0.113.5")
	s.send(req, "t-mia", http.StatusForbidden)
	lines := s.logged("request")
	if len(lines) != 1 {
		t.Fatalf("the log is\n%s", s.log)
	}
	for name, want := range map[string]string{
		"permission": "twins_modify", "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "client": "203.0.113.5", "proxy": "127.0.0.1", "principal": "mia",
		"path": "/twins/" + bridge + "?sig=•••", "code": "InsufficientPermissions",
	} {
		if lines[0][name] != want {
			t.Errorf("%s is %v, want %s", name, lines[0][name], want)
		}
	}
	if span := lines[0]["span_id"]; span == "00f067aa0ba902b7" || len(span.(string)) != 16 {
		t.Errorf("the span is %v", span)
	}
}

func TestALogThatIsOffLogsNothing(t *testing.T) {
	t.Parallel()
	s := start(t, "-log", "off", "-log-requests", "-log-level", "debug")
	s.call("GET", "/twins/none", "", http.StatusNotFound)
	if err := s.stop(); err != nil || s.log.Len() > 0 {
		t.Errorf("the server ends with %v and logs\n%s", err, s.log)
	}
}

func TestTheBannerIsForTerminalsAndWhereTheDemoTokenIsTaken(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, args := range [][]string{{"-tokens", tokensFile(t)}, {"-banner", "false"}, nil} {
		if _, err := startOn(t, systemDisk{}, f, append([]string{"-addr", "127.0.0.1:0"}, args...)...); err != nil {
			t.Fatal(err)
		}
		printed, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\n  token     demo ", "\n  console   http://", "\n  try       curl "} {
			if strings.Contains(string(printed), want) != (args == nil) {
				t.Errorf("with %v the server prints into a file\n%s", args, printed)
			}
		}
	}
	for _, tt := range []struct {
		when string
		out  io.Writer
		want bool
	}{
		{"auto", f, false},
		{"auto", new(bytes.Buffer), true},
		{"true", f, true},
		{"false", new(bytes.Buffer), false},
	} {
		if c := (&Config{banner: tt.when}); c.showsBanner(tt.out) != tt.want {
			t.Errorf("-banner %s at a %T shows it: %v", tt.when, tt.out, !tt.want)
		}
	}
}

// Lines of others that are written while several are written together stay whole among them.
func TestLinesThatAreWrittenTogetherAreWhole(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &lines{out: &out}
	l.together(func() {
		_, _ = io.WriteString(l, "one\n")
		_, _ = io.WriteString(l, "two\n")
		if out.Len() > 0 {
			t.Errorf("a line is written alone: %q", &out)
		}
	})
	_, _ = io.WriteString(l, "three\n")
	wantSame(t, "what is written", "one\ntwo\nthree\n", out.String())
	if d, ok := slowness("0"); !ok || d >= 0 {
		t.Errorf("-log-slow 0 is %v, %v", d, ok)
	}
	if d, ok := slowness("2s"); !ok || d != 2*time.Second {
		t.Errorf("-log-slow 2s is %v, %v", d, ok)
	}
}
