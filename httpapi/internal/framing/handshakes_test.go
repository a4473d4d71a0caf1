package framing_test

import (
	"bytes"
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

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/framing"
)

// TCP checks of a load balancer are handshakes that fail: the log has one line a second at most,
// and counts the rest.
func TestFailedHandshakesAreOneLineASecond(t *testing.T) {
	t.Parallel()
	keys := httptest.NewTLSServer(http.NotFoundHandler())
	defer keys.Close()
	plain, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	began := time.Now()
	l := framing.Listen(tls.NewListener(plain, keys.TLS), slog.New(slog.NewTextHandler(&out, nil)))
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
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	lines, counted := 0, 0
	for line := range strings.Lines(out.String()) {
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
