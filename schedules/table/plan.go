package table

import (
	"cmp"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// kinds are the types of tasks in words.
var kinds = map[cpm.Kind]string{
	cpm.Work: "task", cpm.StartMilestone: "start milestone", cpm.FinishMilestone: "finish milestone",
	cpm.LongHammock: "hammock", cpm.ShortHammock: "hammock", cpm.Summary: "summary",
}

// task is one of a plan, where its outline has it.
type task struct {
	plan *dated.Plan
	*dated.Task

	place, level int
	day          int64 // working time of a day of its calendar
}

var taskColumns = []column[task]{
	{"Code", 14, func(t task) cell { return textOf(t.plan.Label(t.place)) }},
	{"Name", 48, func(t task) cell { return textOf(t.Name) }},
	{"Level", 7, func(t task) cell {
		return rounded(float64(t.level + 1)) // 1 is the top, as Microsoft Project counts
	}},
	{"Summary", 10, func(t task) cell { return yesOf(t.Kind == cpm.Summary) }},
	{"Type", 16, func(t task) cell { return wordOf(kinds[t.Kind]) }},
	{"Start", 17, func(t task) cell { return timeOf(t.Start) }},
	{"Finish", 17, func(t task) cell { return timeOf(t.Finish) }},
	{"Duration (days)", 16, func(t task) cell { return daysOf(t.Duration, t.day) }},
	{"Remaining (days)", 17, func(t task) cell { return daysOf(t.Remaining, t.day) }},
	{"Total float (days)", 18, func(t task) cell { return t.float(t.TotalFloat) }},
	{"Free float (days)", 17, func(t task) cell { return t.float(t.FreeFloat) }},
	{"Critical", 9, func(t task) cell { return yesOf(t.Critical) }},
	{"Longest path", 13, func(t task) cell { return yesOf(t.Longest) }},
	{"Actual start", 17, func(t task) cell { return timeOf(t.ActualStart) }},
	{"Actual finish", 17, func(t task) cell { return timeOf(t.ActualFinish) }},
	{"Early start", 17, func(t task) cell { return timeOf(t.EarlyStart) }},
	{"Early finish", 17, func(t task) cell { return timeOf(t.EarlyFinish) }},
	{"Late start", 17, func(t task) cell { return timeOf(t.LateStart) }},
	{"Late finish", 17, func(t task) cell { return timeOf(t.LateFinish) }},
	{"Baseline start", 17, func(t task) cell { return timeOf(t.Baseline.Start) }},
	{"Baseline finish", 17, func(t task) cell { return timeOf(t.Baseline.Finish) }},
	{"Deadline", 17, func(t task) cell { return timeOf(t.Deadline) }},
	{"Inactive", 10, func(t task) cell { return yesOf(t.Inactive) }},
	{"Project", 24, func(t task) cell { return textOf(t.project()) }},
	{"ID", 24, func(t task) cell { return textOf(t.ID) }},
}

// float is empty of a task that has none, as one that has ended.
func (t task) float(seconds int64) cell {
	if !t.HasFloat || t.Ended() {
		return cell{}
	}
	return daysOf(seconds, t.day)
}

func (t task) project() string {
	p := t.plan.ProjectOf(t.place)
	for _, name := range []string{p.Name, p.Code, p.ID} {
		if name != "" {
			return name
		}
	}
	return t.plan.Name
}

// Tasks is the tasks of a plan as its outline has them, each above those that are below it.
func Tasks(p *dated.Plan) *Table {
	return build("Tasks", taskColumns, func(yield func(task) bool) {
		for place, level := range outline(p) {
			if !yield(task{p, &p.Tasks[place], place, level, p.CalendarOf(place).Day()}) {
				return
			}
		}
	})
}

// outline is the places and the levels of tasks from top to bottom: those below one in the order of the plan, or by
// their starts where no one has put them into an order.
func outline(p *dated.Plan) iter.Seq2[int, int] {
	below := make([][]int, len(p.Tasks))
	var top []int
	for i := range p.Tasks {
		if at := p.Tasks[i].Parent; at >= 0 && at < i {
			below[at] = append(below[at], i)
		} else {
			top = append(top, i)
		}
	}
	for _, all := range append(below, top) {
		if slices.ContainsFunc(all, func(i int) bool { return p.Tasks[i].Unplaced }) {
			slices.SortStableFunc(all, func(a, b int) int { return byStart(&p.Tasks[a], &p.Tasks[b]) })
		}
	}
	return func(yield func(int, int) bool) {
		for stack := [][]int{top}; len(stack) > 0; {
			last := &stack[len(stack)-1]
			if len(*last) == 0 {
				stack = stack[:len(stack)-1]
				continue
			}
			at := (*last)[0]
			if *last = (*last)[1:]; !yield(at, len(stack)-1) {
				return
			}
			stack = append(stack, below[at])
		}
	}
}

// byStart puts tasks without dates last.
func byStart(a, b *dated.Task) int {
	if (a.Start == 0) != (b.Start == 0) {
		return cmp.Compare(b.Start, a.Start)
	}
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Finish, b.Finish))
}

// link is one of a plan.
type link struct {
	plan *dated.Plan
	*dated.Link
}

