package webhooks

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// PermissionAdministrator is what makes someone, a person too, administer the webhooks of
// a twin: to manage its members, and so to give and take the right to receive its events.
// Organization administrators hold it.
const PermissionAdministrator = twinplatform.PermissionManageMembers

// access is what a caller may do with a webhook.
type access int

const (
	noAccess    access = iota // it does not exist for the caller
	administers               // see it, switch it off and delete it
	maintains                 // all there is
)

// admit refuses callers whose token does not carry one of the scopes. The system
// may do everything.
func admit(ctx context.Context, scopes ...string) error {
	p, ok := twinplatform.PrincipalFrom(ctx)
	if ok && !slices.ContainsFunc(scopes, p.HasScope) {
		return problem.Refuses("The token has none of the scopes '" + strings.Join(scopes, "', '") + "'.")
	}
	return nil
}

func admitReader(ctx context.Context) error {
	return admit(ctx, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify)
}

func admitWriter(ctx context.Context) error {
	return admit(ctx, twinplatform.ScopeWebhooksModify)
}

// isService reports whether a caller is a service application, or the system.
func isService(p twinplatform.Principal, called bool) bool {
	return !called || p.Kind == twinplatform.Service
}

// accessTo is what the caller may do with a webhook.
func accessTo(j *judge.Judge, w *Webhook) (access, error) {
	if isService(j.Caller()) {
		if ok, err := j.Allowed(PermissionMaintainer, w.target()); ok || err != nil {
			return maintains, err
		}
	}
	if ok, err := j.Allowed(PermissionAdministrator, w.target()); ok || err != nil {
		return administers, err
	}
	return noAccess, nil
}

// errMaintainers refuses those who administer a webhook that they do not maintain.
var errMaintainers = problem.Refuses("A webhook is changed by service applications with the permission '" +
	PermissionMaintainer + "'.")

// permitted returns a webhook with which the caller may do as much as is asked
// for. One that the caller may not see does not exist.
func permitted(tx records.Reading, j *judge.Judge, webhookID string, need access) (rec twinplatform.Record[Webhook],
	err error,
) {
	expect(tx, j, webhookID)
	rec, err = webhookRecords.Get(tx, allAccounts, webhookID)
	if err != nil {
		return rec, errNoWebhook.Or(err)
	}
	met(tx, webhookID)
	has, err := accessTo(j, &rec.Value)
	switch {
	case err != nil:
		return rec, err
	case has == noAccess:
		return rec, errNoWebhook.Err()
	case has < need:
		return rec, errMaintainers
	}
	return rec, nil
}

// read runs fn over a webhook that the caller may read.
func (s *Service) read(ctx context.Context, webhookID string,
	fn func(*records.View, twinplatform.Record[Webhook]) error,
) error {
	if err := admitReader(ctx); err != nil {
		return err
	}
	return s.view(ctx, webhookID, administers, fn)
}

func (s *Service) view(ctx context.Context, webhookID string, need access,
	fn func(*records.View, twinplatform.Record[Webhook]) error,
) error {
	return s.bench.View(ctx, func(v *records.View, j *judge.Judge) error {
		rec, err := permitted(v, j, webhookID, need)
		if err != nil {
			return err
		}
		return fn(v, rec)
	})
}

// change runs fn over a webhook with which the caller may do as much as is asked
// for, and lets Run look for work when it is done.
func (s *Service) change(ctx context.Context, webhookID string, need access,
	fn func(*records.Update, *Webhook) error,
) error {
	if err := admitWriter(ctx); err != nil {
		return err
	}
	err := s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		rec, err := permitted(u, j, webhookID, need)
		if err != nil {
			return err
		}
		return fn(u, &rec.Value)
	})
	if err == nil {
		s.Wake()
	}
	return err
}

// isSystem reports whether the program itself acts.
func isSystem(ctx context.Context) bool {
	_, called := twinplatform.PrincipalFrom(ctx)
	return !called
}
