package jobs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// opened is the Spec of work that makes its own transactions.
var opened = jobs.Spec{Scope: board, Keep: true, Open: func(*records.Update) (records.Scope, error) { return board, nil }}

// busy lets a node work without a pause, once it calls Run: each piece of work takes a tenth of a
// second, and another is accepted before it ends.
func busy(t *testing.T, n *node) {
	t.Helper()
	var work jobs.Kind[chore, struct{}]
	accept := func(ctx context.Context) {
		if _, err := work.Start(ctx, opened, new(chore)); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}
	work = jobs.DefineOutside(n.runner, "busy", jobs.Outside[chore]{
		Step: func(ctx context.Context, c chore) (chore, jobs.Progress, error) {
			time.Sleep(time.Second / 10)
			accept(ctx)
			return c, jobs.Done, nil
		},
	})
	accept(t.Context())
}

// A process that is never idle takes over what others were at, whenever and wherever they died.
func TestABusyProcessTakesOverTheWorkOfDeadOnes(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Seeds(50, 10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { takeOver(t, rand.New(rand.NewPCG(seed, 5))) })
		})
	}
}

func takeOver(t *testing.T, rnd *rand.Rand) {
	t.Helper()
	const lease = 3 * time.Second
	store := memory.New()
	other := newNode(t, store, twinplatform.Env{Lease: lease, Background: true}, false)
	busy(t, other)
	defer other.run(t)()
	ctx, bury := context.WithCancel(t.Context())
	defer bury()
	want := make(map[string]int)
	for i := range 1 + rnd.IntN(4) {
		time.Sleep(time.Duration(rnd.Int64N(int64(time.Second))))
		var c chore
		for j := range 2 + rnd.IntN(4) {
			id := fmt.Sprintf("%d-%d", i, j)
			c.Marks, want[id] = append(c.Marks, id), 1
		}
		dead := newNode(t, store, twinplatform.Env{Lease: lease}, false)
		last := 1 + rnd.IntN(len(c.Marks)-1)
		dead.store.Before(func() error {
			if len(dead.begun()) < last {
				return nil
			}
			<-ctx.Done() // it does nothing any more, and is never notified
			return ctx.Err()
		})
		go func() { _, _ = dead.start(ctx, c, true) }()
	}
	time.Sleep(lease + 2*time.Second) // one in which it looks for work, and one for the work
	synctest.Wait()
	other.wantMarks(want)
}

// Work that waits is looked at again while there is other work without a pause.
func TestABusyProcessContinuesWithWorkThatWaited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, memory.New(), twinplatform.Env{Background: true}, false)
		var may atomic.Bool
		waiting := jobs.DefineOutside(n.runner, "waiting", jobs.Outside[chore]{
			Step: func(_ context.Context, c chore) (chore, jobs.Progress, error) {
				if !may.Load() {
					return c, jobs.Progress{Waits: true}, nil
				}
				return c, jobs.Done, nil
			},
		})
		res, err := waiting.Start(t.Context(), opened, new(chore))
		if err != nil {
			t.Fatal(err)
		}
		busy(t, n)
		defer n.run(t)()
		time.Sleep(2 * time.Second)
		may.Store(true)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if op := n.operation(res.ID); op.Status != twinplatform.OperationSucceeded {
			t.Errorf("two seconds after it could continue the operation is %s", op.Status)
		}
	})
}
