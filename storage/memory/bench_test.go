package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidwall/btree"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// BenchmarkAgainstTree compares one record of 300 bytes per transaction with
// a bare tree that keeps each key by itself: writing, reading, and pages of 100.
func BenchmarkAgainstTree(b *testing.B) {
	const records = 100_000
	keys := make([]string, records)
	value := make([]byte, 300)
	tree := new(btree.Map[string, []byte])
	s := memory.New()
	for n := range keys {
		keys[n] = fmt.Sprintf("schedule:%03d:task:%08d", n%100, n)
	}
	ctx := b.Context()
	for _, c := range []struct {
		name       string
		bare, ours func(key string)
	}{
		{"put", func(key string) { tree.Set(key, value) }, func(key string) {
			_ = s.Update(ctx, func(w storage.Writer) error { return w.Put(key, value) })
		}},
		{"get", func(key string) { tree.Get(key) }, func(key string) {
			_ = s.View(ctx, func(r storage.Reader) error { _, err := r.Get(key); return err })
		}},
		{"page", func(key string) {
			n := 0
			tree.Ascend(key, func(string, []byte) bool { n++; return n < 100 })
		}, func(key string) {
			_ = s.View(ctx, func(r storage.Reader) error {
				n := 0
				for range r.Scan("", key) {
					if n++; n == 100 {
						break
					}
				}
				return nil
			})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var bare, ours time.Duration
			n := 0
			for b.Loop() {
				bare += timed(keys, n, c.bare)
				ours += timed(keys, n, c.ours)
				n += 7919
			}
			b.ReportMetric(ours.Seconds()/bare.Seconds(), "times-tree")
			b.ReportMetric(float64(n/7919*burst)/ours.Seconds(), "ops/s")
		})
	}
}

// burst is the number of operations between two looks at the clock.
const burst = 1000

func timed(keys []string, from int, do func(string)) time.Duration {
	start := time.Now()
	for n := range burst {
		do(keys[(from+n*104_729)%len(keys)])
	}
	return time.Since(start)
}
