// Package steady tells time as it passes. Setting the wall clock moves it
// neither way.
package steady

import (
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// earliest and latest bound what a Clock begins with, so that it, and what is a while behind it,
// can be counted in nanoseconds since 1970.
var (
	earliest = time.Unix(0, 0).UTC()
	latest   = time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// Clock begins with the wall clock, or where [Clock.Set] puts it, and continues by
// twinplatform.Env.Elapsed. It is safe for concurrent use.
type Clock struct {
	elapsed func() time.Duration

	mu   sync.Mutex
	base time.Time // while elapsed is 0

	common func() time.Time // that all processes have; nil: none
}

// New returns a clock that shows what the wall clock does, from 1970 to 2200.
func New(env twinplatform.Env) *Clock {
	c := &Clock{elapsed: Elapsed(env)}
	now := env.Now().UTC()
	if now.IsZero() {
		now = time.Now().UTC()
	}
	c.Set(now)
	return c
}

// Shared returns the clock that all processes over a store have in common, which Set does
// not move. Without one, or where a test sets the time, it returns what New does.
func Shared(env twinplatform.Env, common func() time.Time) *Clock {
	c := New(env)
	if env.Elapsed == nil {
		c.common = common
	}
	return c
}

// Now is the time. It never goes back but by Set.
func (c *Clock) Now() time.Time {
	if c.common != nil {
		return c.common()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base.Add(c.elapsed())
}

// Set puts the clock to a time from 1970 to 2200, and to these where it is earlier or later.
func (c *Clock) Set(now time.Time) {
	switch {
	case now.Before(earliest):
		now = earliest
	case now.After(latest):
		now = latest
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = now.Add(-c.elapsed())
}

// Elapsed is Env.Elapsed. Where that is nil it is what Now has gone on by, which does not count
// the times that it went back.
func Elapsed(env twinplatform.Env) func() time.Duration {
	if env.Elapsed != nil {
		return env.Elapsed
	}
	var mu sync.Mutex
	var total time.Duration
	last := env.Now()
	return func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		now := env.Now()
		total, last = total+max(now.Sub(last), 0), now // by the monotonic clock where Now has it
		return total
	}
}
