package bench_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// serverPaths are requests compared with a bare handler that checks a token, counts the
// request against a limit and answers with the same bytes, both behind sockets. Of the
// bare handler's requests some share is asked for: 85 % of them is a ratio of 1/0.85. The
// size is that of the schedule.
var serverPaths = []path{
	{"http-get", 1 / 0.85, 100, 100, asked(16, 10_000, got)},
	{"http-get-assembled", 1 / 0.8, 100, 100, askedOf(assembled, 16, 10_000, got)},
	{"http-not-modified", 1 / 0.9, 100, 100, asked(16, 10_000, func(s *servers, _ int) string {
		return request("GET", "/schedules/s/tasks/"+planned(42).ID, "", "If-None-Match: "+s.etag)
	})},
	{"http-create", 1 / 0.6, 1, 1, asked(16, 10_000, created)},
	{"http-create-one-connection", 1 / 0.7, 1, 1, asked(1, 5_000, created)},
	{"http-page-of-100", 1 / 0.8, 100, 100, asked(16, 4_000, func(*servers, int) string {
		return request("GET", "/schedules/s/tasks?$top=100", "", "")
	})},
	{"http-page-of-10000", 1 / 0.8, 10_000, 100, asked(1, 60, func(*servers, int) string {
		return request("GET", "/schedules/s/tasks?$top=10000", "", "")
	})},
}

// got asks for the same task each time.
func got(*servers, int) string {
	return request("GET", "/schedules/s/tasks/"+planned(42).ID, "", "")
}

// created asks for another task each time. Its number shows whether it is one.
func created(_ *servers, i int) string {
	return request("POST", "/schedules/s/tasks", fmt.Sprintf(`{"id":"made-%d","name":"Pour the floor","type":"Work","plannedStart":"2026-01-05T09:00:00Z","plannedDuration":28800}`, i), "")
}

const bearer = "a-token-of-the-benchmark"

func request(method, target, body, header string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n", method, target, bearer)
	if header != "" {
		b.WriteString(header + "\r\n")
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return b.String()
}

// servers are the handler over a schedule of some tasks, and a bare one.
type servers struct {
	own, bare *httptest.Server
	fixed     atomic.Pointer[answer] // of the bare one
	etag      string
}

// answer is what the handler has answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// asked prepares n requests over some connections to the handler of one area and to a
// bare one.
func asked(conns, n int, request func(s *servers, i int) string) func(testing.TB, int) (raw, own func(int) error, n int) {
	return askedOf(alone, conns, n, request)
}

// askedOf prepares n requests over some connections to a handler over a schedule of
// some tasks, and to a bare one.
func askedOf(handler func(testing.TB, int) http.Handler, conns, n int, request func(s *servers, i int) string) func(testing.TB, int) (raw, own func(int) error, n int) {
	return func(tb testing.TB, tasks int) (raw, own func(int) error, _ int) {
		tb.Helper()
		s := newServers(tb, handler(tb, tasks))
		bare, ours := dial(tb, s.bare, conns), dial(tb, s.own, conns)
		one := func(c *clients) func(n int) error {
			next := atomic.Int64{}
			return func(n int) error {
				return c.send(n, func() string { return request(s, int(next.Add(1))) })
			}
		}
		s.learn(tb, request(s, 0))
		return one(bare), one(ours), n
	}
}

func newServers(tb testing.TB, h http.Handler) *servers {
	tb.Helper()
	s := &servers{own: httptest.NewServer(h)}
	s.bare = httptest.NewServer(s.barely())
	tb.Cleanup(s.own.Close)
	tb.Cleanup(s.bare.Close)
	return s
}

// alone is the handler of the one area, which asks no one who may do what.
func alone(tb testing.TB, tasks int) http.Handler {
	tb.Helper()
	p := newPlan(tb, twinplatform.WithPrincipal(tb.Context(), worker), tasks)
	return served(tb, httpapi.Config{Schedules: p.svc})
}

// assembled is the handler of all areas as the example server wires them, to a caller who
// has a role in the twin.
func assembled(tb testing.TB, tasks int) http.Handler {
	tb.Helper()
	w := newWorld(tb)
	planIn(tb, w.ctx, w.store, w.Schedules, tasks)
	return httpapi.Mount(served(tb, httpapi.Config{
		Schedules: w.Schedules, Forms: w.Forms, Twins: w.Twins, RealityData: w.RealityData, Transform: w.Transform, Webhooks: w.Webhooks,
	}), "/files", http.NotFoundHandler())
}

// served is the handler that the worker asks, without a limit.
func served(tb testing.TB, cfg httpapi.Config) http.Handler {
	tb.Helper()
	cfg.Authenticator, cfg.Rate = httpapi.StaticTokens(map[string]twinplatform.Principal{bearer: worker}), 1<<30
	h, err := httpapi.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// barely answers with what was recorded, to a client that has the token and is within the
// limit.
func (s *servers) barely() http.Handler {
	tokens := map[string]*rate.Limiter{bearer: rate.NewLimiter(1<<30, 1<<30)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		limit, ok := tokens[token]
		if !ok || !limit.Allow() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		a := s.fixed.Load()
		maps.Copy(w.Header(), a.header)
		if etag := r.Header.Get("If-None-Match"); etag != "" && etag == a.header.Get("Etag") {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body)
	})
}

// learn takes what the handler answers a request with for what the bare one answers.
func (s *servers) learn(tb testing.TB, raw string) {
	tb.Helper()
	conn := dial(tb, s.own, 1).conns[0]
	head, body, err := conn.ask(raw, true)
	if err != nil {
		tb.Fatal(err)
	}
	status, fields, _ := bytes.Cut(head, []byte("\r\n"))
	a := &answer{header: make(http.Header), body: body}
	if _, err := fmt.Sscanf(string(status), "HTTP/1.1 %d", &a.status); err != nil {
		tb.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(fields)), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		a.header.Set(name, value)
	}
	for _, name := range []string{"Date", "Transfer-Encoding", "Connection"} {
		a.header.Del(name)
	}
	s.etag = a.header.Get("ETag")
	s.fixed.Store(a)
}
