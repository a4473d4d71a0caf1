package webhooks

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// admit refuses callers that are no service application, or whose token does
// not carry one of the scopes. The system may do everything.
func admit(ctx context.Context, scopes ...string) error {
	p, ok := twinplatform.PrincipalFrom(ctx)
	if !ok {
		return nil
	}
	if p.Kind != twinplatform.Service || !slices.ContainsFunc(scopes, p.HasScope) {
		return refuse.Forbidden
	}
	return nil
}

func admitReader(ctx context.Context) error {
	return admit(ctx, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify)
}

func admitWriter(ctx context.Context) error {
	return admit(ctx, twinplatform.ScopeWebhooksModify)
}

// maintains reports whether the caller maintains the webhooks of a target.
func (s *Service) maintains(ctx context.Context, target twinplatform.Target) (bool, error) {
	return s.env.Allowed(ctx, PermissionMaintainer, target)
}

// readable returns a webhook that the caller may read. To everybody else it
// does not exist.
func (s *Service) readable(ctx context.Context, webhookID string) (rec twinplatform.Record[Webhook], err error) {
	if err := admitReader(ctx); err != nil {
		return rec, err
	}
	return s.visible(ctx, webhookID)
}

// changeable returns a webhook that the caller may change.
func (s *Service) changeable(ctx context.Context, webhookID string) (twinplatform.Record[Webhook], error) {
	if err := admitWriter(ctx); err != nil {
		return twinplatform.Record[Webhook]{}, err
	}
	return s.visible(ctx, webhookID)
}

func (s *Service) visible(ctx context.Context, webhookID string) (rec twinplatform.Record[Webhook], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = webhookRecords.Get(v, account, webhookID)
		return errNoWebhook.Or(err)
	})
	if err != nil {
		return rec, err
	}
	allowed, err := s.maintains(ctx, rec.Value.target())
	if err == nil && !allowed {
		err = errNoWebhook.Err()
	}
	if err != nil {
		return twinplatform.Record[Webhook]{}, err
	}
	return rec, nil
}

// system reports whether the program itself acts.
func system(ctx context.Context) bool {
	_, called := twinplatform.PrincipalFrom(ctx)
	return !called
}
