package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// healthPatience is how long a server may take to say that it is ready.
const healthPatience = 5 * time.Second

// healthCommand asks a server whether it is ready.
func healthCommand() job {
	return job{
		options:  []string{"addr", "config", "tls-cert", "tls-key"},
		examples: []usage.Example{{Call: "twinplatform health -addr 127.0.0.1:4790"}},
		run:      health,
	}
}

// health asks the server that these options start whether it is ready: for containers,
// which have no other program to ask with.
func health(ctx context.Context, s *server, _ []string, stdout io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	host, port, err := net.SplitHostPort(s.cfg.Addr)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme, transport := "http", &http.Transport{DisableKeepAlives: true}
	if s.cfg.TLSCert != "" {
		// It asks itself, sends nothing, and reads no more than a status.
		scheme, transport.TLSClientConfig = "https", &tls.Config{InsecureSkipVerify: true} //nolint:gosec // as above
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+"/readyz",
		http.NoBody)
	if err != nil {
		return err
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	_ = resp.Body.Close()
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, answer)
	}
	if err != nil {
		return err
	}
	_, err = stdout.Write(answer)
	return err
}
