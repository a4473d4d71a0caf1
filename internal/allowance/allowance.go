// Package allowance gives every caller an allowance of requests a minute.
package allowance

import (
	"context"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform"
)

// Allowances gives every caller an allowance of requests a minute. Strangers, whom nobody
// knows, are remembered apart, so that however many of them there are they take the place
// of no caller. It is safe for concurrent use.
type Allowances struct {
	now                func() time.Time
	callers, strangers *Recent[*rate.Limiter]
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
	// Reserving tells how long it takes until the next request is allowed;
	// cancelling gives back what was reserved.
	r := allowance.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	r.CancelAt(now)
	return Over(wait)
}

// Over is the failure of a caller who has used its allowance up for so long.
func Over(wait time.Duration) error {
	return &twinplatform.Error{
		Kind: twinplatform.RateLimited, Code: "RateLimitExceeded",
		Message:    "The client has sent more requests than it may.",
		RetryAfter: max(wait, time.Second),
	}
}
