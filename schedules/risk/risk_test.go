package risk_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/risk"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const day = worktime.Day

// begin is a Monday at midnight. Work never stops, so that durations are times.
var begin = worktime.Date(2026, time.January, 5, 0, 0, 0)

// planOf is one of tasks that take so many days, with links from finish to start.
func planOf(days []float64, links ...[2]int) *dated.Plan {
	n := cpm.NewNetwork()
	p := &dated.Plan{Network: n, Options: cpm.Options{Project: cpm.Project{Calendar: worktime.Continuous, Start: begin}}}
	for i, d := range days {
		t := cpm.Task{ID: fmt.Sprint(i), Duration: int64(d * day)}
		p.Tasks = append(p.Tasks, dated.Task{ID: t.ID, Parent: dated.None, Node: n.Add(t), Duration: t.Duration})
	}
	for _, l := range links {
		n.Join(cpm.Link{Predecessor: l[0], Successor: l[1]})
	}
	return p
}

func simulate(t *testing.T, p *dated.Plan, o risk.Options) *risk.Result {
	t.Helper()
	r, err := risk.Simulate(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near fails unless a value is as near to another as the standard error lets it be.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v within %v", what, got, want, within)
	}
}

// TestARowOfTasksEndsAsTheSumOfTheirDurations holds a chain to the mean and the variance of
// a sum of independent variables, and its percentiles to the normal distribution that such a
// sum is close to.
func TestARowOfTasksEndsAsTheSumOfTheirDurations(t *testing.T) {
	t.Parallel()
	const tasks, runs = 30, 20_000
	days, links := make([]float64, tasks), [][2]int{}
	e := risk.Estimate{Optimistic: 8 * day, MostLikely: 10 * day, Pessimistic: 18 * day}
	estimates := map[int]risk.Estimate{}
	for i := range days {
		days[i], estimates[i] = 10, e
		if i > 0 {
			links = append(links, [2]int{i - 1, i})
		}
	}
	variances := map[risk.Distribution]float64{
		// (a² + b² + c² - ab - ac - bc) ÷ 18
		risk.Triangular: (8*8 + 10*10 + 18*18 - 8*10 - 8*18 - 10*18) / 18.0,
		// (mean - a)(b - mean) ÷ 7
		risk.Pert: (11 - 8) * (18 - 11) / 7.0,
	}
	for d, variance := range variances {
		r := simulate(t, planOf(days, links...), risk.Options{Runs: runs, Seed: 1, Distribution: d, Estimates: estimates})
		deviation := math.Sqrt(tasks * variance)
		standardError := deviation / math.Sqrt(runs)
		mean := tasks * d.Mean(e) / day
		near(t, string(d)+" mean", float64(r.Mean-begin)/day, mean, 4*standardError)
		near(t, string(d)+" deviation", r.Deviation/day, deviation, 4*standardError)
		for percent, z := range map[float64]float64{50: 0, 80: 0.8416, 90: 1.2816} {
			near(t, fmt.Sprint(d, " P", percent), float64(r.Percentile(percent)-begin)/day, mean+z*deviation, 0.05*deviation)
		}
		for _, x := range r.Tasks {
			if x.Criticality != 1 {
				t.Errorf("task %d of a row is critical in %v of the runs", x.Place, x.Criticality)
			}
			near(t, "mean of a task", x.Mean/day, d.Mean(e)/day, 4*math.Sqrt(variance/runs))
		}
	}
}

