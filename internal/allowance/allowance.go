// Package allowance gives every caller an allowance of requests a minute.
package allowance

import (
	"context"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform"
)

// Allowances gives every caller an allowance of requests a minute. Strangers, whom no one
// knows, are remembered apart, so that however many of them there are they take the place
// of no caller. It is safe for concurrent use.
type Allowances struct {
	now                func() time.Time
	callers, strangers *Recent[*rate.Limiter]

	charging sync.Mutex // so that two charges do not go below the largest debt
}

// New returns full allowances of so many requests a minute, by a clock.
func New(perMinute int, now func() time.Time) *Allowances {
	full := func() *rate.Limiter { return rate.NewLimiter(rate.Limit(float64(perMinute)/60), perMinute) }
	return &Allowances{now: now, callers: NewRecent(full), strangers: NewRecent(full)}
}

func (a *Allowances) of(id string) *rate.Limiter {
	if id == "" || strings.HasPrefix(id, stranger) {
		return a.strangers.Of(id)
	}
	return a.callers.Of(id)
}

// Take takes one request from the allowance of a caller. It fails with RateLimited.
func (a *Allowances) Take(_ context.Context, id string) error {
	allowance := a.of(id)
	now := a.now()
	if allowance.AllowN(now, 1) {
		return nil
	}
	// Reserving returns how long it takes until the next request is allowed; cancelling
	// gives back what was reserved.
	r := allowance.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	r.CancelAt(now)
	return Over(wait)
}

// Charge takes so many requests more from the allowance of a caller, for one that turned
// out to be worth several. It may bring the caller into debt, but never by more than the
// requests of a minute.
func (a *Allowances) Charge(_ context.Context, id string, requests int) {
	a.charging.Lock()
	defer a.charging.Unlock()
	allowance, now := a.of(id), a.now()
	full := allowance.Burst()
	requests = min(requests, int(allowance.TokensAt(now))+full)
	for ; requests > 0; requests -= full {
		allowance.ReserveN(now, min(requests, full))
	}
}

// Over is the failure of a caller who has used its allowance up for so long.
func Over(wait time.Duration) error {
	return &twinplatform.Error{
		Kind: twinplatform.RateLimited, Code: "RateLimitExceeded",
		Message:    "The client has sent more requests than it may.",
		RetryAfter: max(wait, time.Second),
	}
}
