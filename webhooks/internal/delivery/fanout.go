package delivery

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Bounds on what one transaction takes up, besides its time, and on what it takes up of
// one account before the next has its turn.
const (
	deliveriesPerStep = 64
	deliveriesPerTurn = 32
	bytesPerStep      = 1 << 20
	// handOutPart is which part of a step's time deliveries have: each takes up to three
	// writes, and its endpoint up to six behind them.
	handOutPart = 3
)

// takeUp moves recorded events to the queues of their subscribers, as many as one
// transaction holds, from the outboxes of accounts in turn, and reports whether
// there are more.
func (g *Engine) takeUp(ctx context.Context) (more bool, err error) {
	var waiting records.Queue
	err = g.db.View(ctx, func(v *records.View) error {
		waiting, err = records.NextQueue(v, "")
		return err
	})
	if err != nil || waiting == "" {
		return false, err
	}
	var f fanOut
	err = g.db.Update(ctx, func(u *records.Update) error {
		f = fanOut{
			g: g, ctx: u.Within(ctx), u: u, now: g.now(), step: records.NewStep(u).Part(handOutPart),
			budget: deliveriesPerStep, bytes: bytesPerStep,
			listeners: g.reg.Listeners(u), recipients: make(map[string]*recipient),
		}
		if last := g.last.Load(); last != nil {
			f.outbox = *last
		}
		more, err = f.run()
		return err
	})
	if err != nil {
		return false, fmt.Errorf("taking up events: %w", err)
	}
	g.last.Store(&f.outbox)
	g.notify(ctx, f.notices...)
	return more, nil
}

// fanOut is one transaction in which events are handed to their subscribers.
type fanOut struct {
	g      *Engine
	ctx    context.Context // within the transaction
	u      *records.Update
	now    time.Time
	outbox records.Queue // the last that had its turn
	step   *records.Step // each listener that is looked at is one of its records
	budget int           // deliveries
	bytes  int           // of content

	listeners  func(e twinplatform.Event, after string, changed []string) iter.Seq2[*Endpoint, error]
	recipients map[string]*recipient // by webhook
	notices    []Notice
}

// recipient is what one webhook gets of a fan-out.
type recipient struct {
	endpoint *Endpoint
	right    Entitlement
	asked    bool // for the right
	barred   bool
	was      bool // barred so far
	added    int  // deliveries that wait
	dead     int  // that found the queue full
	room     int  // left in the queue
}

// changed reports whether the webhook is in another state than before.
func (r *recipient) changed() bool { return r.asked && r.barred != r.was }

func (f *fanOut) exhausted() (bool, error) {
	more, err := f.step.More()
	return !more || f.budget <= 0 || f.bytes <= 0, err
}

