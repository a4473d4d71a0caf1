package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

// listen opens the address to serve on, or takes the one that systemd has opened, with
// TLS where there is a certificate.
func (s *server) listen(ctx context.Context) (net.Listener, error) {
	listener, err := handedOver(os.Environ())
	if listener == nil && err == nil {
		listener, err = new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.Addr)
	}
	if err != nil || s.cfg.TLSCert == "" {
		return listener, err
	}
	pair := &keyPair{cert: s.cfg.TLSCert, key: s.cfg.TLSKey, failed: func(err error) {
		s.log.ErrorContext(ctx, "the certificate was not reloaded", "error", err)
	}}
	if err := pair.read(); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return tls.NewListener(listener, &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: pair.current,
	}), nil
}

// firstSocket is the number of the first file that systemd hands over.
const firstSocket = 3

// handedOver is the first socket that systemd hands over to this process; nil without
// one.
func handedOver(env []string) (net.Listener, error) {
	if !slices.Contains(env, "LISTEN_PID="+strconv.Itoa(os.Getpid())) || slices.Contains(env, "LISTEN_FDS=0") {
		return nil, nil
	}
	file := os.NewFile(firstSocket, "the socket of systemd")
	listener, err := net.FileListener(file)
	if err != nil {
		return nil, fmt.Errorf("taking the socket that systemd hands over: %w", err)
	}
	return listener, file.Close() // the listener has its own copy
}

// keyPair is a certificate with its key, as the files have it: they are looked at again
// at most once a second, and read again when one has changed.
type keyPair struct {
	cert, key string
	failed    func(error)

	mu     sync.Mutex
	pair   *tls.Certificate
	looked time.Time
	stamp  string // of the files that were read
}

// current is the certificate for a client. Files that are no good change nothing.
func (p *keyPair) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.looked) >= time.Second && p.marked() != p.stamp {
		if err := p.read(); err != nil {
			p.failed(err)
		}
	}
	return p.pair, nil
}

// read reads the files. The caller holds mu, or is the only one who knows p.
func (p *keyPair) read() error {
	p.looked, p.stamp = time.Now(), p.marked()
	pair, err := tls.LoadX509KeyPair(p.cert, p.key)
	if err != nil {
		return fmt.Errorf("-tls-cert: %w", err)
	}
	p.pair = &pair
	return nil
}

// marked identifies the state of the files.
func (p *keyPair) marked() string { return stampOf(p.cert, p.key) }

// stampOf identifies the state of files.
func stampOf(files ...string) (stamp string) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			stamp += fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), " ")
		}
	}
	return stamp
}
