package twinplatform

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// Kind is what kind of failure an [Error] is. A Kind is itself an error, so that
// errors.Is(err, twinplatform.NotFound) asks for the kind of any error that this module
// returns.
type Kind int

// The kinds of failure, with the HTTP status that package httpapi answers.
const (
	Internal        Kind = iota // 500: a fault of the platform
	Invalid                     // 400: the request is malformed or breaks a rule
	Unauthenticated             // 401: no credentials, or wrong ones
	Forbidden                   // 403: the caller may see but not do this
	NotFound                    // 404: missing, or not for the caller to see
	Conflict                    // 409: at odds with the present state
	Unprocessable               // 422: well formed, but its content is refused
	RateLimited                 // 429: too many requests
	Unavailable                 // 503: the store takes no writes at present
)

var kindNames = [...]string{
	Internal:        "internal error",
	Invalid:         "invalid",
	Unauthenticated: "unauthenticated",
	Forbidden:       "forbidden",
	NotFound:        "not found",
	Conflict:        "conflict",
	Unprocessable:   "unprocessable",
	RateLimited:     "rate limited",
	Unavailable:     "unavailable",
}

// Error makes a Kind a target for errors.Is.
func (k Kind) Error() string {
	if k < 0 || int(k) >= len(kindNames) {
		return kindNames[Internal]
	}
	return kindNames[k]
}

// Detail is one of the reasons within an [Error]: what is wrong with what.
type Detail struct {
	Code    string `json:"code"`             // documented code, such as InvalidValue
	Message string `json:"message"`          // for people
	Target  string `json:"target,omitempty"` // property, parameter or header at fault
}

// Error is every failure that the platform returns to its callers, through Go and over
// HTTP alike. Errors are values: they are never changed once returned.
type Error struct {
	Kind    Kind   // the table from kind to HTTP status is in httpapi
	Code    string // documented code, such as ScheduleNotFound
	Message string // for people; it never carries what the caller may not know
	Target  string // property or parameter at fault; empty when there is none
	Details []Detail

	// RetryAfter is how long the caller should wait; set for RateLimited and,
	// where it is known, for Unavailable.
	RetryAfter time.Duration

	cause error
}

// Error gives code, message and details on one line, without the cause.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Code)
	if e.Target != "" {
		b.WriteString(" (" + e.Target + ")")
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	for i, d := range e.Details {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(d.Code)
		if d.Target != "" {
			b.WriteString(" (" + d.Target + ")")
		}
		if d.Message != "" {
			b.WriteString(" " + d.Message)
		}
	}
	return b.String()
}

// ErrTokenExpired is what the error of a list is, for errors.Is, when the token it was
// asked to continue from is too old, or from before the store was restored: the list is
// to be read again, as [Sync] does.
var ErrTokenExpired = errors.New("twinplatform: the token is no longer good; list the records anew")

// Is matches the error's Kind, any *Error with the same code, and ErrTokenExpired.
func (e *Error) Is(target error) bool {
	if target == ErrTokenExpired {
		return e.cause == ErrTokenExpired
	}
	switch t := target.(type) {
	case Kind:
		return t == e.Kind
	case *Error:
		return t.Code == e.Code && t.Code != ""
	}
	return false
}

// Because returns a copy of e that remembers cause for the log. The cause is
// never shown to a client.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.Details = slices.Clone(e.Details)
	c.cause = cause
	return &c
}

// Cause returns what lies behind err, for the log: the cause that Because
// attached, or err itself.
func Cause(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.cause != nil {
		return e.cause
	}
	return err
}

// AsError returns err as an [Error]. Anything that is none becomes Internal
// with err as its cause, so that its text reaches the log and never a client;
// a done context becomes Unavailable.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return (&Error{
			Kind: Unavailable, Code: "RequestAborted",
			Message: "The request was cancelled before it was done.",
		}).Because(err)
	}
	return (&Error{Kind: Internal, Code: "InternalError", Message: "An unexpected error occurred."}).Because(err)
}
