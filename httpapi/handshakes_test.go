package httpapi_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TCP checks of a load balancer are handshakes that fail: the log has one line a second at most,
// and counts the rest.
func TestFailedHandshakesAreOneLineASecond(t *testing.T) {
	t.Parallel()
	keys := httptest.NewTLSServer(http.NotFoundHandler())
	defer keys.Close()
	l := listen(t)
	var out bytes.Buffer
	began := time.Now()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error, 1)
	go func() {
		log := slog.New(slog.NewTextHandler(&out, nil))
		served <- httpapi.Serve(ctx, tls.NewListener(l, keys.TLS), http.NotFoundHandler(), time.Second, log)
	}()
	const checks = 40
	for range checks {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n")
		io.Copy(io.Discard, conn) // until the server gives it up
		conn.Close()
	}
	stop()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	lines, counted := 0, 0
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, "TLS handshake") {
			continue // that the server stops
		}
		lines++
		if strings.Contains(line, "client=127.0.0.1:") {
			counted++
		}
		n, err := strconv.Atoi(regexp.MustCompile(` more=(\d+)`).FindStringSubmatch(line)[1])
		if err != nil {
			t.Fatal(err)
		}
		counted += n
	}
	if most := int(time.Since(began)/time.Second) + 2; lines > most || counted != checks {
		t.Errorf("%d lines in at most %d seconds count %d handshakes of %d:\n%s", lines, most-1, counted, checks, &out)
	}
}
