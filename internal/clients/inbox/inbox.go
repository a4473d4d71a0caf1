// Package inbox receives events as a program does: by HTTPS, under a certificate of the program.
package inbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Inbox is an endpoint that is served until Close.
type Inbox struct {
	URL string // of it

	server *http.Server
	came   chan Delivery
}

// Delivery is an event as it came.
type Delivery struct {
	Signature string
	Body      []byte
}

// Open serves an endpoint at 127.0.0.1, with the certificate and the key of two files.
func Open(ctx context.Context, certificate, key string) (*Inbox, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &Inbox{URL: "https://" + listener.Addr().String() + "/ring", came: make(chan Delivery, 16)}
	b.server = &http.Server{
		Handler: http.HandlerFunc(b.take), ReadHeaderTimeout: time.Minute,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
	}
	go func() { _ = b.server.ServeTLS(listener, "", "") }()
	return b, nil
}

// Close ends it.
func (b *Inbox) Close() error { return b.server.Close() }

func (b *Inbox) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b.came <- Delivery{Signature: r.Header.Get("Signature"), Body: body}
}

// Next is the next event, within ctx.
func (b *Inbox) Next(ctx context.Context) (Delivery, error) {
	select {
	case d := <-b.came:
		return d, nil
	case <-ctx.Done():
		return Delivery{}, fmt.Errorf("no event came: %w", ctx.Err())
	}
}

// Read checks the signature of an event by the secret of its webhook, and reads its body into a
// value.
func (d Delivery) Read(secret string, into any) error {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(d.Body)
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); !hmac.Equal([]byte(d.Signature), []byte(want)) {
		return fmt.Errorf("the signature is %s, not %s", d.Signature, want)
	}
	return json.Unmarshal(d.Body, into)
}
