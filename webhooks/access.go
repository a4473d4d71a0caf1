package webhooks

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// PermissionAdministrator is what makes somebody, a person too, administer the
// webhooks of a twin: to manage its members, and so to give and take the right to
// hear of it. Organization administrators hold it.
const PermissionAdministrator = "members_manage"

// access is what a caller may do with a webhook.
type access int

const (
	unseen     access = iota // it does not exist for the caller
	supervises               // see it, switch it off and delete it
	maintains                // all there is
)

// admit refuses callers whose token does not carry one of the scopes. The system
// may do everything.
func admit(ctx context.Context, scopes ...string) error {
	p, ok := twinplatform.PrincipalFrom(ctx)
	if ok && !slices.ContainsFunc(scopes, p.HasScope) {
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

// application reports whether the caller is a service application, or the
// system.
func application(ctx context.Context) bool {
	p, called := twinplatform.PrincipalFrom(ctx)
	return !called || p.Kind == twinplatform.Service
}

// maintains reports whether the caller may maintain the webhooks of a target.
func (s *Service) maintains(ctx context.Context, target twinplatform.Target) (bool, error) {
	return s.env.Allowed(ctx, PermissionMaintainer, target)
}

// asking is how a permission is asked for: Env.Allowed, or within a transaction
// Env.Confirm.
type asking func(ctx context.Context, permission string, target twinplatform.Target) (bool, error)

// accessTo is what the caller may do with a webhook.
func accessTo(ctx context.Context, ask asking, w *Webhook) (access, error) {
	if application(ctx) {
		if ok, err := ask(ctx, PermissionMaintainer, w.target()); ok || err != nil {
			return maintains, err
		}
	}
	if ok, err := ask(ctx, PermissionAdministrator, w.target()); ok || err != nil {
		return supervises, err
	}
	return unseen, nil
}

// readable returns a webhook that the caller may read. To everybody else it
// does not exist.
func (s *Service) readable(ctx context.Context, webhookID string) (rec twinplatform.Record[Webhook], err error) {
	if err := admitReader(ctx); err != nil {
		return rec, err
	}
	rec, _, err = s.visible(ctx, webhookID)
	return rec, err
}

// changeable returns a webhook with which the caller may do as much as is asked
// for.
func (s *Service) changeable(ctx context.Context, webhookID string, need access) (twinplatform.Record[Webhook], error) {
	if err := admitWriter(ctx); err != nil {
		return twinplatform.Record[Webhook]{}, err
	}
	rec, has, err := s.visible(ctx, webhookID)
	if err == nil && has < need {
		err = refuse.Forbidden
	}
	return rec, err
}

func (s *Service) visible(ctx context.Context, webhookID string) (rec twinplatform.Record[Webhook], has access, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = webhookRecords.Get(v, account, webhookID)
		return errNoWebhook.Or(err)
	})
	if err != nil {
		return rec, unseen, err
	}
	if has, err = accessTo(ctx, s.env.Allowed, &rec.Value); err == nil && has == unseen {
		err = errNoWebhook.Err()
	}
	if err != nil {
		return twinplatform.Record[Webhook]{}, unseen, err
	}
	return rec, has, nil
}

// confirm returns a webhook within the transaction that changes it, if the
// caller may still do what changeable allowed.
func (s *Service) confirm(ctx context.Context, u *records.Update, webhookID string, need access) (*Webhook, error) {
	w, err := webhookRecords.Value(u, account, webhookID)
	if err != nil {
		return nil, errNoWebhook.Or(err)
	}
	has, err := accessTo(u.Within(ctx), s.env.Confirm, w)
	switch {
	case err != nil:
		return nil, err
	case has == unseen:
		return nil, errNoWebhook.Err()
	case has < need:
		return nil, refuse.Forbidden
	}
	return w, nil
}

// system reports whether the program itself acts.
func system(ctx context.Context) bool {
	_, called := twinplatform.PrincipalFrom(ctx)
	return !called
}
