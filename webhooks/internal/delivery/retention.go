package delivery

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// recordsPerStep is how many records one transaction of the housekeeping
// writes.
const recordsPerStep = 1_000

// keepGone is how long a webhook is kept whose twin is gone, so that it still receives
// the last events.
const keepGone = 24 * time.Hour

// keepAnswers is how long what receivers answered is kept.
const keepAnswers = 24 * time.Hour

// purge removes what was kept long enough: webhooks whose twins are gone,
// deliveries, and the content of events that no delivery is kept of.
func (g *Engine) purge(ctx context.Context) error {
	all, err := g.Endpoints(ctx)
	if err != nil {
		return err
	}
	p := purge{g: g, now: g.now(), kept: make(map[string]bool)}
	for _, e := range all {
		if err := p.removeGone(ctx, e); err != nil {
			return fmt.Errorf("removing webhooks of twins that are gone: %w", err)
		}
	}
	for _, e := range all {
		if err := p.purgeEndpoint(ctx, e); err != nil {
			return fmt.Errorf("removing old deliveries: %w", err)
		}
		if err := p.purgeAnswers(ctx, e); err != nil {
			return fmt.Errorf("removing old answers: %w", err)
		}
	}
	for more := true; more; {
		if more, err = p.purgeMessages(ctx); err != nil {
			return fmt.Errorf("removing old events: %w", err)
		}
	}
	return g.noteTime(ctx)
}

// noteTime notes how far the clock of the engine has come, for the process that follows.
func (g *Engine) noteTime(ctx context.Context) error {
	return g.db.Update(ctx, func(u *records.Update) error {
		return moveCursor(u, func(at *cursor) error {
			at.at(g.now())
			return nil
		})
	})
}

// retained is how long what is done with is kept: no longer than all else that is.
func (g *Engine) retained(keep time.Duration) time.Duration {
	if retain := g.cfg.Env.Retain; retain > 0 {
		return min(keep, retain)
	}
	return keep
}

// keepLeast is how long a delivery is kept at least.
func (g *Engine) keepLeast() time.Duration { return max(g.retained(g.cfg.KeepDelivered), 0) }

// purgePause is the time from one purge to the next.
func (g *Engine) purgePause() time.Duration {
	if retain := g.cfg.Env.Retain; retain > 0 {
		return min(max(retain/16, time.Second), purgeEvery)
	}
	return purgeEvery
}

// purge is one round of removing what was kept long enough.
type purge struct {
	g    *Engine
	now  time.Time
	kept map[string]bool // ids of old deliveries, which are those of their events
}

// removeGone removes a webhook whose twin is gone, some time after and once nothing
// waits for it.
func (p *purge) removeGone(ctx context.Context, e *Endpoint) error {
	gone, err := e.Gone(ctx)
	if err != nil {
		return err
	}
	var l *State
	err = p.g.db.View(ctx, func(v *records.View) error {
		l, err = StateOf(v, e)
		return err
	})
	switch {
	case err != nil:
		return orMissing(err)
	case gone == l.Gone.IsZero():
		return orMissing(p.g.db.Update(ctx, func(u *records.Update) error {
			return Change(u, e, func(l *State) {
				if l.Gone = (time.Time{}); gone {
					l.Gone = p.g.now()
				}
			})
		}))
	case gone && l.Pending == 0 && p.g.now().Sub(l.Gone) >= keepGone:
		return p.g.reg.Remove(ctx, e.ID)
	}
	return nil
}

// outlived reports whether a delivery was kept long enough.
func (p *purge) outlived(d *Delivery) bool {
	age := p.now.Sub(d.made())
	if age > p.g.cfg.Keep || d.State == Dead && age > p.g.retained(p.g.cfg.Keep) {
		return true
	}
	if d.State != Delivered || len(d.Attempts) == 0 {
		return false
	}
	return p.now.Sub(d.of(d.Attempts[len(d.Attempts)-1].At.Time)) > p.g.keepLeast()
}

// purgeEndpoint removes the old deliveries of an endpoint.
func (p *purge) purgeEndpoint(ctx context.Context, e *Endpoint) error {
	for {
		ids, err := p.survey(ctx, e)
		if err == nil && len(ids) > 0 {
			err = p.remove(ctx, e, ids)
		}
		if err != nil || len(ids) < recordsPerStep {
			return err
		}
	}
}

