package webhooks

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// DeleteWebhook removes a webhook with its deliveries (DELETE
// /webhooks/{webhookId}); what waits for delivery is not made any more. It
// needs the scope webhooks:modify, and what Webhook needs.
//
// Errors: WebhookNotFound, InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteWebhook(ctx context.Context, webhookID string, pre ...twinplatform.Precondition) error {
	if err := admitWriter(ctx); err != nil {
		return err
	}
	return s.bench.Call(ctx, func(j *judge.Judge) error {
		open := func(u *records.Update) (records.Scope, error) {
			rec, err := permitted(u, j.In(u), webhookID, administers)
			if err == nil {
				err = errNoWebhook.Or(webhookRecords.Check(u, inAccount(rec.Value.AccountID), webhookID,
					twinplatform.ConditionOf(pre...)))
			}
			return inAccount(rec.Value.AccountID), err
		}
		_, err := callsOf(s).deleteWebhook.Start(ctx,
			jobs.Spec{AtOnce: true, Subjects: []string{webhookID}, Open: open}, &removal{WebhookID: webhookID})
		return err
	})
}

// removal is what the journal keeps of the deletion of a webhook.
type removal struct {
	WebhookID string         `json:"webhookId"`
	Queue     delivery.Queue `json:"lane"`
	Deleted   bool           `json:"deleted"` // what is left is to erase its deliveries
}

func (s *Service) removeWebhook(u *records.Update, w *jobs.Work[removal, Webhook]) (jobs.Progress, error) {
	p := &w.Payload
	if !p.Deleted {
		hook, err := webhookRecords.Value(u, allAccounts, p.WebhookID)
		if err != nil {
			return jobs.Progress{}, errNoWebhook.Or(err)
		}
		if err := delivery.Remove(u, s.endpoint(hook)); err != nil {
			return jobs.Progress{}, err
		}
		if err := webhookRecords.Erase(u, inAccount(hook.AccountID), p.WebhookID); err != nil {
			return jobs.Progress{}, err
		}
		p.Queue, p.Deleted = hook.queue, true
	}
	more, err := p.Queue.Scope().Erase(u)
	if err != nil || more {
		return jobs.Progress{Percent: 50}, err
	}
	return jobs.Done, nil
}
