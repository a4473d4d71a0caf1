package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// maxAnswerHeader bounds what a receiver can make the sender hold, in bytes.
const maxAnswerHeader = 64 << 10

// Config sets how connections are made.
type Config struct {
	Guard Guard
	// RootCAs, Resolver and Dial are those of webhooks.Config.
	RootCAs  *x509.CertPool
	Resolver *net.Resolver
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	// Timeout bounds each step of a request, and Connections their number to
	// one host.
	Timeout     time.Duration
	Connections int
}

// NewTransport returns the transport of deliveries: every address that it dials
// is judged, it asks no proxy, and it decompresses nothing, so that the cap on
// what is read of an answer is one on what the answer holds.
func NewTransport(cfg Config) *http.Transport {
	dial := cfg.Dial
	if dial == nil {
		dial = NewDialer(cfg).DialContext
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            dial,
		Protocols:              protocols,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs},
		TLSHandshakeTimeout:    cfg.Timeout,
		ResponseHeaderTimeout:  cfg.Timeout,
		MaxResponseHeaderBytes: maxAnswerHeader,
		DisableCompression:     true,
		MaxIdleConns:           4 * cfg.Connections,
		MaxIdleConnsPerHost:    cfg.Connections,
		IdleConnTimeout:        90 * time.Second,
	}
}

// NewDialer returns a dialer that judges each address after the name was
// resolved and before a packet is sent, so that no second look-up can change
// the answer.
func NewDialer(cfg Config) *net.Dialer {
	return &net.Dialer{
		Timeout:   cfg.Timeout,
		KeepAlive: 30 * time.Second,
		Resolver:  cfg.Resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			if !strings.HasPrefix(network, "tcp") {
				return ErrBlocked
			}
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return ErrBlocked
			}
			return cfg.Guard.check(to.Addr(), to.Port())
		},
	}
}
