package delivery

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// adoptStep is how many endpoints one transaction takes over, if its time is not over
// before.
const adoptStep = 200

// adopt takes over, once for an engine, what former processes left: webhooks
// that are not found by every index, leases of processes that are dead, and what a clock that
// was ahead made wait longer than the longest pause.
func (g *Engine) adopt(ctx context.Context) error {
	g.adopting.Lock()
	defer g.adopting.Unlock()
	if g.adopted {
		return nil
	}
	if err := g.db.View(ctx, func(v *records.View) error { return g.meet(v) }); err != nil {
		return fmt.Errorf("reading the clock of earlier deliveries: %w", err)
	}
	if err := g.adoptIndexes(ctx); err != nil {
		return fmt.Errorf("indexing webhooks: %w", err)
	}
	for after, more := "", true; more; {
		var err error
		if after, more, err = g.adoptSlots(ctx, after); err != nil {
			return fmt.Errorf("taking over deliveries: %w", err)
		}
	}
	g.adopted = true
	return nil
}

// adoptIndexes lets webhooks be found by the indexes that were added since.
func (g *Engine) adoptIndexes(ctx context.Context) error {
	var at *cursor
	err := g.db.View(ctx, func(v *records.View) (err error) {
		at, err = loadCursor(v)
		return err
	})
	if err != nil || at.Indexed == g.cfg.Indexes {
		return err
	}
	all, err := g.Endpoints(ctx)
	if err != nil {
		return err
	}
	for len(all) > 0 {
		var done int
		err := g.db.Update(ctx, func(u *records.Update) (err error) {
			done, err = g.reindex(u, all)
			return err
		})
		if err != nil {
			return err
		}
		all = all[done:]
	}
	return g.db.Update(ctx, func(u *records.Update) error {
		return moveCursor(u, func(at *cursor) error {
			at.Indexed = g.cfg.Indexes
			return nil
		})
	})
}

// reindex lets the first of some webhooks be found by every index, as many as a step
// does, and returns how many.
func (g *Engine) reindex(u *records.Update, all []*Endpoint) (done int, err error) {
	step := records.NewStep(u)
	for _, e := range all {
		if more, err := step.Next(0); !more || err != nil {
			return done, err
		}
		if err := orMissing(g.reg.Reindex(u, e.ID)); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// Endpoints returns the endpoints of all webhooks.
func (g *Engine) Endpoints(ctx context.Context) (out []*Endpoint, err error) {
	err = g.db.View(ctx, func(v *records.View) error {
		out = nil
		for e, err := range g.reg.Endpoints(v) {
			if err != nil {
				return err
			}
			out = append(out, e)
		}
		return nil
	})
	return out, err
}

// adoptSlots puts in order the endpoints that are behind a slot, as many as a step does, and
// returns the slot to continue after.
func (g *Engine) adoptSlots(ctx context.Context, after string) (last string, more bool, err error) {
	err = g.db.Update(ctx, func(u *records.Update) error {
		ids, err := slotsAfter(u, after)
		if err != nil {
			return err
		}
		more = len(ids) == adoptStep
		step := records.NewStep(u)
		for _, id := range ids {
			if going, err := step.Next(0); !going || err != nil {
				more = true
				return err
			}
			last = id
			if err := g.takeOver(u, id[strings.LastIndex(id, "/")+1:]); err != nil {
				return err
			}
		}
		return nil
	})
	return last, more, err
}

// slotsAfter are the ids of the slots of endpoints that come after one, adoptStep at most.
func slotsAfter(tx records.Reading, after string) (ids []string, err error) {
	for s, err := range endpointSlots.From(tx, scheduleScope, after) {
		if err != nil {
			return nil, err
		}
		if ids = append(ids, s.ID); len(ids) == adoptStep {
			break
		}
	}
	return ids, nil
}

// takeOver puts an endpoint in order, if it is not: one with a lease of a process
// that is dead, and one whose pauses go by other bounds than the engine's.
func (g *Engine) takeOver(u *records.Update, webhookID string) error {
	e, err := g.reg.Endpoint(u, webhookID)
	if err != nil {
		return orMissing(err)
	}
	l, err := StateOf(u, e)
	if err != nil {
		return orMissing(err)
	}
	now := g.now()
	longest := now.Add(g.cfg.MaxPause)
	open := l.Open || l.Failures >= g.cfg.PauseAfter
	orphaned := l.Owner != "" && (g.cfg.Epoch != "" && l.Epoch != g.cfg.Epoch ||
		l.Until.After(now.Add(max(g.cfg.Lease, g.cfg.Pause)+mostApart)))
	early, err := flowOf(e, l).settle(u, now)
	if err != nil || !orphaned && !early && !l.PausedUntil.After(longest) && !l.Served.After(now) && open == l.Open {
		return err
	}
	return Change(u, e, func(l *State) {
		if orphaned {
			l.release()
		}
		if l.Served.After(now) {
			l.Served = now
		}
		if l.Open = open; l.PausedUntil.After(longest) {
			l.PausedUntil = longest
		}
	})
}
