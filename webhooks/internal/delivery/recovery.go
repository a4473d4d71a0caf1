package delivery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// adoptStep is how many endpoints one transaction takes over.
const adoptStep = 200

// adopt takes over, once for an engine, what former processes left: webhooks
// that are not found by every index, the schedule that earlier versions kept,
// leases of processes that are dead, and pauses that are longer than the longest.
func (g *Engine) adopt(ctx context.Context) error {
	g.adopting.Lock()
	defer g.adopting.Unlock()
	if g.adopted {
		return nil
	}
	if err := g.adoptIndexes(ctx); err != nil {
		return fmt.Errorf("indexing webhooks: %w", err)
	}
	for _, order := range []*records.Collection[slot]{&formerSlots, &endpointSlots} {
		for after, more := "", true; more; {
			var err error
			if after, more, err = g.adoptSlots(ctx, order, after); err != nil {
				return fmt.Errorf("taking over deliveries: %w", err)
			}
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
	for part := range slices.Chunk(all, adoptStep) {
		err := g.db.Update(ctx, func(u *records.Update) error {
			for _, e := range part {
				if err := orMissing(g.reg.Reindex(u, e.ID)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return g.db.Update(ctx, func(u *records.Update) error {
		return moveCursor(u, func(at *cursor) error {
			at.Indexed = g.cfg.Indexes
			return nil
		})
	})
}

// Endpoints are those of all webhooks.
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

// adoptSlots puts in order the endpoints that stand behind a slot of an order.
func (g *Engine) adoptSlots(ctx context.Context, order *records.Collection[slot], after string) (last string, more bool, err error) {
	err = g.db.Update(ctx, func(u *records.Update) error {
		var ids []string
		for s, err := range order.From(u, scheduleScope, after) {
			if err != nil {
				return err
			}
			if ids = append(ids, s.ID); len(ids) == adoptStep {
				break
			}
		}
		for _, id := range ids {
			if last = id; order == &formerSlots {
				if err := order.Erase(u, scheduleScope, id); err != nil {
					return err
				}
			}
			if err := g.takeOver(u, id[strings.LastIndex(id, "/")+1:], order == &formerSlots); err != nil {
				return err
			}
		}
		more = len(ids) == adoptStep
		return nil
	})
	return last, more, err
}

// takeOver puts an endpoint in order, if it is not: one with a lease of a process
// that is dead, and one whose pauses go by the rules of earlier versions.
func (g *Engine) takeOver(u *records.Update, webhookID string, former bool) error {
	e, err := g.reg.Endpoint(u, webhookID)
	if err != nil {
		return orMissing(err)
	}
	l, err := StateOf(u, e)
	if err != nil {
		return orMissing(err)
	}
	longest := g.now().Add(g.cfg.MaxPause)
	open := l.Open || l.Failures >= g.cfg.PauseAfter
	orphaned := l.Owner != "" && g.cfg.Tenure != "" && l.Tenure != g.cfg.Tenure
	if !former && !orphaned && !l.PausedUntil.After(longest) && open == l.Open {
		return nil
	}
	return Change(u, e, func(l *State) {
		if orphaned {
			l.release()
		}
		if l.Open = open; l.PausedUntil.After(longest) {
			l.PausedUntil = longest
		}
	})
}
