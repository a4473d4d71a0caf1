package progress

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Curve is how much of a plan is planned, done and still possible until when (S-curve).
type Curve struct {
	Plan    string // its name
	Measure Measure
	Step    Step
	// Baseline reports that what is planned is the baseline of the plan.
	Baseline bool
	// DataDate is until when it is known what was done; zero is not at all.
	DataDate worktime.Time
	// Tasks is how many tasks count.
	Tasks int
	// Points are the periods, in their order; none where no task has a date.
	Points []Point
}

// Point is what comes together by the end of a period, in the unit of the measure. Earliest and
// Latest are what was done, and what still is to be, by the early and the late dates: nil where
// the plan is not scheduled. Actual is nil in periods that begin behind the data date.
type Point struct {
	From, To                 worktime.Time
	Planned                  float64
	Actual, Earliest, Latest *float64
}

// piece is an amount of work from a time to another, spread over the working time between
// them, or at the end where there is none.
type piece struct {
	calendar *worktime.Calendar
	from, to worktime.Time
	amount   float64
}

// ledger is the pieces of a curve.
type ledger []piece

// CurveOf is the curve of a plan.
//
// Errors: ErrMeasure, ErrStep.
func CurveOf(p *dated.Plan, o Options) (*Curve, error) {
	c := &Curve{Plan: p.Name, Measure: cmp.Or(o.Measure, Count), DataDate: known(p)}
	if !slices.Contains(Measures(), c.Measure) {
		return nil, ErrMeasure
	}
	s := &surveyor{plan: p, measure: c.Measure, known: c.DataDate, units: unitsOf(p)}
	for i := range p.Tasks {
		c.Baseline = c.Baseline || p.Tasks[i].Baseline.Finish != 0
		s.scheduled = s.scheduled || p.Tasks[i].EarlyFinish != 0
	}
	s.baseline = c.Baseline
	for i := range p.Tasks {
		if counted(&p.Tasks[i]) {
			c.Tasks++
			s.survey(i)
		}
	}
	var e extent
	for _, l := range []ledger{s.planned, s.actual, s.early, s.late} {
		for _, x := range l {
			e.add(x.from, x.to)
		}
	}
	ends, step, err := periods(e, o.Step)
	if c.Step = step; err != nil {
		return nil, err
	}
	c.fill(s, ends)
	return c, nil
}

// fill finds the points.
func (c *Curve) fill(s *surveyor, ends []worktime.Time) {
	if len(ends) == 0 {
		return
	}
	planned, actual := s.planned.sums(ends), s.actual.sums(ends)
	early, late := s.early.sums(ends), s.late.sums(ends)
	for i, to := range ends[1:] {
		x := Point{From: ends[i], To: to, Planned: planned[i]}
		if c.DataDate != 0 && x.From < c.DataDate {
			x.Actual = &actual[i]
		}
		if s.scheduled {
			x.Earliest, x.Latest = &early[i], &late[i]
		}
		c.Points = append(c.Points, x)
	}
}

// sums are how much there is by the end of each period.
func (l ledger) sums(ends []worktime.Time) []float64 {
	sums := make([]float64, len(ends)-1)
	for _, x := range l {
		all := x.calendar.Between(x.from, x.to)
		before := 0.0
		first, _ := slices.BinarySearch(ends[1:], max(x.from, ends[0]))
		for i := first; i < len(sums); i++ {
			so := x.amount
			if end := ends[i+1]; end < x.to {
				if so = 0; all > 0 {
					so = x.amount * float64(x.calendar.Between(x.from, end)) / float64(all)
				}
			}
			sums[i] += so - before
			if before = so; ends[i+1] >= x.to {
				break
			}
		}
	}
	for i := 1; i < len(sums); i++ {
		sums[i] += sums[i-1]
	}
	return sums
}

// surveyor finds out what of each task is when.
type surveyor struct {
	plan                *dated.Plan
	measure             Measure
	known               worktime.Time
	baseline, scheduled bool
	units               []amounts // by task

	planned, actual, early, late ledger
}

// amounts are how much of a task there is in all, and what of it was done and is still to be.
type amounts struct{ all, done, left float64 }

// unitsOf are the units of resources of each task.
func unitsOf(p *dated.Plan) []amounts {
	all := make([]amounts, len(p.Tasks))
	for _, a := range p.Assignments {
		x := &all[a.Task]
		x.all += a.Units
		x.done += a.Actual
		x.left += a.Remaining
	}
	return all
}

// amounts returns how much of a task there is, is done and is left, in the unit of the
// measure.
func (s *surveyor) amounts(i int) (a amounts) {
	switch t := &s.plan.Tasks[i]; s.measure {
	case Count:
		return amounts{all: 1, done: 1, left: 1} // at its end
	case Duration:
		return amounts{
			all: float64(t.Duration), done: float64(max(t.Duration-t.Remaining, 0)),
			left: float64(t.Remaining),
		}
	}
	return s.units[i]
}

// survey adds a task.
func (s *surveyor) survey(i int) {
	t, a := &s.plan.Tasks[i], s.amounts(i)
	put := func(to *ledger, from, until worktime.Time, amount float64) {
		if until == 0 || amount == 0 {
			return
		}
		if s.measure == Count || from == 0 || from > until {
			from = until
		}
		*to = append(*to, piece{s.plan.CalendarOf(i), from, until, amount})
	}
	switch {
	case !s.baseline:
		put(&s.planned, t.Start, t.Finish, a.all)
	case s.measure == Duration:
		put(&s.planned, t.Baseline.Start, t.Baseline.Finish, float64(t.Baseline.Duration))
	default:
		put(&s.planned, t.Baseline.Start, t.Baseline.Finish, a.all)
	}
	left := a.left
	switch {
	case t.Ended():
		done := cmp.Or(a.done, a.all)
		for _, l := range []*ledger{&s.actual, &s.early, &s.late} {
			put(l, t.ActualStart, t.ActualFinish, done)
		}
		return
	case t.ActualStart != 0 && s.measure != Count:
		for _, l := range []*ledger{&s.actual, &s.early, &s.late} {
			put(l, t.ActualStart, max(s.until(i), t.ActualStart), a.done)
		}
	case t.ActualStart == 0:
		left = a.all
	}
	rest := func(start worktime.Time) worktime.Time {
		if t.ActualStart != 0 {
			return max(start, s.until(i))
		}
		return start
	}
	put(&s.early, rest(t.EarlyStart), t.EarlyFinish, left)
	put(&s.late, rest(t.LateStart), t.LateFinish, left)
}

// until is until when it is known what was done of a task.
func (s *surveyor) until(i int) worktime.Time {
	return cmp.Or(s.plan.ProjectOf(i).DataDate, s.known)
}
