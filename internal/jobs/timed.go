package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Timed does one short step of what is due at times that a domain knows, and reports
// whether there is more that is due. If there is not, next is when there will be, and the
// zero time where nothing is to come.
type Timed func(context.Context) (next time.Time, more bool, err error)

// timed is what Run does in time.
type timed struct {
	step Timed
	wake chan struct{} // holds one token when there may be something earlier
}

// At makes Run do what is due in time. All are added before Run. The function that it
// returns is called when something was added that may be due before all else; it may be
// called before that is committed.
func (r *Runner) At(step Timed) (earlier func()) {
	t := timed{step, make(chan struct{}, 1)}
	r.timed = append(r.timed, t)
	return func() {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}

// mostRest is how long it takes at most until it is noticed that the clock was moved, or
// that another process has added something.
const mostRest = time.Minute

// keep does what is due in time until ctx is done. It returns nil then, and an error only
// when the store does.
//
// It looks again soon after it was woken, since what it was woken for may not have been
// committed, and ever later while nothing happens.
func (t timed) keep(ctx context.Context, r *Runner) error {
	for rest := time.Second; ; rest = min(2*rest, mostRest) {
		var next time.Time
		err := gently(ctx, func(ctx context.Context) (more bool, err error) {
			next, more, err = t.step(ctx)
			return more, err
		})
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, twinplatform.Unavailable):
			r.env.Logger.WarnContext(ctx, "scheduled work waits for the store", "error", twinplatform.Cause(err))
		case err != nil:
			return err
		}
		wait := rest
		if !next.IsZero() {
			wait = max(min(rest, next.Sub(r.env.Now())), time.Millisecond)
		}
		again := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			again.Stop()
			return nil
		case <-t.wake:
			again.Stop()
			rest = time.Second / 2
		case <-again.C:
		}
	}
}