var linkColumns = []column[link]{
	{"Predecessor", 14, func(l link) cell { return textOf(l.plan.Label(l.Predecessor)) }},
	{"Predecessor name", 40, func(l link) cell { return textOf(l.plan.Tasks[l.Predecessor].Name) }},
	{"Successor", 14, func(l link) cell { return textOf(l.plan.Label(l.Successor)) }},
	{"Successor name", 40, func(l link) cell { return textOf(l.plan.Tasks[l.Successor].Name) }},
	{"Type", 6, func(l link) cell { return wordOf(compare.TypeName(l.Type)) }},
	{"Lag", 8, func(l link) cell { return lagOf(l.Lag, l.Percent, l.Elapsed, l.day()) }},
	{"Lag in", 24, func(l link) cell { return lagUnit(l.Lag, l.Percent, l.Elapsed) }},
	{"Float (days)", 13, func(l link) cell { return daysOf(l.Float, l.day()) }},
	{"Driving", 9, func(l link) cell { return yesOf(l.Driving) }},
	{"ID", 24, func(l link) cell { return textOf(l.ID) }},
}

func (l link) day() int64 { return l.plan.CalendarOf(l.Predecessor).Day() }

// lagOf is a lag in what lagUnit says.
func lagOf(lag int64, percent, elapsed bool, day int64) cell {
	switch {
	case percent:
		return rounded(float64(lag))
	case elapsed:
		return daysOf(lag, elapsedDay)
	}
	return daysOf(lag, day)
}

const elapsedDay = 86_400 // seconds

func lagUnit(lag int64, percent, elapsed bool) cell {
	switch {
	case lag == 0:
		return cell{}
	case percent:
		return wordOf("% of the predecessor")
	case elapsed:
		return wordOf("days of 24 hours")
	}
	return wordOf("working days")
}

// Links is the links of a plan. Working days of a lag are of the calendar of its predecessor.
func Links(p *dated.Plan) *Table {
	return build("Links", linkColumns, func(yield func(link) bool) {
		for i := range p.Links {
			if !yield(link{p, &p.Links[i]}) {
				return
			}
		}
	})
}

// use is a resource with what all its tasks take of it.
type use struct {
	*dated.Resource

	tasks                    int
	units, actual, remaining float64
}

var resourceColumns = []column[use]{
	{"Code", 14, func(u use) cell { return textOf(u.Code) }},
	{"Name", 40, func(u use) cell { return textOf(u.Name) }},
	{"Unit", 10, func(u use) cell { return textOf(u.Unit) }},
	{"Limit", 9, func(u use) cell { return limitOf(u.Resource) }},
	{"Tasks", 8, func(u use) cell { return rounded(float64(u.tasks)) }},
	{"Planned units", 14, func(u use) cell { return rounded(u.units) }},
	{"Actual units", 14, func(u use) cell { return rounded(u.actual) }},
	{"Remaining units", 16, func(u use) cell { return rounded(u.remaining) }},
	{"ID", 24, func(u use) cell { return textOf(u.ID) }},
}

// limitOf is how many there are of a resource, empty where that is not known.
func limitOf(r *dated.Resource) cell {
	if r.Limit == nil {
		return cell{}
	}
	return rounded(*r.Limit)
}

// assignment is one of a plan.
type assignment struct {
	plan *dated.Plan
	*dated.Assignment
}

func (a assignment) resource() *dated.Resource { return &a.plan.Resources[a.Resource] }

func (a assignment) task() *dated.Task { return &a.plan.Tasks[a.Task] }

var assignmentColumns = []column[assignment]{
	{"Resource", 14, func(a assignment) cell { return textOf(a.resource().Code) }},
	{"Resource name", 40, func(a assignment) cell { return textOf(a.resource().Name) }},
	{"Task", 14, func(a assignment) cell { return textOf(a.plan.Label(a.Task)) }},
	{"Task name", 40, func(a assignment) cell { return textOf(a.task().Name) }},
	{"Start", 17, func(a assignment) cell { return timeOf(a.task().Start) }},
	{"Finish", 17, func(a assignment) cell { return timeOf(a.task().Finish) }},
	{"At a time", 11, func(a assignment) cell { return rounded(a.AtOnce) }},
	{"Planned units", 14, func(a assignment) cell { return rounded(a.Units) }},
	{"Actual units", 14, func(a assignment) cell { return rounded(a.Actual) }},
	{"Remaining units", 16, func(a assignment) cell { return rounded(a.Remaining) }},
	{"Unit", 10, func(a assignment) cell { return textOf(a.resource().Unit) }},
}

// Resources is the resources of a plan, and what its tasks take of each in all.
func Resources(p *dated.Plan) *Table {
	all := make([]use, len(p.Resources))
	for i := range p.Resources {
		all[i].Resource = &p.Resources[i]
	}
	for _, a := range p.Assignments {
		u := &all[a.Resource]
		u.tasks, u.units, u.actual, u.remaining = u.tasks+1, u.units+a.Units, u.actual+a.Actual, u.remaining+a.Remaining
	}
	return build("Resources", resourceColumns, slices.Values(all))
}

// Assignments is which task of a plan takes how much of which resource.
func Assignments(p *dated.Plan) *Table {
	return build("Assignments", assignmentColumns, func(yield func(assignment) bool) {
		for i := range p.Assignments {
			if !yield(assignment{p, &p.Assignments[i]}) {
				return
			}
		}
	})
}
