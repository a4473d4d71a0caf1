package accesslog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/accesslog"
)

// lines is what a log writes of observations, once it has ended.
func lines(t *testing.T, cfg accesslog.Config, level slog.Level, use func(*accesslog.Log)) (out []map[string]any) {
	t.Helper()
	var text bytes.Buffer
	cfg.Handler = slog.NewJSONHandler(&text, &slog.HandlerOptions{Level: level})
	l := accesslog.New(cfg)
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { _ = l.Run(ctx) })
	use(l)
	stop()
	run.Wait()
	for d := json.NewDecoder(&text); ; {
		var v map[string]any
		if err := d.Decode(&v); err == io.EOF {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
}

func asked(method, target, remote string, header ...string) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	r.RemoteAddr = remote
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

func TestALineHasAllOfARequestAndNoSecret(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	trace, _ := twinplatform.Continued("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	got := lines(t, accesslog.Config{}, slog.LevelInfo, func(l *accesslog.Log) {
		l.Observe(t.Context(), httpapi.Observation{
			Operation: "tasks.list", Method: "GET", Status: 403, Began: began, Duration: 1500 * time.Microsecond, Principal: twinplatform.Principal{ID: "p1"},
			RequestID: "r1", Size: 17, Lacks: []string{"schedules_read"}, Trace: trace, Err: &twinplatform.Error{Kind: twinplatform.Forbidden, Code: "InsufficientPermissions"},
			Request: asked("GET", "/schedules/s1/tasks?$top=5&sig=sesame&code=sesame&token=sesame", "192.0.2.7:4711", "Authorization", "Bearer sesame", "X-Forwarded-For", "198.51.100.1"),
		})
	})
	want := []map[string]any{{
		"time": "2026-03-01T12:00:00.0015Z", "level": "INFO", "msg": "request", "method": "GET", "path": "/schedules/s1/tasks?$top=5&sig=•••&code=•••&token=•••",
		"operation": "tasks.list", "status": 403.0, "size": 17.0, "duration": 0.0015, "client": "192.0.2.7", "principal": "p1",
		"code": "InsufficientPermissions", "reason": "InsufficientPermissions", "permission": "schedules_read", "request": "r1",
		"trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "span_id": trace.SpanID(),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

func TestFailedAndSlowRequestsAreLoggedAndOthersWhereAllAre(t *testing.T) {
	t.Parallel()
	observe := func(l *accesslog.Log) {
		for _, status := range []int{200, 304, 404, 503, 0} {
			l.Observe(t.Context(), httpapi.Observation{Status: status, Duration: time.Millisecond})
		}
		l.Observe(t.Context(), httpapi.Observation{Status: 201, Duration: time.Second})
	}
	logged := func(cfg accesslog.Config, level slog.Level) (out []any) {
		for _, line := range lines(t, cfg, level, observe) {
			out = append(out, line["level"], line["status"])
		}
		return out
	}
	for name, tt := range map[string]struct {
		cfg   accesslog.Config
		level slog.Level
		want  []any
	}{
		"by default":   {accesslog.Config{}, slog.LevelInfo, []any{"INFO", 404.0, "WARN", 503.0, "INFO", 0.0, "WARN", 201.0}},
		"warnings":     {accesslog.Config{}, slog.LevelWarn, []any{"WARN", 503.0, "WARN", 201.0}},
		"all":          {accesslog.Config{All: true}, slog.LevelInfo, []any{"INFO", 200.0, "INFO", 304.0, "INFO", 404.0, "WARN", 503.0, "INFO", 0.0, "WARN", 201.0}},
		"debug":        {accesslog.Config{}, slog.LevelDebug, []any{"DEBUG", 200.0, "DEBUG", 304.0, "INFO", 404.0, "WARN", 503.0, "INFO", 0.0, "WARN", 201.0}},
		"none is slow": {accesslog.Config{Slow: -1}, slog.LevelWarn, []any{"WARN", 503.0}},
	} {
		if diff := cmp.Diff(tt.want, logged(tt.cfg, tt.level)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestForwardedAddressesAreBelievedOfTrustedProxiesAlone(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, tt := range map[string]struct {
		proxies       []netip.Prefix
		remote        string
		forwarded     []string
		client, proxy any
	}{
		"no proxy is trusted":     {nil, "10.0.0.1:80", []string{"198.51.100.1"}, "10.0.0.1", nil},
		"a stranger":              {trusted, "192.0.2.7:80", []string{"198.51.100.1"}, "192.0.2.7", nil},
		"a proxy":                 {trusted, "10.0.0.1:80", []string{"198.51.100.1"}, "198.51.100.1", "10.0.0.1"},
		"a proxy sends no header": {trusted, "10.0.0.1:80", nil, "10.0.0.1", nil},
		"two proxies":             {trusted, "10.0.0.1:80", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1", "10.0.0.1"},
		"two headers":             {trusted, "10.0.0.1:80", []string{"198.51.100.1", "10.0.0.2"}, "198.51.100.1", "10.0.0.1"},
		"the client lies":         {trusted, "10.0.0.1:80", []string{"203.0.113.9, 198.51.100.1"}, "198.51.100.1", "10.0.0.1"},
		"the client writes prose": {trusted, "10.0.0.1:80", []string{"me, 198.51.100.1"}, "198.51.100.1", "10.0.0.1"},
		"IPv6 with a port":        {trusted, "[fd00::1]:80", []string{"[2001:db8::1]:443"}, "2001:db8::1", "fd00::1"},
		"IPv4 in IPv6":            {trusted, "[::ffff:10.0.0.1]:80", []string{"198.51.100.1"}, "198.51.100.1", "10.0.0.1"},
		"prose alone":             {trusted, "10.0.0.1:80", []string{"unknown"}, "10.0.0.1", nil},
	} {
		got := lines(t, accesslog.Config{All: true, TrustedProxies: tt.proxies}, slog.LevelInfo, func(l *accesslog.Log) {
			r := asked("GET", "/", tt.remote)
			r.Header["X-Forwarded-For"] = tt.forwarded
			l.Observe(t.Context(), httpapi.Observation{Status: 200, Request: r})
		})
		if len(got) != 1 || got[0]["client"] != tt.client || got[0]["proxy"] != tt.proxy {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A writer that blocks keeps no request waiting, and what could not be written is
// counted.
func TestWhatCannotBeWrittenIsCountedAndBlocksNothing(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	l := accesslog.New(accesslog.Config{Handler: slog.NewTextHandler(&text, nil), All: true, Waiting: 3})
	for range 10 {
		l.Observe(t.Context(), httpapi.Observation{Status: 200}) // no one runs it
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := l.Run(ctx); err != nil {
		t.Fatal(err)
	}
	l.Observe(t.Context(), httpapi.Observation{Status: 200}) // after its end
	if n := strings.Count(text.String(), "msg=request "); n != 4 || !strings.Contains(text.String(), "requests=7") {
		t.Errorf("%d lines:\n%s", n, &text)
	}
}

func TestLinesAreWrittenTogether(t *testing.T) {
	t.Parallel()
	batches := 0
	got := lines(t, accesslog.Config{All: true, Batch: func(write func()) { batches++; write() }}, slog.LevelInfo, func(l *accesslog.Log) {
		for range 1000 {
			l.Observe(t.Context(), httpapi.Observation{Status: 200})
		}
	})
	if len(got) != 1000 || batches == 0 || batches > 1000 {
		t.Errorf("%d lines in %d batches", len(got), batches)
	}
}

func TestWhatIsServedNextToTheAPIIsLogged(t *testing.T) {
	t.Parallel()
	got := lines(t, accesslog.Config{All: true}, slog.LevelInfo, func(l *accesslog.Log) {
		h := l.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, "short and stout")
		}))
		h.ServeHTTP(httptest.NewRecorder(), asked("GET", "/files/a?sig=sesame", "192.0.2.7:1"))
	})
	if len(got) != 1 || got[0]["path"] != "/files/a?sig=•••" || got[0]["status"] != 418.0 || got[0]["size"] != 15.0 || got[0]["client"] != "192.0.2.7" {
		t.Errorf("the log is %v", got)
	}
}
