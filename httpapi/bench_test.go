package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// discard takes an answer without keeping it, so that benchmarks measure the
// handler and not a recorder.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }

func drive(b *testing.B, h http.Handler, method, target, body string) {
	b.Helper()
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("Authorization", "Bearer "+token)
	w := &discard{header: make(http.Header)}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		if body != "" {
			r.Body = http.NoBody
			r = r.Clone(context.Background())
			r.Body = readCloser{strings.NewReader(body)}
			r.ContentLength = int64(len(body))
		}
		h.ServeHTTP(w, r)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func benchThings(b *testing.B, svc httpapi.Things) *httpapi.Handler {
	b.Helper()
	h, err := httpapi.NewThings(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{token: me}),
		Rate:          1 << 30,
	}, svc)
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkHandler measures what the handler adds to a bare one: token, limit,
// routing, headers.
func BenchmarkHandler(b *testing.B) {
	record := []byte(`{"thing":{"id":"a b","name":"A"}}`)
	b.Run("bare", func(b *testing.B) {
		drive(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(record)
		}), "GET", "/things/a", "")
	})
	h := benchThings(b, thing())
	b.Run("get", func(b *testing.B) { drive(b, h, "GET", "/things/a", "") })
	b.Run("create", func(b *testing.B) { drive(b, h, "POST", "/things", `{"name":"a","inner":{"on":true}}`) })
	for _, n := range []int{100, 10_000} {
		wire := make([][]byte, n)
		for i := range wire {
			wire[i] = []byte(`{"id":"` + strings.Repeat("x", 280) + `"}`)
		}
		svc := thing()
		svc.List = func(context.Context, twinplatform.ListOptions, string) (twinplatform.Page[httpapi.Thing], error) {
			return twinplatform.NewPage[httpapi.Thing](wire, nil), nil
		}
		h := benchThings(b, svc)
		b.Run(fmt.Sprintf("page of %d", n), func(b *testing.B) { drive(b, h, "GET", "/things", "") })
		b.Run(fmt.Sprintf("copy of %d", n), func(b *testing.B) {
			buf := make([]byte, 0, n*300)
			b.ReportAllocs()
			for b.Loop() {
				buf = buf[:0]
				for _, w := range wire {
					buf = append(append(buf, w...), ',')
				}
			}
		})
	}
}

// BenchmarkLoopback compares the handler with a bare one behind a real server.
func BenchmarkLoopback(b *testing.B) {
	record := []byte(`{"thing":{"id":"a b","name":"A"}}`)
	for name, h := range map[string]http.Handler{
		"bare": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(record)
		}),
		"get": benchThings(b, thing()),
	} {
		b.Run(name, func(b *testing.B) {
			srv := httptest.NewServer(h)
			defer srv.Close()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, _ := http.NewRequest("GET", srv.URL+"/things/a", nil)
					r.Header.Set("Authorization", "Bearer "+token)
					res, err := srv.Client().Do(r)
					if err != nil {
						b.Error(err)
						return
					}
					_ = res.Body.Close()
				}
			})
		})
	}
}

func BenchmarkScan(b *testing.B) {
	item := `{"name":"Foundation","id":"5a9a2f3e","any":{"plannedStart":"2026-01-05T09:00:00Z"},"count":28800,"note":null,"tags":["a"]}`
	body := []byte(`{"batch":[` + strings.Repeat(item+",", 999) + item + `]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := httpapi.Scan[httpapi.ThingBody](body); err != nil {
			b.Fatal(err)
		}
	}
}
