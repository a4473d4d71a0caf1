package cycle

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// minRate is how many bytes a second clients send and read at least, behind the time that
// every request has.
const minRate = 16 << 10

// Take hands over the body of a request that has at most so many bytes, as fast as the
// client sends it.
func (x *Exchange) Take(most int64, call func(body io.Reader) error) error {
	if x.R.ContentLength > most {
		return ErrTooLarge
	}
	err := call(x.paced(http.MaxBytesReader(x.W, x.R.Body, most)))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return ErrTooLarge
	case errors.Is(err, io.ErrUnexpectedEOF):
		return x.Route.Invalid(badBody("", "The request body could not be read.")).Because(err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return context.DeadlineExceeded
	}
	return err
}

// paced is a body that may take longer than other requests, where the client sends it at
// minRate. The time that the client takes is none of the request's.
func (x *Exchange) paced(body io.Reader) io.Reader {
	srv := x.httpServer()
	if srv == nil || x.limited == nil || srv.ReadTimeout > 0 && srv.ReadTimeout <= x.server.Timeout {
		return body
	}
	ctl := http.NewResponseController(x.W)
	return &pace.Reader{
		From: body, Control: ctl, Pace: pace.New(x.server.Timeout, minRate),
		Waited: func(d time.Duration) {
			x.waited(ctl, srv, d)
		},
	}
}

// waited notes time that the client took.
func (x *Exchange) waited(ctl *http.ResponseController, srv *http.Server, d time.Duration) {
	x.limited.extend(d)
	if at, ok := x.limited.Deadline(); ok && !x.writesWithin(srv) {
		_ = ctl.SetWriteDeadline(at.Add(grace))
	}
}

// writesWithin reports whether the server itself bounds the time for writing more
// narrowly than the handler does.
func (x *Exchange) writesWithin(srv *http.Server) bool {
	return srv.WriteTimeout > 0 && srv.WriteTimeout <= x.server.Timeout+grace
}

// Download is bytes with a name.
type Download struct {
	io.Reader
	Name, MediaType string // a browser shows what has no name
	Size            int64
}

// Give answers with bytes.
func (x *Exchange) Give(d Download) error {
	if err := x.found(); err != nil {
		return err
	}
	x.leaveSlot()
	header := x.W.Header()
	header.Set("Content-Type", d.MediaType)
	header.Set("Content-Length", strconv.FormatInt(d.Size, 10))
	if d.Name != "" {
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.Name}))
	}
	header.Set("X-Content-Type-Options", noSniff)
	x.status = http.StatusOK
	x.W.WriteHeader(http.StatusOK)
	if x.R.Method == http.MethodHead {
		return nil
	}
	n, err := io.Copy(x.slow(), d)
	if x.size += n; err != nil {
		panic(http.ErrAbortHandler) // part of a file must not be taken for all of it
	}
	return nil
}

// slow is where bytes are written that may take longer than other answers, where the
// client reads them at minRate.
func (x *Exchange) slow() io.Writer {
	srv := x.httpServer()
	if srv == nil || x.limited == nil || x.writesWithin(srv) {
		return x.W
	}
	return &pace.Writer{
		To: x.W, Control: http.NewResponseController(x.W), Pace: pace.New(x.server.Timeout, minRate),
		Waited: x.limited.extend,
	}
}
