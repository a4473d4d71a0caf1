package recording

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/internal/recorder"
)

// Handler is a transport that hands requests to a handler, without a socket.
func Handler(h http.Handler) http.RoundTripper { return inProcess{h} }

type inProcess struct{ http.Handler }

// RoundTrip implements http.RoundTripper.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "192.0.2.1:1234", r.URL.Host
	in.URL.Scheme, in.URL.Host = "", ""
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := recorder.New(make(http.Header))
	if err := p.serve(w, in); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusOK)
	return &http.Response{
		StatusCode: w.Status, Status: http.StatusText(w.Status), Header: w.Sent, Request: r,
		ContentLength: int64(w.Body.Len()),
		Proto:         "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(&w.Body),
	}, nil
}

// serve answers a request; what aborts it is an error.
func (p inProcess) serve(w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		v := recover()
		if cause, ok := v.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
			err = io.ErrUnexpectedEOF
		} else if v != nil {
			panic(v)
		}
	}()
	p.ServeHTTP(w, r)
	return nil
}

func withUnder(ctx context.Context, u under) context.Context {
	return context.WithValue(ctx, underKey{}, u)
}

func underOf(ctx context.Context) (under, bool) {
	u, ok := ctx.Value(underKey{}).(under)
	return u, ok
}
