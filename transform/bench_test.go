package transform_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// BenchmarkTransformation runs a configuration of 10,000 elements for the first time, or
// of as many times that as TRANSFORM_SCALE says: 100 makes a million. It reports how long
// one transaction held the writer at most, and how much one has written, which is what a
// run has in memory in addition to the store.
func BenchmarkTransformation(b *testing.B) {
	scale, _ := strconv.Atoi(os.Getenv("TRANSFORM_SCALE"))
	elements := 10_000 * max(scale, 1)
	m := &measured{}
	for b.Loop() {
		b.StopTimer()
		m.Store = memory.New()
		conf := manyWalls(b, m.Store, elements, nil)
		b.StartTimer()
		runAll(b, m, conf, elements)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(elements), "ns/element")
	b.ReportMetric(float64(m.held)/1e6, "held-ms")
	b.ReportMetric(float64(m.bytes)/1e3, "kB/transaction")
}
