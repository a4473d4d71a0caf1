package cpm_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestARepetitionEndsWhereANetworkWithTheDurationsDoes runs random networks of every kind
// with random durations, and holds each run to a network that has them.
func TestARepetitionEndsWhereANetworkWithTheDurationsDoes(t *testing.T) {
	t.Parallel()
	calendars := []*worktime.Calendar{office(t), worktime.Continuous, nil}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		o := cpm.Options{
			Project: cpm.Project{Calendar: calendars[0], Start: begin, DataDate: begin + worktime.Time(r.IntN(3)*86400)},
			Profile: cpm.Profile(r.IntN(2)), Progress: cpm.Progress(r.IntN(3)), Lag: cpm.LagCalendar(r.IntN(5)), Together: r.IntN(2) == 0,
		}
		tasks, build := anyNetwork(r, calendars)
		again, err := cpm.Repeat(build(tasks, begin), o)
		if err != nil {
			t.Fatal(seed, err)
		}
		for run := range 5 {
			remaining, changed := make([]int64, len(tasks)), append([]cpm.Task{}, tasks...)
			for i := range tasks {
				base := again.Remaining(i)
				if base == 0 {
					remaining[i] = 99 // which has no effect
					continue
				}
				remaining[i] = r.Int64N(2*base + 1)
				x := &changed[i]
				x.Duration = max(x.Duration+remaining[i]-base, 0)
				x.Remaining = remaining[i]
			}
			want, err := cpm.Schedule(build(changed, begin), o)
			if err != nil {
				t.Fatal(seed, err)
			}
			again.Run(remaining)
			if got := again.Finish(0); got != want.Finish(0) {
				t.Fatalf("seed %d, run %d: it ends %v, want %v", seed, run, got, want.Finish(0))
			}
			network, longest, got := build(tasks, begin), make([]bool, len(tasks)), append([]bool{}, again.Longest()...)
			for i := range tasks {
				if k := network.Task(i).Kind; k == cpm.Summary || k == cpm.LongHammock || k == cpm.ShortHammock {
					got[i] = false // which Dates do not have
				}
				longest[i] = want.Dates(i).Longest
			}
			if d := cmp.Diff(longest, got); d != "" {
				t.Fatalf("seed %d, run %d: longest path (-want +got)\n%s", seed, run, d)
			}
		}
	}
}

func TestARepetitionAllocatesNothing(t *testing.T) { //nolint:paralleltest // allocations are those of the whole process
	p := newPlan(t).task("a", 2).task("b", 3).task("c", 1).link("a FS b").link("a SS c 1").link("c FF b")
	r, err := cpm.Repeat(p.Network, cpm.Options{Project: cpm.Project{Calendar: office(t), Start: begin}})
	if err != nil {
		t.Fatal(err)
	}
	remaining := []int64{day, day, day}
	if n := testing.AllocsPerRun(50, func() { r.Run(remaining); r.Longest() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWhatCannotBeScheduledIsNotRepeated(t *testing.T) {
	t.Parallel()
	if _, err := cpm.Repeat(cpm.NewNetwork(), cpm.Options{}); !errors.Is(err, cpm.ErrOptions) {
		t.Error(err)
	}
	o := cpm.Options{Project: cpm.Project{Calendar: office(t), Start: begin}}
	if _, err := cpm.Repeat(newPlan(t).task("a", -1).Network, o); !errors.Is(err, cpm.ErrNetwork) {
		t.Error(err)
	}
	var cycle *cpm.CycleError
	if _, err := cpm.Repeat(newPlan(t).task("a", 1).task("b", 1).link("a FS b").link("b FS a").Network, o); !errors.As(err, &cycle) {
		t.Error(err)
	}
}
