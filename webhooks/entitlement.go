package webhooks

import (
	"cmp"
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// A webhook receives events by the right of the application that made it, and only as
// long as that holds it: the right at the time of an event is checked when the event is
// queued for the webhook, and the present one again before each attempt to deliver it.

// ApplicationDirectory reports what service applications are at present.
type ApplicationDirectory interface {
	// Application returns the service application with an id, its account and
	// its administrator roles, and whether there is one still.
	Application(ctx context.Context, id string) (p twinplatform.Principal, ok bool, err error)
}

// creator is what a webhook keeps of the application that made it.
type creator struct {
	AccountID string                           `json:"accountId"`
	Roles     []twinplatform.AdministratorRole `json:"roles,omitempty"`
	// Issuer is the outside issuer of its token, and Seen when the application last called
	// for its webhooks; without an issuer both are empty.
	Issuer string                `json:"issuer,omitempty"`
	Seen   twinplatform.DateTime `json:"seen,omitzero"`
}

// IsZero reports whether nothing is known of the maker of the webhook.
func (c *creator) IsZero() bool { return c.AccountID == "" && c.Roles == nil }

func creatorOf(p twinplatform.Principal, now twinplatform.DateTime) creator {
	c := creator{AccountID: p.AccountID, Roles: p.AdministratorRoles, Issuer: p.Issuer}
	if c.Issuer != "" {
		c.Seen = now
	}
	return c
}

// application is the service application that made the webhook, as it is now if
// that can be known.
func (s subscription) application(ctx context.Context) (p twinplatform.Principal, ok bool, err error) {
	if s.w.creator.Issuer != "" {
		return s.visitor(ctx)
	}
	if s.cfg.Applications != nil {
		return s.cfg.Applications.Application(ctx, s.w.CreatedBy)
	}
	return s.env.Present(ctx, s.asNoted())
}

// asNoted is the application as the webhook notes it.
func (s subscription) asNoted() twinplatform.Principal {
	return twinplatform.Principal{
		ID: s.w.CreatedBy, AccountID: cmp.Or(s.w.creator.AccountID, s.w.AccountID),
		AdministratorRoles: s.w.creator.Roles,
		Kind:               twinplatform.Service, Scopes: []string{twinplatform.ScopeWebhooksModify},
		Issuer: s.w.creator.Issuer,
	}
}

// Entitlement reports whether the application that made the webhook may receive the
// events of its place. Once the twin is deleted, its permissions are gone too; the last
// known answer then applies, since the events that still wait were recorded before.
func (s subscription) Entitlement(ctx context.Context, barred bool) (r delivery.Entitlement, err error) {
	if s.w.CreatedBy == "" {
		return delivery.Entitlement{Held: true}, nil // the system
	}
	p, ok, err := s.application(ctx)
	if err != nil || !ok {
		return r, err
	}
	r.Held, err = s.env.Allowed(twinplatform.WithPrincipal(ctx, p), PermissionMaintainer, s.w.target())
	if r.Held || err != nil {
		return r, err
	}
	gone, err := s.Gone(ctx)
	return delivery.Entitlement{Held: gone && !barred, Gone: gone}, err
}

// Gone reports whether the twin of the webhook is there no more.
func (s subscription) Gone(ctx context.Context) (bool, error) {
	if s.w.Scope != TwinScope || s.cfg.Twins == nil {
		return false, nil
	}
	_, there, err := s.cfg.Twins.TwinAccount(ctx, s.w.ScopeID)
	return !there && err == nil, err
}

// transactional reports whether nothing that Entitlement asks answers from
// elsewhere.
func (c *Config) transactional() bool {
	for _, who := range []any{c.Env.Authorizer, c.Env.Principals, c.Twins, c.Applications, c.Visitors} {
		if _, ok := who.(twinplatform.Transactional); who != nil && !ok {
			return false
		}
	}
	return true
}

var _ twinplatform.PermissionsHolder = (*Service)(nil)

// HoldsOf implements twinplatform.TwinHolder: webhooks keep no twin from being deleted, since
// they still receive the event of it.
func (*Service) HoldsOf(context.Context, string) (string, error) { return "", nil }

// Transactional implements twinplatform.Transactional.
func (*Service) Transactional() {}

// PermissionsChange implements twinplatform.PermissionsHolder: what happened so far is for the
// webhooks whose makers hold their permission before it changes.
func (s *Service) PermissionsChange(ctx context.Context, at twinplatform.Target, principalID string) error {
	err := s.db.Join(ctx, func(u *records.Update) error {
		index, value := "account", at.AccountID
		switch {
		case principalID != "":
			index, value = "creator", principalID
		case at.TwinID != "":
			index, value = "place", placeKey(TwinScope, at.TwinID)
		}
		for w, err := range webhookRecords.Find(u, allAccounts, index, value) {
			if err == nil && w.AccountID == at.AccountID {
				err = s.note(ctx, u, w)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, records.ErrNotWithin) {
		return errPartOfChange
	}
	return err
}

// errPartOfChange refuses to take up a change of rights outside of it.
var errPartOfChange = problem.Refuses("It is part of a change of rights, and is done within its transaction.")
