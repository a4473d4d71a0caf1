package webhooks

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
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
			if slices.ContainsFunc(open, func(m made) bool { return !m.test }) {
				l.bar(false, o.now) // it was judged before each attempt
			}
			for _, m := range open {
				if err := o.endpoint(l, m); err != nil {
					return err
				}
				if err := o.delivery(l, m); err != nil {
					return err
				}
			}
			goOn = !last && !l.Changed && !o.off && (b.probe || !l.PausedUntil.After(o.now))
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

// withhold gives a lane back whose webhook may not hear, or of which that is not
// known because of a failure.
func (s *Service) withhold(ctx context.Context, b *batch, failure error) error {
	now, wait := s.now(), s.cfg.MaxPause
	if failure != nil {
		wait = s.cfg.Pause
		s.env.Logger.LogAttrs(ctx, slog.LevelError, "the right to hear of events cannot be judged",
			slog.String("webhook", b.webhook.ID), slog.Any("cause", failure))
	}
	var notices []Notice
	err := s.db.Update(ctx, func(u *records.Update) error {
		o := following{s: s, u: u, b: b, now: now}
		_, err := lanes.Modify(u, b.webhook.lane, b.webhook.ID, "", func(l *lane) error {
			if l.Owner != b.owner {
				return errLost
			}
			if notices = nil; failure == nil {
				notices = l.bar(true, now)
			}
			l.PausedUntil = now.Add(wait)
			return o.lease(l, false)
		})
		return err
	})
	if errors.Is(err, errLost) || errors.Is(err, records.ErrNotFound) {
		return nil
	}
	if err == nil {
		s.tell(ctx, notices...)
	}
	return err
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
		if l.Down && !m.ours() && !m.test && o.waits(d) {
			return o.keepPlace(l, d)
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

// waits reports whether a delivery waits for an endpoint that is down.
func (o *following) waits(d *Delivery) bool {
	return len(o.s.cfg.Schedule) > 0 && o.now.Sub(d.Created.Time) <= o.s.cfg.GiveUpAfter
}

// keepPlace leaves a delivery of an endpoint that is down to the next probe. It
// has not failed: its schedule goes on when the endpoint is back.
func (o *following) keepPlace(l *lane, d *Delivery) error {
	d.run.Tries--
	if err := enqueue(o.u, o.b.webhook.lane, d, d.Created.Time); err != nil {
		return err
	}
	d.NextAttempt = twinplatform.At(l.PausedUntil)
	return nil
}

// goDown leaves an endpoint to probes. What failed with it goes back to its
// place among the events, so that the oldest is the first to be tried.
func (o *following) goDown(l *lane) error {
	scope := o.b.webhook.lane
	for _, id := range l.Failed {
		_, err := deliveryRecords.Modify(o.u, scope, id, "", func(d *Delivery) error {
			if d.State != Pending {
				return errSettled
			}
			return enqueue(o.u, scope, d, d.Created.Time)
		})
		if err != nil && !errors.Is(err, errSettled) && !errors.Is(err, records.ErrNotFound) {
			return err
		}
	}
	l.Down, l.Failed = true, nil
	return nil
}

// endpoint draws from an attempt what it says of the endpoint.
func (o *following) endpoint(l *lane, m made) error {
	if !m.ours() {
		l.clock(m.took)
	}
	switch {
	case m.ours() || m.test:
		return nil
	case m.outcome == Accepted:
		l.forgive()
		l.LastSuccess = m.at
		return nil
	case m.status == http.StatusGone:
		return o.disable(l)
	case m.spare && l.Down:
		return nil
	}
	if l.Failures == 0 {
		l.FailingSince = m.at
	}
	l.Failures++
	if err := o.pause(l, m); err != nil {
		return err
	}
	return o.judge(l)
}

// pause leaves an endpoint alone that asked for it, or has failed often enough.
func (o *following) pause(l *lane, m made) error {
	cfg := &o.s.cfg
	if m.retryAfter > 0 {
		l.PausedUntil = o.now.Add(m.retryAfter)
	}
	over := l.Failures - cfg.PauseAfter
	if over < 0 {
		if len(l.Failed) < maxFailed {
			l.Failed = append(slices.Clone(l.Failed), m.delivery)
		}
		return nil
	}
	if !l.Down {
		if err := o.goDown(l); err != nil {
			return err
		}
	}
	pause := cfg.pause(over)
	if until := o.now.Add(pause); until.After(l.PausedUntil) {
		l.PausedUntil = until
	}
	if over == 0 || pause > cfg.pause(over-1) {
		o.notice(l, EndpointPaused, 0)
	}
	return nil
}

// maxFailed bounds how many deliveries a lane remembers as failed in a row.
const maxFailed = 64

// pause is how long an endpoint is left alone that failed over times more than
// is let pass.
func (c *Config) pause(over int) time.Duration {
	if over < 0 {
		return 0
	}
	if over >= 30 || c.Pause > c.MaxPause>>over {
		return c.MaxPause
	}
	return c.Pause << over
}

// Slow endpoints are told by how long they take to answer, and stay slow until
// several answers in a row were quick.
const (
	slowAfter    = time.Second
	quickAnswers = 8
)

// clock notes how long an endpoint took.
func (l *lane) clock(took time.Duration) {
	switch {
	case took >= slowAfter:
		l.Slow = quickAnswers
	case l.Slow > 0:
		l.Slow--
	}
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
			w.Active, w.Modified = false, twinplatform.At(o.now)
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
		l.release()
		l.Served = o.now
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
