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

// turnsPerStep is how many lanes one transaction looks at.
const turnsPerStep = 32

// claiming is one transaction in which lanes are taken on lease.
type claiming struct {
	s       *Service
	ctx     context.Context
	u       *records.Update
	now     time.Time
	workers workers

	batches []*batch
	next    time.Time        // when a lane is due that is not yet
	sealed  map[string]error // by webhook
	notices []Notice
}

// claim takes lanes whose turn it is on lease, as far as the workers are theirs
// to have. It says when the next turn is, the zero time when there is none, and
// whether more lanes may be due already.
func (s *Service) claim(ctx context.Context, w workers) (batches []*batch, next time.Time, more bool, err error) {
	now := s.now()
	var due bool
	err = s.db.View(ctx, func(v *records.View) error {
		_, next, due, err = pick(v, now, w)
		return err
	})
	if err != nil || !due {
		return nil, next, false, err
	}
	var c claiming
	err = s.db.Update(ctx, func(u *records.Update) error {
		c = claiming{s: s, ctx: u.Within(ctx), u: u, now: now, workers: w.clone(), sealed: make(map[string]error)}
		for n := 0; ; n++ {
			r, next, due, err := pick(u, now, c.workers)
			if err != nil {
				return err
			}
			if c.next, more = next, due; !due || n == turnsPerStep {
				return nil
			}
			if err := c.serve(r); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return nil, next, false, fmt.Errorf("claiming deliveries: %w", err)
	}
	for id, err := range c.sealed {
		s.env.Logger.LogAttrs(ctx, slog.LevelError, "webhook cannot be signed for", slog.String("webhook", id), slog.Any("cause", err))
	}
	s.tell(ctx, c.notices...)
	return c.batches, c.next, more, nil
}

// pick returns the row whose turn it is among those that may have a worker, if
// any is due, and otherwise when the next one is.
func pick(tx records.Reading, now time.Time, w workers) (r row, next time.Time, due bool, err error) {
	var earliest time.Time
	for _, c := range classes {
		if !w.open(c) {
			continue
		}
		err := rowsInTurn(tx, c, func(at time.Time, candidate row) bool {
			switch {
			case at.After(now):
				if next.IsZero() || at.Before(next) {
					next = at
				}
				return false
			case !w.share(candidate):
				return true
			case !due || at.Before(earliest):
				r, earliest, due = candidate, at, true
			}
			return false
		})
		if err != nil {
			return r, next, false, err
		}
	}
	return r, next, due, nil
}

// serve gives the first lane of a row its turn.
func (c *claiming) serve(r row) error {
	at, id, err := r.first(c.u)
	if err != nil {
		return err
	}
	if id == "" || at.After(c.now) {
		return r.settle(c.u, time.Time{})
	}
	b, err := c.lease(id)
	switch {
	case errors.Is(err, records.ErrNotFound):
		err = laneTurns.Erase(c.u, turns, r.lane(at, id)) // the webhook is gone
	case errors.Is(err, errSealed):
		c.sealed[id] = err
		err = c.postpone(id)
	}
	if err != nil {
		return err
	}
	if b != nil {
		b.row = r
		c.workers.take(r)
		c.batches = append(c.batches, b)
	}
	return r.settle(c.u, c.now)
}

// lease takes a lane and what is due in it; nil when nothing is.
func (c *claiming) lease(webhookID string) (*batch, error) {
	w, err := webhookRecords.Value(c.u, account, webhookID)
	if err != nil {
		return nil, err
	}
	keys, err := keyrings.Value(c.u, w.lane, w.ID)
	if err != nil {
		return nil, err
	}
	b := &batch{owner: c.s.env.NewID(), webhook: *w}
	if b.secrets, err = c.s.openKeys(keys, c.now); err != nil {
		return nil, err
	}
	_, err = lanes.Modify(c.u, w.lane, w.ID, "", func(l *lane) error {
		l.release()
		if err := c.fill(b, l, testQueue, c.s.cfg.Batch); err != nil {
			return err
		}
		if w.Active && !l.PausedUntil.After(c.now) {
			if err := c.ordinary(b, w, l); err != nil {
				return err
			}
		}
		if len(b.items) > 0 {
			l.Owner, l.Until, l.Tenure = b.owner, c.now.Add(c.s.cfg.Lease), c.s.tenure
		} else {
			l.Served = c.now
		}
		return setTurn(c.u, w, l)
	})
	if err != nil || len(b.items) == 0 {
		return nil, err
	}
	return b, nil
}

// ordinary adds to a batch what is due of the events, if they may be heard.
func (c *claiming) ordinary(b *batch, w *Webhook, l *lane) error {
	r, asked, err := c.s.confirmRight(c.ctx, w, l)
	if err != nil {
		return err
	}
	if asked {
		c.notices = append(c.notices, l.bar(!r.held, c.now)...)
	}
	if !r.held {
		l.PausedUntil = c.now.Add(c.s.cfg.MaxPause)
		return nil
	}
	b.barred = l.Barred
	if l.Down {
		return c.probe(b, l)
	}
	return c.fill(b, l, ordinaryQueue, c.s.cfg.Batch)
}

// probe adds to a batch what an endpoint is probed with that is down: the oldest
// event that waits, due or not, and, for the case that it fails, one more. That
// is another one each time, so that what an endpoint cannot take does not keep
// it from being found well.
func (c *claiming) probe(b *batch, l *lane) error {
	b.probe = true
	oldest, err := c.event(b, l, "")
	if err != nil || oldest == "" {
		return err
	}
	spare, err := c.event(b, l, max(l.Spare, oldest))
	if err == nil && spare == "" && l.Spare > oldest {
		spare, err = c.event(b, l, oldest)
	}
	if l.Spare = spare; spare != "" {
		b.items[len(b.items)-1].spare = true
	}
	return err
}

// event adds to a batch the event that comes after a place in its lane's queue,
// and returns its place; none when it was the last.
func (c *claiming) event(b *batch, l *lane, after string) (place string, err error) {
	for e, err := range queue.From(c.u, b.webhook.lane, max(after, ordinaryQueue)) {
		if err != nil {
			return "", err
		}
		if added, err := c.add(b, l, e.ID, ordinaryQueue); err != nil || added {
			return e.ID, err
		}
	}
	return "", nil
}

// postpone leaves a lane alone whose secret cannot be opened. That is the
// platform's own fault, so nothing is counted, and nothing is lost.
func (c *claiming) postpone(webhookID string) error {
	w, err := webhookRecords.Value(c.u, account, webhookID)
	if err != nil {
		return err
	}
	return changeLane(c.u, w, func(l *lane) {
		l.Owner, l.Until, l.Tenure = "out of order", c.now.Add(c.s.cfg.Pause), ""
	})
}

// fill adds to a batch, up to a number, what is due in a part of its lane's
// queue.
func (c *claiming) fill(b *batch, l *lane, part string, most int) error {
	for e, err := range queue.All(c.u, b.webhook.lane, part) {
		if err != nil {
			return err
		}
		at, _, err := unstamp(e.ID[len(part):])
		if err != nil || at.After(c.now) || len(b.items) >= most {
			return err
		}
		if _, err := c.add(b, l, e.ID, part); err != nil {
			return err
		}
	}
	return nil
}

// add adds to a batch what stands at a place in its lane's queue, unless its
// content is gone.
func (c *claiming) add(b *batch, l *lane, entryID, part string) (added bool, err error) {
	_, id, err := unstamp(entryID[len(part):])
	if err != nil {
		return false, err
	}
	m, err := messageRecords.Value(c.u, messages, id)
	if errors.Is(err, records.ErrNotFound) {
		return false, bury(c.u, b.webhook.lane, l, entryID, id)
	}
	if err != nil {
		return false, err
	}
	b.items = append(b.items, item{delivery: id, message: m, test: part == testQueue})
	return true, nil
}

// bury ends a delivery whose content is gone, so that it does not hold up those
// behind it.
func bury(u *records.Update, scope records.Scope, l *lane, entryID, id string) error {
	if err := queue.Erase(u, scope, entryID); err != nil {
		return err
	}
	_, err := deliveryRecords.Modify(u, scope, id, "", func(d *Delivery) error {
		l.Pending, l.Dead = l.Pending-1, l.Dead+1
		d.State, d.NextAttempt, d.run.Entry = Dead, twinplatform.DateTime{}, ""
		return nil
	})
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	return err
}

// openKeys returns the secrets that sign at a time, the present one first.
func (s *Service) openKeys(k *keyring, now time.Time) ([]string, error) {
	present, err := s.cfg.SealingKey.open(k.WebhookID, k.Current)
	if err != nil {
		return nil, err
	}
	out := []string{present.Reveal()}
	for _, o := range k.Old {
		if !o.Until.After(now) {
			continue
		}
		if old, err := s.cfg.SealingKey.open(k.WebhookID, o.Sealed); err == nil {
			out = append(out, old.Reveal())
		}
	}
	return out, nil
}
