package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

// takesBytes is a row that takes the bytes of what another thing holds as they are,
// with a limit of their own, and answers 204.
func takesBytes[T any](n *noun, most int64, call func(ctx context.Context, in, id string, bytes io.Reader) (twinplatform.Record[T], error)) *row {
	r := discardRow(n.updates(), func(ctx context.Context, x *exchange) error {
		return x.take(most, func(body io.Reader) error {
			_, err := call(ctx, x.nth(0), x.nth(1), body)
			return err
		})
	})
	r.raw = true
	return r
}

// take hands over the body of a request that has at most so many bytes.
func (x *exchange) take(most int64, call func(body io.Reader) error) error {
	if x.r.ContentLength > most {
		return errTooLarge
	}
	err := call(http.MaxBytesReader(x.w, x.r.Body, most))
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

// givesBytes is a row that answers with the bytes of what another thing holds.
// Browsers are told to keep them as a file: whoever wrote them is not to run
// anything in the name of the API.
func givesBytes(n *noun, open func(ctx context.Context, in, id string) (*forms.Content, error)) *row {
	return &row{
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
	if _, err := io.Copy(x.w, d); err != nil {
		panic(http.ErrAbortHandler) // part of a file must not be taken for all of it
	}
	return nil
}
