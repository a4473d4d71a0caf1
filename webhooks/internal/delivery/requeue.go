package delivery

import (
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Requeue makes deliveries due once more, whatever became of them, with their schedules
// begun again, and returns them. One that is not there is records.ErrNotFound.
func (g *Engine) Requeue(u *records.Update, e *Endpoint, ids ...string) (out []twinplatform.Record[Delivery],
	err error,
) {
	due, err := g.present(u)
	if err != nil {
		return nil, err
	}
	var change State
	for _, id := range ids {
		rec, err := Deliveries.Modify(u, e.Queue.Scope(), id, "", func(d *Delivery) error {
			change.count(d.State, -1)
			change.count(Pending, 1)
			d.run.Tries, d.run.First = 0, time.Time{}
			return g.push(u, e.Queue, d, due)
		})
		if err != nil {
			return nil, err
		}
		out = append(out, rec)
	}
	return out, Change(u, e, func(l *State) { l.add(change) })
}

// SendTest makes an event due at an endpoint in a single attempt, active or not.
func (g *Engine) SendTest(u *records.Update, e *Endpoint, event twinplatform.Event) (rec twinplatform.Record[Delivery],
	err error,
) {
	now, err := g.present(u)
	if err != nil {
		return rec, err
	}
	var m *message
	err = moveCursor(u, func(at *cursor) error {
		m, err = keepMessage(u, at.number(), event, now)
		return err
	})
	if err != nil {
		return rec, err
	}
	d := g.newDelivery(e, m, event.Type, now)
	d.run.Test = true
	if err := g.push(u, e.Queue, d, now); err != nil {
		return rec, err
	}
	if rec, err = Deliveries.Put(u, e.Queue.Scope(), d); err != nil {
		return rec, err
	}
	return rec, Change(u, e, func(l *State) { l.Pending++ })
}

// Totals are the numbers of deliveries of all endpoints.
func (g *Engine) Totals(tx records.Reading) (pending, dead int, err error) {
	for e, err := range g.reg.Endpoints(tx) {
		if err != nil {
			return 0, 0, err
		}
		l, err := StateOf(tx, e)
		if errors.Is(err, records.ErrNotFound) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		pending, dead = pending+l.Pending, dead+l.Dead
	}
	return pending, dead, nil
}
