package httpapitest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// recorder keeps an answer.
type recorder struct {
	header http.Header
	sent   http.Header // as it was when the status was sent
	status int
	body   bytes.Buffer
	late   bool // the client did not wait for it
}

var _ http.ResponseWriter = (*recorder)(nil)

// Header implements http.ResponseWriter.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status, w.sent = status, w.header.Clone()
	}
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// response is the answer as the client of r gets it; one that was cut off ends with
// an error instead of with its end.
func (w *recorder) response(r *http.Request, cut bool) *http.Response {
	w.WriteHeader(http.StatusOK)
	res := &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Request: r, ContentLength: int64(w.body.Len()),
	}
	if n, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil {
		res.ContentLength = n
	}
	body := io.Reader(&w.body)
	if cut {
		body = io.MultiReader(body, cutOff{})
	}
	res.Body = io.NopCloser(body)
	return res
}

// cutOff is the end of what was cut off.
type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
