package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// takesBytes is a row that takes the bytes of what another thing holds as they are,
// with a limit of their own, and answers 204.
func takesBytes[T any](n *noun, most int64, call func(ctx context.Context, in, id string, bytes io.Reader, pre ...twinplatform.Precondition) (twinplatform.Record[T], error)) *row {
	r := discardRow(n.updates(), func(ctx context.Context, x *exchange) error {
		return x.take(most, func(body io.Reader) error {
			_, err := call(ctx, x.nth(0), x.nth(1), body, x.preconditions()...)
			return err
		})
	})
	r.raw = true
	return r
}

// minRate is how many bytes a second clients send and read at least, behind the time that
// every request has.
const minRate = 16 << 10

// take hands over the body of a request that has at most so many bytes, as fast as the
// client sends it.
func (x *exchange) take(most int64, call func(body io.Reader) error) error {
	if x.r.ContentLength > most {
		return errTooLarge
	}
	err := call(x.paced(http.MaxBytesReader(x.w, x.r.Body, most)))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return errTooLarge
	case errors.Is(err, io.ErrUnexpectedEOF):
		return x.row.invalid(badBody("", "The request body could not be read.")).Because(err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return context.DeadlineExceeded
	}
	return err
}

// paced is a body that may take longer than other requests, where the client sends it at
// minRate. The time that the client takes is none of the request's.
func (x *exchange) paced(body io.Reader) io.Reader {
	srv := x.server()
	if srv == nil || x.limited == nil || srv.ReadTimeout > 0 && srv.ReadTimeout <= x.h.cfg.Timeout {
		return body
	}
	ctl := http.NewResponseController(x.w)
	return &pace.Reader{From: body, Control: ctl, Pace: pace.New(x.h.cfg.Timeout, minRate), Waited: func(d time.Duration) {
		x.waited(ctl, srv, d)
	}}
}

// waited notes time that the client took.
func (x *exchange) waited(ctl *http.ResponseController, srv *http.Server, d time.Duration) {
	x.limited.extend(d)
	if at, ok := x.limited.Deadline(); ok && !x.writesWithin(srv) {
		_ = ctl.SetWriteDeadline(at.Add(grace))
	}
}

// writesWithin reports whether the server itself bounds the time for writing more
// narrowly than the handler does.
func (x *exchange) writesWithin(srv *http.Server) bool {
	return srv.WriteTimeout > 0 && srv.WriteTimeout <= x.h.cfg.Timeout+grace
}

// givesBytes is a row that answers with the bytes of what another thing holds.
// Browsers are told to keep them as a file: their author is not to run
// anything in the name of the API.
func givesBytes(n *noun, open func(ctx context.Context, in, id string) (*forms.Content, error)) *row {
	return &row{
		cost:      byRequest,
		Operation: n.gets(),
		serve: func(ctx context.Context, x *exchange) error {
			c, err := open(ctx, x.nth(0), x.nth(1))
			if err != nil {
				return err
			}
			return x.give(download{c, c.FileName, c.Type, *c.Size})
		},
		replies: []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
	}
}

// download is bytes with a name.
type download struct {
	io.Reader
	name, mediaType string // a browser shows what has no name
	size            int64
}

// give answers with bytes.
func (x *exchange) give(d download) error {
	if err := x.found(); err != nil {
		return err
	}
	x.leaveSlot()
	header := x.w.Header()
	header.Set("Content-Type", d.mediaType)
	header.Set("Content-Length", strconv.FormatInt(d.size, 10))
	if d.name != "" {
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.name}))
	}
	header.Set("X-Content-Type-Options", noSniff)
	x.status = http.StatusOK
	x.w.WriteHeader(http.StatusOK)
	if x.r.Method == http.MethodHead {
		return nil
	}
	if _, err := io.Copy(x.slow(), d); err != nil {
		panic(http.ErrAbortHandler) // part of a file must not be taken for all of it
	}
	return nil
}

// slow is where bytes are written that may take longer than other answers, where the
// client reads them at minRate.
func (x *exchange) slow() io.Writer {
	srv := x.server()
	if srv == nil || x.limited == nil || x.writesWithin(srv) {
		return x.w
	}
	return &pace.Writer{To: x.w, Control: http.NewResponseController(x.w), Pace: pace.New(x.h.cfg.Timeout, minRate), Waited: x.limited.extend}
}
