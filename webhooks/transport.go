package webhooks

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// Bounds on what a receiver can make the sender hold.
const (
	maxAnswerHeader = 64 << 10
	maxAnswerBody   = 64 << 10
)

// newTransport returns the transport of deliveries: every address that it dials
// is judged, it asks no proxy, and it decompresses nothing, so that the cap on
// what is read of an answer is one on what the answer holds.
func newTransport(cfg Config, g guard) *http.Transport {
	dial := cfg.Dial
	if dial == nil {
		dial = newDialer(cfg, g).DialContext
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
		MaxIdleConns:           4 * cfg.Pool,
		MaxIdleConnsPerHost:    cfg.Pool,
		IdleConnTimeout:        90 * time.Second,
	}
}

// newDialer returns a dialer that judges each address after the name was
// resolved and before a packet is sent, so that no second look-up can change
// the answer.
func newDialer(cfg Config, g guard) *net.Dialer {
	return &net.Dialer{
		Timeout:   cfg.Timeout,
		KeepAlive: 30 * time.Second,
		Resolver:  cfg.Resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			if !strings.HasPrefix(network, "tcp") {
				return errBlocked
			}
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return errBlocked
			}
			return g.check(to.Addr(), to.Port())
		},
	}
}
