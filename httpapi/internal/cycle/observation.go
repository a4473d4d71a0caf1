package cycle

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Observation is what there is to report about a request once it is answered, as
// httpapi.Observation has it.
type Observation struct {
	Operation string
	Method    string
	Status    int
	Began     time.Time
	Duration  time.Duration
	Principal twinplatform.Principal
	RequestID string
	Err       *twinplatform.Error
	Unread    []string
	Size      int64
	Lacks     []string
	Trace     twinplatform.Trace
	Request   *http.Request
}

// maxUnread is the number of names in Observation.Unread.
const maxUnread = maxUnknown

// unreadBody is in Observation.Unread for a body that nothing read.
const unreadBody = "(body)"

// observe calls the observer with the request, if there is one.
func (x *Exchange) observe() {
	if x.server.Observe == nil {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			x.log(slog.LevelError, "the observer panicked", slog.Any("panic", v),
				slog.String("stack", string(debug.Stack())))
		}
	}()
	if x.Route != nil && x.Route.Body == nil && !x.Route.Raw && x.R.ContentLength > 0 {
		x.leaves(unreadBody)
	}
	x.server.Observe(x.R.Context(), Observation{
		Operation: x.operationID(), Method: x.R.Method, Status: x.status, Began: x.began, Duration: time.Since(x.began),
		Principal: x.principal, RequestID: x.id, Err: x.err, Unread: x.unread,
		Size: x.size, Lacks: x.lacks(), Trace: x.trace, Request: x.R,
	})
}

// lacks are the permissions that the caller was refused for.
func (x *Exchange) lacks() []string {
	if x.err == nil || x.status != http.StatusForbidden {
		return nil
	}
	return problem.Lacking(x.err)
}

// leaves notes what the client sent and nothing reads.
func (x *Exchange) leaves(names ...string) {
	x.unread = append(x.unread, names[:min(len(names), maxUnread-len(x.unread))]...)
}
