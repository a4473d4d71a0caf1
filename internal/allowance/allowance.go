// Package allowance gives every caller an allowance of requests a minute.
package allowance

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/seed-933f9a09/twinplatform"
)

// Allowances gives every caller an allowance of requests a minute, and one to all
// whom nobody knows together. It is safe for concurrent use.
type Allowances struct {
	now     func() time.Time
	nobody  *rate.Limiter
	callers *Recent[*rate.Limiter]
}

// New returns full allowances of so many requests a minute, by a clock.
func New(perMinute int, now func() time.Time) *Allowances {
	full := func() *rate.Limiter { return rate.NewLimiter(rate.Limit(float64(perMinute)/60), perMinute) }
	return &Allowances{now: now, nobody: full(), callers: NewRecent(full)}
}

// Take takes one request from the allowance of a caller, or of those whom nobody knows
// where the id is empty. It fails with RateLimited.
func (a *Allowances) Take(_ context.Context, id string) error {
	allowance := a.nobody
	if id != "" {
		allowance = a.callers.Of(id)
	}
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
