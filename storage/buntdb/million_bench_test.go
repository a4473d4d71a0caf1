package buntdb_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// million is the number of records of 300 bytes in the large benchmarks.
const million = 1_000_000

// BenchmarkOpenMillion opens a million records, in the order in which they were
// written and compacted, and compares time and memory with buntdb opening a
// copy of the same file.
func BenchmarkOpenMillion(b *testing.B) {
	path := writeMillion(b)
	for b.Loop() {
		stockPath := filepath.Join(b.TempDir(), "stock.db")
		copyFile(b, path, stockPath)
		var stock *tidwall.DB
		stockCost := measure(func() {
			var err error
			if stock, err = tidwall.Open(stockPath); err != nil {
				b.Fatal(err)
			}
		})
		if err := stock.Close(); err != nil {
			b.Fatal(err)
		}
		stock = nil
		var ours storage.Store
		cost := measure(func() {
			var err error
			if ours, err = buntdb.Open(path, buntdb.Options{CompactBytes: -1}); err != nil {
				b.Fatal(err)
			}
		})
		if err := ours.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(cost.time.Seconds(), "s-open")
		b.ReportMetric(cost.time.Seconds()/stockCost.time.Seconds(), "times-stock-open")
		b.ReportMetric(float64(cost.heap)/million, "heap-B/record")
		b.ReportMetric(float64(cost.heap)/float64(stockCost.heap), "times-stock-heap")
		b.ReportMetric(float64(cost.resident)/float64(stockCost.resident), "times-stock-rss")
	}
}

// BenchmarkCompactMillion compacts a million records while a reader and a durable writer
// continue, and reports the longest that either was held up, and the same without a
// compaction.
func BenchmarkCompactMillion(b *testing.B) {
	s, err := buntdb.Open(writeMillion(b), buntdb.Options{CompactBytes: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for b.Loop() {
		idle := longestWhile(b, s, func() { <-time.After(time.Second) })
		var whole time.Duration
		busy := longestWhile(b, s, func() {
			whole = timed(func() {
				if err := storage.Compact(b.Context(), s); err != nil {
					b.Error(err)
				}
			})
		})
		b.ReportMetric(whole.Seconds(), "s-compact")
		b.ReportMetric(milliseconds(idle.read), "ms-read-idle")
		b.ReportMetric(milliseconds(idle.write), "ms-write-idle")
		b.ReportMetric(milliseconds(busy.read), "ms-read-compacting")
		b.ReportMetric(milliseconds(busy.write), "ms-write-compacting")
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// longest are the longest times that one call took.
type longest struct{ read, write time.Duration }

// longestWhile reads and writes durably until during has returned.
func longestWhile(b *testing.B, s storage.Store, during func()) (l longest) {
	var stop atomic.Bool
	var group sync.WaitGroup
	value := make([]byte, 300)
	group.Go(func() {
		for n := 0; !stop.Load(); n++ {
			l.read = max(l.read, timed(func() { get(b, s, millionKey(n*7919%million)) }))
		}
	})
	group.Go(func() {
		for n := 0; !stop.Load(); n++ {
			l.write = max(l.write, timed(func() {
				err := s.Update(b.Context(), func(w storage.Writer) error { return w.Put(millionKey(n*104729%million), value) })
				if err != nil {
					b.Error(err)
				}
			}))
		}
	})
	during()
	stop.Store(true)
	group.Wait()
	return l
}

func millionKey(n int) string { return fmt.Sprintf("schedule:%03d:task:%08d", n%100, n) }

// writeMillion writes a compacted file of a million records.
func writeMillion(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "million.db")
	s, err := buntdb.Open(path, buntdb.Options{Durability: buntdb.SyncNever, CompactBytes: -1})
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; n < million; n += 1000 {
		err := s.Update(b.Context(), func(w storage.Writer) error {
			for i := range 1000 {
				if err := w.Put(millionKey(n+i), make([]byte, 300)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := storage.Compact(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// cost is what opening a store takes.
type cost struct {
	time           time.Duration
	heap, resident int64 // bytes
}

func measure(open func()) cost {
	heap, resident := memoryUsed()
	took := timed(open)
	heapAfter, residentAfter := memoryUsed()
	return cost{time: took, heap: heapAfter - heap, resident: residentAfter - resident}
}

// memoryUsed returns the bytes in use on the heap and those resident.
func memoryUsed() (heap, resident int64) {
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	statm, _ := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(statm)); len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		resident = pages * int64(os.Getpagesize())
	}
	return int64(stats.HeapAlloc), resident
}

func timed(fn func()) time.Duration {
	start := time.Now()
	fn()
	return time.Since(start)
}

func get(b *testing.B, s storage.Store, key string) {
	err := s.View(b.Context(), func(r storage.Reader) error {
		_, err := r.Get(key)
		return err
	})
	if err != nil {
		b.Error(err)
	}
}

func copyFile(b *testing.B, from, to string) {
	b.Helper()
	in, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
}
