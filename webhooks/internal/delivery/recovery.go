package delivery

import (
	"context"
	"fmt"
	"slices"

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
	for more := true; more; {
		var err error
		if more, err = g.adoptFormer(ctx); err != nil {
			return fmt.Errorf("taking over the order of earlier versions: %w", err)
		}
	}
	for after, more := "", true; more; {
		var err error
		if after, more, err = g.adoptStale(ctx, after); err != nil {
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
	if err != nil || at.Indexed == g.reg.Indexes() {
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
			at.Indexed = g.reg.Indexes()
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

// firstSlots are the ids of the first slots of an order behind one.
func firstSlots(tx records.Reading, in *records.Collection[slot], after string) (ids []string, err error) {
	for s, err := range in.From(tx, scheduleScope, after) {
		if err != nil || len(ids) == adoptStep {
			return ids, err
		}
		ids = append(ids, s.ID)
	}
	return ids, nil
}

// adoptFormer schedules endpoints that stand in the order of earlier versions.
func (g *Engine) adoptFormer(ctx context.Context) (more bool, err error) {
	var ids []string
	err = g.db.View(ctx, func(v *records.View) error {
		ids, err = firstSlots(v, &formerSlots, "")
		return err
	})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	err = g.db.Update(ctx, func(u *records.Update) error {
		if ids, err = firstSlots(u, &formerSlots, ""); err != nil {
			return err
		}
		for _, id := range ids {
			if err := formerSlots.Erase(u, scheduleScope, id); err != nil {
				return err
			}
			_, webhookID, err := readTimed(id)
			if err != nil {
				return err
			}
			if err := g.takeOver(u, webhookID); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids) == adoptStep, err
}

// adoptStale puts those endpoints in order, from a slot on, that are not.
func (g *Engine) adoptStale(ctx context.Context, after string) (last string, more bool, err error) {
	var ids, stale []string
	err = g.db.View(ctx, func(v *records.View) error {
		stale = nil
		if ids, err = firstSlots(v, &endpointSlots, after); err != nil {
			return err
		}
		for _, id := range ids {
			_, _, webhookID, err := readSlot(id)
			if err != nil {
				return err
			}
			is, err := g.stale(v, webhookID)
			if err != nil {
				return err
			}
			if is {
				stale = append(stale, webhookID)
			}
		}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return after, false, err
	}
	if len(stale) > 0 {
		err = g.db.Update(ctx, func(u *records.Update) error {
			for _, id := range stale {
				if err := g.takeOver(u, id); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return ids[len(ids)-1], len(ids) == adoptStep, err
}

// stale reports whether an endpoint is to be put in order.
func (g *Engine) stale(tx records.Reading, webhookID string) (bool, error) {
	e, err := g.reg.Endpoint(tx, webhookID)
	if err != nil {
		return false, orMissing(err)
	}
	l, err := StateOf(tx, e)
	if err != nil {
		return false, orMissing(err)
	}
	return g.orphaned(l) || l.PausedUntil.Sub(g.now()) > g.cfg.MaxPause || l.Failures >= g.cfg.PauseAfter && !l.Open, nil
}

// orphaned reports whether whoever has the endpoint on lease is dead.
func (g *Engine) orphaned(l *State) bool {
	return l.Owner != "" && g.cfg.Tenure != "" && l.Tenure != g.cfg.Tenure
}

// takeOver puts an endpoint in order.
func (g *Engine) takeOver(u *records.Update, webhookID string) error {
	e, err := g.reg.Endpoint(u, webhookID)
	if err != nil {
		return orMissing(err)
	}
	return orMissing(Change(u, e, func(l *State) {
		if g.orphaned(l) {
			l.release()
		}
		if until := g.now().Add(g.cfg.MaxPause); l.PausedUntil.After(until) {
			l.PausedUntil = until
		}
		l.Open = l.Open || l.Failures >= g.cfg.PauseAfter
	}))
}
