package httpapi_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func TestServeFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stop()
		io.WriteString(w, "whole")
	})
	done := make(chan error, 1)
	go func() { done <- httpapi.Serve(ctx, l, h, time.Minute, nil) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); string(body) != "whole" || err != nil {
		t.Errorf("the answer is %q (%v), want it whole", body, err)
	}
	if err := <-done; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestBesideKeepsThePathsOfTheAPI(t *testing.T) {
	t.Parallel()
	says := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text+" "+r.URL.Path) })
	}
	h := httpapi.Beside(says("api"), "/files", says("files"))
	for path, want := range map[string]string{"/files/a/b": "files /a/b", "/filesystem": "api /filesystem", "/files": "api /files", "/": "api /"} {
		if got := answered(t, h, path); got != want {
			t.Errorf("%s is answered by %q, want %q", path, got, want)
		}
	}
}

func answered(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return w.Body.String()
}
