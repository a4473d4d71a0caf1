package httpapitest

import "time"

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
		tw.t.Fatalf("control: time passes forward only, not by %v: Step sets the clock back", d)
	}
	if err := tw.Controls.Advance(d); err != nil {
		tw.t.Fatalf("control: the clock was to advance by %v, and is at %v: %v", d, tw.Now(), err)
	}
}

// Step sets the one clock by d, also back, while no time passes, as an operator does who
// corrects a wrong clock: what waits, is on lease or is repeated after a pause stays as far away as
// it was. The clock goes from 1970 to the beginning of 2262.
func (tw *Harness) Step(d time.Duration) {
	tw.t.Helper()
	if err := tw.Controls.Step(d); err != nil {
		tw.t.Fatalf("control: the clock was to be set by %v, and is at %v: %v", d, tw.Now(), err)
	}
}
