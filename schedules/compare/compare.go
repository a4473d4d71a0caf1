// Package compare reports how a plan differs from its baseline, or from any other plan:
// which tasks start, finish or last differently, and which tasks and links were added or
// removed. It needs no store.
//
//	c := compare.Plans(baseline, plan)
//	for _, t := range c.Tasks {
//		fmt.Println(t.Code, t.Change, t.Variance.Finish)
//	}
//
// # Variances
//
// A variance is what the plan has less what the baseline has, in seconds of working time
// on the task's calendar: it is positive for a later date, a longer duration and more
// float. The end of a day and the beginning of the next are one instant of work, so that
// their variance is zero.
package compare

import (
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Change is what became of a task or a link.
type Change string

// The changes.
const (
	Unchanged Change = "Unchanged"
	Changed   Change = "Changed"
	Added     Change = "Added"
	Removed   Change = "Removed"
)

// Comparison is how a plan differs from a baseline.
type Comparison struct {
	// Tasks lists the tasks of the plan in their order, and behind them the tasks of the
	// baseline that the plan no longer has.
	Tasks []Task
	// Links lists the links in the same way.
	Links  []Link
	Totals Totals
}

// Task is how one differs.
type Task struct {
	ID, Code, Name string // as the plan has them; of one that was removed, the baseline
	Kind           cpm.Kind
	Change         Change
	// Baseline and Plan are where the task was and is; nil where it is not there.
	Baseline, Plan *State
	// Variance is of tasks that are in both and have dates in both.
	Variance *Variance
}

// State is a task in one of the two.
type State struct {
	Start, Finish worktime.Time // zero where it has none
	Duration      int64         // working time in seconds
	TotalFloat    *int64        // in seconds; nil where there is none
	Critical      bool
}

// Variance is by how much a task differs, in seconds of working time.
type Variance struct {
	Start, Finish, Duration int64
	TotalFloat              *int64 // nil where one of the two has none
}

// Link is how one differs.
type Link struct {
	ID string // as the plan has it; of one that was removed, the baseline
	// PredecessorID and SuccessorID are ids as the plan has them, or the baseline;
	// Predecessor and Successor the codes of these tasks.
	PredecessorID, SuccessorID string
	Predecessor, Successor     string
	Change                     Change
	Baseline, Plan             *LinkState // nil where it is not there
}

// LinkState is a link in one of the two.
type LinkState struct {
	Type cpm.LinkType
	// Lag is in seconds, or in percent of the predecessor's duration.
	Lag              int64
	Percent, Elapsed bool
}

// Totals are of all tasks and links. Summaries count for Tasks alone: what became of
// them follows from what is below.
type Totals struct {
	Tasks, Links Counts
	// Later and Earlier are tasks that finish so, Longer and Shorter those that take so
	// much.
	Later, Earlier, Longer, Shorter int
	// BecameCritical and NoLongerCritical are tasks of both plans.
	BecameCritical, NoLongerCritical int
	// Start and Finish are when all of it begins and ends.
	BaselineStart, BaselineFinish worktime.Time
	Start, Finish                 worktime.Time
	// StartVariance and FinishVariance are in seconds of the project's working time.
	StartVariance, FinishVariance int64
}

// Counts are how many there are of each change.
type Counts struct{ Unchanged, Changed, Added, Removed int }

func (c *Counts) add(change Change) {
	switch change {
	case Unchanged:
		c.Unchanged++
	case Changed:
		c.Changed++
	case Added:
		c.Added++
	case Removed:
		c.Removed++
	}
}

// Plans compares a plan with a baseline, which is the plan as it was once, or another
// one. Tasks are found in the baseline as dated.Match says.
func Plans(baseline, plan *dated.Plan) *Comparison {
	c := &comparison{
		baseline: baseline, plan: plan, place: dated.Match(plan, baseline),
		back: make([]int, len(baseline.Tasks)),
	}
	for i := range c.back {
		c.back[i] = dated.None
	}
	for i, at := range c.place {
		if at != dated.None {
			c.back[at] = i
		}
		c.task(i, at)
	}
	for at, i := range c.back {
		if i == dated.None {
			t := &baseline.Tasks[at]
			c.add(Task{ID: t.ID, Code: t.Code, Name: t.Name, Kind: t.Kind, Change: Removed, Baseline: state(t)})
		}
	}
	c.links()
	c.spans()
	return &c.Comparison
}

// comparison is one while it is made.
type comparison struct {
	Comparison
	baseline, plan *dated.Plan
	place          []int // in the baseline of the tasks of the plan
	back           []int // in the plan of the tasks of the baseline
}

func (c *comparison) add(t Task) {
	c.Tasks = append(c.Tasks, t)
	c.Totals.Tasks.add(t.Change)
	if t.Kind == cpm.Summary || t.Variance == nil {
		return
	}
	n := &c.Totals
	tally(t.Variance.Finish, &n.Later, &n.Earlier)
	tally(t.Variance.Duration, &n.Longer, &n.Shorter)
	if t.Plan.Critical != t.Baseline.Critical {
		tally(map[bool]int64{true: 1, false: -1}[t.Plan.Critical], &n.BecameCritical, &n.NoLongerCritical)
	}
}

func tally(n int64, more, less *int) {
	switch {
	case n > 0:
		*more++
	case n < 0:
		*less++
	}
}

// task compares a task of the plan with that at a place of the baseline.
func (c *comparison) task(i, at int) {
	t := &c.plan.Tasks[i]
	row := Task{ID: t.ID, Code: t.Code, Name: t.Name, Kind: t.Kind, Plan: state(t), Change: Added}
	if at == dated.None {
		c.add(row)
		return
	}
	row.Baseline, row.Change = state(&c.baseline.Tasks[at]), Unchanged
	a, b := row.Baseline, row.Plan
	if (a.Start == 0) != (b.Start == 0) {
		row.Change = Changed
	}
	if a.Start != 0 && b.Start != 0 {
		calendar := c.plan.CalendarOf(i)
		row.Variance = &Variance{
			Start: calendar.Between(a.Start, b.Start), Finish: calendar.Between(a.Finish, b.Finish),
			Duration: b.Duration - a.Duration,
		}
		if a.TotalFloat != nil && b.TotalFloat != nil {
			float := *b.TotalFloat - *a.TotalFloat
			row.Variance.TotalFloat = &float
		}
		if row.Variance.moved() {
			row.Change = Changed
		}
	}
	c.add(row)
}

// moved reports whether anything differs.
func (v *Variance) moved() bool {
	return v.Start != 0 || v.Finish != 0 || v.Duration != 0 || v.TotalFloat != nil && *v.TotalFloat != 0
}

func state(t *dated.Task) *State {
	s := &State{Start: t.Start, Finish: t.Finish, Duration: t.Duration, Critical: t.Critical}
	if t.HasFloat {
		float := t.TotalFloat
		s.TotalFloat = &float
	}
	return s
}

// spans returns when all of both plans begins and ends.
func (c *comparison) spans() {
	n := &c.Totals
	n.BaselineStart, n.BaselineFinish = span(c.baseline)
	n.Start, n.Finish = span(c.plan)
	if n.BaselineStart == 0 || n.Start == 0 {
		return
	}
	calendar := worktime.Continuous
	if len(c.plan.Projects) > 0 && c.plan.Projects[0].Calendar != nil {
		calendar = c.plan.Projects[0].Calendar
	}
	n.StartVariance, n.FinishVariance = calendar.Between(n.BaselineStart, n.Start), calendar.Between(n.BaselineFinish,
		n.Finish)
}

func span(p *dated.Plan) (start, finish worktime.Time) {
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.Start != 0 && (start == 0 || t.Start < start) {
			start = t.Start
		}
		finish = max(finish, t.Finish)
	}
	return start, finish
}