func (f *fanOut) run() (more bool, err error) {
	err = moveCursor(f.u, func(at *cursor) error {
		f.now = at.at(f.now)
		for {
			if end, err := f.exhausted(); end || err != nil {
				return err
			}
			if err := f.nextOutbox(); err != nil || f.outbox == "" {
				return err
			}
			if err := f.drain(at); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return false, err
	}
	return f.outbox != "", f.updateEndpoints()
}

// nextOutbox moves to the outbox whose turn it is; none when all are empty.
func (f *fanOut) nextOutbox() error {
	first, err := records.NextQueue(f.u, "")
	if err != nil || first == "" || f.outbox == "" {
		f.outbox = first
		return err
	}
	if f.outbox, err = records.NextQueue(f.u, f.outbox); err == nil && f.outbox == "" {
		f.outbox = first
	}
	return err
}

// drain gives an outbox its turn.
func (f *fanOut) drain(at *cursor) error {
	h := history{u: f.u, in: pastsIn(f.outbox)}
	h.declare()
	p, err := f.partialOf()
	if err != nil {
		return err
	}
	if err := h.read(); err != nil {
		return err
	}
	begun := p.Current != ""
	until := f.budget - deliveriesPerTurn
	for q, err := range records.EventsIn(f.u, f.outbox) {
		if err != nil {
			return err
		}
		end, err := f.exhausted()
		if err != nil {
			return err
		}
		if end || f.budget <= until {
			break
		}
		whole, err := f.handOut(at, p, &h, q.Event, until)
		if err != nil {
			return err
		}
		if !whole {
			break
		}
		p.Current, p.After = "", ""
		if err := h.take(q, f.step); err != nil {
			return err
		}
		f.budget-- // an event that no webhook receives is work too
		f.step.Spend(0)
	}
	if p.Current != "" {
		_, err = partials.Put(f.u, engineScope, p)
		return err
	}
	if begun {
		return partials.Erase(f.u, engineScope, p.ID)
	}
	return nil
}

// partialOf is what was handed out of the first event of the outbox.
func (f *fanOut) partialOf() (*partial, error) {
	p, err := partials.Value(f.u, engineScope, string(f.outbox))
	if errors.Is(err, records.ErrNotFound) {
		return &partial{ID: string(f.outbox)}, nil
	}
	return p, err
}

// handOut gives an event to its subscribers, from the one on that is next, and reports
// whether it came to the last.
func (f *fanOut) handOut(at *cursor, p *partial, h *history, e twinplatform.Event, until int) (whole bool, err error) {
	var m *message
	for l, err := range f.listeners(e, p.After, h.webhooks()) {
		if err != nil {
			return false, err
		}
		end, err := f.exhausted()
		if err != nil {
			return false, err
		}
		if end || f.budget <= until {
			return false, f.keep(&m, at, p, e)
		}
		f.step.Spend(0)
		r, err := f.subscriber(l, h.of[l.ID], e)
		if err != nil {
			return false, err
		}
		if r != nil {
			if err := f.keep(&m, at, p, e); err != nil {
				return false, err
			}
			if err := f.enqueue(r, f.g.newDelivery(l, m, e.Type, f.now)); err != nil {
				return false, err
			}
			f.budget--
		}
		p.After = l.ID
	}
	return true, nil
}

// keep makes the message of an event, unless it is there, and stores it when it is
// handed out for the first time.
func (f *fanOut) keep(m **message, at *cursor, p *partial, e twinplatform.Event) (err error) {
	switch {
	case *m != nil:
	case p.Current != "":
		*m = newMessage(p.Current, e, f.now)
	default:
		p.Current = at.number()
		*m, err = keepMessage(f.u, p.Current, e, f.now)
		f.bytes -= len(e.Content)
	}
	return err
}

// subscriber is a listener who gets an event, since it subscribed to its type and might
// receive the events of its place when it happened; nil for any other. was is what the
// listener was then; nil where it has not changed since.
func (f *fanOut) subscriber(l *Endpoint, was *past, e twinplatform.Event) (*recipient, error) {
	// What happens to rights is looked at by all, so that each knows its right when its
	// twin is gone.
	wants, rights := was.wanted(l, e.Type)
	if !wants && !rights {
		return nil, nil
	}
	r, err := f.recipient(l)
	if err != nil {
		return nil, err
	}
	// The last data of a deleted twin is in its events.
	r.barred = r.barred || r.right.Gone && l.RevokedBy(e)
	barred := r.barred
	if was != nil && was.Judged {
		barred = was.Barred
	}
	if !wants || barred {
		return nil, nil
	}
	return r, nil
}

// recipient is what a webhook has got so far.
func (f *fanOut) recipient(e *Endpoint) (*recipient, error) {
	if r, ok := f.recipients[e.ID]; ok {
		return r, nil
	}
	l, err := StateOf(f.u, e)
	if err != nil {
		return nil, err
	}
	right, asked, err := f.g.entitlement(f.ctx, e, l)
	if err != nil {
		return nil, err
	}
	r := &recipient{
		endpoint: e, right: right, asked: asked, barred: !right.Held, was: l.Barred,
		room: f.g.cfg.MaxPending - l.Pending,
	}
	f.recipients[e.ID] = r
	return r, nil
}

// enqueue puts a delivery into the queue of its endpoint, or among its dead letters
// when the queue is full.
func (f *fanOut) enqueue(r *recipient, d *Delivery) error {
	q := r.endpoint.Queue
	if r.room <= 0 {
		d.State = Dead
		r.dead++
	} else {
		if err := f.g.push(f.u, q, d, f.now); err != nil {
			return err
		}
		r.room--
		r.added++
	}
	_, err := Deliveries.Put(f.u, q.Scope(), d)
	return err
}

// updateEndpoints brings the endpoints up to date.
func (f *fanOut) updateEndpoints() error {
	for _, r := range f.recipients {
		if r.added+r.dead == 0 && !r.changed() {
			continue
		}
		err := Change(f.u, r.endpoint, func(l *State) {
			if r.changed() {
				f.notices = append(f.notices, l.setBarred(r.barred, f.g.wall())...)
			}
			l.Pending, l.Dead = l.Pending+r.added, l.Dead+r.dead
			if full := r.dead > 0; full != l.Full && r.added+r.dead > 0 {
				l.Full = full
				if full {
					f.notices = append(f.notices, Notice{Kind: QueueFull, WebhookID: l.WebhookID, At: f.g.wall()})
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
