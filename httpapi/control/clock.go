package control

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// clock goes as another one does, and further each time it is moved.
type clock struct {
	base func() time.Time

	mu    sync.Mutex
	ahead time.Duration
}

func newClock(base func() time.Time) *clock { return &clock{base: base} }

// Now is the time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base().Add(c.ahead)
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead = now.Sub(c.base())
}

// lastMoment is the latest time that a clock is moved to: some of what is stored counts
// nanoseconds since 1970 in 64 bits, which end in 2262.
var lastMoment = time.Date(2262, time.January, 1, 0, 0, 0, 0, time.UTC)

// advance moves the clock on by d, which is not negative. It fails, and moves nothing,
// where that would be past lastMoment.
func (c *clock) advance(d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ahead > 0 && d > math.MaxInt64-c.ahead || c.base().Add(c.ahead+d).After(lastMoment) && d > 0 {
		return fmt.Errorf("the clock goes as far as %s, and is at %s", lastMoment.Format(time.DateOnly), c.base().Add(c.ahead).UTC().Format(time.RFC3339))
	}
	c.ahead += d
	return nil
}
