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
		tw.t.Fatalf("control: the clock goes forward only, not by %v", d)
	}
	if err := tw.Controls.Advance(d); err != nil {
		tw.t.Fatalf("control: the clock was to advance by %v, and is at %v: %v", d, tw.Now(), err)
	}
}
