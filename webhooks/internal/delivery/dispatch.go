package delivery

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Run takes up events and delivers them until ctx is done, and rides out times in
// which the store takes no writes. It returns nil when the attempts under way have
// ended.
func (g *Engine) Run(ctx context.Context) error {
	g.runs.Add(1)
	defer g.runs.Add(-1)
	notices := g.db.Watch(ctx, workTopic)
	for delay := time.Second; ; delay = min(2*delay, time.Minute) {
		d := newDispatcher(g, false)
		d.notices = notices
		err := g.db.Update(ctx, func(u *records.Update) error { return u.Listen() })
		if err == nil {
			err = g.cfg.Prepare(ctx)
		}
		if err == nil {
			err = d.run(ctx)
		}
		switch {
		case ctx.Err() != nil || err == nil:
			return nil
		case !errors.Is(err, twinplatform.Unavailable):
			return err
		}
		if d.worked {
			delay = time.Second
		}
		g.cfg.Env.Logger.WarnContext(ctx, "deliveries wait for the store", "error", twinplatform.Cause(err))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(delay):
		}
	}
}

// Deliver takes up all recorded events, makes every delivery that is due, and
// returns how many attempts it made.
func (g *Engine) Deliver(ctx context.Context) (attempts int, err error) {
	d := newDispatcher(g, true)
	err = d.run(ctx)
	return d.attempts, err
}

// dispatcher hands endpoints to workers.
type dispatcher struct {
	g        *Engine
	once     bool            // until nothing is due, instead of forever
	notices  <-chan struct{} // has a token when another process has work
	pool     pool
	finished chan finished
	attempts int
	worked   bool // at least one round went well
	looks    bool // no one woke it: it is time to look

	purged  time.Time
	purging chan error // holds what came of a purge; nil while none is under way
}

// finished is what a worker leaves.
type finished struct {
	flow     flow
	attempts int
	err      error
}

func newDispatcher(g *Engine, once bool) *dispatcher {
	return &dispatcher{g: g, once: once, pool: newPool(g.cfg.Pool), finished: make(chan finished, g.cfg.Pool)}
}

func (d *dispatcher) run(ctx context.Context) (err error) {
	working, stop := context.WithCancel(ctx)
	defer func() {
		for d.pool.total("") > 0 {
			err = errors.Join(err, d.workerDone(<-d.finished))
		}
		if d.purging != nil {
			err = errors.Join(err, <-d.purging)
		}
	}()
	defer stop()
	if err := d.g.adopt(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		wait, more, err := d.look(working)
		if err != nil {
			return err
		}
		d.worked = true
		if more {
			if err := d.collect(); err != nil {
				return err
			}
			continue
		}
		if d.once && d.pool.total("") == 0 {
			return nil
		}
		if err := d.wait(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// look is round, unless it is only time to look and there is nothing to do.
func (d *dispatcher) look(ctx context.Context) (wait time.Duration, more bool, err error) {
	if !d.looks || d.once {
		return d.round(ctx)
	}
	idle, next, err := d.g.idle(ctx, d.pool)
	if err != nil || !idle {
		return d.round(ctx)
	}
	return d.until(next), false, d.purge(ctx)
}

// until is how long there may be nothing to do, where the next delivery is due then.
func (d *dispatcher) until(next time.Time) time.Duration {
	wait := records.NextPoll(d.g.cfg.Poll)
	if !next.IsZero() {
		wait = min(wait, next.Sub(d.g.now()))
	}
	return wait
}

// round does a step of everything that there is to do, and reports whether there is more
// and, if not, how long there may be nothing.
func (d *dispatcher) round(ctx context.Context) (wait time.Duration, more bool, err error) {
	if more, err = d.g.takeUp(ctx); err != nil {
		return 0, false, err
	}
	if err := d.purge(ctx); err != nil {
		return 0, false, err
	}
	batches, next, due, err := d.g.claim(ctx, d.pool)
	if err != nil {
		return 0, false, err
	}
	for _, b := range batches {
		d.pool.take(b.flow)
		go func() { d.finished <- d.g.work(ctx, b) }()
	}
	return d.until(next), more || due, nil
}

// purgeEvery is how often what was kept long enough is removed, unless it is kept
// for less than sixteen hours.
const purgeEvery = time.Hour

// purge removes what was kept long enough, now and then. No delivery waits for
// it.
func (d *dispatcher) purge(ctx context.Context) error {
	select {
	case err := <-d.purging:
		d.purging = nil
		if err != nil {
			return err
		}
	default:
	}
	now := d.g.now()
	if d.purging != nil || now.Sub(d.purged) < d.g.purgePause() {
		return nil
	}
	d.purged = now
	if d.once {
		return d.g.purge(ctx)
	}
	purging := make(chan error, 1)
	d.purging = purging
	go func() {
		err := d.g.purge(ctx)
		if ctx.Err() != nil {
			err = nil // it comes of the end
		}
		purging <- err
	}()
	return nil
}

// collect takes what workers have left, without waiting.
func (d *dispatcher) collect() (err error) {
	for {
		select {
		case f := <-d.finished:
			err = errors.Join(err, d.workerDone(f))
		default:
			return err
		}
	}
}

// wait returns when there may be something to do.
func (d *dispatcher) wait(ctx context.Context, at time.Duration) error {
	d.looks = false
	var due <-chan time.Time
	if !d.once || d.pool.total("") == 0 {
		timer := time.NewTimer(max(at, time.Millisecond))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
	case <-d.g.wake:
	case <-d.notices:
	case <-due:
		d.looks = true
	case f := <-d.finished:
		return errors.Join(d.workerDone(f), d.collect())
	}
	return nil
}

func (d *dispatcher) workerDone(f finished) error {
	d.pool.release(f.flow)
	d.attempts += f.attempts
	return f.err
}
