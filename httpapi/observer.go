package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Observation is what there is to report about a request once it is answered, for metrics,
// logs, traces and tests. Besides Request it has nothing of tokens, queries and bodies but the
// names in Unread.
type Observation struct {
	Operation string // id, such as tasks.create; empty where the request is for none
	Method    string
	// Status is the HTTP status of the answer; 0 where none was sent, since the client was
	// gone.
	Status    int
	Began     time.Time
	Duration  time.Duration
	Principal twinplatform.Principal // the zero value where no caller is known
	RequestID string
	// Err is what the request failed with, nil where it did not. The answer's body carries
	// its Code; twinplatform.Cause returns what is behind it.
	Err *twinplatform.Error
	// Unread names what the client sent and nothing read, at most 100 of each
	// request: the paths of members of the body and the names of parameters of
	// the query that the operation does not know, and "(body)" for the body of
	// an operation that takes none.
	Unread []string
	// Size is how many bytes of the answer's body were written.
	Size int64
	// Lacks are the permissions that a 403 is about: all of them or one of them is
	// missing, as Err says.
	Lacks []string
	// Trace is the place of the request in a trace: under a span of [twinplatform.WithTrace],
	// else under the traceparent of the client, else in a new one.
	Trace twinplatform.Trace
	// Request is what was asked, its path in the words of the specification. It holds the
	// secrets of the caller: an observer does not change it, read its body, or keep it.
	Request *http.Request
}

// Observer is called once for each request, when it is answered or given up, including
// those that were refused and those that panicked. It is called before the request's
// goroutine continues, so it does not wait for anything. The context is the request's,
// and may be done. A panic in it is logged, and goes no further.
type Observer func(context.Context, Observation)

// Observers joins several observers into one that calls them in their order. Each is
// called even where one before it panics. Those that are nil are left out, and
// Observers of none is nil.
func Observers(observers ...Observer) Observer {
	observers = slices.DeleteFunc(slices.Clone(observers), func(o Observer) bool { return o == nil })
	if len(observers) == 0 {
		return nil
	}
	return func(ctx context.Context, o Observation) { observe(ctx, o, observers) }
}

func observe(ctx context.Context, o Observation, observers []Observer) {
	if len(observers) == 0 {
		return
	}
	defer observe(ctx, o, observers[1:])
	observers[0](ctx, o)
}
