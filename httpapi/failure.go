package httpapi

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

// refusal is a failure that only HTTP has, and so no kind stands for.
type refusal struct {
	status int
	allow  string // the methods that are allowed, of a 405
	err    *twinplatform.Error
}

func (f refusal) Error() string { return f.err.Error() }

// Unwrap makes a refusal the error that its body tells.
func (f refusal) Unwrap() error { return f.err }

var (
	errTooLarge = refusal{status: http.StatusRequestEntityTooLarge, err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "RequestTooLarge",
		Message: "The request body is larger than is allowed.",
	}}
	errEncoding = refusal{status: http.StatusUnsupportedMediaType, err: &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedContentEncoding", Target: "Content-Encoding",
		Message: "The request body must not be encoded.",
	}}
	errMethod = refusal{status: http.StatusMethodNotAllowed, err: &twinplatform.Error{
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

// unknown answers a request that no operation does: with the methods that the
// path has, if there are any.
func (h *Handler) unknown(r *http.Request) error {
	if !canonical(r) {
		return errUnknown
	}
	refused := errMethod
	if refused.allow = h.allowed(r); refused.allow == "" {
		return errUnknown
	}
	return refused
}

// WriteError answers w with the documented body of err, and with the status and
// the headers that belong to it, for handlers around this one that refuse a request
// themselves:
//
//	httpapi.WriteError(w, &twinplatform.Error{Kind: twinplatform.Forbidden, Code: "NotFromHere", Message: "…"})
//
// An error that is no *twinplatform.Error is answered as an internal one, without
// its text. The header must not have been sent.
func WriteError(w http.ResponseWriter, err error) {
	e, code := explain(w.Header(), err)
	body := httperror.Body(e)
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", noSniff)
	w.WriteHeader(code)
	_, _ = w.Write(body)
}

// explain returns the failure that a client is told about, and its status, and sets
// the headers that belong to it.
func explain(header http.Header, err error) (e *twinplatform.Error, status int) {
	e = twinplatform.AsError(err)
	if e == nil { // a handler that fails because of nothing
		e = twinplatform.AsError(twinplatform.Internal)
	}
	status = httperror.Status(e.Kind)
	if f, ok := errors.AsType[refusal](err); ok {
		status = f.status
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
func (x *exchange) fail(err error) {
	if x.status != 0 {
		x.abandon(err)
		return
	}
	e, code := explain(x.w.Header(), err)
	x.err = e
	if code >= http.StatusInternalServerError {
		level := slog.LevelError
		if x.r.Context().Err() != nil {
			level = slog.LevelDebug // the client went away
		}
		x.log(level, "request failed",
			slog.String("operation", x.operationID()), slog.Int("status", code), slog.Any("cause", twinplatform.Cause(err)))
	}
	if l := x.lexicon(); l != nil {
		e = l.Coded(e)
	}
	_ = x.send(code, httperror.Body(e))
}

// lexicon is how the request is spoken with; nil: as the specification does.
func (x *exchange) lexicon() vocabulary.Lexicon {
	switch {
	case x.row != nil && x.row.wording != nil:
		return x.row.wording.Lexicon
	case x.h.dialect != nil:
		return x.h.dialect.Of("")
	}
	return nil
}

// abandon notes that the client did not get the answer, or not all of it.
func (x *exchange) abandon(err error) {
	x.err = twinplatform.AsError(fmt.Errorf("%w: %w", context.Canceled, err))
}
