package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// claimsPerStep is how many endpoints one transaction looks at, if its time is not over
// before.
const claimsPerStep = 32

// claims is one transaction in which endpoints are taken on lease.
type claims struct {
	g    *Engine
	ctx  context.Context
	u    *records.Update
	now  time.Time
	pool pool

	batches []*batch
	// messages holds what was read, by delivery: each goes to many endpoints.
	messages map[string]*message
	next     time.Time        // when an endpoint is due that is not yet
	sealed   map[string]error // by webhook
	notices  []Notice
}

// claim takes endpoints that are due on lease, as far as the workers are theirs to
// have. It says when the next one is due, the zero time when there is none, and
// whether more may be due already.
func (g *Engine) claim(ctx context.Context, p pool) (batches []*batch, next time.Time, more bool, err error) {
	now := g.now()
	var due bool
	err = g.db.View(ctx, func(v *records.View) error {
		_, next, due, err = pick(v, now, p)
		return err
	})
	if err != nil || !due {
		return nil, next, false, err
	}
	var c claims
	err = g.db.Update(ctx, func(u *records.Update) error {
		c = claims{
			g: g, ctx: u.Within(ctx), u: u, now: now, pool: p.clone(), messages: make(map[string]*message),
			sealed: make(map[string]error),
		}
		more, err = c.run()
		return err
	})
	if err != nil {
		return nil, next, false, fmt.Errorf("claiming deliveries: %w", err)
	}
	for id, err := range c.sealed {
		g.cfg.Env.Logger.LogAttrs(ctx, slog.LevelError, "deliveries of the webhook cannot be signed",
			slog.String("webhook", id), slog.Any("cause", err))
	}
	g.notify(ctx, c.notices...)
	return c.batches, c.next, more, nil
}

// idle reports whether no event waits to be taken up and no delivery is due, and when the next
// one is: the zero time when there is none.
func (g *Engine) idle(ctx context.Context, p pool) (idle bool, next time.Time, err error) {
	now := g.now()
	err = g.db.Poll(ctx, func(v *records.View) error {
		waiting, err := records.NextQueue(v, "")
		if err != nil || waiting != "" {
			idle = false
			return err
		}
		due := false
		_, next, due, err = pick(v, now, p)
		idle = !due
		return err
	})
	return idle, next, err
}

func (c *claims) run() (more bool, err error) {
	step := records.NewStep(c.u)
	for n := 0; ; n++ {
		f, next, due, err := pick(c.u, c.now, c.pool)
		if c.next = next; err != nil || !due || n == claimsPerStep {
			return due, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return err == nil, err
		}
		if err := c.serve(f); err != nil {
			return false, err
		}
	}
}

// pick returns the flow whose turn it is among those that may have a worker, if
// any is due, and otherwise when the next one is.
func pick(tx records.Reading, now time.Time, p pool) (f flow, next time.Time, due bool, err error) {
	var earliest time.Time
	for _, c := range classes {
		if !p.available(c) {
			continue
		}
		err := flowsInOrder(tx, c, func(at time.Time, candidate flow) bool {
			switch {
			case at.After(now):
				if next.IsZero() || at.Before(next) {
					next = at
				}
				return false
			case !p.grants(candidate):
				return true
			case !due || at.Before(earliest):
				f, earliest, due = candidate, at, true
			}
			return false
		})
		if err != nil {
			return f, next, false, err
		}
	}
	return f, next, due, nil
}

// serve gives the first endpoint of a flow its turn.
func (c *claims) serve(f flow) error {
	at, id, err := f.firstEndpoint(c.u)
	if err != nil {
		return err
	}
	if id == "" || at.After(c.now) {
		return f.reschedule(c.u, time.Time{})
	}
	b, err := c.lease(id)
	switch {
	case errors.Is(err, records.ErrNotFound):
		err = endpointSlots.Erase(c.u, scheduleScope, f.slot(at, id)) // the webhook is gone
	case errors.Is(err, ErrSealed):
		c.sealed[id] = err
		err = c.postpone(id)
	}
	if err != nil {
		return err
	}
	if b != nil {
		b.flow = f
		c.pool.take(f)
		c.batches = append(c.batches, b)
	}
	return f.reschedule(c.u, c.now)
}

// lease takes an endpoint and what is due for it; nil when nothing is.
func (c *claims) lease(webhookID string) (*batch, error) {
	e, err := c.g.reg.Endpoint(c.u, webhookID)
	if err != nil {
		return nil, err
	}
	b := &batch{owner: c.g.cfg.Env.NewID(), endpoint: e}
	if b.sign, err = c.g.reg.Signer(c.u, e, c.g.wall()); err != nil {
		return nil, err
	}
	_, err = states.Modify(c.u, e.Queue.Scope(), e.ID, "", func(l *State) error {
		l.release()
		if err := c.addDue(b, l, testPriority); err != nil {
			return err
		}
		if e.Active && !l.Paused(c.now) {
			if err := c.addEvents(b, l); err != nil {
				return err
			}
		}
		if len(b.items) > 0 {
			l.Owner, l.Until, l.Epoch = b.owner, c.now.Add(c.g.cfg.Lease), c.g.cfg.Epoch
			b.first = l.Numbered + 1
			l.Numbered += int64(len(b.items))
		} else {
			l.Served = c.now
		}
		return schedule(c.u, e, l)
	})
	if err != nil || len(b.items) == 0 {
		return nil, err
	}
	return b, nil
}

