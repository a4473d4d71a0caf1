package webhooks

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// Page sizes of the list of deliveries.
const (
	MaxTop     = 1_000
	DefaultTop = 100
)

// DeliveryQuery selects the deliveries to list.
type DeliveryQuery struct {
	twinplatform.ListOptions
	// State lists only the deliveries in that state; empty lists all. An index finds
	// the Dead ones in the order of events; otherwise all that is kept of the webhook is
	// read.
	State DeliveryState
	// NewestFirst lists the deliveries of the latest events first.
	NewestFirst bool
}

// Deliveries lists the deliveries of a webhook in the order of events, or the other way
// round (GET /webhooks/{webhookId}/deliveries, an addition). Pages hold 1 to MaxTop, and
// DefaultTop where the query gives no size. It needs what Webhook needs.
//
// Errors: WebhookNotFound; InvalidWebhooksRequest with InvalidValue (top,
// continuation, state); InsufficientPermissions.
func (s *Service) Deliveries(ctx context.Context, webhookID string, q DeliveryQuery) (page twinplatform.Page[Delivery],
	err error,
) {
	query := records.Query[delivery.Delivery]{
		ListOptions: q.ListOptions, Op: "deliveries", DefaultTop: DefaultTop,
		MaxTop: MaxTop, Descending: q.NewestFirst,
	}
	var wrong error
	switch {
	case q.State == "":
	case q.State == Dead && !q.NewestFirst:
		query.Index, query.Equals = delivery.DeadLetters, delivery.Dead
	case slices.Contains(deliveryStates, q.State):
		query.Filter = string(q.State)
		query.Match = func(d *delivery.Delivery) bool { return d.State == string(q.State) }
	default:
		wrong = badValue("state", "The value of 'state' is one of Pending, Delivered, Dead.")
	}
	err = s.read(ctx, webhookID, func(v *records.View, w twinplatform.Record[Webhook]) error {
		if wrong != nil {
			return wrong
		}
		stored, err := delivery.Deliveries.List(v, w.Value.queue.Scope(), query)
		page = twinplatform.MapPage[Delivery](stored, stored.JSON(), nil)
		return errNoWebhook.Or(paging.Listed(err, InvalidRequest))
	})
	return page, err
}

// Delivery returns a delivery with its attempts (GET
// /webhooks/{webhookId}/deliveries/{deliveryId}, an addition). It needs what
// Webhook needs.
//
// Errors: WebhookNotFound, DeliveryNotFound, InsufficientPermissions.
func (s *Service) Delivery(ctx context.Context, webhookID, deliveryID string) (rec twinplatform.Record[Delivery],
	err error,
) {
	err = s.read(ctx, webhookID, func(v *records.View, w twinplatform.Record[Webhook]) error {
		stored, err := delivery.Deliveries.Get(v, w.Value.queue.Scope(), deliveryID)
		if err != nil {
			return errNoDelivery.Or(err)
		}
		found, err := publicDeliveries(stored)
		if err == nil {
			rec = found[0]
		}
		return err
	})
	return rec, err
}

// DeliveryMessage is what the requests of a delivery send.
type DeliveryMessage struct {
	// Body is the same in every attempt, byte for byte.
	Body string `json:"body"`
}

// DeliveryMessage returns the body of the requests of a delivery (GET
// /webhooks/{webhookId}/deliveries/{deliveryId}/message, an addition). It needs what
// CreateWebhook needs: those who administer a webhook see no events.
//
// Errors: WebhookNotFound, DeliveryNotFound, InsufficientPermissions.
func (s *Service) DeliveryMessage(ctx context.Context, webhookID, deliveryID string) (m DeliveryMessage, err error) {
	if err := admitReader(ctx); err != nil {
		return m, err
	}
	err = s.view(ctx, webhookID, maintains, func(v *records.View, w twinplatform.Record[Webhook]) error {
		if _, err := delivery.Deliveries.Get(v, w.Value.queue.Scope(), deliveryID); err != nil {
			return errNoDelivery.Or(err)
		}
		body, err := s.engine.Body(v, s.endpoint(&w.Value), deliveryID)
		m.Body = string(body)
		return errNoDelivery.Or(err)
	})
	return m, err
}
