package linearizability_test

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest/linearizability"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

// turns is a store whose calls go to one of several handles alternately.
type turns struct {
	storage.Store
	handles []storage.Store
	next    *atomic.Int64
}

func (s turns) pick() storage.Store { return s.handles[int(s.next.Add(1))%len(s.handles)] }

func (s turns) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.pick().View(ctx, fn)
}

func (s turns) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.pick().Update(ctx, fn)
}

// twoPools opens one empty store of the server twice, until the test ends.
func twoPools(t *testing.T) turns {
	t.Helper()
	server := postgrestest.Shared(t)
	options := postgres.Options{Schema: server.Schema(t), MaxConns: 4, Logger: slog.New(slog.DiscardHandler)}
	s := turns{next: new(atomic.Int64)}
	for range 2 {
		handle, err := postgres.Open(t.Context(), server.URL(""), options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := handle.Close(); err != nil {
				t.Error(err)
			}
		})
		s.handles = append(s.handles, handle)
	}
	s.Store = s.handles[0]
	return s
}

func TestTwoPoolsOverOnePostgreSQL(t *testing.T) {
	t.Parallel()
	for seed := range uint64(storagetest.Scale(3)) {
		linearizability.Run(t, twoPools(t), 8, 60, seed)
	}
}

// The checker finds what two pools would show whose transactions are not serializable, or
// not seen at once by the other.
func TestTwoPoolsThatBreakThePromisesAreFound(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(storage.Store) storage.Store{
		"lost updates": func(s storage.Store) storage.Store { return hasty{s} },
		"stale reads":  func(s storage.Store) storage.Store { return &lagging{Store: s} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(10) {
				if !linearizability.Holds(t, breaks(twoPools(t)), 8, 60, seed) {
					return
				}
			}
			t.Error("ten histories of a store that breaks its promises were found right")
		})
	}
}

// hasty commits what a transaction has decided on without regard to what has changed
// since it read: snapshot isolation without its check.
type hasty struct{ storage.Store }

func (s hasty) Update(ctx context.Context, fn func(storage.Writer) error) error {
	var w *engine.Writer
	err := s.View(ctx, func(r storage.Reader) error {
		w = engine.NewWriter(source{r})
		return w.Run(ctx, fn)
	})
	if err != nil {
		return err
	}
	return s.Store.Update(ctx, func(to storage.Writer) error {
		for key, value := range w.Changes() {
			if err := to.Put(key, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// source lets a Reader be read as a state.
type source struct{ storage.Reader }

func (s source) Scan(prefix, after string, visit func(string, []byte) bool) error {
	for key, value := range s.Reader.Scan(prefix, after) {
		if !visit(key, value) {
			break
		}
	}
	return nil
}

// lagging answers every View with what the one before it could have seen, as a replica
// does that is behind.
type lagging struct {
	storage.Store
	mu    sync.Mutex
	state map[string]string
}

func (s *lagging) View(ctx context.Context, fn func(storage.Reader) error) error {
	now, err := storagetest.Dump(ctx, s.Store)
	if err != nil {
		return err
	}
	s.mu.Lock()
	before := s.state
	s.state = now
	s.mu.Unlock()
	stale := memory.New()
	defer stale.Close()
	err = stale.Update(ctx, func(w storage.Writer) error {
		for key, value := range before {
			if err := w.Put(key, []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return stale.View(ctx, fn)
}
