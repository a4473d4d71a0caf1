package webhooks

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
			return errNoWebhook.Or(err)
		})
		if err != nil && !errors.Is(err, errNoWebhook.Err()) {
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
// others, and the content of events that no delivery is kept of.
func (s *Service) purge(ctx context.Context) error {
	all, err := s.all(ctx)
	if err != nil {
		return err
	}
	if err := s.purgeGone(ctx, all); err != nil {
		return err
	}
	now := s.now()
	kept := make(map[string]bool) // ids of old deliveries, which are those of their events
	for _, w := range all {
		for {
			found, err := s.survey(ctx, w, now, kept)
			if err != nil {
				return err
			}
			if !found {
				break
			}
			if err := s.purgeLane(ctx, w, now); err != nil {
				return fmt.Errorf("removing old deliveries: %w", err)
			}
		}
	}
	for more := true; more; {
		if more, err = s.purgeMessages(ctx, now, kept); err != nil {
			return fmt.Errorf("removing old events: %w", err)
		}
	}
	return nil
}

func (s *Service) keepLeast() time.Duration { return max(s.retained(s.cfg.KeepDelivered), 0) }

// retained is how long what is done with is kept: no longer than all else that is.
func (s *Service) retained(keep time.Duration) time.Duration {
	if s.env.Retain > 0 {
		return min(keep, s.env.Retain)
	}
	return keep
}

// purgePause is the time from one purge to the next.
func (s *Service) purgePause() time.Duration {
	if s.env.Retain > 0 {
		return min(max(s.env.Retain/16, time.Second), purgeEvery)
	}
	return purgeEvery
}

// outlived reports whether a delivery was kept long enough.
func (s *Service) outlived(d *Delivery, now time.Time) bool {
	age := now.Sub(d.Created.Time)
	if age > KeepDeliveries || d.State == Dead && age > s.retained(KeepDeliveries) {
		return true
	}
	if d.State != Delivered || len(d.Attempts) == 0 {
		return false
	}
	return now.Sub(d.Attempts[len(d.Attempts)-1].At.Time) > s.keepLeast()
}

// old yields the deliveries of a webhook that may have been kept long enough.
func (s *Service) old(tx records.Reading, w *Webhook, now time.Time) iter.Seq2[*Delivery, error] {
	return func(yield func(*Delivery, error) bool) {
		for d, err := range deliveryRecords.All(tx, w.lane, "") {
			if err == nil && now.Sub(d.Created.Time) <= s.keepLeast() {
				return
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// survey reports whether a webhook has deliveries to remove, and adds the old
// ones that stay to kept.
func (s *Service) survey(ctx context.Context, w *Webhook, now time.Time, kept map[string]bool) (found bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		found = false
		for d, err := range s.old(v, w, now) {
			if err != nil {
				return err
			}
			if s.outlived(d, now) {
				found = true
			} else {
				kept[d.ID] = true
			}
		}
		return nil
	})
	return found, err
}

// purgeLane removes old deliveries of a webhook, as many as one transaction
// holds.
func (s *Service) purgeLane(ctx context.Context, w *Webhook, now time.Time) error {
	lost := 0
	err := s.db.Update(ctx, func(u *records.Update) error {
		lost = 0
		w, err := webhookRecords.Value(u, account, w.ID)
		if errors.Is(err, records.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		n, gone := 0, counts{}
		for d, err := range s.old(u, w, now) {
			if err != nil {
				return err
			}
			if !s.outlived(d, now) {
				continue
			}
			if n++; n > recordsPerStep {
				break
			}
			switch d.State {
			case Pending:
				gone.pending--
			case Dead:
				gone.dead--
			}
			if err := dequeue(u, w.lane, d); err != nil {
				return err
			}
			if err := deliveryRecords.Erase(u, w.lane, d.ID); err != nil {
				return err
			}
		}
		lost = -gone.pending
		return gone.keep(u, w)
	})
	if err == nil && lost > 0 {
		s.env.Logger.LogAttrs(ctx, slog.LevelWarn, "deliveries were never made and are no longer kept",
			slog.String("webhook", w.ID), slog.Int("deliveries", lost))
	}
	return err
}

// purgeMessages removes events that no delivery is kept of, as many as one
// transaction holds, and reports whether there are more.
func (s *Service) purgeMessages(ctx context.Context, now time.Time, kept map[string]bool) (more bool, err error) {
	// An event may be handed out in several steps, the last some time after it
	// was taken up.
	least := s.keepLeast() + 2*purgeEvery
	outlived := func(tx records.Reading, n int) (ids []string, err error) {
		for m, err := range messageRecords.All(tx, messages, "") {
			if err != nil {
				return nil, err
			}
			if now.Sub(time.Unix(m.Taken, 0)) <= least || len(ids) == n {
				break
			}
			if !kept[m.ID] {
				ids = append(ids, m.ID)
			}
		}
		return ids, nil
	}
	var ids []string
	err = s.db.View(ctx, func(v *records.View) error {
		ids, err = outlived(v, 1)
		return err
	})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		if ids, err = outlived(u, recordsPerStep); err != nil {
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
