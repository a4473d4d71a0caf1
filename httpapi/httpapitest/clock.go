package httpapitest

import (
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// defaultNow is when a harness begins: a Monday, at the hour at which work does.
var defaultNow = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// standing is the base of a clock that moves only when it is moved.
func standing(at time.Time) func() time.Time { return func() time.Time { return at } }

// Advance moves on the one clock of the harness, by which everything goes: what is
// written down of records, rate limits, the end of tokens, retries of webhooks,
// retention. What is due to be forgotten by then is. It waits for nothing. The clock goes
// as far as the beginning of 2262.
func (tw *Harness) Advance(d time.Duration) {
	tw.t.Helper()
	if d < 0 {
		tw.t.Fatalf("control: the clock goes forward only, not by %v", d)
	}
	if err := tw.Controls.Advance(d); err != nil {
		tw.t.Fatalf("control: the clock was to go on by %v, and is at %v: %v", d, tw.Now(), err)
	}
}

// forget does at once what Run does in its own time.
func (tw *Harness) forget() error {
	c := tw.core.Load()
	db := records.New(c.store)
	db.Clock(tw.Now)
	if err := jobs.ForgetDue(tw.t.Context(), db, c.env); err != nil || c.env.Retain < 0 {
		return err
	}
	return tw.Transform.PurgeDeleted(tw.t.Context(), c.env.WithDefaults().Retain)
}
