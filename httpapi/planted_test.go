package httpapi_test

import (
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// planted is what a world holds before a test, seeded once for all tests: each begins with a
// fork of it. Where the stores of tests are not in memory, each seeds its own.
type planted struct {
	once  sync.Once
	store storage.Store // nil: cannot be forked
	ids   int64         // how many the world has given out
}

var plannedWorlds, twinsWorlds, dataWorlds planted

// ground returns one with the world in it, which on makes the first time.
func (p *planted) ground(t testing.TB, on func(testing.TB, ground) *httpapi.Handler) ground {
	t.Helper()
	p.once.Do(func() {
		store := storetest.New(t)
		if _, err := memory.Fork(store); err != nil {
			return
		}
		on(t, ground{store: store, planting: p})
		p.store = store
	})
	if p.store == nil {
		return ground{store: storetest.New(t)}
	}
	fork, err := memory.Fork(p.store)
	if err != nil {
		t.Fatal(err)
	}
	return ground{store: fork, planted: p}
}

// plant seeds a world that is not there yet; it returns how many ids the seed has given out.
func (g ground) plant(seed func() (ids int64)) int64 {
	if g.planted != nil {
		return g.planted.ids
	}
	ids := seed()
	if g.planting != nil {
		g.planting.ids = ids
	}
	return ids
}
