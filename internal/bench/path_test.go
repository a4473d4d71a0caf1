package bench_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/bench"
)

// path is a piece of work compared with the least that it could be: the same bytes
// straight to and from the engine, or from a handler that does nothing but answer with
// them.
type path struct {
	name string
	must must
	// size is what is measured, small what the tests run.
	size, small int
	// batch reports that each call does as many as the size is.
	batch bool
	// prepare returns the least and the work, each done n times by a call.
	prepare func(tb testing.TB, size int) (raw, own func(n int) error, n int)
	// prepareAsked is prepare where the work is asked for by more than a number: ask makes the
	// requests for the next call of own, and is not measured. A path has one of both.
	prepareAsked func(tb testing.TB, size int) (raw, own func(n int) error, ask func(n int), n int)
}

// ready is what a path prepares; own is to be called behind ask, with the same number.
func (p *path) ready(tb testing.TB, size int) (raw, own func(n int) error, ask func(n int), n int) {
	tb.Helper()
	if p.prepareAsked != nil {
		return p.prepareAsked(tb, size)
	}
	raw, own, n = p.prepare(tb, size)
	return raw, own, func(int) {}, n
}

// must is the most that a path may take; 0 is any.
type must struct {
	cpu, wall float64 // times what the least takes
	micros    float64 // of the processors, for each that is done
	allocs    float64 // objects, likewise
}

func paths() [][]path { return [][]path{enginePaths, serverPaths(), deliveryPaths, filePaths} }

func TestEveryPathRuns(t *testing.T) {
	t.Parallel()
	for _, area := range paths() {
		for _, p := range area {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				raw, own, ask, _ := p.ready(t, p.small)
				ask(2)
				if err := cmp.Or(raw(2), own(2)); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

var before = flag.String("before", "", "test binary of an earlier commit (go test -c), whose work takes turns with this one's in BenchmarkPaths")

// BenchmarkPaths does each piece of work and the least that it could be alternately, eleven
// rounds of each, and prints a table in Markdown: what must hold; how many times more
// time the work takes, of the server's processors or, where that is what must hold, by the clock,
// as the median and the range of the rounds without the two least and the two most; the
// microseconds of processor and the objects of each; and whether the whole range holds. With
// -before it prints too how many times more processor time the work takes than that of an
// earlier commit. With -short the pieces are small and one round is enough.
func BenchmarkPaths(b *testing.B) {
	table := "| | must | ratio | range | µs | bare µs | objects | bare objects | reached |" + aside("to before |") + "\n" +
		"|---|---|---|---|---|---|---|---|---|" + aside("---|") + "\n"
	for _, area := range paths() {
		for _, p := range area {
			b.Run(p.name, func(b *testing.B) {
				for range b.N {
					table += p.measure(b)
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
	fmt.Println(table)
}

// aside is a column that is there with -before alone.
func aside(column string) string {
	if *before == "" {
		return ""
	}
	return " " + column
}

// measure measures a path, and returns its line of the table.
func (p *path) measure(b *testing.B) string {
	b.Helper()
	size, rounds := p.size, 11
	if testing.Short() {
		size, rounds = p.small, 1
	}
	raw, own, ask, n := p.ready(b, size)
	if testing.Short() {
		n = min(n, 10)
	}
	works := []func() (bench.Cost, error){
		func() (bench.Cost, error) { return bench.Measure(func() error { return raw(n) }) },
		func() (bench.Cost, error) {
			ask(n)
			return bench.Measure(func() error { return own(n) })
		},
	}
	if *before != "" {
		works = append(works, byChild(b, *before, p.name, size, n), byChild(b, os.Args[0], p.name, size, n))
	}
	costs, err := bench.Compare(rounds, works...)
	if err != nil {
		b.Fatal(err)
	}
	if p.batch {
		n *= size
	}
	bare, ours := costs[0], costs[1]
	of := bench.CPU
	if p.must.wall > 0 {
		of = bench.Wall
	}
	ratio, micros, objects := ours.Times(bare, of), ours.Each(bench.CPU, 1_000*n), ours.Each(bench.Allocs, n)
	reached := p.must.reached(ours.Times(bare, bench.CPU), ours.Times(bare, bench.Wall), micros, objects)
	for unit, value := range map[string]float64{
		"ratio": ratio.Median, "least": ratio.Least, "most": ratio.Most, "us": micros.Median, "objects": objects.Median,
		"reached": map[bool]float64{true: 1}[reached],
	} {
		b.ReportMetric(value, unit)
	}
	line := fmt.Sprintf("| %s | %s | %.3g | %.3g–%.3g | %s | %s | %s | %s | %s |", strings.ReplaceAll(p.name, "-", " "), p.must,
		ratio.Median, ratio.Least, ratio.Most, figure(micros), figure(bare.Each(bench.CPU, 1_000*n)), figure(objects), figure(bare.Each(bench.Allocs, n)),
		map[bool]string{true: "yes", false: "no"}[reached])
	if *before != "" {
		toBefore := costs[3].Times(costs[2], bench.CPU)
		line += fmt.Sprintf(" %.3g (%.3g–%.3g) |", toBefore.Median, toBefore.Least, toBefore.Most)
	}
	return line + "\n"
}

// figure is a median with three figures, or as many as it has before its point.
func figure(s bench.Spread) string {
	if s.Median >= 1_000 {
		return strconv.FormatFloat(s.Median, 'f', 0, 64)
	}
	return strconv.FormatFloat(s.Median, 'g', 3, 64)
}

// reached reports whether the whole range of what is held to a bound is within it.
func (m must) reached(cpu, wall, micros, allocs bench.Spread) bool {
	for _, c := range []struct {
		must float64
		is   bench.Spread
	}{{m.cpu, cpu}, {m.wall, wall}, {m.micros, micros}, {m.allocs, allocs}} {
		if c.must > 0 && c.is.Most > c.must {
			return false
		}
	}
	return true
}

func (m must) String() string {
	var all []string
	for _, c := range []struct {
		must float64
		unit string
	}{{m.cpu, ""}, {m.wall, " of the time"}, {m.micros, " µs"}, {m.allocs, " objects"}} {
		if c.must > 0 {
			all = append(all, fmt.Sprintf("%.3g%s", c.must, c.unit))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "–")
}

// want fails where there is another number than expected.
func want(what string, got, want int) error {
	if got != want {
		return fmt.Errorf("%s: %d, want %d", what, got, want)
	}
	return nil
}

// TestMain also runs what benchmarks have done by other processes of this binary, so that it
// does not count as theirs: see child.
func TestMain(m *testing.M) {
	switch os.Getenv(childIs) {
	case childSends:
		os.Exit(sendAsAsked(os.Stdin, os.Stdout))
	case childWorks:
		os.Exit(workAsAsked(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}
