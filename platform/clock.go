package platform

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/steady"
)

// A step of the clock by more than mostStep is noticed within lookEvery.
const (
	mostStep  = time.Minute
	lookEvery = 30 * time.Second
)

// watchClock warns of a wall clock that is set, until ctx is done. What follows from it is in
// the manual: docs/operating.md, "When the clock is wrong".
func (p *Platform) watchClock(ctx context.Context) error {
	env := p.cfg.Env.WithDefaults()
	wall := steady.NewWall(env)
	wall.Step()
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
		if step := wall.Step(); step > mostStep || step < -mostStep {
			env.Logger.WarnContext(ctx, "the clock was set", "by", step.Round(time.Second), "now", env.Now().UTC())
		}
	}
}
