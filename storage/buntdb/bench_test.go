package buntdb_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// BenchmarkDurable compares durable transactions of one record of 300 bytes with those of
// buntdb under its policy Always, alternately on the same disk. It reports transactions
// per second and how many times buntdb's they are.
func BenchmarkDurable(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			ours := openBench(b)
			stock := openStock(b)
			value := make([]byte, 300)
			var oursTime, stockTime time.Duration
			done := 0
			for b.Loop() {
				n := 50 * writers
				oursTime += race(writers, n, func(key string) error {
					return ours.Update(b.Context(), func(w storage.Writer) error { return w.Put(key, value) })
				})
				stockTime += race(writers, n, func(key string) error {
					return stock.Update(func(tx *tidwall.Tx) error {
						_, _, err := tx.Set(key, string(value), nil)
						return err
					})
				})
				done += n
			}
			b.ReportMetric(float64(done)/oursTime.Seconds(), "tx/s")
			b.ReportMetric(float64(done)/stockTime.Seconds(), "stock-tx/s")
			b.ReportMetric(stockTime.Seconds()/oursTime.Seconds(), "times-stock")
		})
	}
}

// race lets writers do n transactions between them and returns how long it took.
func race(writers, n int, write func(key string) error) time.Duration {
	var left atomic.Int64
	left.Store(int64(n))
	var group sync.WaitGroup
	start := time.Now()
	for range writers {
		group.Go(func() {
			for left.Add(-1) >= 0 {
				if err := write(fmt.Sprintf("task:%08d", rand.IntN(100_000))); err != nil {
					panic(err)
				}
			}
		})
	}
	group.Wait()
	return time.Since(start)
}

func openBench(b *testing.B) storage.Store {
	b.Helper()
	s, err := buntdb.Open(filepath.Join(b.TempDir(), "bench.db"), buntdb.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func openStock(b *testing.B) *tidwall.DB {
	b.Helper()
	db, err := tidwall.Open(filepath.Join(b.TempDir(), "stock.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	var config tidwall.Config
	if err := db.ReadConfig(&config); err != nil {
		b.Fatal(err)
	}
	config.SyncPolicy = tidwall.Always
	config.AutoShrinkDisabled = true
	if err := db.SetConfig(config); err != nil {
		b.Fatal(err)
	}
	return db
}
