package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// filePaths are what the engine with a file is for, compared with the least that a
// program could do to a file. They should take less time, by the given factor.
var filePaths = []path{
	// One record after the other, each appended and flushed, compared with sixteen
	// callers who create tasks at once.
	{name: "durable-creates-of-16-callers,-against-one-append-and-flush", must: must{wall: 0.22}, size: 100, small: 1, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		folder := tb.TempDir()
		file, err := os.Create(filepath.Join(folder, "raw"))
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = file.Close() })
		store := opened(tb, filepath.Join(folder, "store"))
		p, made := planOver(tb, tb.Context(), store, size), atomic.Int64{}
		return p.each(func(int) error {
				if _, err := file.Write(p.value); err != nil {
					return err
				}
				return file.Sync()
			}), func(n int) error {
				return atOnce(16, n, func() error {
					_, err := p.svc.In("s").CreateTasks(p.ctx, []schedules.NewTask{planned(size + int(made.Add(1)))})
					return err
				})
			}, 1_000
	}},
	// buntdb itself opening the same file, which is compacted.
	{name: "opening-a-file-of-a-million,-against-buntdb", must: must{wall: 0.4}, size: 1_000_000, small: 1_000, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		path := filepath.Join(tb.TempDir(), "store")
		store := opened(tb, path)
		if err := fill(tb, store, size); err != nil {
			tb.Fatal(err)
		}
		if err := storage.Compact(tb.Context(), store); err != nil {
			tb.Fatal(err)
		}
		if err := store.Close(); err != nil {
			tb.Fatal(err)
		}
		return func(n int) error {
				for range n {
					db, err := tidwall.Open(path)
					if err != nil {
						return err
					}
					if err := db.Close(); err != nil {
						return err
					}
				}
				return nil
			}, func(n int) error {
				for range n {
					store, err := buntdb.Open(path, buntdb.Options{CompactBytes: -1})
					if err != nil {
						return err
					}
					if err := store.Close(); err != nil {
						return err
					}
				}
				return nil
			}, 1
	}},
}

// opened is a store with a file.
func opened(tb testing.TB, path string) storage.Store {
	tb.Helper()
	store, err := buntdb.Open(path, buntdb.Options{CompactBytes: -1})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	return store
}

// atOnce does work n times, so many at once.
func atOnce(callers, n int, work func() error) error {
	var left, failed atomic.Int64
	var first error
	var all sync.WaitGroup
	left.Store(int64(n))
	for range callers {
		all.Go(func() {
			for left.Add(-1) >= 0 && failed.Load() == 0 {
				if err := work(); err != nil && failed.Add(1) == 1 {
					first = err
				}
			}
		})
	}
	all.Wait()
	return first
}

// recordBytes is the length of the values that fill stores.
const recordBytes = 300

// fill puts records of 300 bytes, spread over a hundred scopes.
func fill(tb testing.TB, store storage.Store, records int) error {
	tb.Helper()
	for from := 0; from < records; from += 1_000 {
		err := store.Update(tb.Context(), func(w storage.Writer) error {
			for i := from; i < min(from+1_000, records); i++ {
				if err := w.Put(fillKey(i), make([]byte, recordBytes)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func fillKey(i int) string { return fmt.Sprintf("schedule:%03d:task:%08d", i%100, i) }

// BenchmarkHeap prints how many bytes of heap the memory engine takes for each byte of
// key and value that it holds.
func BenchmarkHeap(b *testing.B) {
	const must = 1.3
	records := 500_000
	if testing.Short() {
		records = 10_000
	}
	var ratio float64
	for range b.N {
		before := heap()
		store := memory.New()
		if err := fill(b, store, records); err != nil {
			b.Fatal(err)
		}
		ratio = float64(heap()-before) / float64(records*(len(fillKey(0))+recordBytes))
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ratio, "ratio")
	b.ReportMetric(must, "must")
	b.ReportMetric(map[bool]float64{true: 1}[ratio <= must], "reached")
}

// heap is how much of it is in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
