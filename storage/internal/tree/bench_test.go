package tree_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/tidwall/btree"

	"github.com/seed-933f9a09/twinplatform/storage/internal/tree"
)

// BenchmarkAgainstBTree compares half a million keys in the tree with those in one that keeps
// each key by itself: how long an operation takes in both, and how much memory a key takes.
func BenchmarkAgainstBTree(b *testing.B) {
	const count = 500_000
	for name, key := range map[string]func(i int) string{
		"in order": func(i int) string { return fmt.Sprintf("schedule-sgkc3yjmk4be4zc41/tasks/r/dc4kljhksduf3u6%05x", i) },
		"six runs": func(i int) string {
			return fmt.Sprintf("schedule-sgkc3yjmk4be4zc41/%c/r/dc4kljhksduf3u6%05x", 'a'+i%6, i/6)
		},
		"scattered": func(i int) string {
			return fmt.Sprintf("schedule-sgkc3yjmk4be4zc41/tasks/r/%016x", uint64(i)*0x9e3779b97f4a7c15)
		},
	} {
		b.Run(name, func(b *testing.B) {
			keys := make([]string, count)
			for i := range keys {
				keys[i] = key(i)
			}
			look := rand.Perm(count)
			value := make([]byte, 20)
			for b.Loop() {
				var theirs btree.Map[string, []byte]
				var ours tree.Map
				held := func(fn func()) float64 {
					before := inUse()
					fn()
					return float64(inUse()-before) / count
				}
				b.ReportMetric(held(func() { each(keys, func(k string) { theirs.Set(string([]byte(k)), value) }) }), "btree-B/key")
				b.ReportMetric(held(func() { each(keys, func(k string) { ours.Set(string([]byte(k)), value) }) }), "B/key")
				report(b, "set", took(func() { var m btree.Map[string, []byte]; each(keys, func(k string) { m.Set(k, value) }) }), took(func() { var m tree.Map; each(keys, func(k string) { m.Set(k, value) }) }))
				report(b, "get", took(func() {
					for _, i := range look {
						theirs.Get(keys[i])
					}
				}), took(func() {
					for _, i := range look {
						ours.Get(keys[i])
					}
				}))
				n := 0
				report(b, "scan", took(func() { theirs.Scan(func(k string, _ []byte) bool { n += len(k); return true }) }), took(func() { ours.Scan("", "", func(k string, _ []byte) bool { n -= len(k); return true }) }))
				if n != 0 {
					b.Fatal("the scans differ")
				}
			}
		})
	}
}

func each(keys []string, fn func(string)) {
	for _, key := range keys {
		fn(key)
	}
}

func report(b *testing.B, what string, theirs, ours time.Duration) {
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), what+"-times")
}

func took(fn func()) time.Duration {
	runtime.GC()
	began := time.Now()
	fn()
	return time.Since(began)
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
