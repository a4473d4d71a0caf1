package vocabulary

import (
	"maps"
	"net/http"
)

// Heard is a request with the headers that the platform knows. One that comes under
// its name in the specification is none where it is called otherwise.
func (v Vocabulary) Heard(r *http.Request) *http.Request {
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

// Said takes an answer whose headers get the deployment's names.
func (v Vocabulary) Said(w http.ResponseWriter) http.ResponseWriter {
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
	said := make(http.Header)
	for name, as := range w.names {
		if values, ok := header[http.CanonicalHeaderKey(name)]; ok {
			header.Del(name)
			said[http.CanonicalHeaderKey(as)] = values
		}
	}
	maps.Copy(header, said)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach what is behind.
func (w *headerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