// addEvents adds to a batch what is due of the events, if the webhook may receive them.
func (c *claims) addEvents(b *batch, l *State) error {
	r, asked, err := c.g.entitlement(c.ctx, b.endpoint, l)
	if err != nil {
		return err
	}
	if asked {
		c.notices = append(c.notices, l.setBarred(!r.Held, c.g.wall())...)
	}
	if !r.Held {
		l.PausedUntil = c.now.Add(c.g.cfg.MaxPause)
		return nil
	}
	b.barred = l.Barred
	if l.Open {
		return c.addProbes(b, l)
	}
	return c.addDue(b, l, eventPriority)
}

// entitlement judges an endpoint within a transaction. Nothing is asked there
// that may answer from elsewhere; then the answer before the attempt decides.
func (g *Engine) entitlement(ctx context.Context, e *Endpoint, l *State) (r Entitlement, asked bool, err error) {
	if !g.cfg.Transactional {
		return Entitlement{Held: true}, false, nil
	}
	r, err = e.Entitlement(ctx, l.Barred)
	return r, true, err
}

// addProbes adds to a batch what an endpoint is probed with whose circuit is open: the
// oldest event that waits, due or not, and, for the case that it fails, one more.
// That is another one each time, so that what an endpoint cannot take does not
// keep it from being found well.
func (c *claims) addProbes(b *batch, l *State) error {
	b.probe = true
	oldest, err := c.addEventAfter(b, l, "")
	if err != nil || oldest == "" {
		return err
	}
	second, err := c.addEventAfter(b, l, max(l.Probe, oldest))
	if err == nil && second == "" && l.Probe > oldest {
		second, err = c.addEventAfter(b, l, oldest)
	}
	if l.Probe = second; second != "" {
		b.items[len(b.items)-1].second = true
	}
	return err
}

// addEventAfter adds to a batch the event that comes after an entry of the queue, and
// returns its own entry; none when it was the last.
func (c *claims) addEventAfter(b *batch, l *State, after string) (entry string, err error) {
	for p, err := range b.endpoint.Queue.atPriority(c.u, eventPriority, after) {
		if err != nil {
			return "", err
		}
		if added, err := c.addItem(b, l, p, false); err != nil || added {
			return p.entry, err
		}
	}
	return "", nil
}

// postpone leaves an endpoint alone whose secret cannot be opened. That is the
// platform's own fault, so nothing is counted, and nothing is lost.
func (c *claims) postpone(webhookID string) error {
	e, err := c.g.reg.Endpoint(c.u, webhookID)
	if err != nil {
		return err
	}
	return Change(c.u, e, func(l *State) {
		l.Owner, l.Until, l.Epoch = "out of order", c.now.Add(c.g.cfg.Pause), ""
	})
}

// addDue adds to a batch what is due at a priority of the queue, as much as it holds.
func (c *claims) addDue(b *batch, l *State, priority string) error {
	for p, err := range b.endpoint.Queue.atPriority(c.u, priority, "") {
		if err != nil || p.due.After(c.now) || len(b.items) >= c.g.cfg.Batch {
			return err
		}
		if _, err := c.addItem(b, l, p, priority == testPriority); err != nil {
			return err
		}
	}
	return nil
}

// addItem adds to a batch what is at a place of the queue. A delivery whose content is
// gone becomes a dead letter instead, so that it does not hold up those behind it.
func (c *claims) addItem(b *batch, l *State, p position, test bool) (added bool, err error) {
	m, err := c.message(p.delivery)
	if errors.Is(err, records.ErrNotFound) {
		return false, c.deadLetter(b.endpoint.Queue, l, p)
	}
	if err != nil {
		return false, err
	}
	b.items = append(b.items, item{delivery: p.delivery, message: m, test: test})
	return true, nil
}

// message is the event of a delivery, or records.ErrNotFound.
func (c *claims) message(delivery string) (*message, error) {
	if m, ok := c.messages[delivery]; ok {
		return m, nil
	}
	m, err := messages.Value(c.u, messageScope, delivery)
	if err == nil {
		c.messages[delivery] = m
	}
	return m, err
}

func (c *claims) deadLetter(q Queue, l *State, p position) error {
	if err := entries.Erase(c.u, q.Scope(), p.entry); err != nil {
		return err
	}
	_, err := Deliveries.Modify(c.u, q.Scope(), p.delivery, "", func(d *Delivery) error {
		l.Pending, l.Dead = l.Pending-1, l.Dead+1
		d.State, d.NextAttempt, d.run.Entry = Dead, twinplatform.DateTime{}, ""
		return nil
	})
	return orMissing(err)
}
