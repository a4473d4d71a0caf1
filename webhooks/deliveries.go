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
// Errors: WebhookNotFound; InvalidWebhooksRequest with InvalidValue ($top,
// $continuationToken, state); InsufficientPermissions.
func (s *Service) Deliveries(ctx context.Context, webhookID string, q DeliveryQuery) (page twinplatform.Page[Delivery], err error) {
	w, err := s.readable(ctx, webhookID)
	if err != nil {
		return page, err
	}
	query := records.Query[Delivery]{ListOptions: q.ListOptions, Op: "deliveries", DefaultTop: DefaultTop, MaxTop: MaxTop}
	switch {
	case q.State == "":
	case q.State == Dead:
		query.Index, query.Equals = "dead", string(Dead)
	case slices.Contains(deliveryStates, q.State):
		query.Filter = string(q.State)
		query.Match = func(d *Delivery) bool { return d.State == q.State }
	default:
		return page, badValue("state", "The value of 'state' is one of Pending, Delivered, Dead.")
	}
	err = s.db.View(ctx, func(v *records.View) error {
		page, err = deliveryRecords.List(v, w.Value.lane, query)
		return errNoWebhook.Or(paging.Listed(err, *invalid(invalidOther)))
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
	w, err := s.readable(ctx, webhookID)
	if err != nil {
		return rec, err
	}
	err = s.db.View(ctx, func(v *records.View) error {
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
	if _, err := s.changeable(ctx, webhookID, maintains); err != nil {
		return res, err
	}
	now := s.now()
	err = s.db.Update(ctx, func(u *records.Update) error {
		w, err := s.confirm(ctx, u, webhookID, maintains)
		if err != nil {
			return err
		}
		var counts counts
		rec, err := redeliver(u, w.lane, deliveryID, now, &counts)
		if err != nil {
			return errNoDelivery.Or(err)
		}
		res.Records = []twinplatform.Record[Delivery]{rec}
		return counts.keep(u, w)
	})
	if err != nil {
		return twinplatform.Result[Delivery]{}, err
	}
	s.Wake()
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
	w, err := s.changeable(ctx, webhookID, maintains)
	if err != nil {
		return 0, err
	}
	if win.To.IsZero() {
		win.To = s.now()
	}
	if win.Max == 0 {
		win.Max = MaxReplay
	}
	switch {
	case !win.From.Before(win.To):
		return 0, badValue("from", "The window ends before it begins.")
	case win.Max < 0 || win.Max > MaxReplay:
		return 0, badValue("max", "The value of 'max' is a number from 1 to %d.", MaxReplay)
	case win.State != "" && win.State != Dead && win.State != Delivered:
		return 0, badValue("state", "The value of 'state' is one of Delivered, Dead.")
	}
	var ids []string
	err = s.db.View(ctx, func(v *records.View) error {
		ids, err = win.find(v, w.Value.lane)
		return err
	})
	if err != nil {
		return 0, err
	}
	if len(ids) > win.Max {
		return 0, badValue("max", "The window holds more than %d deliveries. Nothing was replayed.", win.Max)
	}
	for part := range slices.Chunk(ids, recordsPerStep) {
		var done counts
		now := s.now()
		err := s.db.Update(ctx, func(u *records.Update) error {
			w, err := s.confirm(ctx, u, webhookID, maintains)
			if err != nil {
				return err
			}
			done = counts{}
			for _, id := range part {
				if _, err := redeliver(u, w.lane, id, now, &done); err != nil {
					return errNoDelivery.Or(err)
				}
			}
			return done.keep(u, w)
		})
		if err != nil {
			return n, err
		}
		n += len(part)
		s.Wake()
	}
	return n, nil
}

// find returns the ids of the deliveries in a window, or one more than Max.
func (win Window) find(v *records.View, lane records.Scope) (ids []string, err error) {
	for d, err := range deliveryRecords.All(v, lane, "") {
		if err != nil {
			return nil, err
		}
		at := d.Created.Time
		if !at.Before(win.To) || len(ids) > win.Max {
			break
		}
		if at.Before(win.From) || d.State == Pending || win.State != "" && d.State != win.State || d.run.Test {
			continue
		}
		ids = append(ids, d.ID)
	}
	return ids, nil
}
