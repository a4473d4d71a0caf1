package httpapitest

import (
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// defaultNow is when a harness begins: a Monday, at the hour at which work does.
var defaultNow = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// clock stands still until somebody moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock(now time.Time) *clock { return &clock{now: now} }

// Now is the time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Now is the time by the one clock of the harness, by which everything goes: what
// is written down of records, rate limits, the end of tokens, retries of webhooks
// and retention.
func (tw *Harness) Now() time.Time { return tw.clock.Now() }

// Advance moves the clock on, and forgets what is due to be forgotten by then. It
// waits for nothing.
func (tw *Harness) Advance(d time.Duration) {
	tw.t.Helper()
	if d < 0 {
		tw.t.Fatalf("httpapitest: the clock goes forward only, not by %v", d)
	}
	if err := tw.advance(d); err != nil {
		tw.t.Fatalf("httpapitest: what was due at %v: %v", tw.Now(), err)
	}
}

func (tw *Harness) advance(d time.Duration) error {
	tw.clock.advance(d)
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
	return jobs.ForgetDue(tw.t.Context(), db, c.env)
}
