package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// record keeps what came of some attempts, in one transaction with all that
// follows from them, and reports whether to go on with the batch. last says
// that nothing of it is left.
func (s *Service) record(ctx context.Context, b *batch, open []made, last bool) (goOn bool, err error) {
	var notices []Notice
	err = s.db.Update(ctx, func(u *records.Update) error {
		o := following{s: s, u: u, b: b, now: s.now()}
		goOn = false
		_, err := lanes.Modify(u, b.webhook.lane, b.webhook.ID, "", func(l *lane) error {
			if l.Owner != b.owner {
				return errLost
			}
			for _, m := range open {
				if err := o.delivery(l, m); err != nil {
					return err
				}
				if err := o.endpoint(l, m); err != nil {
					return err
				}
			}
			goOn = !last && !l.Changed && !o.off && !l.PausedUntil.After(o.now)
			return o.lease(l, goOn)
		})
		notices = o.notices
		return err
	})
	switch {
	case errors.Is(err, errLost), errors.Is(err, records.ErrNotFound):
		return false, nil // somebody else has the lane, or the webhook is gone
	case err != nil:
		return false, err
	}
	s.tell(ctx, notices...)
	return goOn, nil
}

// logAttempt logs an attempt that failed, with a cause that only the log may
// know.
func (s *Service) logAttempt(ctx context.Context, b *batch, m made) {
	level := slog.LevelInfo
	if m.ours() {
		level = slog.LevelWarn
	}
	s.env.Logger.LogAttrs(ctx, level, "webhook attempt failed",
		slog.String("webhook", b.webhook.ID), slog.String("delivery", m.delivery), slog.String("outcome", string(m.outcome)),
		slog.Int("status", m.status), slog.Any("cause", m.cause))
}

// made is an attempt that was made.
type made struct {
	item
	result
}

var errLost = errors.New("webhooks: the lease of the lane is lost")

// following is what follows from attempts.
type following struct {
	s   *Service
	u   *records.Update
	b   *batch
	now time.Time

	off     bool // the webhook was set inactive
	notices []Notice
}

// delivery moves a delivery on.
func (o *following) delivery(l *lane, m made) error {
	scope := o.b.webhook.lane
	if m.outcome == Accepted && o.s.cfg.KeepDelivered < 0 && !m.test {
		return o.drop(l, m)
	}
	_, err := deliveryRecords.Modify(o.u, scope, m.delivery, "", func(d *Delivery) error {
		if d.State != Pending {
			return errSettled
		}
		d.attempted(m.result)
		if m.outcome == Accepted {
			l.Pending--
			d.State = Delivered
			return dequeue(o.u, scope, d)
		}
		wait, more := o.s.retry(l, d, m.result, o.now)
		if more {
			return enqueue(o.u, scope, d, o.now.Add(wait))
		}
		l.Pending--
		l.Dead++
		d.State = Dead
		return dequeue(o.u, scope, d)
	})
	if errors.Is(err, errSettled) || errors.Is(err, records.ErrNotFound) {
		return nil
	}
	return err
}

// drop removes a delivery that was made and is not to be kept.
func (o *following) drop(l *lane, m made) error {
	scope := o.b.webhook.lane
	d, err := deliveryRecords.Value(o.u, scope, m.delivery)
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	switch d.State {
	case Pending:
		l.Pending--
	case Dead:
		l.Dead--
	}
	if err := dequeue(o.u, scope, d); err != nil {
		return err
	}
	return deliveryRecords.Erase(o.u, scope, m.delivery)
}

var errSettled = errors.New("webhooks: the delivery is settled")

