package httpapitest

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// defaultNow is when a harness begins: a Monday, at the hour at which work does.
var defaultNow = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// clock goes as another one does, and further each time somebody moves it.
type clock struct {
	base func() time.Time

	mu    sync.Mutex
	ahead time.Duration
}

func newClock(base func() time.Time) *clock { return &clock{base: base} }

// standing is the base of a clock that moves only when it is moved.
func standing(at time.Time) func() time.Time { return func() time.Time { return at } }

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
		return fmt.Errorf("the clock goes as far as %s, and stands at %s", lastMoment.Format(time.DateOnly), c.base().Add(c.ahead).UTC().Format(time.RFC3339))
	}
	c.ahead += d
	return nil
}

// Advance moves on the one clock of the harness, by which everything goes: what is
// written down of records, rate limits, the end of tokens, retries of webhooks,
// retention. What is due to be forgotten by then is. It waits for nothing. The clock goes
// as far as the beginning of 2262.
func (tw *Harness) Advance(d time.Duration) {
	tw.t.Helper()
	if d < 0 {
		tw.t.Fatalf("httpapitest: the clock goes forward only, not by %v", d)
	}
	if err := tw.moveOn(d); err != nil {
		tw.t.Fatalf("httpapitest: the clock was to go on by %v, and is at %v: %v", d, tw.Now(), err)
	}
}

func (tw *Harness) moveOn(d time.Duration) error {
	if err := tw.clock.advance(d); err != nil {
		return err
	}
	if err := tw.Operations.advanced(); err != nil {
		return err
	}
	return tw.forget()
}

// forget does at once what Run does in its own time.
func (tw *Harness) forget() error {
	c := tw.core.Load()
	db := records.New(c.store)
	db.Clock(tw.clock.Now)
	if err := jobs.ForgetDue(tw.t.Context(), db, c.env); err != nil || c.env.Retain < 0 {
		return err
	}
	return tw.Transform.PurgeDeleted(tw.t.Context(), c.env.WithDefaults().Retain)
}
