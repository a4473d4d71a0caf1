package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// recordsPerStep is how many records one transaction of the housekeeping
// writes.
const recordsPerStep = 1_000

// sealAll seals the secrets that were stored before there was a key.
func (s *Service) sealAll(ctx context.Context) error {
	if s.cfg.SealingKey.aead == nil {
		return nil
	}
	all, err := s.all(ctx)
	if err != nil {
		return err
	}
	for _, w := range all {
		err := s.db.Update(ctx, func(u *records.Update) error {
			_, err := keyrings.Modify(u, w.lane, w.ID, "", func(k *keyring) error {
				return s.resealAll(k)
			})
			return or(err, errNoWebhook)
		})
		if err != nil && !errors.Is(err, errNoWebhook) {
			return err
		}
	}
	return nil
}

func (s *Service) resealAll(k *keyring) (err error) {
	if k.Current, err = s.reseal(k.WebhookID, k.Current); err != nil {
		return err
	}
	for i := range k.Old {
		if k.Old[i].Sealed, err = s.reseal(k.WebhookID, k.Old[i].Sealed); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) reseal(webhookID, stored string) (string, error) {
	if !s.cfg.SealingKey.resealable(stored) {
		return stored, nil
	}
	secret, err := s.cfg.SealingKey.open(webhookID, stored)
	if err != nil {
		return "", err
	}
	return s.cfg.SealingKey.seal(webhookID, secret), nil
}

func (s *Service) all(ctx context.Context) (out []*Webhook, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		out = nil
		for w, err := range webhookRecords.All(v, account, "") {
			if err != nil {
				return err
			}
			out = append(out, w)
		}
		return nil
	})
	return out, err
}

// purge removes what was kept long enough: deliveries that were made, then all
// others, and the content of events last.
func (s *Service) purge(ctx context.Context) error {
	all, err := s.all(ctx)
	if err != nil {
		return err
	}
	now := s.now()
	for _, w := range all {
		for more := true; more; {
			if more, err = s.purgeLane(ctx, w, now); err != nil {
				return fmt.Errorf("removing old deliveries: %w", err)
			}
		}
	}
	for more := true; more; {
		if more, err = s.purgeMessages(ctx, now); err != nil {
			return fmt.Errorf("removing old events: %w", err)
		}
	}
	return nil
}

// purgeLane removes old deliveries of a webhook, as many as one transaction
// holds, and reports whether there are more.
func (s *Service) purgeLane(ctx context.Context, w *Webhook, now time.Time) (more bool, err error) {
	found, err := s.oldest(ctx, w, now)
	if err != nil || !found {
		return false, err
	}
	lost := 0
	err = s.db.Update(ctx, func(u *records.Update) error {
		more, lost = false, 0
		if has, err := webhookRecords.Has(u, account, w.ID); err != nil || !has {
			return err
		}
		n, pending, dead := 0, 0, 0
		for d, err := range deliveryRecords.All(u, w.lane, "") {
			if err != nil {
				return err
			}
			if now.Sub(d.Created.Time) <= s.keepLeast() {
				break
			}
			if !s.outlived(d, now) {
				continue
			}
			if n++; n > recordsPerStep {
				more = true
				break
			}
			switch d.State {
			case Pending:
				pending++
			case Dead:
				dead++
			}
			if err := dequeue(u, w.lane, d); err != nil {
				return err
			}
			if err := deliveryRecords.Erase(u, w.lane, d.ID); err != nil {
				return err
			}
		}
		lost = pending
		if pending+dead == 0 {
			return nil
		}
		return changeLane(u, w, func(l *lane) { l.Pending, l.Dead = l.Pending-pending, l.Dead-dead })
	})
	if err == nil && lost > 0 {
		s.env.Logger.LogAttrs(ctx, slog.LevelWarn, "deliveries were never made and are no longer kept",
			slog.String("webhook", w.ID), slog.Int("deliveries", lost))
	}
	return more, err
}

func (s *Service) keepLeast() time.Duration { return max(s.cfg.KeepDelivered, 0) }

// outlived reports whether a delivery was kept long enough.
func (s *Service) outlived(d *Delivery, now time.Time) bool {
	age := now.Sub(d.Created.Time)
	return age > KeepDeliveries || d.State == Delivered && age > s.keepLeast()
}

// oldest reports, without a write, whether a webhook has deliveries to remove.
func (s *Service) oldest(ctx context.Context, w *Webhook, now time.Time) (found bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		found = false
		for d, err := range deliveryRecords.All(v, w.lane, "") {
			if err != nil {
				return err
			}
			if now.Sub(d.Created.Time) <= s.keepLeast() {
				return nil
			}
			if found = s.outlived(d, now); found {
				return nil
			}
		}
		return nil
	})
	return found, err
}

// purgeMessages removes events that no delivery is kept of any more.
func (s *Service) purgeMessages(ctx context.Context, now time.Time) (more bool, err error) {
	old := func(tx records.Reading, n int) (ids []string, err error) {
		for m, err := range messageRecords.All(tx, messages, "") {
			if err != nil {
				return nil, err
			}
			// An event is taken up later than it happens, and its deliveries
			// count from then.
			if now.Sub(time.Unix(m.Taken, 0)) <= KeepDeliveries+2*purgeEvery || len(ids) == n {
				break
			}
			ids = append(ids, m.ID)
		}
		return ids, nil
	}
	var ids []string
	err = s.db.View(ctx, func(v *records.View) error {
		ids, err = old(v, 1)
		return err
	})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		if ids, err = old(u, recordsPerStep); err != nil {
			return err
		}
		for _, id := range ids {
			if err := messageRecords.Erase(u, messages, id); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids) == recordsPerStep, err
}
