package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// leastEvents is how long events are kept at least for someone to take them up: a
// deliverer that is started late still has them to deliver.
const leastEvents = twinplatform.DefaultRetain

// Forget forgets what has ended longer ago than env.Retain, of any domain, and runs all
// of gc, again and again until ctx is done. It returns nil then, and an error only when
// the store does. It goes in short steps, and takes no more than a tenth of the time in
// which the store can be written to.
func Forget(ctx context.Context, db *records.DB, env twinplatform.Env, gc ...GC) error {
	env = env.WithDefaults()
	every := time.Hour
	if env.Retain > 0 {
		every = min(max(env.Retain/16, 50*time.Millisecond), every)
	}
	f := forgetter{db: db, env: env, gc: gc, every: max(every, time.Second)}
	for {
		err := f.round(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, twinplatform.Unavailable):
			env.Logger.WarnContext(ctx, "retention waits for the store", "error", twinplatform.Cause(err))
		case err != nil:
			return err
		}
		if !pause(ctx, every) {
			return nil
		}
	}
}

// ForgetDue forgets once what Forget would by now, and returns when it is done.
func ForgetDue(ctx context.Context, db *records.DB, env twinplatform.Env) error {
	env = env.WithDefaults()
	if env.Retain < 0 {
		return nil
	}
	return (&forgetter{db: db, env: env}).forget(ctx)
}

type forgetter struct {
	db    *records.DB
	env   twinplatform.Env
	gc    []GC
	every time.Duration // between runs of gc
	next  time.Time     // of gc
}

// round forgets all that is due, and runs gc when it is due.
func (f *forgetter) round(ctx context.Context) error {
	if f.env.Retain > 0 {
		if err := f.forget(ctx); err != nil {
			return err
		}
	}
	if time.Now().Before(f.next) {
		return nil
	}
	for _, gc := range f.gc {
		if err := gently(ctx, gc); err != nil {
			return err
		}
	}
	f.next = time.Now().Add(f.every)
	return nil
}

// forget forgets all that is due.
func (f *forgetter) forget(ctx context.Context) error {
	now := f.db.Believed()
	err := gently(ctx, func(ctx context.Context) (bool, error) {
		return f.db.Forget(ctx, now.Add(-f.env.Retain))
	})
	if err != nil {
		return err
	}
	lost := 0
	err = gently(ctx, func(ctx context.Context) (bool, error) {
		n, err := f.db.ForgetEvents(ctx, now.Add(-max(f.env.Retain, leastEvents)))
		lost += n
		return n > 0, err
	})
	if lost > 0 {
		f.env.Logger.WarnContext(ctx, "events that were never taken up were dropped", "events", lost)
	}
	return err
}

// gently takes steps until there are no more, and rests nine times as long as
// each of them took.
func gently(ctx context.Context, step func(context.Context) (more bool, err error)) error {
	for {
		began := time.Now()
		more, err := step(ctx)
		if err != nil || !more {
			return err
		}
		if !pause(ctx, 9*time.Since(began)) {
			return ctx.Err()
		}
	}
}

// pause waits, and reports false when ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
