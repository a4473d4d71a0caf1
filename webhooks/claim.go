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
		if err := s.fill(u, b, l, testQueue, now); err != nil {
			return err
		}
		if w.Active && !l.PausedUntil.After(now) {
			if err := s.fill(u, b, l, ordinaryQueue, now); err != nil {
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
func (s *Service) fill(u *records.Update, b *batch, l *lane, part string, now time.Time) error {
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
		if errors.Is(err, records.ErrNotFound) {
			if err := bury(u, b.webhook.lane, l, e.ID, id); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		b.items = append(b.items, item{delivery: id, message: m, test: part == testQueue})
	}
	return nil
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
