package webhooks

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Run takes up events and delivers them until ctx is done. Several processes
// over one store may run it: each endpoint is served by one at a time.
//
// It returns nil when ctx is done and the attempts under way have ended, at
// most Config.Timeout later, and an error only when the store fails. A store
// that takes no writes for a while is waited for.
func (s *Service) Run(ctx context.Context) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	removals := make(chan error, 1)
	go func() {
		defer stop()
		removals <- s.jobs.Run(working)
	}()
	err := s.dispatch(working)
	stop()
	return errors.Join(err, <-removals)
}

// dispatch is Run without the removals. It rides out times in which the store
// takes no writes.
func (s *Service) dispatch(ctx context.Context) error {
	for delay := time.Second; ; delay = min(2*delay, time.Minute) {
		d := newDispatcher(s, false)
		err := s.db.Update(ctx, func(u *records.Update) error { return u.Listen() })
		if err == nil {
			err = s.sealAll(ctx)
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
		s.env.Logger.WarnContext(ctx, "deliveries wait for the store", "error", twinplatform.Cause(err))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(delay):
		}
	}
}

// Deliver takes up all recorded events, makes every delivery that is due by the
// service's clock, and returns how many attempts it made. It is Run for
// programs, and tests, that choose the time themselves.
func (s *Service) Deliver(ctx context.Context) (attempts int, err error) {
	d := newDispatcher(s, true)
	err = d.run(ctx)
	return d.attempts, err
}

// dispatcher hands lanes to workers.
type dispatcher struct {
	s        *Service
	once     bool // until nothing is due, instead of for ever
	busy     int  // workers
	finished chan finished
	attempts int
	worked   bool // at least one round went well
	purged   time.Time
}

// finished is what a worker leaves.
type finished struct {
	attempts int
	err      error
}

func newDispatcher(s *Service, once bool) *dispatcher {
	return &dispatcher{s: s, once: once, finished: make(chan finished, s.cfg.Pool)}
}

// purgeEvery is how often what was kept long enough is removed.
const purgeEvery = time.Hour

func (d *dispatcher) run(ctx context.Context) (err error) {
	// Attempts under way when this ends are brought to their end, no more are
	// begun.
	working := context.WithoutCancel(ctx)
	defer func() {
		for d.busy > 0 {
			err = errors.Join(err, d.done(<-d.finished))
		}
	}()
	stop := make(chan struct{})
	defer close(stop)
	for ctx.Err() == nil {
		more, err := d.s.takeUp(ctx)
		if err != nil {
			return err
		}
		if now := d.s.now(); now.Sub(d.purged) >= purgeEvery || now.Before(d.purged) {
			if err := d.s.purge(ctx); err != nil {
				return err
			}
			d.purged = now
		}
		wait := d.s.cfg.Poll
		if d.busy < d.s.cfg.Pool {
			batches, next, err := d.s.claim(ctx, d.s.cfg.Pool-d.busy)
			for _, b := range batches {
				d.busy++
				go func() { d.finished <- d.s.work(working, stop, b) }()
			}
			if err != nil {
				return err
			}
			more = more || len(batches) > 0 && d.busy < d.s.cfg.Pool
			if !next.IsZero() {
				wait = min(wait, next.Sub(d.s.now()))
			}
		}
		d.worked = true
		if more {
			if err := d.collect(); err != nil {
				return err
			}
			continue
		}
		if d.once && d.busy == 0 {
			return nil
		}
		if err := d.wait(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// collect takes what workers have left, without waiting.
func (d *dispatcher) collect() (err error) {
	for {
		select {
		case f := <-d.finished:
			err = errors.Join(err, d.done(f))
		default:
			return err
		}
	}
}

// wait returns when there may be something to do.
func (d *dispatcher) wait(ctx context.Context, at time.Duration) error {
	var due <-chan time.Time
	if !d.once || d.busy == 0 {
		timer := time.NewTimer(max(at, time.Millisecond))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
	case <-d.s.wake:
	case <-due:
	case f := <-d.finished:
		return errors.Join(d.done(f), d.collect())
	}
	return nil
}

func (d *dispatcher) done(f finished) error {
	d.busy--
	d.attempts += f.attempts
	return f.err
}
