package httpapi

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Observation is what there is to report about a request once it is answered, for
// metrics, traces and tests. It has nothing of tokens, queries and bodies but the
// names in Unread.
type Observation struct {
	Operation string // id, such as tasks.create; empty where the request is for none
	Method    string
	// Status is that of the answer; 0 where nothing was answered, since the
	// client was gone.
	Status    int
	Began     time.Time
	Duration  time.Duration
	Principal twinplatform.Principal // the zero value where no caller is known
	RequestID string
	// Err is what the request failed with, nil where it did not. Its Code is that
	// of the answer's body; twinplatform.Cause tells what lies behind it.
	Err *twinplatform.Error
	// Unread names what the client sent and nothing read, at most 100 of each
	// request: the paths of members of the body and the names of parameters of
	// the query that the operation does not know, and "(body)" for the body of
	// an operation that takes none.
	Unread []string
}

// Observer hears of each request, once, when it is answered or given up: also of
// those that were refused, and of those in which something panicked. It is called
// before the request's goroutine continues, so it does not wait for anything. The
// context is the request's, and may be done. A panic in it is logged, and goes no
// further.
type Observer func(context.Context, Observation)

// maxUnread is the number of names in Observation.Unread.
const maxUnread = 100

// unreadBody stands in Observation.Unread for a body that nothing read.
const unreadBody = "(body)"

// observe tells the observer of the request, if there is one.
func (x *exchange) observe() {
	if x.h.cfg.Observer == nil {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			x.log(slog.LevelError, "the observer panicked", slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
		}
	}()
	if x.row != nil && x.row.in == nil && !x.row.raw && x.r.ContentLength > 0 {
		x.leaves(unreadBody)
	}
	x.h.cfg.Observer(x.r.Context(), Observation{
		Operation: x.operationID(), Method: x.r.Method, Status: x.status, Began: x.began, Duration: time.Since(x.began),
		Principal: x.principal, RequestID: x.id, Err: x.err, Unread: x.unread,
	})
}

// leaves notes what the client sent and nothing reads.
func (x *exchange) leaves(names ...string) {
	x.unread = append(x.unread, names[:min(len(names), maxUnread-len(x.unread))]...)
}
