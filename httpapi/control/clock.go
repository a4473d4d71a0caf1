package control

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// clock goes as another one does, and further each time it is moved.
type clock struct {
	base  func() time.Time
	began time.Time // by base

	mu    sync.Mutex
	ahead time.Duration // of base
	step  time.Duration // what of it was set, so that no time has passed
}

func newClock(base func() time.Time) *clock { return &clock{base: base, began: base()} }

// Now is the time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base().Add(c.ahead)
}

// elapsed is how much time has passed since the clock was made.
func (c *clock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base().Sub(c.began) + c.ahead - c.step
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.step = now.Sub(c.base()), 0
}

// firstMoment and lastMoment are the earliest and the latest time that a clock is moved to: some
// of what is stored counts nanoseconds since 1970 in 64 bits, which end in 2262.
var (
	firstMoment = time.Unix(0, 0).UTC()
	lastMoment  = time.Date(2262, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// advance moves the clock on by d, which is not negative. It fails, and moves nothing,
// where that would be past lastMoment.
func (c *clock) advance(d time.Duration) error { return c.move(d, 0) }

// setBy sets the clock by d, also back, while no time passes. It fails, and moves nothing, where
// that would be before firstMoment or past lastMoment.
func (c *clock) setBy(d time.Duration) error { return c.move(d, d) }

// move moves the clock by d, step of which it is set.
func (c *clock) move(d, step time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.base().Add(c.ahead)
	if c.ahead > 0 && d > math.MaxInt64-c.ahead || c.ahead < 0 && d < math.MinInt64-c.ahead ||
		d > 0 && at.Add(d).After(lastMoment) || d < 0 && at.Add(d).Before(firstMoment) {
		return fmt.Errorf("the clock goes from %s to %s, and is at %s", firstMoment.Format(time.DateOnly),
			lastMoment.Format(time.DateOnly), at.UTC().Format(time.RFC3339))
	}
	c.ahead += d
	c.step += step
	return nil
}
