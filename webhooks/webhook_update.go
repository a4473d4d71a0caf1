package webhooks

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// WebhookPatch changes a webhook. What is left out stays as it is.
type WebhookPatch struct {
	// Active switches the webhook on or off; null is refused.
	Active twinplatform.Optional[bool] `json:"active,omitzero"`
	// CallbackURL and EventTypes are what NewWebhook takes; null is refused.
	CallbackURL twinplatform.Optional[string]      `json:"callbackUrl,omitzero"`
	EventTypes  twinplatform.Optional[[]EventType] `json:"eventTypes,omitzero"`
	// Secret replaces the secret; null replaces it by a generated one, which
	// WebhookResult shows. The former one continues signing next to it, in the header
	// webhook-signature alone, for Config.Overlap.
	Secret twinplatform.Optional[Secret] `json:"secret,omitzero"`
}

// needs is what a caller must be allowed to do for the patch: an administrator of the
// webhook may switch it off, and nothing else.
func (p WebhookPatch) needs() access {
	off := p.Active.Present() && !p.Active.Or(true)
	if off && !p.CallbackURL.Present() && !p.EventTypes.Present() && !p.Secret.Present() {
		return administers
	}
	return maintains
}

// replacement is the secret to set, if one is, and whether it is to be shown.
func (p WebhookPatch) replacement(always bool) (secret Secret, replace, show bool) {
	if secret, ok := p.Secret.Get(); ok {
		return secret, true, false
	}
	if p.Secret.IsNull() || always {
		return generateSecret(), true, true
	}
	return Secret{}, false, false
}

// UpdateWebhook changes a webhook (W1). From then on, what waits for delivery goes to the
// present address, signed with the present secret. Setting it active begins again: what
// was counted of failures is forgotten. It needs what CreateWebhook needs; to do no more
// than set a webhook inactive, it is enough to hold PermissionAdministrator.
//
// Errors: WebhookNotFound; InvalidUpdateWebhookRequest with InvalidRequestBody
// (active, callbackUrl, eventTypes, secret); VersionMismatch (ifMatch);
// InsufficientPermissions.
func (s *Service) UpdateWebhook(ctx context.Context, webhookID string, p WebhookPatch,
	pre ...twinplatform.Precondition,
) (res WebhookResult, err error) {
	change := &webhookChange{WebhookPatch: p, now: twinplatform.At(s.now())}
	change.caller, change.called = twinplatform.PrincipalFrom(ctx)
	wrong := change.check(callsOf(s).kind)
	secret, replace, show := p.replacement(s.cfg.PatchReplacesSecret && p.needs() == maintains)
	err = s.change(ctx, webhookID, p.needs(), func(u *records.Update, before *Webhook) error {
		if wrong != nil {
			return wrong
		}
		change.replaced = replace
		records.Declare(u, records.NeedOfLast(before.AccountID)...)
		rec, err := callsOf(s).kind.Modify(u, inAccount(before.AccountID), before.ID, twinplatform.ConditionOf(pre...),
			change)
		if err != nil {
			return err
		}
		if replace {
			if err := s.rotate(u, &rec.Value, secret); err != nil {
				return err
			}
		}
		res.Result = twinplatform.Done(rec)
		if err := s.noteChange(ctx, u, before, &rec.Value); err != nil {
			return err
		}
		return delivery.Change(u, s.endpoint(&rec.Value), func(l *delivery.State) {
			l.Changed = true
			if rec.Value.Active && !before.Active {
				l.Reset()
			}
		})
	})
	if err != nil {
		return WebhookResult{}, err
	}
	if show {
		res.Secret = secret
	}
	return res, nil
}

// noteChange keeps what a webhook was, if it may hear other events by what it is now.
func (s *Service) noteChange(ctx context.Context, u *records.Update, before, w *Webhook) error {
	a, b := &w.creator, &before.creator
	same := w.Active == before.Active && slices.Equal(w.EventTypes, before.EventTypes) &&
		a.AccountID == b.AccountID && a.Issuer == b.Issuer && slices.Equal(a.Roles, b.Roles)
	if same {
		return nil
	}
	return s.note(ctx, u, before)
}
