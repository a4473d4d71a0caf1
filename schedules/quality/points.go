package quality

import (
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// analysis is a plan while it is judged.
type analysis struct {
	*dated.Plan
	options    Options
	tasks      []int // that count
	incomplete []int
	links      []int // that count
	in, out    []int // how many links lead to tasks and away
}

func newAnalysis(p *dated.Plan, o Options) *analysis {
	a := &analysis{Plan: p, options: o, in: make([]int, len(p.Tasks)), out: make([]int, len(p.Tasks))}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if !active(t) || t.Milestone() && !o.Milestones {
			continue
		}
		a.tasks = append(a.tasks, i)
		if !t.Ended() {
			a.incomplete = append(a.incomplete, i)
		}
	}
	for i := range p.Links {
		l := &p.Links[i]
		predecessor, successor := &p.Tasks[l.Predecessor], &p.Tasks[l.Successor]
		if predecessor.Inactive || successor.Inactive || predecessor.Hammock() || successor.Hammock() {
			continue // it drives nothing
		}
		a.out[l.Predecessor]++
		a.in[l.Successor]++
		if active(predecessor) && active(successor) && !successor.Ended() {
			a.links = append(a.links, i)
		}
	}
	return a
}

// active reports whether a task is work or a milestone that is to be done.
func active(t *dated.Task) bool {
	return !t.Inactive && (t.Kind == cpm.Work || t.Milestone())
}

// The reasons for which points are not applicable.
const (
	noTasks     = "The plan has no incomplete tasks."
	noLinks     = "The plan has no links to incomplete tasks."
	noFloat     = "The plan was not scheduled: no task has float."
	noDataDate  = "The plan has no data date."
	noResources = "The plan has no resources."
	noBaseline  = "The plan has no baseline."
	noTarget    = "It has no must-finish date either."
	nothingDue  = "No task was to end by the data date by its baseline."
	nothingLeft = "The plan ends by its data date."
	noNetwork   = "The plan has no network that could be scheduled."
	noCritical  = "No incomplete task is critical."
)

// share looks at some tasks, and reports how many of them have a fault.
func (a *analysis) share(r *Result, of []int, none string, wrong func(task int) string) error {
	for _, i := range of {
		if detail := wrong(i); detail != "" {
			a.violate(r, i, detail)
		}
	}
	return r.percent(len(r.Violations), len(of), none)
}

// percent sets the value of a share.
func (r *Result) percent(part, whole int, none string) error {
	r.Checked = whole
	if whole == 0 {
		r.Reason = none
		return nil
	}
	r.Value = 100 * float64(part) / float64(whole)
	return nil
}

func (a *analysis) violate(r *Result, task int, detail string) {
	t := &a.Tasks[task]
	r.Violations = append(r.Violations, Violation{TaskID: t.ID, Code: t.Code, Name: t.Name, Detail: detail})
}

// shareOfLinks is share for links.
func (a *analysis) shareOfLinks(r *Result, wrong func(*dated.Link) string) {
	for _, i := range a.links {
		l := &a.Links[i]
		if detail := wrong(l); detail != "" {
			code := a.Tasks[l.Predecessor].Label() + " → " + a.Tasks[l.Successor].Label()
			r.Violations = append(r.Violations, Violation{LinkID: l.ID, Code: code, Detail: detail})
		}
	}
}

func (a *analysis) logic(r *Result) error {
	return a.share(r, a.incomplete, noTasks, func(task int) string {
		switch in, out := a.joined(task, a.in), a.joined(task, a.out); {
		case !in && !out:
			return "It has no predecessor and no successor."
		case !in:
			return "It has no predecessor."
		case !out:
			return "It has no successor."
		}
		return ""
	})
}

// joined reports whether a task, or what it is below, has some of the links.
func (a *analysis) joined(task int, links []int) bool {
	for at := task; at >= 0 && at <= task; at = a.Tasks[at].Parent {
		if links[at] > 0 {
			return true
		}
		task = at - 1 // whatever is above is before it
	}
	return false
}

func (a *analysis) leads(r *Result) error {
	a.shareOfLinks(r, func(l *dated.Link) string {
		if l.Lag < 0 {
			return "Its lag is " + lag(l) + "."
		}
		return ""
	})
	return r.percent(len(r.Violations), len(a.links), noLinks)
}