// retry is how long after a failed attempt the next one is made, if there is to
// be one.
func (s *Service) retry(l *lane, d *Delivery, r result, now time.Time) (wait time.Duration, more bool) {
	n := d.run.Tries - 1
	if n >= len(s.cfg.Schedule) {
		// The schedule is at its end. An endpoint that has answered nothing
		// since this delivery was first attempted is down, and gets what it
		// missed when it is back.
		down := !r.ours() && !l.LastSuccess.After(d.run.First)
		if len(s.cfg.Schedule) == 0 || !down || now.Sub(d.Created.Time) > s.cfg.GiveUpAfter {
			return 0, false
		}
		n = len(s.cfg.Schedule) - 1
	}
	if d.run.Test {
		return 0, false
	}
	wait = s.cfg.Schedule[n]
	if s.cfg.Jitter > 0 {
		wait += time.Duration(float64(wait) * s.cfg.Jitter * s.cfg.Rand())
	}
	return max(wait, r.retryAfter), true
}

// endpoint draws from an attempt what it says of the endpoint.
func (o *following) endpoint(l *lane, m made) error {
	switch {
	case m.ours() || m.test:
		return nil
	case m.outcome == Accepted:
		l.forgive()
		l.LastSuccess = m.at
		return nil
	case m.status == http.StatusGone:
		return o.disable(l)
	}
	if l.Failures == 0 {
		l.FailingSince = m.at
	}
	l.Failures++
	if m.retryAfter > 0 {
		l.PausedUntil = o.now.Add(m.retryAfter)
	}
	cfg := &o.s.cfg
	if over := l.Failures - cfg.PauseAfter; over >= 0 {
		pause := cfg.MaxPause
		if over < 30 {
			pause = min(cfg.Pause<<over, cfg.MaxPause)
		}
		if until := o.now.Add(pause); until.After(l.PausedUntil) {
			l.PausedUntil = until
		}
		o.notice(l, EndpointPaused, 0)
	}
	return o.judge(l)
}

// judge warns of an endpoint that does nothing but fail, and switches it off.
func (o *following) judge(l *lane) error {
	cfg := &o.s.cfg
	if cfg.DisableAfter < 0 || cfg.DisableAttempts < 0 {
		return nil
	}
	way := min(
		float64(o.now.Sub(l.FailingSince))/float64(cfg.DisableAfter),
		float64(l.Failures)/float64(cfg.DisableAttempts),
	)
	for _, mark := range []int{50, 90} {
		if l.Warned < mark && way*100 >= float64(mark) {
			l.Warned = mark
			o.notice(l, EndpointFailing, mark)
		}
	}
	if way >= 1 {
		return o.disable(l)
	}
	return nil
}

// disable sets the webhook inactive. What waits for it waits on, for the case
// that it is set active again.
func (o *following) disable(l *lane) error {
	o.off = true
	o.b.webhook.Active = false
	_, err := webhookRecords.Modify(o.u, account, o.b.webhook.ID, "", func(w *Webhook) error {
		if w.Active {
			w.Active, w.Modified = false, instant(o.now)
			o.notice(l, WebhookDisabled, 100)
		}
		return nil
	})
	return err
}

func (o *following) notice(l *lane, kind NoticeKind, percent int) {
	n := Notice{
		Kind: kind, WebhookID: l.WebhookID, At: o.now, Failures: l.Failures, FailingSince: l.FailingSince,
		Percent: percent,
	}
	if kind == EndpointPaused {
		n.Until = l.PausedUntil
	}
	o.notices = append(o.notices, n)
}

// lease renews the lease of a lane when half of it is over, or gives it back.
func (o *following) lease(l *lane, keep bool) error {
	if !keep {
		l.Owner, l.Until, l.Changed = "", time.Time{}, false
		return o.turn(l)
	}
	if l.Until.Sub(o.now) > o.s.cfg.Lease/2 {
		return nil
	}
	l.Until = o.now.Add(o.s.cfg.Lease)
	return o.turn(l)
}

// turn uses the webhook as it is now: it may have been set active or inactive
// since the lease began.
func (o *following) turn(l *lane) error {
	w, err := webhookRecords.Value(o.u, account, o.b.webhook.ID)
	if err != nil {
		return err
	}
	return setTurn(o.u, w, l)
}
