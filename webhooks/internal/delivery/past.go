package delivery

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Whether a webhook hears an event follows from what the webhook was when the event happened, and not from what it
// is when the event is taken up. So a change of a webhook, or of the right of who made it, takes a place in the order
// of the events of its account: where events still wait, what the webhook was until then is kept, and goes when the
// last of these events is taken up. A webhook that never changes has no past, and neither has one whose events are
// all taken up.

// past is what a webhook was until a place in a queue of events, that place included.
type past struct {
	ID string `json:"id"` // the webhook and the place
	// EventTypes are what it subscribed to; none while it was inactive.
	EventTypes []string `json:"eventTypes,omitempty"`
	// Barred reports that the application that made it might not receive events. It means nothing unless Judged.
	Barred bool `json:"barred,omitempty"`
	Judged bool `json:"judged,omitempty"`
}

var pasts = records.Collection[past]{
	Name: "past", Unversioned: true,
	ID: func(p *past) string { return p.ID },
}

// pastsIn is where the pasts of webhooks in a queue are kept.
func pastsIn(q records.Queue) records.Scope { return q.Scope("webhookpast") }

// place is until where it was so.
func (p *past) place() string { return p.ID[strings.LastIndexByte(p.ID, '/')+1:] }

// Note keeps what an endpoint is, which is about to change, for the events that wait in queues.
func (g *Engine) Note(ctx context.Context, u *records.Update, e *Endpoint, queues ...records.Queue) error {
	var p *past
	for _, q := range queues {
		place, err := q.Last(u)
		if err != nil {
			return err
		}
		if place == "" {
			continue
		}
		id := records.Join(e.ID, place)
		// What changes twice between two events heard none in between.
		known, err := pasts.Has(u, pastsIn(q), id)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if p == nil {
			if p, err = g.pastOf(ctx, u, e); err != nil {
				return err
			}
		}
		p.ID = id
		if _, err := pasts.Put(u, pastsIn(q), p); err != nil {
			return err
		}
	}
	return nil
}

// pastOf is what an endpoint is, as a past that has no place yet.
func (g *Engine) pastOf(ctx context.Context, u *records.Update, e *Endpoint) (*past, error) {
	l, err := StateOf(u, e)
	if err != nil {
		return nil, err
	}
	p := new(past)
	if e.Active {
		p.EventTypes = e.Subscribed()
	}
	right, asked, err := g.entitlement(u.Within(ctx), e, l)
	p.Barred, p.Judged = !right.Held, asked
	return p, err
}

// history is what webhooks were when the next event of a queue happened, of those that have changed since.
type history struct {
	u  *records.Update
	in records.Scope
	of map[string]*past // by webhook
}

// declare declares what read reads.
func (h *history) declare() {
	if records.Remote(h.u) {
		records.Declare(h.u, pasts.NeedsFrom(h.in)...)
	}
}

// read reads the first past of each webhook.
func (h *history) read() (err error) {
	for id := range pasts.HeadsFrom(h.u, h.in, "") {
		if h.of == nil {
			h.of = make(map[string]*past)
		}
		if h.of[id], err = h.first(id); err != nil {
			return err
		}
	}
	return nil
}

// first is the first past of a webhook, or nil.
func (h *history) first(webhookID string) (*past, error) {
	for p, err := range pasts.All(h.u, h.in, records.Join(webhookID, "")) {
		return p, err
	}
	return nil, nil
}

// forgetPasts erases what webhooks were until a place in a queue whose events up to it were dropped.
func forgetPasts(u *records.Update, q records.Queue, place string, step *records.Step) error {
	h := history{u: u, in: pastsIn(q)}
	h.declare()
	if err := h.read(); err != nil {
		return err
	}
	return h.leave(place, step)
}

var _ = records.AlsoForget(forgetPasts)

// webhooks holds the webhooks with a past.
func (h *history) webhooks() (ids []string) {
	for id := range h.of {
		ids = append(ids, id)
	}
	return ids
}

// take takes an event that was handed out from the queue, with what was until then.
func (h *history) take(q records.Queued, step *records.Step) error {
	if err := h.u.Take(q); err != nil {
		return err
	}
	return h.leave(q.Place(), step)
}

// leave erases what was until a place in the queue, whose events up to it are taken up or dropped.
func (h *history) leave(place string, step *records.Step) error {
	for id, p := range h.of {
		for p != nil && p.place() <= place {
			err := pasts.Erase(h.u, h.in, p.ID)
			if err == nil {
				p, err = h.first(id)
			}
			if err != nil {
				return err
			}
			step.Spend(0)
		}
		if h.of[id] = p; p == nil {
			delete(h.of, id)
		}
	}
	return nil
}

// wanted reports whether a webhook of which this is the past, or nil, subscribed to a type of event.
func (p *past) wanted(l *Endpoint, eventType string) (wants, rights bool) {
	wants, rights = l.Concerns(eventType)
	if p != nil {
		return slices.Contains(p.EventTypes, eventType), rights
	}
	return wants && l.Active, rights && l.Active
}
