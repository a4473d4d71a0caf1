package console_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// events opens the stream of operations over a socket, and returns its lines.
func events(t *testing.T, base string) (http.Header, *bufio.Scanner) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(stop)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/console/operations/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res.Header, bufio.NewScanner(res.Body)
}

// changed waits for an event, and returns its data; empty at the end of the stream.
func changed(lines *bufio.Scanner) string {
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			return data
		}
	}
	return ""
}

func TestPagesLearnOfChangesToOperations(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	plan := w.plan("Works")
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	header, lines := events(t, server.URL)
	if kind := header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("the stream has the type %q", kind)
	}
	wantHeaders(t, "the stream", header)
	first := changed(lines)
	w.addTask(plan, "one")
	if second := changed(lines); first == "" || second == "" || first == second {
		t.Errorf("the events are %q and %q", first, second)
	}
}

func TestAServerThatShutsDownEndsItsStreams(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	_, lines := events(t, server.URL)
	if changed(lines) == "" {
		t.Error("the stream does not begin")
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := server.Config.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if changed(lines) != "" || lines.Err() != nil {
		t.Errorf("the stream has not ended: %v", lines.Err())
	}
}

func TestStreamsAreForThoseWhoHaveSignedIn(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	if res := w.browser().get("/console/operations/events"); res.Code != http.StatusUnauthorized {
		t.Errorf("someone who has not signed in gets %d", res.Code)
	}
}
