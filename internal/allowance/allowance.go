// Package allowance gives every caller an allowance of requests a minute.
package allowance

import (
	linked "container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform"
)

// MaxCallers is the number of callers whose allowance is remembered. Whoever was
// away the longest is forgotten first, and begins anew with a full one.
const MaxCallers = 10_000

// Allowances gives every caller an allowance of requests a minute, and one to all
// whom nobody knows together. It is safe for concurrent use.
type Allowances struct {
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

// New returns full allowances of so many requests a minute.
func New(perMinute int) *Allowances {
	a := &Allowances{perMinute: perMinute, callers: make(map[string]*linked.Element)}
	a.nobody = a.full()
	return a
}

func (a *Allowances) full() *rate.Limiter {
	return rate.NewLimiter(rate.Limit(float64(a.perMinute)/60), a.perMinute)
}

// Take takes one request from the allowance of a caller, or fails with RateLimited.
func (a *Allowances) Take(id string, now time.Time) error { return take(a.of(id), now) }

// TakeNobody takes one request from the allowance of those whom nobody knows.
func (a *Allowances) TakeNobody(now time.Time) error { return take(a.nobody, now) }

func (a *Allowances) of(id string) *rate.Limiter {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e, ok := a.callers[id]; ok {
		a.recent.MoveToFront(e)
		return e.Value.(*caller).allowance
	}
	if a.recent.Len() >= MaxCallers {
		oldest := a.recent.Back()
		delete(a.callers, a.recent.Remove(oldest).(*caller).id)
	}
	c := &caller{id: id, allowance: a.full()}
	a.callers[id] = a.recent.PushFront(c)
	return c.allowance
}

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
