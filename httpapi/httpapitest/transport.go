package httpapitest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
)

// Client returns a client whose requests carry a token of the principal, or of Admin
// where none is given, unless they have their own Authorization header. It reaches the
// harness at URL without a socket, and nothing else.
func (tw *Harness) Client(principal ...twinplatform.Principal) *http.Client {
	tw.t.Helper()
	p := tw.Admin()
	switch len(principal) {
	case 0:
	case 1:
		p = principal[0]
	default:
		tw.t.Fatalf("httpapitest: a client calls for one principal, not for %d", len(principal))
	}
	return tw.ClientWith(tw.TokenOf(p))
}

// ClientWith is Client for the bearer of a token; an empty one is not sent.
func (tw *Harness) ClientWith(token string) *http.Client {
	return &http.Client{Transport: transport{tw, token}}
}

// transport hands requests to the harness.
type transport struct {
	tw    *Harness
	token string
}

// errCut is what a client sees of a connection that ended before the answer did.
var errCut = fmt.Errorf("httpapitest: the connection was cut off: %w", io.ErrUnexpectedEOF)

// RoundTrip implements http.RoundTripper. The request is answered before it
// returns.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	in := t.incoming(r)
	defer func() { _ = in.Body.Close() }() // which has been read, or is of no interest
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.URL.Host != harnessHost {
		return nil, fmt.Errorf("httpapitest: %s is not served here; this client reaches %s alone", r.URL.Host, t.tw.URL)
	}
	w := newAnswer()
	cut := served(t.tw, w, in)
	switch err := r.Context().Err(); {
	case err != nil:
		return nil, err
	case w.late:
		return nil, context.DeadlineExceeded
	case cut && w.Status == 0:
		return nil, errCut
	}
	return w.response(r, cut), nil
}

// incoming is the request as a server gets it.
func (t transport) incoming(r *http.Request) *http.Request {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "192.0.2.1:1234", cmp.Or(r.Host, r.URL.Host)
	in.URL.Scheme, in.URL.Host = "", ""
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1
	if in.Header == nil {
		in.Header = make(http.Header)
	}
	if _, own := in.Header["Authorization"]; !own && t.token != "" {
		in.Header.Set("Authorization", "Bearer "+t.token)
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	return in
}

// served lets a handler answer, and reports whether it cut the connection off.
func served(h http.Handler, w http.ResponseWriter, r *http.Request) (cut bool) {
	defer func() {
		v := recover()
		if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			cut = true
			return
		}
		if v != nil {
			panic(v)
		}
	}()
	h.ServeHTTP(w, r)
	return false
}
