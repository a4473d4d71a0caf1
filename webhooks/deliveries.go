package webhooks

import (
	"context"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Page sizes of the list of deliveries.
const (
	MaxTop     = 1_000
	DefaultTop = 100
)

// DeliveryQuery says which deliveries to list.
type DeliveryQuery struct {
	twinplatform.ListOptions
	// State lists only the deliveries in that state; empty lists all.
	State DeliveryState
}

// Deliveries lists the deliveries of a webhook in the order of events (GET
// /webhooks/{webhookId}/deliveries, an addition). Pages hold 1 to MaxTop, and
// DefaultTop where the query says nothing. It needs what Webhook needs.
//
// Errors: WebhookNotFound; InvalidWebhooksRequest with InvalidValue (top,
// continuation, state); InsufficientPermissions.
func (s *Service) Deliveries(ctx context.Context, webhookID string, q DeliveryQuery) (page twinplatform.Page[Delivery], err error) {
	query := records.Query[Delivery]{ListOptions: q.ListOptions, Op: "deliveries", DefaultTop: DefaultTop, MaxTop: MaxTop}
	var wrong error
	switch {
	case q.State == "":
	case q.State == Dead:
		query.Index, query.Equals = "dead", string(Dead)
	case slices.Contains(deliveryStates, q.State):
		query.Filter = string(q.State)
		query.Match = func(d *Delivery) bool { return d.State == q.State }
	default:
		wrong = badValue("state", "The value of 'state' is one of Pending, Delivered, Dead.")
	}
	err = s.read(ctx, webhookID, func(v *records.View, w twinplatform.Record[Webhook]) error {
		if wrong != nil {
			return wrong
		}
		page, err = deliveryRecords.List(v, w.Value.lane, query)
		return errNoWebhook.Or(paging.Listed(err, InvalidRequest))
	})
	page.Delta = "" // deliveries follow no changes
	return page, err
}

// Delivery returns a delivery with its attempts (GET
// /webhooks/{webhookId}/deliveries/{deliveryId}, an addition). It needs what
// Webhook needs.
//
// Errors: WebhookNotFound, DeliveryNotFound, InsufficientPermissions.
func (s *Service) Delivery(ctx context.Context, webhookID, deliveryID string) (rec twinplatform.Record[Delivery], err error) {
	err = s.read(ctx, webhookID, func(v *records.View, w twinplatform.Record[Webhook]) error {
		rec, err = deliveryRecords.Get(v, w.Value.lane, deliveryID)
		return errNoDelivery.Or(err)
	})
	return rec, err
}

// Redeliver makes a delivery once more, with the same MessageID, whatever became
// of it (POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver, an
// addition). Its schedule begins anew, and it waits while the webhook is
// inactive or its endpoint left alone. It needs what CreateWebhook needs.
//
// Errors: WebhookNotFound, DeliveryNotFound, InsufficientPermissions.
func (s *Service) Redeliver(ctx context.Context, webhookID, deliveryID string) (res twinplatform.Result[Delivery], err error) {
	err = s.change(ctx, webhookID, maintains, func(u *records.Update, w *Webhook) error {
		var counts counts
		rec, err := redeliver(u, w.lane, deliveryID, s.now(), &counts)
		if err != nil {
			return errNoDelivery.Or(err)
		}
		res.Records = []twinplatform.Record[Delivery]{rec}
		return counts.keep(u, w)
	})
	if err != nil {
		return twinplatform.Result[Delivery]{}, err
	}
	return res, nil
}

// counts are by how much the numbers of a lane change.
type counts struct{ pending, dead int }

func (c counts) keep(u *records.Update, w *Webhook) error {
	return changeLane(u, w, func(l *lane) { l.Pending, l.Dead = l.Pending+c.pending, l.Dead+c.dead })
}

func redeliver(u *records.Update, lane records.Scope, id string, now time.Time, c *counts) (twinplatform.Record[Delivery], error) {
	return deliveryRecords.Modify(u, lane, id, "", func(d *Delivery) error {
		if d.State != Pending {
			c.pending++
		}
		if d.State == Dead {
			c.dead--
		}
		d.run.Tries, d.run.First = 0, time.Time{}
		return enqueue(u, lane, d, now)
	})
}

// Window says which deliveries to replay.
type Window struct {
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

// Replay makes the deliveries of a window once more, as Redeliver does, and
// returns their number. When there are more than Window.Max, nothing is
// replayed. What a crash leaves undone is done by calling it again. It needs
// what CreateWebhook needs.
//
// Errors: WebhookNotFound; InvalidWebhooksRequest with InvalidValue (from,
// state, max); InsufficientPermissions.
func (s *Service) Replay(ctx context.Context, webhookID string, win Window) (n int, err error) {
	if win.To.IsZero() {
		win.To = s.now()
	}
	if win.Max == 0 {
		win.Max = MaxReplay
	}
	if err := admitWriter(ctx); err != nil {
		return 0, err
	}
	var ids []string
	err = s.view(ctx, webhookID, maintains, func(v *records.View, w twinplatform.Record[Webhook]) error {
		if err := win.check(); err != nil {
			return err
		}
		ids, err = win.find(v, w.Value.lane)
		return err
	})
	if err != nil {
		return 0, err
	}
	for part := range slices.Chunk(ids, recordsPerStep) {
		err := s.change(ctx, webhookID, maintains, func(u *records.Update, w *Webhook) error {
			return redeliverAll(u, w, part, s.now())
		})
		if err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

func (win Window) check() error {
	switch {
	case !win.From.Before(win.To):
		return badValue("from", "The window ends before it begins.")
	case win.Max < 0 || win.Max > MaxReplay:
		return badValue("max", "The value of 'max' is a number from 1 to %d.", MaxReplay)
	case win.State != "" && win.State != Dead && win.State != Delivered:
		return badValue("state", "The value of 'state' is one of Delivered, Dead.")
	}
	return nil
}

func redeliverAll(u *records.Update, w *Webhook, ids []string, now time.Time) error {
	var done counts
	for _, id := range ids {
		if _, err := redeliver(u, w.lane, id, now, &done); err != nil {
			return errNoDelivery.Or(err)
		}
	}
	return done.keep(u, w)
}

// find returns the ids of the deliveries in the window.
func (win Window) find(tx *records.View, lane records.Scope) (ids []string, err error) {
	for d, err := range deliveryRecords.All(tx, lane, "") {
		if err != nil {
			return nil, err
		}
		at := d.Created.Time
		if !at.Before(win.To) {
			break
		}
		if at.Before(win.From) || d.State == Pending || win.State != "" && d.State != win.State || d.run.Test {
			continue
		}
		if len(ids) == win.Max {
			return nil, badValue("max", "The window holds more than %d deliveries. Nothing was replayed.", win.Max)
		}
		ids = append(ids, d.ID)
	}
	return ids, nil
}
