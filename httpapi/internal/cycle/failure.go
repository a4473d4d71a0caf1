package cycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
)

// Refusal is a failure that only HTTP has, and so no kind stands for.
type Refusal struct {
	Status int
	allow  string // the methods that are allowed, of a 405
	Err    *twinplatform.Error
}

func (f Refusal) Error() string { return f.Err.Error() }

// Unwrap makes a refusal the error in its body.
func (f Refusal) Unwrap() error { return f.Err }

// Failures that only HTTP has, and that of a request for what there is not.
var (
	// ErrTooLarge and ErrEncoding refuse bodies that are not looked at.
	ErrTooLarge = Refusal{Status: http.StatusRequestEntityTooLarge, Err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "RequestTooLarge",
		Message: "The request body is larger than is allowed.",
	}}
	ErrEncoding = Refusal{Status: http.StatusUnsupportedMediaType, Err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedContentEncoding", Target: "Content-Encoding",
		Message: "The request body must not be encoded.",
	}}
	errMethod = Refusal{Status: http.StatusMethodNotAllowed, Err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "MethodNotAllowed",
		Message: "The resource does not support the method of the request.",
	}}
	errUnknown = &twinplatform.Error{
		Kind: twinplatform.NotFound, Code: "ResourceNotFound",
		Message: "The requested resource is not available.",
		Details: []twinplatform.Detail{{
			Code:    "OperationNotFound",
			Message: "The requested operation is not available. Check method and path of the request.",
		}},
	}
)

// errUnserved is errUnknown for an operation whose name is known.
func errUnserved(summary string) error {
	e := *errUnknown
	e.Details = []twinplatform.Detail{{
		Code:    "OperationNotFound",
		Message: "The operation '" + summary + "' is not implemented.",
	}}
	return &e
}

// unknown answers a request that no operation does: with the methods that the
// path has, if there are any.
func (s *Server) unknown(r *http.Request) error {
	if s.Unserved != nil {
		if summary := s.Unserved(r); summary != "" {
			return errUnserved(summary)
		}
	}
	refused := errMethod
	if refused.allow = s.Allowed(r); refused.allow == "" {
		return errUnknown
	}
	return refused
}

// WriteError answers with the documented body of an error, and with the status and the
// headers that belong to it.
func WriteError(w http.ResponseWriter, err error) {
	e, code := explain(w.Header(), err)
	body := httperror.Body(e)
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", noSniff)
	w.WriteHeader(code)
	_, _ = w.Write(body)
}

// explain returns the failure that a client is shown, and its status, and sets the
// headers that belong to it.
func explain(header http.Header, err error) (e *twinplatform.Error, status int) {
	e = twinplatform.AsError(err)
	if e == nil { // a handler that fails because of nothing
		e = twinplatform.AsError(twinplatform.Internal)
	}
	status = httperror.Status(e.Kind)
	if f, ok := errors.AsType[Refusal](err); ok {
		status = f.Status
		if f.allow != "" {
			header.Set("Allow", f.allow)
		}
	}
	switch {
	case status == http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	case e.RetryAfter > 0 || status == http.StatusTooManyRequests:
		httperror.SetRetryAfter(header, e.RetryAfter)
	}
	return e, status
}

// fail answers a failure with the documented body, unless the header was sent: then
// it can only be that the client is gone.
func (x *Exchange) fail(err error) {
	if x.status != 0 {
		x.abandon(err)
		return
	}
	e, code := explain(x.W.Header(), err)
	x.err = e
	if code >= http.StatusInternalServerError {
		level := slog.LevelError
		if x.R.Context().Err() != nil {
			level = slog.LevelDebug // the client went away
		}
		x.log(level, "request failed",
			slog.String("operation", x.operationID()), slog.Int("status", code), slog.Any("cause",
				twinplatform.Cause(err)))
	}
	if l := x.Lexicon(); l != nil {
		e = l.Coded(e)
	}
	_ = x.Send(code, httperror.Body(e))
}

// Lexicon is how the request is spoken with; nil: as the specification does.
func (x *Exchange) Lexicon() vocabulary.Lexicon {
	switch {
	case x.Route != nil && x.Route.Wording != nil:
		return x.Route.Wording.Lexicon
	case x.server.Dialect != nil:
		return x.server.Dialect.Of("")
	}
	return nil
}

// abandon notes that the client did not get the answer, or not all of it.
func (x *Exchange) abandon(err error) {
	x.err = twinplatform.AsError(fmt.Errorf("%w: %w", context.Canceled, err))
}
