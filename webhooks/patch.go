package webhooks

import (
	"context"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// WebhookPatch changes a webhook. What is left out stays as it is.
type WebhookPatch struct {
	Active      twinplatform.Optional[bool]        `json:"active,omitzero"`
	CallbackURL twinplatform.Optional[string]      `json:"callbackUrl,omitzero"`
	EventTypes  twinplatform.Optional[[]EventType] `json:"eventTypes,omitzero"`
	// Secret replaces the secret; null replaces it by a generated one, which
	// WebhookResult shows. The former one goes on signing beside it, in the
	// header webhook-signature alone, for Config.Overlap.
	Secret twinplatform.Optional[Secret] `json:"secret,omitzero"`
}

func (p WebhookPatch) check(g guard) error {
	var c checks
	if p.Active.IsNull() {
		c.bad("active", "The value of 'active' must be true or false.")
	}
	if p.CallbackURL.Present() {
		c.callbackURL(g, p.CallbackURL.Or(""))
	}
	if p.EventTypes.Present() {
		c.eventTypes(p.EventTypes.Or(nil))
	}
	if secret, ok := p.Secret.Get(); ok {
		c.secret(secret)
	}
	return c.err(InvalidUpdateRequest)
}

// needs is what a caller must be allowed to do for the patch: whoever
// administers the webhook may switch it off, and no more.
func (p WebhookPatch) needs() access {
	off := p.Active.Present() && !p.Active.Or(true)
	if off && !p.CallbackURL.Present() && !p.EventTypes.Present() && !p.Secret.Present() {
		return supervises
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

// UpdateWebhook changes a webhook (W1). From then on, what waits for delivery
// goes to the present address, signed with the present secret. Setting it
// active begins anew: what was counted of failures is forgotten. It needs what
// CreateWebhook needs; to do no more than set a webhook inactive, it is enough to
// hold PermissionAdministrator.
//
// Errors: WebhookNotFound; InvalidUpdateWebhookRequest with InvalidRequestBody
// (active, callbackUrl, eventTypes, secret); VersionMismatch (ifMatch);
// InsufficientPermissions.
func (s *Service) UpdateWebhook(ctx context.Context, webhookID string, p WebhookPatch, pre ...twinplatform.Precondition) (res WebhookResult, err error) {
	wrong := p.check(s.guard)
	secret, replace, show := p.replacement(s.cfg.PatchReplacesSecret && p.needs() == maintains)
	err = s.change(ctx, webhookID, p.needs(), func(u *records.Update, before *Webhook) error {
		if wrong != nil {
			return wrong
		}
		rec, err := p.apply(ctx, u, before, twinplatform.IfMatchHeader(pre...), replace, s.now())
		if err != nil {
			return errNoWebhook.Or(err)
		}
		if replace {
			if err := s.rotate(u, &rec.Value, secret); err != nil {
				return err
			}
		}
		res.Records = []twinplatform.Record[Webhook]{rec}
		return changeLane(u, &rec.Value, func(l *lane) {
			l.Changed = true
			if rec.Value.Active && !before.Active {
				l.forgive()
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

// apply changes the record of a webhook.
func (p WebhookPatch) apply(ctx context.Context, u *records.Update, before *Webhook, ifMatch string, replaced bool, now time.Time) (twinplatform.Record[Webhook], error) {
	return webhookRecords.Modify(u, account, before.ID, ifMatch, func(w *Webhook) error {
		w.Active = p.Active.Or(w.Active)
		w.CallbackURL = p.CallbackURL.Or(w.CallbackURL)
		if types, ok := p.EventTypes.Get(); ok {
			w.EventTypes = new(checks).eventTypes(types)
		}
		if replaced || w.Active != before.Active || w.CallbackURL != before.CallbackURL || !slices.Equal(w.EventTypes, before.EventTypes) {
			w.Modified = twinplatform.At(now)
		}
		if caller, ok := twinplatform.PrincipalFrom(ctx); ok && caller.ID == w.CreatedBy {
			w.maker = makerOf(caller)
		}
		return nil
	})
}

// rotate replaces a webhook's secret. The former ones go on signing until their
// time is over.
func (s *Service) rotate(u *records.Update, w *Webhook, secret Secret) error {
	now := s.now()
	_, err := keyrings.Modify(u, w.lane, w.ID, "", func(k *keyring) error {
		k.Old = slices.DeleteFunc(k.Old, func(o oldKey) bool { return !o.Until.After(now) })
		if s.cfg.Overlap > 0 {
			k.Old = slices.Insert(k.Old, 0, oldKey{Sealed: k.Current, Until: now.Add(s.cfg.Overlap)})
		}
		if len(k.Old) > MaxOldSecrets {
			return refuse.With(InvalidUpdateRequest, badBody("secret", "The secret was changed too often of late. At most %d former ones are in use at a time.", MaxOldSecrets))
		}
		k.Current = s.cfg.SealingKey.seal(w.ID, secret)
		return nil
	})
	return err
}

// DeleteWebhook removes a webhook with its deliveries (DELETE
// /webhooks/{webhookId}); what waits for delivery is not made any more. It
// needs the scope webhooks:modify, and what Webhook needs.
//
// Errors: WebhookNotFound, InsufficientPermissions.
func (s *Service) DeleteWebhook(ctx context.Context, webhookID string) error {
	if err := admitWriter(ctx); err != nil {
		return err
	}
	return s.bench.Call(ctx, func(within func(judge.Transaction) *judge.Judge) error {
		judge := func(u *records.Update) error {
			_, err := permitted(u, within(u), webhookID, supervises)
			return err
		}
		_, err := s.deleteWebhook.Do(ctx, jobs.Spec{Scope: account, Subjects: []string{webhookID}, Judge: judge}, removal{WebhookID: webhookID})
		return err
	})
}

// removal is what the journal keeps of the deletion of a webhook.
type removal struct {
	WebhookID string        `json:"webhookId"`
	Lane      records.Scope `json:"lane"`
	Deleted   bool          `json:"deleted"` // what is left is to erase its deliveries
}

// keysPerStep is how many keys one step of a removal erases.
const keysPerStep = 5_000

func (s *Service) removeWebhook(u *records.Update, w *jobs.Work[removal, Webhook]) (jobs.Progress, error) {
	if !w.Payload.Deleted {
		hook, err := webhookRecords.Value(u, account, w.Payload.WebhookID)
		if err != nil {
			return jobs.Progress{}, errNoWebhook.Or(err)
		}
		w.Payload.Lane = hook.lane
		if err := removeLane(u, w.Payload.Lane, w.Payload.WebhookID); err != nil {
			return jobs.Progress{}, err
		}
		if err := webhookRecords.Erase(u, account, w.Payload.WebhookID); err != nil {
			return jobs.Progress{}, err
		}
		w.Payload.Deleted = true
	}
	more, err := w.Payload.Lane.Erase(u, keysPerStep)
	if err != nil || more {
		return jobs.Progress{Percent: 50}, err
	}
	return jobs.Done, nil
}
