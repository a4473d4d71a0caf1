package delivery

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// effects is all that follows from some attempts, in one transaction.
type effects struct {
	g   *Engine
	u   *records.Update
	b   *batch
	now time.Time // by the clock of the engine

	off     bool // the webhook was set inactive
	waits   bool // something is to be done after a pause that begins now
	notices []Notice
}

var (
	errLeaseLost = errors.New("webhooks: the lease of the endpoint is lost")
	errSettled   = errors.New("webhooks: the delivery is settled")
)

// onLease changes the state of an endpoint that is on lease, and reports whether
// it still was: nothing happens when another process has it by now, or when the
// webhook is gone.
func (g *Engine) onLease(ctx context.Context, b *batch, fn func(*effects, *State) error) (held bool, err error) {
	var notices []Notice
	err = g.db.Update(ctx, func(u *records.Update) error {
		x := effects{g: g, u: u, b: b, now: g.now()}
		_, err := states.Modify(u, b.endpoint.Queue.Scope(), b.endpoint.ID, "", func(l *State) error {
			if l.Owner != b.owner {
				return errLeaseLost
			}
			return fn(&x, l)
		})
		notices = x.notices
		if err == nil && x.waits {
			// A process that is started again measures the pause from here, whatever the wall clock shows by then.
			_, err = g.present(u)
		}
		return err
	})
	switch {
	case errors.Is(err, errLeaseLost), errors.Is(err, records.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	g.notify(ctx, notices...)
	return true, nil
}

// recordAttempts keeps what came of some attempts, and reports whether to continue with
// the batch. last says that nothing of it is left.
func (g *Engine) recordAttempts(ctx context.Context, b *batch, made []attempt, last bool) (goOn bool, err error) {
	held, err := g.onLease(ctx, b, func(x *effects, l *State) error {
		if slices.ContainsFunc(made, func(a attempt) bool { return !a.test }) {
			l.setBarred(false, g.wall()) // it was judged before each attempt
		}
		for _, a := range made {
			x.waits = x.waits || a.outcome != Accepted
			last := a.asAttempt()
			last.Answer, l.Last = "", &last
			if err := x.updateEndpoint(l, a); err != nil {
				return err
			}
			if err := x.updateDelivery(l, a); err != nil {
				return err
			}
		}
		goOn = !last && !l.Changed && !x.off && (b.probe || !l.Paused(x.now))
		return x.lease(l, goOn)
	})
	return goOn && held, err
}

// withhold gives an endpoint back whose webhook may not receive events, or where a
// failure left that unknown.
func (g *Engine) withhold(ctx context.Context, b *batch, failure error) error {
	wait := g.cfg.MaxPause
	if failure != nil {
		wait = g.cfg.Pause
		g.cfg.Env.Logger.LogAttrs(ctx, slog.LevelError, "whether the webhook may receive events cannot be judged",
			slog.String("webhook", b.endpoint.ID), slog.Any("cause", failure))
	}
	_, err := g.onLease(ctx, b, func(x *effects, l *State) error {
		if failure == nil {
			x.notices = l.setBarred(true, g.wall())
		}
		l.PausedUntil, x.waits = x.now.Add(wait), true
		return x.lease(l, false)
	})
	return err
}

// updateDelivery moves a delivery on.
func (x *effects) updateDelivery(l *State, a attempt) error {
	q := x.b.endpoint.Queue
	if a.outcome == Accepted && x.g.cfg.KeepDelivered < 0 && !a.test {
		return x.discard(l, a)
	}
	return x.modify(a.delivery, func(d *Delivery) error {
		d.addAttempt(a.result)
		if a.outcome == Accepted {
			return x.finish(l, d, Delivered)
		}
		if l.Open && !a.blocked() && !a.test && x.mayWait(d) {
			// It has not failed: its schedule continues when the endpoint is back.
			d.run.Tries--
			if err := q.Push(x.u, d, d.made()); err != nil {
				return err
			}
			d.NextAttempt = twinplatform.At(x.g.Shown(l.PausedUntil))
			return nil
		}
		if wait, more := x.g.retry(l, d, a.result, x.now); more {
			return x.g.push(x.u, q, d, x.now.Add(wait))
		}
		return x.finish(l, d, Dead)
	})
}

// modify changes a delivery that is still to be made.
func (x *effects) modify(id string, fn func(*Delivery) error) error {
	_, err := Deliveries.Modify(x.u, x.b.endpoint.Queue.Scope(), id, "", func(d *Delivery) error {
		if d.State != Pending {
			return errSettled
		}
		return fn(d)
	})
	if errors.Is(err, errSettled) {
		return nil
	}
	return orMissing(err)
}

// finish ends a delivery.
func (x *effects) finish(l *State, d *Delivery, state string) error {
	l.count(d.State, -1)
	l.count(state, 1)
	d.State = state
	return x.b.endpoint.Queue.Drop(x.u, d)
}

// discard removes a delivery that was made and is not to be kept.
func (x *effects) discard(l *State, a attempt) error {
	d, err := Deliveries.Value(x.u, x.b.endpoint.Queue.Scope(), a.delivery)
	if err != nil {
		return orMissing(err)
	}
	return eraseDelivery(x.u, x.b.endpoint.Queue, l, d)
}

// eraseDelivery removes a delivery, whatever its state.
func eraseDelivery(u *records.Update, q Queue, l *State, d *Delivery) error {
	l.count(d.State, -1)
	if err := q.Drop(u, d); err != nil {
		return err
	}
	return Deliveries.Erase(u, q.Scope(), d.ID)
}

// retry is how long after a failed attempt the next one is made, if there is to
// be one.
func (g *Engine) retry(l *State, d *Delivery, r result, now time.Time) (wait time.Duration, more bool) {
	intervals := g.cfg.Schedule
	n := d.run.Tries - 1
	if n >= len(intervals) {
		// The schedule is at its end. An endpoint that has answered nothing
		// since this delivery was first attempted is down, and gets what it
		// missed when it is back.
		down := !r.blocked() && !l.LastSuccess.After(d.run.First)
		if len(intervals) == 0 || !down || now.Sub(d.made()) > g.cfg.GiveUpAfter {
			return 0, false
		}
		n = len(intervals) - 1
	}
	if d.run.Test {
		return 0, false
	}
	wait = intervals[n]
	if g.cfg.Jitter > 0 {
		wait += time.Duration(float64(wait) * g.cfg.Jitter * rand.Float64())
	}
	return max(wait, r.retryAfter), true
}

// mayWait reports whether a delivery waits for an endpoint whose circuit is open.
func (x *effects) mayWait(d *Delivery) bool {
	return len(x.g.cfg.Schedule) > 0 && x.now.Sub(d.made()) <= x.g.cfg.GiveUpAfter
}

// lease renews the lease when half of it is over, or gives it back. The schedule
// follows the webhook as it is now: it may have been set active or inactive since
// the lease began.
func (x *effects) lease(l *State, keep bool) error {
	switch {
	case !keep:
		l.release()
		l.Served = x.now
	case l.Until.Sub(x.now) > x.g.cfg.Lease/2:
		return nil
	default:
		l.Until = x.now.Add(x.g.cfg.Lease)
	}
	e, err := x.g.reg.Endpoint(x.u, x.b.endpoint.ID)
	if err != nil {
		return err
	}
	return schedule(x.u, e, l)
}
