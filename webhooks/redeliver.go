package webhooks

import (
	"context"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// Redeliver makes a delivery once more, with the same MessageID, whatever became of it
// (POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver, an addition). Its
// schedule begins again, and it waits while the webhook is inactive or its endpoint left
// alone. It needs what CreateWebhook needs.
//
// Errors: WebhookNotFound, DeliveryNotFound, InsufficientPermissions; VersionMismatch.
func (s *Service) Redeliver(ctx context.Context, webhookID, deliveryID string,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[Delivery], err error) {
	err = s.change(ctx, webhookID, maintains, func(u *records.Update, w *Webhook) error {
		if err := delivery.Deliveries.Check(u, w.queue.Scope(), deliveryID,
			twinplatform.ConditionOf(pre...)); err != nil {
			return errNoDelivery.Or(err)
		}
		stored, err := s.engine.Requeue(u, s.endpoint(w), deliveryID)
		if err != nil {
			return errNoDelivery.Or(err)
		}
		recs, err := publicDeliveries(stored...)
		res = twinplatform.Done(recs...)
		return err
	})
	if err != nil {
		return twinplatform.Result[Delivery]{}, err
	}
	return res, nil
}

// ReplayQuery selects which deliveries to replay.
type ReplayQuery struct {
	// From and To bound the time at which the deliveries came into being: From
	// is within the window, To is not. A zero To means now.
	From, To time.Time
	// State replays only deliveries in that state, such as Dead; empty replays
	// those that are not Pending.
	State DeliveryState
	// Max is the largest number to replay. 0 means MaxReplay, which is the
	// most.
	Max int
}

// replaysPerStep is how many deliveries one transaction replays.
const replaysPerStep = 1_000

// Replay makes the deliveries of a window once more, as Redeliver does, and returns their number
// (POST /webhooks/{webhookId}/replay, an addition). When there are more than ReplayQuery.Max,
// nothing is replayed. After a crash, another call completes it. It needs what CreateWebhook needs.
//
// Errors: WebhookNotFound; InvalidWebhooksRequest with InvalidValue (from,
// state, max); InsufficientPermissions.
func (s *Service) Replay(ctx context.Context, webhookID string, q ReplayQuery) (n int, err error) {
	if q.To.IsZero() {
		q.To = s.now()
	}
	if q.Max == 0 {
		q.Max = MaxReplay
	}
	if err := admitWriter(ctx); err != nil {
		return 0, err
	}
	var ids []string
	err = s.view(ctx, webhookID, maintains, func(v *records.View, w twinplatform.Record[Webhook]) error {
		if err := q.check(); err != nil {
			return err
		}
		ids, err = q.find(v, w.Value.queue)
		return err
	})
	if err != nil {
		return 0, err
	}
	for part := range slices.Chunk(ids, replaysPerStep) {
		err := s.change(ctx, webhookID, maintains, func(u *records.Update, w *Webhook) error {
			_, err := s.engine.Requeue(u, s.endpoint(w), part...)
			return errNoDelivery.Or(err)
		})
		if err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

func (q ReplayQuery) check() error {
	switch {
	case !q.From.Before(q.To):
		return badValue("from", "The window ends before it begins.")
	case q.Max < 0 || q.Max > MaxReplay:
		return badValue("max", "The value of 'max' is a number from 1 to %d.", MaxReplay)
	case q.State != "" && q.State != Dead && q.State != Delivered:
		return badValue("state", "The value of 'state' is one of Delivered, Dead.")
	}
	return nil
}

// find returns the ids of the deliveries in the window.
func (q ReplayQuery) find(tx *records.View, from delivery.Queue) (ids []string, err error) {
	for d, err := range delivery.Deliveries.All(tx, from.Scope(), "") {
		if err != nil {
			return nil, err
		}
		at := d.Created.Time // in the order of deliveries as long as the clock is never set back
		if !at.Before(q.To) || at.Before(q.From) || d.State == delivery.Pending ||
			q.State != "" && d.State != string(q.State) || d.Test() {
			continue
		}
		if len(ids) == q.Max {
			return nil, badValue("max", "The window holds more than %d deliveries. Nothing was replayed.", q.Max)
		}
		ids = append(ids, d.ID)
	}
	return ids, nil
}
