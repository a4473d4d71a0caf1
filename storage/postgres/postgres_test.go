package postgres_test

import (
	"log/slog"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

var quiet = slog.New(slog.DiscardHandler)

func engine(options postgres.Options) storagetest.Engine {
	options.Logger = quiet
	return storagetest.Engine{
		New: func(t testing.TB) storage.Store { return postgrestest.Shared(t).Open(t, options) },
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]postgres.Options{
		"prepared": {MaxConns: 4}, "pooler": {MaxConns: 4, Pooler: true}, "one connection": {MaxConns: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			postgrestest.Shared(t)
			storagetest.Run(t, engine(options))
		})
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t)
	storagetest.RunModel(t, engine(postgres.Options{MaxConns: 2}))
}

func TestReruns(t *testing.T) {
	t.Parallel()
	postgrestest.Shared(t)
	storagetest.RunReruns(t, engine(postgres.Options{MaxConns: 2}))
}

func TestHandles(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	storagetest.RunHandles(t, func(t testing.TB) func() storage.Store {
		options := postgres.Options{Schema: server.Schema(t), MaxConns: 3, Logger: quiet}
		return func() storage.Store {
			s, err := postgres.Open(t.Context(), server.URL(""), options)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	})
}

// What waits for one key is made in one transaction, and none of the promises is weaker.
func TestPromisesHoldForUpdatesThatAreMadeTogether(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	for name, away := range map[string]time.Duration{"near": 0, "5 ms away": 5 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var combined atomic.Int64
			t.Cleanup(func() {
				if combined.Load() == 0 {
					t.Error("no Update was committed with others")
				}
			})
			storagetest.RunTogether(t, storagetest.Engine{New: func(t testing.TB) storage.Store {
				s, err := postgres.Open(t.Context(), server.URL(delayed(t, server.Address, away)), postgres.Options{
					Schema: server.Schema(t), MaxConns: 4, Logger: quiet,
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					stats, _ := storage.StatsOf(s)
					combined.Add(stats.Remote.Combined)
				})
				return s
			}})
		})
	}
}
