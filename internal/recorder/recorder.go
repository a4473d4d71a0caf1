// Package recorder keeps an answer of a handler in memory.
package recorder

import (
	"bytes"
	"net/http"
)

// Recorder keeps an answer.
type Recorder struct {
	Sent   http.Header // as it was when the status was sent; nil before
	Status int         // 0 until it is sent
	Body   bytes.Buffer

	header http.Header
}

var _ http.ResponseWriter = (*Recorder)(nil)

// New returns a recorder of an answer with that header.
func New(header http.Header) *Recorder { return &Recorder{header: header} }

// Header implements http.ResponseWriter.
func (w *Recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *Recorder) WriteHeader(status int) {
	if w.Status == 0 {
		w.Status, w.Sent = status, w.header.Clone()
	}
}

// Write implements http.ResponseWriter.
func (w *Recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.Body.Write(b)
}
