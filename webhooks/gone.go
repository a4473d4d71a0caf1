package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// keepGone is how long a webhook is kept whose twin is gone, so that it hears
// the last of it.
const keepGone = 24 * time.Hour

// purgeGone removes webhooks whose twins are gone, once nothing waits for them.
func (s *Service) purgeGone(ctx context.Context, all []*Webhook) error {
	if s.cfg.Twins == nil {
		return nil
	}
	for _, w := range all {
		if w.Scope != TwinScope {
			continue
		}
		_, there, err := s.cfg.Twins.TwinAccount(ctx, w.ScopeID)
		if err != nil {
			return fmt.Errorf("asking for the twins of webhooks: %w", err)
		}
		over, err := s.noteGone(ctx, w, !there)
		if err == nil && over {
			_, err = s.deleteWebhook.Do(ctx, jobs.Spec{Scope: account, Subjects: []string{w.ID}}, removal{WebhookID: w.ID})
		}
		if err != nil && !errors.Is(err, errNoWebhook.Err()) {
			return err
		}
	}
	return nil
}

// noteGone notes whether the twin of a webhook is gone, and reports whether the
// webhook has outlived it for long enough.
func (s *Service) noteGone(ctx context.Context, w *Webhook, gone bool) (over bool, err error) {
	var l *lane
	err = s.db.View(ctx, func(v *records.View) error {
		l, err = lanes.Value(v, w.lane, w.ID)
		return errNoWebhook.Or(err)
	})
	if err != nil || gone == !l.Gone.IsZero() {
		return err == nil && gone && l.Pending == 0 && s.now().Sub(l.Gone) >= keepGone, err
	}
	return false, s.db.Update(ctx, func(u *records.Update) error {
		_, err := lanes.Modify(u, w.lane, w.ID, "", func(l *lane) error {
			if l.Gone = (time.Time{}); gone {
				l.Gone = s.now()
			}
			return nil
		})
		return errNoWebhook.Or(err)
	})
}
