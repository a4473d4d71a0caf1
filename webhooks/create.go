package webhooks

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// NewWebhook asks for a webhook.
type NewWebhook struct {
	// CallbackURL is required: a public HTTPS address.
	CallbackURL string `json:"callbackUrl"`
	// EventTypes is required.
	EventTypes []EventType `json:"eventTypes"`
	// Scope is required.
	Scope Scope `json:"scope"`
	// ScopeID is the twin of a TwinScope webhook. With AccountScope it is the
	// caller's account and may be left out; the system names an account.
	ScopeID string `json:"scopeId"`
	// Secret has MinSecret to MaxSecret characters; without one, one of 64
	// hexadecimal digits is generated.
	Secret Secret `json:"secret"`
}

// CreatedWebhook is a new webhook with its secret, which cannot be asked for
// again.
type CreatedWebhook struct {
	Webhook Webhook
	Secret  Secret
	ETag    string // quoted, as in the HTTP header
}

// CreateWebhook makes an inactive webhook (POST /webhooks/). The caller must be
// a service application with the scope webhooks:modify that holds
// PermissionMaintainer at the twin or the account.
//
// Errors: InvalidCreateWebhookRequest with InvalidRequestBody (callbackUrl,
// eventTypes, scope, scopeId, secret; scopeId also for a twin that is missing or
// not for the caller); InsufficientPermissions.
func (s *Service) CreateWebhook(ctx context.Context, n NewWebhook) (made CreatedWebhook, err error) {
	if err := admitWriter(ctx); err != nil {
		return made, err
	}
	w, err := s.newWebhook(ctx, n)
	if err != nil {
		return made, err
	}
	made.Secret = n.Secret
	if n.Secret.IsZero() {
		made.Secret = generateSecret()
	}
	keys := keyring{WebhookID: w.ID, Current: s.cfg.SealingKey.seal(w.ID, made.Secret)}
	err = s.db.Update(ctx, func(u *records.Update) error {
		if err := u.Listen(); err != nil {
			return err
		}
		if w.lane, err = u.NewScope("webhook"); err != nil {
			return err
		}
		if _, err := keyrings.Insert(u, w.lane, &keys); err != nil {
			return err
		}
		if _, err := lanes.Insert(u, w.lane, &lane{WebhookID: w.ID}); err != nil {
			return err
		}
		rec, err := webhookRecords.Insert(u, account, &w)
		made.Webhook, made.ETag = rec.Value, rec.ETag
		return err
	})
	if err != nil {
		return CreatedWebhook{}, err
	}
	return made, nil
}

// newWebhook checks a request and returns the webhook that it asks for.
func (s *Service) newWebhook(ctx context.Context, n NewWebhook) (w Webhook, err error) {
	var c checks
	c.callbackURL(s.guard, n.CallbackURL)
	types := c.eventTypes(n.EventTypes)
	if !n.Secret.IsZero() {
		c.secret(n.Secret)
	}
	p, called := twinplatform.PrincipalFrom(ctx)
	switch {
	case !c.need("scope", string(n.Scope)):
	case n.Scope == TwinScope:
		c.need("scopeId", n.ScopeID)
	case n.Scope != AccountScope:
		c.bad("scope", "The value of 'scope' is one of Account, Twin.")
	case called && n.ScopeID == "":
		n.ScopeID = p.AccountID
	case called && n.ScopeID != p.AccountID:
		c.bad("scopeId", "With the scope Account, 'scopeId' is the account of the calling application.")
	}
	if err := c.err(invalidCreate); err != nil {
		return w, err
	}
	accountID, err := s.reach(ctx, n)
	if err != nil {
		return w, err
	}
	now := instant(s.now())
	return Webhook{
		CallbackURL: n.CallbackURL, Created: now, EventTypes: types, ID: s.env.NewGUID(), Modified: now,
		Scope: n.Scope, ScopeID: n.ScopeID, AccountID: accountID, CreatedBy: p.ID,
	}, nil
}

// reach returns the account of what a new webhook is to listen to, if the
// caller maintains the webhooks there.
func (s *Service) reach(ctx context.Context, n NewWebhook) (accountID string, err error) {
	noTwin := invalid(invalidCreate, badBody("scopeId", "The twin is not available."))
	if n.Scope == AccountScope {
		allowed, err := s.maintains(ctx, twinplatform.Target{AccountID: n.ScopeID})
		if err == nil && !allowed {
			err = refuse.Forbidden
		}
		return n.ScopeID, err
	}
	if s.cfg.Twins != nil {
		var ok bool
		if accountID, ok, err = s.cfg.Twins.TwinAccount(ctx, n.ScopeID); err != nil {
			return "", err
		} else if !ok {
			return "", noTwin
		}
	}
	allowed, err := s.maintains(ctx, twinplatform.Target{TwinID: n.ScopeID, AccountID: accountID})
	if err == nil && !allowed {
		err = noTwin
	}
	return accountID, err
}

// Webhook returns a webhook (GET /webhooks/{webhookId}). The caller must be a
// service application with the scope webhooks:read or webhooks:modify that
// holds PermissionMaintainer at what the webhook listens to.
//
// Errors: WebhookNotFound, InsufficientPermissions.
func (s *Service) Webhook(ctx context.Context, webhookID string) (twinplatform.Record[Webhook], error) {
	return s.readable(ctx, webhookID)
}

// Webhooks lists, on one page, the webhooks that the calling service
// application has made and may still read (GET /webhooks/). The system gets
// all there are.
//
// Errors: InsufficientPermissions.
func (s *Service) Webhooks(ctx context.Context) (page twinplatform.Page[Webhook], err error) {
	if err := admitReader(ctx); err != nil {
		return page, err
	}
	p, called := twinplatform.PrincipalFrom(ctx)
	var found []twinplatform.Record[Webhook]
	err = s.db.View(ctx, func(v *records.View) error {
		found = nil
		all := webhookRecords.All(v, account, "")
		if called {
			all = webhookRecords.Find(v, account, "creator", p.ID)
		}
		for w, err := range all {
			if err != nil {
				return err
			}
			rec, err := webhookRecords.Get(v, account, w.ID)
			if err != nil {
				return err
			}
			found = append(found, rec)
		}
		return nil
	})
	if err != nil {
		return page, err
	}
	var wire [][]byte
	var values []Webhook
	for _, rec := range found {
		allowed, err := s.maintains(ctx, rec.Value.target())
		if err != nil {
			return page, err
		}
		if allowed {
			values, wire = append(values, rec.Value), append(wire, rec.JSON)
		}
	}
	page = twinplatform.NewPage(wire, func(i int) (Webhook, error) { return values[i], nil })
	page.Top = len(wire)
	return page, nil
}