// survey returns the first deliveries of an endpoint that are to be removed, and
// adds the old ones that stay to kept.
func (p *purge) survey(ctx context.Context, e *Endpoint) (ids []string, err error) {
	err = p.g.db.View(ctx, func(v *records.View) error {
		ids = nil
		for d, err := range Deliveries.All(v, e.Queue.Scope(), "") {
			switch {
			case err != nil || p.now.Sub(d.made()) <= p.g.keepLeast():
				return err
			case !p.outlived(d):
				p.kept[d.ID] = true
			case len(ids) < recordsPerStep:
				ids = append(ids, d.ID)
			}
		}
		return nil
	})
	return ids, err
}

// remove removes deliveries of an endpoint that were kept long enough.
func (p *purge) remove(ctx context.Context, e *Endpoint, ids []string) error {
	var removed State
	err := p.g.db.Update(ctx, func(u *records.Update) error {
		removed = State{}
		e, err := p.g.reg.Endpoint(u, e.ID)
		if err != nil {
			return orMissing(err)
		}
		for _, id := range ids {
			d, err := Deliveries.Value(u, e.Queue.Scope(), id)
			if err == nil && p.outlived(d) {
				err = eraseDelivery(u, e.Queue, &removed, d)
			}
			if orMissing(err) != nil {
				return err
			}
		}
		return Change(u, e, func(l *State) { l.add(removed) })
	})
	if err == nil && removed.Pending < 0 {
		p.g.cfg.Env.Logger.LogAttrs(ctx, slog.LevelWarn, "deliveries that were never made were dropped",
			slog.String("webhook", e.ID), slog.Int("deliveries", -removed.Pending))
	}
	return err
}

// purgeAnswers removes the answers of receivers that were kept long enough, and leaves
// their deliveries.
func (p *purge) purgeAnswers(ctx context.Context, e *Endpoint) error {
	for {
		ids, err := p.answered(ctx, e)
		if err == nil && len(ids) > 0 {
			err = p.forgetAnswers(ctx, e, ids)
		}
		if err != nil || len(ids) < recordsPerStep {
			return err
		}
	}
}

// outlivedAnswer reports whether the answer of a delivery was kept long enough.
func (p *purge) outlivedAnswer(d *Delivery) bool {
	at := d.answered()
	return !at.IsZero() && p.now.Sub(d.of(at)) >= keepAnswers
}

// answered returns the first deliveries of an endpoint with answers that are to be removed.
func (p *purge) answered(ctx context.Context, e *Endpoint) (ids []string, err error) {
	err = p.g.db.View(ctx, func(v *records.View) error {
		ids = nil
		for d, err := range Deliveries.All(v, e.Queue.Scope(), "") {
			if err != nil || p.now.Sub(d.made()) < keepAnswers || len(ids) == recordsPerStep {
				return err
			}
			if p.outlivedAnswer(d) {
				ids = append(ids, d.ID)
			}
		}
		return nil
	})
	return ids, err
}

// forgetAnswers removes the answers of some deliveries of an endpoint.
func (p *purge) forgetAnswers(ctx context.Context, e *Endpoint, ids []string) error {
	return p.g.db.Update(ctx, func(u *records.Update) error {
		for _, id := range ids {
			_, err := Deliveries.Modify(u, e.Queue.Scope(), id, "", func(d *Delivery) error {
				if p.outlivedAnswer(d) {
					d.forgetAnswers()
				}
				return nil
			})
			if orMissing(err) != nil {
				return err
			}
		}
		return nil
	})
}

// purgeMessages removes events that no delivery is kept of, as many as one transaction
// holds, and reports whether there are more.
func (p *purge) purgeMessages(ctx context.Context) (more bool, err error) {
	var ids []string
	err = p.g.db.View(ctx, func(v *records.View) error {
		ids, err = p.unused(v)
		return err
	})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	err = p.g.db.Update(ctx, func(u *records.Update) error {
		for _, id := range ids {
			if err := orMissing(messages.Erase(u, messageScope, id)); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids) == recordsPerStep, err
}

// unused are the first events that no delivery is kept of.
func (p *purge) unused(tx records.Reading) (ids []string, err error) {
	// An event may be handed out in several steps, the last some time after it
	// was taken up.
	least := p.g.keepLeast() + 2*purgeEvery
	for m, err := range messages.All(tx, messageScope, "") {
		if err != nil {
			return nil, err
		}
		if p.now.Sub(time.Unix(m.Taken, 0)) <= least || len(ids) == recordsPerStep {
			break
		}
		if !p.kept[m.ID] {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}