// TestTheLongerOfTwoIsCriticalAsOftenAsItIsLonger has two tasks side by side, and closed
// forms of how often which of them is the longer.
func TestTheLongerOfTwoIsCriticalAsOftenAsItIsLonger(t *testing.T) {
	t.Parallel()
	const runs = 40_000
	symmetric := risk.Estimate{Optimistic: 5 * day, MostLikely: 10 * day, Pessimistic: 15 * day}
	for name, c := range map[string]struct {
		a, b risk.Estimate
		want float64 // how often the first is the longer
	}{
		"alike":       {symmetric, symmetric, 0.5},
		"never":       {symmetric, risk.Estimate{15*day + 1, 15*day + 1, 15*day + 1}, 0},
		"with chance": {symmetric, risk.Estimate{13 * day, 13 * day, 13 * day}, 2 * 2 / 50.0}, // (b-x)² ÷ ((b-a)(b-m))
	} {
		r := simulate(t, planOf([]float64{10, 10}), risk.Options{Runs: runs, Seed: 7, Estimates: map[int]risk.Estimate{0: c.a, 1: c.b}})
		near(t, name, r.Tasks[0].Criticality, c.want, 0.01)
		near(t, name+", the other", r.Tasks[1].Criticality, 1-c.want, 0.01)
	}
}

// TestWhereTwoRowsMeetTheFinishIsLaterThanEitherMean shows what a plan with single durations hides: the
// mean of the later of two is behind both means. Of two that are distributed alike and
// symmetrically it is 7/30 of half the range behind them.
func TestWhereTwoRowsMeetTheFinishIsLaterThanEitherMean(t *testing.T) {
	t.Parallel()
	e := risk.Estimate{Optimistic: 5 * day, MostLikely: 10 * day, Pessimistic: 15 * day}
	r := simulate(t, planOf([]float64{10, 10, 0}, [2]int{0, 2}, [2]int{1, 2}), risk.Options{Runs: 40_000, Estimates: map[int]risk.Estimate{0: e, 1: e}})
	near(t, "mean", float64(r.Mean-begin)/day, 10+5*7/30.0, 0.03)
	near(t, "chance of the plan's own finish", r.Chance(r.Planned), 0.25, 0.01)
	if got := r.Planned; got != begin+10*day {
		t.Errorf("planned for %v", got)
	}
}

func TestTheSameSeedGivesTheSameResultOnAnyNumberOfCores(t *testing.T) {
	t.Parallel()
	p := planOf([]float64{3, 5, 8, 2, 9}, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3}, [2]int{2, 4})
	var first *risk.Result
	for _, workers := range []int{1, 2, 5} {
		r := simulate(t, p, risk.Options{Runs: 501, Seed: 3, Distribution: risk.Pert, Workers: workers})
		if first == nil {
			first = r
		}
		if d := cmp.Diff(first, r, cmp.AllowUnexported(risk.Result{})); d != "" {
			t.Errorf("%d workers: %s", workers, d)
		}
	}
	if r := simulate(t, p, risk.Options{Runs: 501, Seed: 4, Distribution: risk.Pert}); r.Mean == first.Mean {
		t.Error("another seed gives the same")
	}
}

func TestTheBinsHaveEveryRunOnce(t *testing.T) {
	t.Parallel()
	for _, days := range []float64{0.1, 1, 40, 4_000, 400_000 / 10} {
		r := simulate(t, planOf([]float64{days}), risk.Options{Runs: 500, Optimistic: 20, Pessimistic: 300})
		sum := 0
		for i, b := range r.Bins {
			sum += b.Runs
			if b.Cumulative != sum || i > 0 && b.From != r.Bins[i-1].To {
				t.Errorf("%v days: bin %d is %+v", days, i, b)
			}
		}
		if sum != r.Runs || len(r.Bins) > 40 || r.Bins[0].Runs == 0 || r.Bins[len(r.Bins)-1].Runs == 0 {
			t.Errorf("%v days: %d runs in %d bins", days, sum, len(r.Bins))
		}
	}
}

