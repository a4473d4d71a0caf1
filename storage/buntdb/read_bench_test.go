package buntdb_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// BenchmarkReadWhileWriting measures how long reading one record takes, at the
// 99th percentile, in an idle store and while 8 durable writers work, for this
// engine and for buntdb.
func BenchmarkReadWhileWriting(b *testing.B) {
	const reads, records = 400_000, 10_000
	value := make([]byte, 300)
	key := func(n int) string { return fmt.Sprintf("task:%08d", n*7919%records) }

	ours := openBench(b)
	writeOurs := func(n int) error {
		return ours.Update(b.Context(), func(w storage.Writer) error { return w.Put(key(n), value) })
	}
	readOurs := func(n int) { get(b, ours, key(n)) }

	stock := openStock(b)
	writeStock := func(n int) error {
		return stock.Update(func(tx *tidwall.Tx) error {
			_, _, err := tx.Set(key(n), string(value), nil)
			return err
		})
	}
	readStock := func(n int) {
		_ = stock.View(func(tx *tidwall.Tx) error { _, err := tx.Get(key(n)); return err })
	}
	for n := range records {
		if err := stock.Update(func(tx *tidwall.Tx) error { _, _, err := tx.Set(key(n), string(value), nil); return err }); err != nil {
			b.Fatal(err)
		}
		if err := writeOurs(n); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		idle, busy := p99(reads, readOurs), p99While(b, reads, readOurs, writeOurs)
		b.ReportMetric(float64(idle.Nanoseconds()), "ns-p99-idle")
		b.ReportMetric(float64(busy.Nanoseconds()), "ns-p99-busy")
		b.ReportMetric(float64(busy)/float64(idle), "times-idle")
		stockIdle, stockBusy := p99(reads/200, readStock), p99While(b, reads/200, readStock, writeStock)
		b.ReportMetric(float64(stockBusy.Nanoseconds()), "ns-p99-stock-busy")
		b.ReportMetric(float64(stockBusy)/float64(stockIdle), "stock-times-idle")
	}
}

// p99 returns the time that 99 of 100 reads stay below.
func p99(reads int, read func(int)) time.Duration {
	took := make([]time.Duration, reads)
	for n := range took {
		took[n] = timed(func() { read(n) })
	}
	slices.Sort(took)
	return took[reads*99/100]
}

// p99While does the same while 8 writers work.
func p99While(b *testing.B, reads int, read func(int), write func(int) error) time.Duration {
	var stop atomic.Bool
	var group sync.WaitGroup
	for writer := range 8 {
		group.Go(func() {
			for n := writer; !stop.Load(); n += 8 {
				if err := write(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	defer group.Wait()
	defer stop.Store(true)
	return p99(reads, read)
}