func (a *analysis) lags(r *Result) error {
	a.shareOfLinks(r, func(l *dated.Link) string {
		if l.Lag > 0 {
			return "Its lag is " + lag(l) + "."
		}
		return ""
	})
	return r.percent(len(r.Violations), len(a.links), noLinks)
}

func lag(l *dated.Link) string {
	if l.Percent {
		return fmt.Sprintf("%d percent", l.Lag)
	}
	return fmt.Sprintf("%d seconds", l.Lag)
}

func (a *analysis) relationshipTypes(r *Result) error {
	a.shareOfLinks(r, func(l *dated.Link) string {
		switch l.Type {
		case cpm.StartToStart:
			return "It is from start to start."
		case cpm.FinishToFinish:
			return "It is from finish to finish."
		case cpm.StartToFinish:
			return "It is from start to finish."
		case cpm.FinishToStart:
		}
		return ""
	})
	return r.percent(len(a.links)-len(r.Violations), len(a.links), noLinks)
}

// hard are the constraints that hold a task back.
var hard = map[cpm.ConstraintType]string{
	cpm.MandatoryStart: "It must start on a date.", cpm.MandatoryFinish: "It must finish on a date.",
	cpm.StartNoLater: "It must start no later than a date.", cpm.FinishNoLater: "It must finish no later than a date.",
	cpm.StartOn: "It is to start on a date.", cpm.FinishOn: "It is to finish on a date.",
}

func (a *analysis) hardConstraints(r *Result) error {
	return a.share(r, a.incomplete, noTasks, func(task int) string {
		for _, c := range a.Tasks[task].Constraints {
			if detail := hard[c.Type]; detail != "" {
				return detail
			}
		}
		return ""
	})
}

// days are working days of a task in seconds.
func (a *analysis) days(task, n int) int64 { return int64(n) * a.CalendarOf(task).Day() }

// inDays is working time in days of a task.
func (a *analysis) inDays(task int, seconds int64) string {
	return fmt.Sprintf("%.4g days", float64(seconds)/float64(a.CalendarOf(task).Day()))
}

// floating are the incomplete tasks that have float.
func (a *analysis) floating() (tasks []int, none string) {
	for _, i := range a.incomplete {
		if a.Tasks[i].HasFloat {
			tasks = append(tasks, i)
		}
	}
	if len(a.incomplete) == 0 {
		return nil, noTasks
	}
	return tasks, noFloat
}

func (a *analysis) highFloat(r *Result) error {
	tasks, none := a.floating()
	return a.share(r, tasks, none, func(task int) string {
		if float := a.Tasks[task].TotalFloat; float > a.days(task, a.options.HighFloat) {
			return "Its total float is " + a.inDays(task, float) + "."
		}
		return ""
	})
}

func (a *analysis) negativeFloat(r *Result) error {
	tasks, none := a.floating()
	return a.share(r, tasks, none, func(task int) string {
		if float := a.Tasks[task].TotalFloat; float < 0 {
			return "Its total float is " + a.inDays(task, float) + "."
		}
		return ""
	})
}

func (a *analysis) highDuration(r *Result) error {
	return a.share(r, a.incomplete, noTasks, func(task int) string {
		t := &a.Tasks[task]
		duration := t.Duration
		if t.Baseline.Start != 0 {
			duration = t.Baseline.Duration
		}
		if duration > a.days(task, a.options.HighDuration) {
			return "It takes " + a.inDays(task, duration) + "."
		}
		return ""
	})
}

func (a *analysis) resources(r *Result) error {
	if !slices.ContainsFunc(a.Tasks, func(t dated.Task) bool { return t.Resources > 0 }) {
		r.Reason = noResources
		return nil
	}
	var tasks []int
	for _, i := range a.incomplete {
		if a.Tasks[i].Duration >= a.days(i, 1) {
			tasks = append(tasks, i)
		}
	}
	return a.share(r, tasks, noTasks, func(task int) string {
		if a.Tasks[task].Resources == 0 {
			return "It has no resource."
		}
		return ""
	})
}
