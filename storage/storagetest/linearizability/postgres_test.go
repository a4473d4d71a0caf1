package linearizability_test

import (
	"context"
	"log/slog"
	"os"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest/linearizability"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

// turns is a store whose calls go to one of several handles by turns.
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

func TestTwoPoolsOverOnePostgreSQL(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for seed := range uint64(storagetest.Scale(3)) {
		options := postgres.Options{Schema: server.Schema(t), MaxConns: 4, Logger: slog.New(slog.DiscardHandler)}
		var handles []storage.Store
		for range 2 {
			s, err := postgres.Open(t.Context(), server.URL(""), options)
			if err != nil {
				t.Fatal(err)
			}
			handles = append(handles, s)
		}
		linearizability.Run(t, turns{handles[0], handles, new(atomic.Int64)}, 8, 60, seed)
		for _, s := range handles {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
