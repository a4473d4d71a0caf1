package webhooks

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
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

// WebhookResult is what came of making or changing a webhook.
type WebhookResult struct {
	twinplatform.Result[Webhook]
	// Secret is the secret of a new webhook, or the one that an update
	// generated; zero after any other update. It cannot be asked for again.
	Secret Secret
}

// CreateWebhook makes an inactive webhook (POST /webhooks/). The caller must be a service
// application with the scope webhooks:modify that holds PermissionMaintainer at the twin
// or the account. The webhook receives events for as long as the caller holds it.
//
// Errors: InvalidCreateWebhookRequest with InvalidRequestBody (callbackUrl,
// eventTypes, scope, scopeId, secret; scopeId also for a twin that is missing or
// not for the caller); LimitExceeded (Config.MaxPerTwin, Config.MaxPerAccount);
// InsufficientPermissions.
func (s *Service) CreateWebhook(ctx context.Context, n NewWebhook) (made WebhookResult, err error) {
	if err := admitWriter(ctx); err != nil {
		return made, err
	}
	if !isService(twinplatform.PrincipalFrom(ctx)) {
		return made, errMaintainers
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
	err = s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		rec, err := s.insert(u, j, w, &keys)
		made.Result = twinplatform.Done(rec)
		return err
	})
	if err != nil {
		return WebhookResult{}, err
	}
	return made, nil
}

// insert adds a webhook, if the caller may have it and there is room.
func (s *Service) insert(u *records.Update, j *judge.Judge, w Webhook, keys *keyring) (rec twinplatform.Record[Webhook],
	err error,
) {
	expectNew(u, j, &w)
	if err := locate(j, &w); err != nil {
		return rec, err
	}
	if err := s.checkLimits(u, &w); err != nil {
		return rec, err
	}
	if err := u.Listen(); err != nil {
		return rec, err
	}
	scope, err := u.NewScope("webhook", inAccount(w.AccountID))
	if err != nil {
		return rec, err
	}
	w.queue = delivery.Queue(scope)
	if _, err := keyrings.Insert(u, scope, keys); err != nil {
		return rec, err
	}
	if err := delivery.Add(u, s.endpoint(&w)); err != nil {
		return rec, err
	}
	return callsOf(s).kind.Insert(u, inAccount(w.AccountID), &w, new(problem.Checks))
}

// checkLimits refuses a webhook beyond what its twin and its account may have.
func (s *Service) checkLimits(u *records.Update, w *Webhook) error {
	for _, bound := range []struct {
		index, value string
		most         int
		what         string
	}{
		{"place", placeKey(TwinScope, w.ScopeID), s.cfg.MaxPerTwin, "twin"},
		{"account", w.AccountID, s.cfg.MaxPerAccount, "account"},
	} {
		if bound.most < 0 || bound.value == "" || bound.what == "twin" && w.Scope != TwinScope {
			continue
		}
		n := 0
		for range webhookRecords.IDs(u, inAccount(w.AccountID), bound.index, bound.value) {
			if n++; n >= bound.most {
				return &twinplatform.Error{
					Kind: twinplatform.Conflict, Code: "LimitExceeded", Target: "scopeId",
					Message: "The " + bound.what + " has as many webhooks as it may.",
					Details: []twinplatform.Detail{badBody("scopeId", "The %s has at most %d webhooks.", bound.what,
						bound.most)},
				}
			}
		}
	}
	return nil
}

// newWebhook checks a request and returns the webhook that it asks for.
func (s *Service) newWebhook(ctx context.Context, n NewWebhook) (w Webhook, err error) {
	var c checks
	callsOf(s).kind.CheckNew(&n, &c.Checks)
	p, called := twinplatform.PrincipalFrom(ctx)
	switch {
	case n.Scope == "":
	case n.Scope == TwinScope:
		isThere(&c.Checks, "scopeId", n.ScopeID)
	case n.Scope != AccountScope:
		c.bad("scope", "The value of 'scope' is one of Account, Twin.")
	case called && n.ScopeID == "":
		n.ScopeID = p.AccountID
	case called && n.ScopeID != p.AccountID:
		c.bad("scopeId", "With the scope Account, 'scopeId' is the account of the calling application.")
	}
	if err := c.Err(InvalidCreateRequest); err != nil {
		return w, err
	}
	now := twinplatform.At(s.now())
	w = *callsOf(s).kind.New(&n)
	w.ID, w.Created, w.Modified = s.env.NewGUID(), now, now
	w.CreatedBy, w.creator = p.ID, creatorOf(p, now)
	return w, nil
}

var errNoTwin = problem.With(InvalidCreateRequest, badBody("scopeId", "%s", problem.NoTwin(PermissionMaintainer)))

// locate finds the account of what a new webhook is to listen to, and refuses a
// caller who does not maintain the webhooks there.
func locate(j *judge.Judge, w *Webhook) error {
	refusal := error(problem.Lacks(PermissionMaintainer))
	if w.AccountID = w.ScopeID; w.Scope == TwinScope {
		refusal = errNoTwin
		target, exists, err := j.Twin(w.ScopeID)
		if err != nil {
			return err
		}
		if !exists {
			return errNoTwin
		}
		w.AccountID = target.AccountID
	}
	allowed, err := j.Allowed(PermissionMaintainer, w.target())
	if err == nil && !allowed {
		err = refusal
	}
	return err
}
