package framing

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// net/http speaks HTTP/2 on a *tls.Conn alone, and on that it reads for itself. So what a
// client speaks is found out first: connections of HTTP/2, whose frames give the length of
// each body in one way, are passed on as they are, and those of HTTP/1 as connections that
// are checked, together with the TLS state.

// handshakeTime is how long a client may take to agree on TLS.
const handshakeTime = 10 * time.Second

// Listener follows the requests of its connections. Those over TLS make their
// handshakes side by side, so that none waits for another.
type Listener struct {
	net.Listener

	tls    handshakes
	ready  chan net.Conn
	failed chan error
	life   context.Context // ends with Close
	end    context.CancelFunc
}

// Listen follows the requests of the connections to a listener.
func Listen(l net.Listener, log *slog.Logger) *Listener {
	f := &Listener{Listener: l, tls: handshakes{log: log}, ready: make(chan net.Conn), failed: make(chan error)}
	f.life, f.end = context.WithCancel(context.Background())
	go f.accept()
	return f
}

// accept takes connections until the listener is closed. net/http decides about errors: it
// waits and asks again where no more files can be opened, and closes the listener otherwise.
func (f *Listener) accept() {
	for {
		conn, err := f.Listener.Accept()
		if err != nil {
			select {
			case f.failed <- err:
				continue
			case <-f.life.Done():
				return
			}
		}
		go f.agree(conn)
	}
}

// agree hands a connection on once it is known what is spoken over it.
func (f *Listener) agree(conn net.Conn) {
	secret, ok := conn.(*tls.Conn)
	if !ok {
		f.handOn(&framedConn{Conn: conn})
		return
	}
	ctx, cancel := context.WithTimeout(f.life, handshakeTime)
	defer cancel()
	if err := secret.HandshakeContext(ctx); err != nil {
		f.tls.failed(ctx, conn.RemoteAddr().String(), err)
		_ = conn.Close() // nothing was sent over it
		return
	}
	state := secret.ConnectionState()
	if state.NegotiatedProtocol == "h2" {
		f.handOn(secret)
		return
	}
	f.handOn(&framedConn{Conn: secret, tls: &state})
}

func (f *Listener) handOn(conn net.Conn) {
	select {
	case f.ready <- conn:
	case <-f.life.Done():
		_ = conn.Close() // no one answers any more
	}
}

// Accept implements net.Listener.
func (f *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-f.ready:
		return conn, nil
	case err := <-f.failed:
		return nil, err
	case <-f.life.Done():
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (f *Listener) Close() error {
	f.end()
	f.tls.flush()
	return f.Listener.Close()
}

type tlsStateKey struct{}

// WithTLSState keeps what a followed connection over TLS has agreed on in the context of its
// requests.
func WithTLSState(ctx context.Context, conn net.Conn) context.Context {
	if c, ok := conn.(*framedConn); ok && c.tls != nil {
		return context.WithValue(ctx, tlsStateKey{}, c.tls)
	}
	return ctx
}

// ShowTLSState has requests say what TLS has agreed on, where net/http does not see it.
func ShowTLSState(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if state, ok := r.Context().Value(tlsStateKey{}).(*tls.ConnectionState); ok && r.TLS == nil {
			r.TLS = state
		}
		h.ServeHTTP(w, r)
	})
}
