package postgres_test

import (
	"errors"
	"flag"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Most tests wait for a database or for time to pass, so that there is room for more of them
	// at a time than there are processors.
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(1 + 2*runtime.GOMAXPROCS(0)))
	}
	os.Exit(postgrestest.Main(m))
}

var quiet = slog.New(slog.DiscardHandler)

func engine(options postgres.Options) storagetest.Engine {
	options.Logger = quiet
	return storagetest.Engine{
		New:      func(t testing.TB) storage.Store { return postgrestest.Shared(t).Open(t, options) },
		Patience: 20 * time.Second, // more than that of a store whose database is busy
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

// A function that reads once, as those do that declare what they read, runs once in its group.
func TestWhatReadsOnceRunsOnceWhenMadeTogether(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: server.Schema(t), MaxConns: 4, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ctx := storage.WithContention(t.Context(), "hot")
	var runs atomic.Int64
	add := func(w storage.Writer) error {
		runs.Add(1)
		if err := storage.Prefetch(w, []string{"a/count"}); err != nil {
			return err
		}
		value, _, err := storage.Find(w, "a/count")
		return errors.Join(err, w.Put("a/count", append(value, 'x')))
	}
	together := func(each int) {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for range each {
					if err := s.Update(ctx, add); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	}
	together(4) // those that race until the key is hot run again
	runs.Store(0)
	if together(16); runs.Load() != 16*16 {
		t.Errorf("%d Updates have run %d times", 16*16, runs.Load())
	}
	if stats, _ := storage.StatsOf(s); stats.Remote.Combined < 16*8 {
		t.Errorf("%d Updates were made together", stats.Remote.Combined)
	}
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
