package vocabulary

import (
	"maps"
	"net/http"
)

// Incoming is a request with the headers that the platform knows. A header under its
// specified name is ignored where the deployment has another name for it.
func (v Vocabulary) Incoming(r *http.Request) *http.Request {
	out := *r
	out.Header = r.Header.Clone()
	for name := range v.Headers {
		out.Header.Del(name)
	}
	for name, as := range v.Headers {
		if values := r.Header.Values(as); len(values) > 0 {
			out.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	return &out
}

// Header is what a header is called.
func (d *Dialect) Header(name string) string {
	if d == nil {
		return name
	}
	for known, as := range d.Headers {
		if http.CanonicalHeaderKey(known) == http.CanonicalHeaderKey(name) {
			return as
		}
	}
	return name
}

// Outgoing takes an answer whose headers get the deployment's names.
func (v Vocabulary) Outgoing(w http.ResponseWriter) http.ResponseWriter {
	return &headerWriter{ResponseWriter: w, names: v.Headers}
}

// headerWriter renames headers when they are sent.
type headerWriter struct {
	http.ResponseWriter

	names map[string]string
}

// WriteHeader implements http.ResponseWriter.
func (w *headerWriter) WriteHeader(status int) {
	header := w.Header()
	renamed := make(http.Header)
	for name, as := range w.names {
		if values, ok := header[http.CanonicalHeaderKey(name)]; ok {
			header.Del(name)
			renamed[http.CanonicalHeaderKey(as)] = values
		}
	}
	maps.Copy(header, renamed)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach what is behind.
func (w *headerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
