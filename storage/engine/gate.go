package engine

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// closing is added to the count of a Gate that admits nothing any more.
const closing = math.MinInt64 / 2

// Gate counts the calls within a store and lets Close wait for them. A call
// may be made from within another one, also while Close waits.
type Gate struct {
	inside atomic.Int64
	closed atomic.Bool
	once   sync.Once
	empty  chan struct{}
}

// NewGate returns an open gate.
func NewGate() *Gate { return &Gate{empty: make(chan struct{})} }

// Enter lets a call in, or fails with storage.ErrClosed or because ctx is done.
func (g *Gate) Enter(ctx context.Context) error {
	err := ctx.Err()
	if g.inside.Add(1) < 0 {
		err = storage.ErrClosed
	}
	if err != nil {
		g.Leave()
	}
	return err
}

// Leave ends a call.
func (g *Gate) Leave() {
	if g.inside.Add(-1) == closing {
		g.once.Do(func() { close(g.empty) })
	}
}

// Close closes the gate and waits until all calls have left. It reports
// whether this call was the one that closed it.
func (g *Gate) Close() bool {
	first := g.closed.CompareAndSwap(false, true)
	if first {
		g.inside.Add(closing + 1) // as a call that leaves at once
		g.Leave()
	}
	<-g.empty
	return first
}
