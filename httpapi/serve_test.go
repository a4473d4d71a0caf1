package httpapi_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestServeFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	l := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	working := make(chan context.Context, 1)
	work := func(ctx context.Context) error {
		working <- ctx
		<-ctx.Done()
		return nil
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		worker := <-working
		stop()
		if worker.Err() != nil {
			io.WriteString(w, "the work ended before ")
		}
		io.WriteString(w, "whole")
	})
	done := make(chan error, 1)
	go func() { done <- httpapi.Serve(ctx, l, h, time.Minute, nil, work) }()
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

func TestServeEndsWithWorkThatFails(t *testing.T) {
	t.Parallel()
	failure := errors.New("the store is gone")
	idle := func(ctx context.Context) error {
		<-ctx.Done()
		return nil
	}
	err := httpapi.Serve(t.Context(), listen(t), http.NotFoundHandler(), time.Minute, nil, idle, func(context.Context) error { return failure })
	if !errors.Is(err, failure) {
		t.Errorf("Serve: %v, want the failure of the work", err)
	}
}

func TestLocalAddressIsOneThatCanBeDialled(t *testing.T) {
	t.Parallel()
	l := listen(t)
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	for ip, want := range map[string]string{"0.0.0.0": "127.0.0.1:", "::": "127.0.0.1:", "::1": "[::1]:", "192.0.2.7": "192.0.2.7:"} {
		got := httpapi.LocalAddress(elsewhere{l, &net.TCPAddr{IP: net.ParseIP(ip), Port: port}})
		if want += strconv.Itoa(port); got != want {
			t.Errorf("a listener at %s is reached at %s, want %s", ip, got, want)
		}
	}
}

// elsewhere is a listener that reports another address.
type elsewhere struct {
	net.Listener
	addr net.Addr
}

func (e elsewhere) Addr() net.Addr { return e.addr }

func TestMountKeepsThePathsOfTheAPI(t *testing.T) {
	t.Parallel()
	answering := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text+" "+r.URL.Path) })
	}
	h := httpapi.Mount(answering("api"), "/files", answering("files"))
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