func TestWhatIsDoneOrTakesNoWorkIsCertain(t *testing.T) {
	t.Parallel()
	n := cpm.NewNetwork()
	p := &dated.Plan{Network: n, Options: cpm.Options{Project: cpm.Project{Calendar: worktime.Continuous, Start: begin, DataDate: begin + 4*day}}}
	for _, c := range []cpm.Task{
		{ID: "done", Duration: 2 * day, ActualStart: begin, ActualFinish: begin + 2*day},
		{ID: "begun", Duration: 9 * day, Remaining: 3 * day, ActualStart: begin + 2*day},
		{ID: "key date", Kind: cpm.FinishMilestone},
	} {
		p.Tasks = append(p.Tasks, dated.Task{ID: c.ID, Kind: c.Kind, Parent: dated.None, Node: n.Add(c), Dates: cpm.Dates{Start: begin}})
	}
	n.Join(cpm.Link{Predecessor: 0, Successor: 1})
	n.Join(cpm.Link{Predecessor: 1, Successor: 2})
	r := simulate(t, p, risk.Options{Optimistic: 100, Pessimistic: 200})
	var got []risk.Estimate
	for _, x := range r.Tasks {
		got = append(got, x.Estimate)
	}
	if d := cmp.Diff([]risk.Estimate{{}, {3 * day, 3 * day, 6 * day}, {}}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if r.Planned != begin+7*day || r.Earliest() < begin+7*day || r.Latest() > begin+10*day {
		t.Errorf("planned for %v, from %v to %v", r.Planned, r.Earliest(), r.Latest())
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	t.Parallel()
	p := planOf([]float64{1})
	for name, c := range map[string]struct {
		o    risk.Options
		want error
	}{
		"runs below zero":     {risk.Options{Runs: -1}, risk.ErrRuns},
		"too many runs":       {risk.Options{Runs: risk.MaxRuns + 1}, risk.ErrRuns},
		"no distribution":     {risk.Options{Distribution: "Uniform"}, risk.ErrOptions},
		"no number":           {risk.Options{Optimistic: math.NaN(), Pessimistic: 100}, risk.ErrOptions},
		"an optimist's worst": {risk.Options{Optimistic: 50, Pessimistic: 90}, risk.ErrOptions},
		"no such task":        {risk.Options{Estimates: map[int]risk.Estimate{1: {1, 2, 3}}}, risk.ErrOptions},
		"turned round":        {risk.Options{Estimates: map[int]risk.Estimate{0: {3, 2, 1}}}, risk.ErrOptions},
		"below zero":          {risk.Options{Estimates: map[int]risk.Estimate{0: {-3, 2, 3}}}, risk.ErrOptions},
		"for ever":            {risk.Options{Estimates: map[int]risk.Estimate{0: {1, 2, math.MaxInt64}}}, risk.ErrOptions},
	} {
		if _, err := risk.Simulate(t.Context(), p, c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := risk.Simulate(t.Context(), new(dated.Plan), risk.Options{}); !errors.Is(err, risk.ErrUnscheduled) {
		t.Error(err)
	}
	if most := risk.MostRuns(1_000_000); most != 50 {
		t.Errorf("a million tasks may have %d runs", most)
	}
}

func TestASimulationEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := risk.Simulate(ctx, planOf([]float64{1}), risk.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkSimulate is 10,000 runs of 1,000 tasks with 2,000 links on a calendar with weekends.
func BenchmarkSimulate(b *testing.B) {
	office, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 9 * worktime.Hour, To: 17 * worktime.Hour}})})
	if err != nil {
		b.Fatal(err)
	}
	days, links := make([]float64, 1000), [][2]int{}
	for i := range days {
		days[i] = float64(1 + i%7)
		for _, back := range []int{1 + i%13, 5 + i%31} {
			if i-back >= 0 {
				links = append(links, [2]int{i - back, i})
			}
		}
	}
	p := planOf(days, links...)
	p.Options.Calendar = office
	for _, d := range risk.Distributions() {
		b.Run(string(d), func(b *testing.B) {
			for b.Loop() {
				if _, err := risk.Simulate(b.Context(), p, risk.Options{Runs: 10_000, Distribution: d}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
