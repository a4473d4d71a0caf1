package webhooks

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// TestEvent describes a test event.
type TestEvent struct {
	// EventType is TestSent or one of EventTypes; empty means TestSent. A
	// documented type comes with its documented content, in which ids are made
	// up.
	EventType EventType
}

// SendTest delivers a test event to a webhook, active or not, whatever it
// subscribes to, in a single attempt (POST /webhooks/{webhookId}/test, an
// addition). What came of it is in the delivery that is returned, once Run has
// made it, and counts neither for nor against the endpoint. It needs what
// CreateWebhook needs.
//
// Errors: WebhookNotFound; InvalidWebhooksRequest with InvalidRequestBody
// (eventType); InsufficientPermissions.
func (s *Service) SendTest(ctx context.Context, webhookID string, t TestEvent) (res twinplatform.Result[Delivery],
	err error,
) {
	if t.EventType == "" {
		t.EventType = TestSent
	}
	var c checks
	if _, ok := event.Lookup(string(t.EventType)); !ok && t.EventType != TestSent {
		c.bad("eventType", "'%.100s' is not one of the documented event types.", string(t.EventType))
	}
	id := s.env.NewGUID()
	err = s.change(ctx, webhookID, maintains, func(u *records.Update, w *Webhook) error {
		if err := c.Err(InvalidRequest); err != nil {
			return err
		}
		rec, err := s.engine.SendTest(u, s.endpoint(w), twinplatform.Event{
			ID: id, Type: string(t.EventType), TwinID: cmp.Or(w.target().TwinID, w.AccountID), AccountID: w.AccountID,
			Time: s.now(), Content: s.sample(w, t.EventType),
		})
		if err != nil {
			return err
		}
		recs, err := publicDeliveries(rec)
		res = twinplatform.Done(recs...)
		return err
	})
	if err != nil {
		return twinplatform.Result[Delivery]{}, err
	}
	return res, nil
}

// sample is the content of a test event.
func (s *Service) sample(w *Webhook, typ EventType) json.RawMessage {
	content := make(map[string]string)
	if typ == TestSent {
		content["webhookId"] = w.ID
	}
	kind, _ := event.Lookup(string(typ))
	for name, text := range kind.Members() {
		content[name] = text
		if text == "" {
			content[name] = s.sampleID(w, name)
		}
	}
	b, err := wire.Marshal(content)
	if err != nil {
		panic(err) // texts always encode
	}
	return b
}

// sampleID is what a member holds that is an id: that of a twin for which the webhook
// listens, where there is one, and else one that is made up.
func (s *Service) sampleID(w *Webhook, member string) string {
	if w.Scope == TwinScope && (member == "sourceTwinId" || member == "targetTwinId") {
		return w.ScopeID
	}
	return s.env.NewGUID()
}
