package httpapi

import (
	linked "container/list"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform"
)

// maxCallers is the number of principals whose allowance is remembered. Whoever
// was away the longest is forgotten first, and begins anew with a full one.
const maxCallers = 10_000

// limiter gives every principal an allowance of requests a minute, and one to
// all requests without a valid token together.
type limiter struct {
	perMinute int
	nobody    *rate.Limiter

	mu      sync.Mutex
	callers map[string]*linked.Element // of *caller
	recent  linked.List                // most recent first
}

type caller struct {
	id        string
	allowance *rate.Limiter
}

func newLimiter(perMinute int) *limiter {
	l := &limiter{perMinute: perMinute, callers: make(map[string]*linked.Element)}
	l.nobody = l.full()
	return l
}

func (l *limiter) full() *rate.Limiter {
	return rate.NewLimiter(rate.Limit(float64(l.perMinute)/60), l.perMinute)
}

func (l *limiter) of(id string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.callers[id]; ok {
		l.recent.MoveToFront(e)
		return e.Value.(*caller).allowance
	}
	if l.recent.Len() >= maxCallers {
		oldest := l.recent.Back()
		delete(l.callers, l.recent.Remove(oldest).(*caller).id)
	}
	c := &caller{id: id, allowance: l.full()}
	l.callers[id] = l.recent.PushFront(c)
	return c.allowance
}

// take takes one request from an allowance.
func take(allowance *rate.Limiter, now time.Time) error {
	if allowance.AllowN(now, 1) {
		return nil
	}
	// Reserving tells how long it takes until the next request is allowed;
	// cancelling gives back what was reserved.
	r := allowance.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	r.CancelAt(now)
	return &twinplatform.Error{
		Kind: twinplatform.RateLimited, Code: "RateLimitExceeded",
		Message:    "The client has sent more requests than it may.",
		RetryAfter: max(wait, time.Second),
	}
}

// setRetryAfter tells a client in whole seconds, and at least one, how long to
// wait.
func setRetryAfter(header http.Header, wait time.Duration) {
	seconds := int64((wait + time.Second - 1) / time.Second)
	header.Set("Retry-After", strconv.FormatInt(max(seconds, 1), 10))
}
