package httpapitest

import (
	"io"
	"net/http"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/internal/recorder"
)

// answer keeps what a client of the harness is answered.
type answer struct {
	*recorder.Recorder
	late bool // the client did not wait for it
}

var _ control.Impatient = (*answer)(nil)

func newAnswer() *answer { return &answer{Recorder: recorder.New(make(http.Header))} }

// GiveUp implements control.Impatient.
func (w *answer) GiveUp() { w.late = true }

// response is the answer as the client of r gets it; one that was cut off ends with
// an error instead of with its end.
func (w *answer) response(r *http.Request, cut bool) *http.Response {
	w.WriteHeader(http.StatusOK)
	res := &http.Response{
		Status: strconv.Itoa(w.Status) + " " + http.StatusText(w.Status), StatusCode: w.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.Sent, Request: r, ContentLength: int64(w.Body.Len()),
	}
	if n, err := strconv.ParseInt(w.Sent.Get("Content-Length"), 10, 64); err == nil {
		res.ContentLength = n
	}
	body := io.Reader(&w.Body)
	if cut {
		body = io.MultiReader(body, cutOff{})
	}
	res.Body = io.NopCloser(body)
	return res
}

// cutOff is the end of what was cut off.
type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
