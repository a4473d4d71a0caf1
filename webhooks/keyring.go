package webhooks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// keyring is what a webhook signs with, as it is stored.
type keyring struct {
	WebhookID string   `json:"id"`
	Current   string   `json:"current"`
	Old       []oldKey `json:"old,omitempty"` // newest first
}

// oldKey is a replaced secret that still signs.
type oldKey struct {
	Sealed string    `json:"sealed"`
	Until  time.Time `json:"until"`
}

var keyrings = records.Collection[keyring]{
	Name: "keyrings", Untracked: true,
	ID: func(k *keyring) string { return k.WebhookID },
}

// signs reports whether a former secret is in use at a time. One that a clock that was ahead
// keeps in use for twice as long as the longest is not.
func (o oldKey) signs(now time.Time) bool {
	left := o.Until.Sub(now)
	return left > 0 && left <= 2*MaxOverlap
}

// openAll returns the secrets that sign at a time, the present one first.
func (k SealingKey) openAll(keys *keyring, now time.Time) ([]string, error) {
	present, err := k.open(keys.WebhookID, keys.Current)
	if err != nil {
		return nil, err
	}
	out := []string{present.Reveal()}
	for _, o := range keys.Old {
		if old, err := k.open(keys.WebhookID, o.Sealed); err == nil && o.signs(now) {
			out = append(out, old.Reveal())
		}
	}
	return out, nil
}

// rotate replaces a webhook's secret. The former ones continue signing until their time
// is over.
func (s *Service) rotate(u *records.Update, w *Webhook, secret Secret) error {
	now := s.now()
	_, err := keyrings.Modify(u, w.queue.Scope(), w.ID, "", func(k *keyring) error {
		k.Old = slices.DeleteFunc(k.Old, func(o oldKey) bool { return !o.signs(now) })
		if s.cfg.Overlap > 0 {
			k.Old = slices.Insert(k.Old, 0, oldKey{Sealed: k.Current, Until: now.Add(s.cfg.Overlap)})
		}
		if len(k.Old) > MaxOldSecrets {
			return problem.With(InvalidUpdateRequest,
				badBody("secret", "The secret was changed too often recently. At most %d former ones are in use at a "+
					"time.", MaxOldSecrets))
		}
		k.Current = s.cfg.SealingKey.seal(w.ID, secret)
		return nil
	})
	return err
}

// sealAll seals the secrets that were stored before there was a key.
func (s *Service) sealAll(ctx context.Context) error {
	if s.cfg.SealingKey.aead == nil {
		return nil
	}
	all, err := s.engine.Endpoints(ctx)
	for _, e := range all {
		err := s.db.Update(ctx, func(u *records.Update) error {
			_, err := keyrings.Modify(u, e.Queue.Scope(), e.ID, "", s.cfg.SealingKey.reseal)
			return err
		})
		if err != nil && !errors.Is(err, records.ErrNotFound) {
			return err
		}
	}
	return err
}

// reseal seals the secrets of a webhook that are kept as they are.
func (k SealingKey) reseal(keys *keyring) (err error) {
	texts := []*string{&keys.Current}
	for i := range keys.Old {
		texts = append(texts, &keys.Old[i].Sealed)
	}
	for _, stored := range texts {
		if !strings.HasPrefix(*stored, plainMark) {
			continue
		}
		secret, err := k.open(keys.WebhookID, *stored)
		if err != nil {
			return err
		}
		*stored = k.seal(keys.WebhookID, secret)
	}
	return nil
}
