package delivery

import (
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/steady"
)

// Everything that waits, is on lease or is kept for a time does so by the engine's own clock,
// which is never set: it begins with the wall clock, moves as time passes, and never falls
// behind what was taken up by an earlier process. What is shown to people is by the wall
// clock.

// mostDown is how much of the time in which no process ran is counted: a wall clock that is
// years ahead when a process begins makes nothing expire that has not waited for a day.
const mostDown = 24 * time.Hour

// turnClock is the clock of an engine.
type turnClock struct {
	*steady.Clock
	mu  sync.Mutex
	met bool // what earlier processes took up
}

// newTurnClock is the clock of an engine that has the store to itself, or shares it.
func newTurnClock(db *records.DB, cfg Config) turnClock {
	if cfg.Epoch == "" {
		return turnClock{Clock: steady.Shared(cfg.Env, db.Time()), met: true} // the others are alive
	}
	return turnClock{Clock: steady.New(cfg.Env)}
}

// now is the time by which deliveries are due.
func (g *Engine) now() time.Time { return g.turn.Now() }

// wall is the time that people see.
func (g *Engine) wall() time.Time { return g.cfg.Env.Now().UTC() }

// apart is how far the two clocks may be apart and still be one.
const apart = time.Second

// Shown is what the wall clock shows at a time of the engine's.
func (g *Engine) Shown(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	if ahead := g.now().Sub(g.wall()); ahead > apart || ahead < -apart {
		at = at.Add(-ahead)
	}
	return at
}

// present is the time at which something is made due, besides what is taken up. A process that
// has the store to itself notes it.
func (g *Engine) present(u *records.Update) (now time.Time, err error) {
	if err := g.meet(u); err != nil {
		return now, err
	}
	now = g.now()
	if g.cfg.Epoch == "" {
		return now, nil
	}
	return now, moveCursor(u, func(at *cursor) error {
		at.at(now)
		return nil
	})
}

// meet brings the engine's clock to where that of earlier processes was, once.
func (g *Engine) meet(tx records.Reading) error {
	g.turn.mu.Lock()
	defer g.turn.mu.Unlock()
	if g.turn.met {
		return nil
	}
	c, err := loadCursor(tx)
	if err != nil {
		return err
	}
	g.turn.met = true
	switch since := g.now().Sub(c.Latest.Time); {
	case c.Latest.IsZero():
	case since < 0:
		g.turn.Set(c.Latest.Time)
	case since > mostDown:
		g.turn.Set(c.Latest.Time.Add(mostDown))
	}
	return nil
}
