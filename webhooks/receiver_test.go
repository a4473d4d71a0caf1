package webhooks_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// authority is a certificate for the receivers of tests, and the pool in which
// it is trusted.
var authority = sync.OnceValues(func() (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "receivers of tests"},
		// The clock of a bubble begins in the year 2000.
		NotBefore:             time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames:              []string{"receiver.example.com", "*.example.com", "localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.Public(), key)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
})

// received is a request as a receiver got it.
type received struct {
	at     time.Time
	header http.Header
	body   []byte
	receiver.Message
}

// inbox is a receiver that keeps what it gets and answers as configured.
type inbox struct {
	secret  string // checks signatures when set
	network bool   // requests come over connections with TLS, which takes much longer
	answer  func(n int, r received, w http.ResponseWriter, req *http.Request)

	mu       sync.Mutex
	requests []received
	bad      []error
	underway map[string]int // by path
	overlaps int
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	r := received{at: time.Now(), header: req.Header.Clone(), body: body}
	if err == nil {
		r.Message, err = receiver.Parse(body)
	}
	if err == nil && in.secret != "" {
		err = receiver.Verify(in.secret, req.Header, body)
	}
	in.mu.Lock()
	in.requests = append(in.requests, r)
	n := len(in.requests)
	if err != nil {
		in.bad = append(in.bad, err)
	}
	if in.underway == nil {
		in.underway = make(map[string]int)
	}
	if in.underway[req.URL.Path]++; in.underway[req.URL.Path] > 1 {
		in.overlaps++
	}
	in.mu.Unlock()
	defer func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.underway[req.URL.Path]--
	}()
	if in.answer != nil {
		in.answer(n, r, w, req)
	}
}

func (in *inbox) all() []received {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]received(nil), in.requests...)
}

// pipes is a network in memory, in which fake time continues while something waits: every
// connection is a pair of pipes to one TLS server.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// overPipes adds to cfg what lets deliveries reach a receiver without a
// network. The receiver is gone when the test, or its bubble, ends.
func overPipes(t testing.TB, h http.Handler, cfg webhooks.Config) (_ webhooks.Config, stop func()) {
	t.Helper()
	cert, pool := authority()
	p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	srv := &http.Server{Handler: h, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}}, ErrorLog: quiet}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = srv.ServeTLS(p, "", "")
	}()
	cfg.Dial, cfg.RootCAs = p.dial, pool
	return cfg, func() {
		close(p.done)
		_ = srv.Close()
		<-ended
	}
}

// inMemory is a transport that hands requests to a handler, for tests of
// amounts.
type inMemory struct{ h http.Handler }

func (m inMemory) RoundTrip(req *http.Request) (*http.Response, error) {
	w := &answerWriter{status: http.StatusOK}
	m.h.ServeHTTP(w, req)
	return &http.Response{StatusCode: w.status, Header: w.Header(), Body: http.NoBody, Request: req}, nil
}

type answerWriter struct {
	status int
	header http.Header
}

func (w *answerWriter) Header() http.Header {
	if w.header == nil {
		w.header = make(http.Header)
	}
	return w.header
}
func (w *answerWriter) WriteHeader(status int)      { w.status = status }
func (w *answerWriter) Write(b []byte) (int, error) { return len(b), nil }
