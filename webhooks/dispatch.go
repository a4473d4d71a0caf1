package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
		err := s.sealAll(ctx)
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
	// Attempts under way when ctx ends are brought to their end.
	working := context.WithoutCancel(ctx)
	defer func() {
		for d.busy > 0 {
			err = errors.Join(err, d.done(<-d.finished))
		}
	}()
	stopping := ctx.Done()
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
				go func() { d.finished <- d.s.work(working, stopping, b) }()
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

// claim takes the lanes whose turn it is on lease, at most n, and says when the
// next turn is; the zero time when there is none.
func (s *Service) claim(ctx context.Context, n int) (batches []*batch, next time.Time, err error) {
	now := s.now()
	err = s.db.View(ctx, func(v *records.View) error {
		next = time.Time{}
		for t, err := range turnRecords.All(v, turns, "") {
			if err != nil {
				return err
			}
			next, _, err = unstamp(t.ID)
			return err
		}
		return nil
	})
	if err != nil || next.IsZero() || next.After(now) {
		return nil, next, err
	}
	var sealed map[string]error // by webhook
	err = s.db.Update(ctx, func(u *records.Update) error {
		batches, next, sealed = nil, time.Time{}, make(map[string]error)
		for t, err := range turnRecords.All(u, turns, "") {
			if err != nil {
				return err
			}
			at, id, err := unstamp(t.ID)
			if err != nil {
				return err
			}
			if at.After(now) || len(batches) == n {
				next = at
				return nil
			}
			b, err := s.lease(u, id, now)
			switch {
			case errors.Is(err, records.ErrNotFound):
				err = turnRecords.Erase(u, turns, t.ID) // the webhook is gone
			case errors.Is(err, errSealed):
				sealed[id] = err
				err = s.postpone(u, id, now)
			}
			if err != nil {
				return err
			}
			if b != nil {
				batches = append(batches, b)
			}
		}
		return nil
	})
	if err != nil {
		return nil, next, fmt.Errorf("claiming deliveries: %w", err)
	}
	for id, err := range sealed {
		s.env.Logger.LogAttrs(ctx, slog.LevelError, "webhook cannot be signed for", slog.String("webhook", id), slog.Any("cause", err))
	}
	return batches, next, nil
}

// lease takes a lane and what is due in it; nil when nothing is.
func (s *Service) lease(u *records.Update, webhookID string, now time.Time) (*batch, error) {
	w, err := webhookRecords.Value(u, account, webhookID)
	if err != nil {
		return nil, err
	}
	keys, err := keyrings.Value(u, w.lane, w.ID)
	if err != nil {
		return nil, err
	}
	b := &batch{owner: s.env.NewID(), webhook: *w}
	if b.secrets, err = s.openKeys(keys, now); err != nil {
		return nil, err
	}
	_, err = lanes.Modify(u, w.lane, w.ID, "", func(l *lane) error {
		l.Owner, l.Until, l.Changed = "", time.Time{}, false
		if err := s.fill(u, b, testQueue, now); err != nil {
			return err
		}
		if w.Active && !l.PausedUntil.After(now) {
			if err := s.fill(u, b, ordinaryQueue, now); err != nil {
				return err
			}
		}
		if len(b.items) > 0 {
			l.Owner, l.Until = b.owner, now.Add(s.cfg.Lease)
		}
		return setTurn(u, w, l)
	})
	if err != nil || len(b.items) == 0 {
		return nil, err
	}
	return b, nil
}

// postpone leaves a lane alone whose secret cannot be opened. That is the
// platform's own fault, so nothing is counted, and nothing is lost.
func (s *Service) postpone(u *records.Update, webhookID string, now time.Time) error {
	w, err := webhookRecords.Value(u, account, webhookID)
	if err != nil {
		return err
	}
	_, err = lanes.Modify(u, w.lane, w.ID, "", func(l *lane) error {
		l.Owner, l.Until = "out of order", now.Add(s.cfg.Pause)
		return setTurn(u, w, l)
	})
	return err
}

// fill adds to a batch what is due in a part of its lane's queue.
func (s *Service) fill(u *records.Update, b *batch, part string, now time.Time) error {
	for e, err := range queue.All(u, b.webhook.lane, part) {
		if err != nil {
			return err
		}
		at, id, err := unstamp(e.ID[len(part):])
		if err != nil {
			return err
		}
		if at.After(now) || len(b.items) == s.cfg.Batch {
			return nil
		}
		m, err := messageRecords.Value(u, messages, id)
		if err != nil {
			return fmt.Errorf("the content of delivery %s: %w", id, err)
		}
		b.items = append(b.items, item{delivery: id, message: m, test: part == testQueue})
	}
	return nil
}

// openKeys returns the secrets that sign at a time, the present one first.
func (s *Service) openKeys(k *keyring, now time.Time) ([]Secret, error) {
	present, err := s.cfg.SealingKey.open(k.WebhookID, k.Current)
	if err != nil {
		return nil, err
	}
	out := []Secret{present}
	for _, o := range k.Old {
		if !o.Until.After(now) {
			continue
		}
		if old, err := s.cfg.SealingKey.open(k.WebhookID, o.Sealed); err == nil {
			out = append(out, old)
		}
	}
	return out, nil
}
