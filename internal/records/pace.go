package records

import (
	"context"
	"sync/atomic"
)

// pace is how much shorter the steps of one piece of work are than they might be.
type pace struct{ lost atomic.Int32 } // races, as if the next step had lost them already

type paceKey struct{}

// WithPace says of the transactions made with the context that they are the steps of one piece of
// work, one after the other: a step is as short as the one before it had to be in order to win its
// race, and, where that lost none, twice as long. Otherwise each step begins as long as may be.
func WithPace(ctx context.Context) context.Context {
	return context.WithValue(ctx, paceKey{}, new(pace))
}

// paceOf is the pace of the work that a transaction is a step of, or one of its own.
func paceOf(ctx context.Context) *pace {
	if p, ok := ctx.Value(paceKey{}).(*pace); ok {
		return p
	}
	return new(pace)
}

// won notes that a step has won its race at last, which began as if it had lost so many and has
// lost others since.
func (p *pace) won(before, since int) {
	if since == 0 {
		p.lost.Store(int32(max(before-1, 0)))
		return
	}
	p.lost.Store(int32(min(before+since, mostRacesLost)))
}
