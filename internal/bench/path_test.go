package bench_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/bench"
)

// path is a piece of work compared with the least that it could be: the same bytes
// straight to and from the engine, or from a handler that does nothing but answer with
// them.
type path struct {
	name string
	// must is the most that the ratio may be: of the work's time to that of the least.
	must float64
	// size is what is measured, small what the tests run.
	size, small int
	// prepare returns the least and the work, each done n times by a call.
	prepare func(tb testing.TB, size int) (raw, own func(n int) error, n int)
}

var paths = [][]path{enginePaths, serverPaths, deliveryPaths, filePaths}

func TestEveryPathRuns(t *testing.T) {
	t.Parallel()
	for _, area := range paths {
		for _, p := range area {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				raw, own, _ := p.prepare(t, p.small)
				if err := cmp.Or(raw(2), own(2)); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkPaths does each piece of work and the least that it could be alternately. It
// prints how many times longer the work takes by the clock, as the median of five rounds
// with the least and the most among them, and by the time of the processors; how long
// each of both took, in nanoseconds (a page or a batch as a whole); what the ratio must
// not exceed, and whether it does. With -short the pieces are small and one round is
// enough.
func BenchmarkPaths(b *testing.B) {
	for _, area := range paths {
		for _, p := range area {
			b.Run(p.name, func(b *testing.B) {
				size, rounds := p.size, 5
				if testing.Short() {
					size, rounds = p.small, 1
				}
				raw, own, n := p.prepare(b, size)
				if testing.Short() {
					n = min(n, 10)
				}
				times := func(work func(int) error) func() error { return func() error { return work(n) } }
				var c bench.Comparison
				var err error
				for range b.N {
					if c, err = bench.Compare(rounds, times(raw), times(own)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(c.Raw)/float64(n), "raw-ns")
				b.ReportMetric(float64(c.Own)/float64(n), "own-ns")
				b.ReportMetric(c.Wall.Median, "ratio")
				b.ReportMetric(c.Wall.Least, "least")
				b.ReportMetric(c.Wall.Most, "most")
				b.ReportMetric(c.CPU.Median, "cpu-ratio")
				b.ReportMetric(p.must, "must")
				b.ReportMetric(map[bool]float64{true: 1}[c.Wall.Median <= p.must], "reached")
			})
		}
	}
}

// want fails where there is another number than expected.
func want(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("%s: %d, want %d", what, got, want)
	}
	return nil
}
