package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Result is what came of a simulation.
type Result struct {
	Runs         int
	Seed         uint64
	Distribution Distribution
	// Planned is when the plan ends if everything takes as long as the plan says.
	Planned worktime.Time
	// Mean is the mean of the finishes, Deviation their standard deviation in seconds of
	// time, nights and weekends included.
	Mean      worktime.Time
	Deviation float64
	// Bins are how many runs ended when, without gaps.
	Bins []Bin
	// Tasks lists the tasks in the order of the plan, without summaries, hammocks and
	// inactive ones.
	Tasks []Task

	finishes []worktime.Time // the earliest first
}

// MostCritical are so many tasks, the most critical first and alike ones in the order of the
// plan.
func (r *Result) MostCritical(most int) []Task {
	all := slices.Clone(r.Tasks)
	slices.SortStableFunc(all, func(a, b Task) int { return cmp.Compare(b.Criticality, a.Criticality) })
	return all[:min(max(most, 0), len(all))]
}

// Percentiles returns the percentiles that reports usually show.
func Percentiles() []float64 { return []float64{10, 50, 80, 90} }

// Bin is how many runs ended behind From and not behind To, and how many not behind To.
type Bin struct {
	From, To         worktime.Time
	Runs, Cumulative int
}

// Earliest and Latest are the first and the last finish of a run; zero where nothing has
// one.
func (r *Result) Earliest() worktime.Time { return r.finishes[0] }

// Latest is the last finish of a run.
func (r *Result) Latest() worktime.Time { return r.finishes[len(r.finishes)-1] }

// Percentile is by when so many percent of the runs had ended: of 50 it is the date that is
// kept as likely as not. It is one of the finishes.
func (r *Result) Percentile(percent float64) worktime.Time {
	at := int(math.Ceil(percent/100*float64(len(r.finishes)))) - 1
	return r.finishes[min(max(at, 0), len(r.finishes)-1)]
}

// Chance is the share of the runs that had ended by a time, from 0 to 1.
func (r *Result) Chance(by worktime.Time) float64 {
	n, _ := slices.BinarySearchFunc(r.finishes, by, func(t, by worktime.Time) int {
		if t <= by {
			return -1
		}
		return 1
	})
	return float64(n) / float64(len(r.finishes))
}

func (s *simulation) summarize(t *tally) *Result {
	o := s.options
	r := &Result{Runs: o.Runs, Seed: o.Seed, Distribution: o.Distribution, Planned: s.planned, finishes: s.finishes}
	slices.Sort(r.finishes)
	r.measure()
	r.count()
	runs := float64(o.Runs)
	for place := range s.plan.Tasks {
		x := &s.plan.Tasks[place]
		if !counted(x) {
			continue
		}
		remaining := s.base[x.Node]
		task := Task{
			Place: place, Criticality: float64(t.critical[x.Node]) / runs,
			Estimate: Estimate{remaining, remaining, remaining}, Mean: float64(remaining),
		}
		if d := s.draw[x.Node]; d >= 0 {
			task.Estimate, task.Mean = s.draws[d].estimate, float64(t.seconds[d])/runs
		}
		r.Tasks = append(r.Tasks, task)
	}
	return r
}

// measure finds the mean and the deviation, from the first finish on: so the sums stay
// small and exact.
func (r *Result) measure() {
	first, sum, squares := r.finishes[0], 0.0, 0.0
	for _, t := range r.finishes {
		sum += float64(t - first)
	}
	mean := sum / float64(len(r.finishes))
	for _, t := range r.finishes {
		d := float64(t-first) - mean
		squares += d * d
	}
	r.Mean = first + worktime.Time(math.Round(mean))
	r.Deviation = math.Sqrt(squares / float64(len(r.finishes)))
}

// widths are how wide bins may be, in seconds: an hour, hours that make up days, days and
// weeks.
var widths = []worktime.Time{
	3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, worktime.Day, 2 * worktime.Day, 7 * worktime.Day,
	14 * worktime.Day, 28 * worktime.Day, 91 * worktime.Day, 364 * worktime.Day,
}

// count fills the bins, of which there are no more than a picture shows. They begin at
// midnight.
func (r *Result) count() {
	first, last := r.Earliest(), r.Latest()
	if first == 0 {
		return
	}
	width := widths[len(widths)-1]
	for _, w := range widths {
		if r.bins(w) <= maxBins {
			width = w
			break
		}
	}
	from := binStart(first, width)
	for ; r.bins(width) > maxBins; from = binStart(first, width) {
		width *= 2
	}
	at := 0
	for ; from < last; from += width {
		b := Bin{From: from, To: from + width}
		for ; at < len(r.finishes) && r.finishes[at] <= b.To; at++ {
			b.Runs++
		}
		b.Cumulative = at
		r.Bins = append(r.Bins, b)
	}
}

// bins is how many bins of a width there would be.
func (r *Result) bins(width worktime.Time) int {
	return int((r.Latest() - binStart(r.Earliest(), width) + width - 1) / width)
}

// binStart is where the bin begins that a time is in: what ends at midnight ends on the day before.
func binStart(t, width worktime.Time) worktime.Time {
	midnight := (t - 1).Midnight()
	if width >= worktime.Day {
		return midnight
	}
	return midnight + (t-1-midnight)/width*width
}
