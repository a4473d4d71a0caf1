package quality

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// dataDate returns the data date of the task's project, zero where it has none.
func (a *analysis) dataDate(task int) worktime.Time { return a.ProjectOf(task).DataDate }

func (a *analysis) invalidDates(r *Result) error {
	var tasks []int
	for _, i := range a.tasks {
		if a.dataDate(i) != 0 && a.Tasks[i].Start != 0 {
			tasks = append(tasks, i)
		}
	}
	return a.share(r, tasks, noDataDate, a.invalidDate)
}

// invalidDate reports which date of a task is on the wrong side of the data date.
func (a *analysis) invalidDate(task int) string {
	t, at, c := &a.Tasks[task], a.dataDate(task), a.CalendarOf(task)
	switch {
	case t.ActualStart > at:
		return fmt.Sprintf("Its actual start, %v, is behind the data date, %v.", t.ActualStart, at)
	case t.ActualFinish > at:
		return fmt.Sprintf("Its actual finish, %v, is behind the data date, %v.", t.ActualFinish, at)
	case t.Ended():
		return ""
	case t.ActualStart == 0 && c.Between(t.Start, at) > 0:
		return fmt.Sprintf("It has not begun, and its start, %v, is before the data date, %v.", t.Start, at)
	case c.Between(t.Finish, at) > 0:
		return fmt.Sprintf("It has not ended, and its finish, %v, is before the data date, %v.", t.Finish, at)
	}
	return ""
}

// due are the tasks that were to end before the data date by their baseline.
func (a *analysis) due() (tasks []int) {
	for _, i := range a.tasks {
		if at, b := a.dataDate(i), &a.Tasks[i].Baseline; at != 0 && b.Finish != 0 && b.Finish <= at {
			tasks = append(tasks, i)
		}
	}
	return tasks
}

// dated reports whether a project has a data date.
func (a *analysis) dated() bool {
	return slices.ContainsFunc(a.Projects, func(p dated.Project) bool { return p.DataDate != 0 })
}

// without is why no task has a baseline.
func (a *analysis) without() string { return cmp.Or(a.options.WithoutBaseline, noBaseline) }

// undue reports why there is nothing that was due.
func (a *analysis) undue() string {
	switch {
	case !a.dated():
		return noDataDate
	case !slices.ContainsFunc(a.Tasks, func(t dated.Task) bool { return t.Baseline.Finish != 0 }):
		return a.without()
	}
	return nothingDue
}

func (a *analysis) missedTasks(r *Result) error {
	return a.share(r, a.due(), a.undue(), func(task int) string {
		t := &a.Tasks[task]
		if late := a.CalendarOf(task).Between(t.Baseline.Finish, t.Finish); late > 0 {
			return "It finishes " + a.inDays(task, late) + " later than in the baseline."
		}
		return ""
	})
}

func (a *analysis) baselineExecution(r *Result) error {
	due := a.due()
	if r.Checked = len(due); len(due) == 0 {
		r.Reason = a.undue()
		return nil
	}
	ended := 0
	for _, i := range a.tasks {
		if at := a.dataDate(i); a.Tasks[i].Ended() && at != 0 {
			ended++
		}
	}
	for _, i := range due {
		if t := &a.Tasks[i]; !t.Ended() {
			a.violate(r, i, fmt.Sprintf("It was to finish on %v by the baseline.", t.Baseline.Finish))
		}
	}
	r.Value = float64(ended) / float64(len(due))
	return nil
}

// ends are when a project will have ended, and when it was to by its baseline.
type ends struct{ finish, baseline worktime.Time }

func (a *analysis) criticalPathLength(r *Result) error {
	projects := make([]ends, len(a.Projects))
	for i := range a.Tasks {
		t := &a.Tasks[i]
		if !active(t) || t.Project < 0 || t.Project >= len(projects) {
			continue
		}
		p := &projects[t.Project]
		p.finish, p.baseline = max(p.finish, t.Finish), max(p.baseline, t.Baseline.Finish)
	}
	for i, p := range a.Projects {
		if index, ok := lengthIndex(p, projects[i]); ok && (r.Checked == 0 || index < r.Value) {
			r.Value = index
			r.Checked++
		}
	}
	if r.Checked == 0 {
		r.Reason = a.endless(projects)
	}
	return nil
}

// endless reports why there is no index of any project.
func (a *analysis) endless(projects []ends) string {
	for i, p := range a.Projects {
		if p.DataDate != 0 && (p.MustFinish != 0 || projects[i].baseline != 0) {
			return nothingLeft
		}
	}
	if a.dated() {
		return a.without() + " " + noTarget
	}
	return noDataDate
}

// lengthIndex is the index of a project, if it is known.
func lengthIndex(p dated.Project, at ends) (float64, bool) {
	target := p.MustFinish
	if target == 0 {
		target = at.baseline
	}
	c := p.Calendar
	if c == nil {
		c = worktime.Continuous
	}
	if p.DataDate == 0 || target == 0 {
		return 0, false
	}
	length := c.Between(p.DataDate, at.finish)
	if length <= 0 {
		return 0, false
	}
	return float64(length+c.Between(at.finish, target)) / float64(length), true
}

// criticalPathTest delays the critical task that begins first.
func (a *analysis) criticalPathTest(r *Result) error {
	if a.Network == nil {
		r.Reason = noNetwork
		return nil
	}
	task := dated.None
	for _, i := range a.incomplete {
		t := &a.Tasks[i]
		if t.Critical && t.Kind == cpm.Work && t.Duration > 0 && (task == dated.None || t.Start < a.Tasks[task].Start) {
			task = i
		}
	}
	if task == dated.None {
		r.Reason = noCritical
		return nil
	}
	r.Checked = 1
	share, err := a.delayed(task)
	if err != nil {
		return err
	}
	r.Value = share
	if share < r.Threshold {
		a.violate(r, task, fmt.Sprintf("It is critical, and when it takes %d days more, the project ends later by "+
			"%.0f percent of that.", a.options.Delay, 100*share))
	}
	return nil
}

// delayed is by how much a project ends later when a task does, as a share of how much
// later that does.
func (a *analysis) delayed(task int) (float64, error) {
	node := a.Tasks[task].Node
	longer := a.Network.Task(node)
	delay := a.days(task, a.options.Delay)
	longer.Duration += delay
	longer.Remaining += delay
	before, err := cpm.Schedule(a.Network, a.Options)
	if err != nil {
		return 0, err
	}
	after, err := cpm.Schedule(a.Network.With(node, longer), a.Options)
	if err != nil {
		return 0, err
	}
	by := after.Dates(node).Finish - before.Dates(node).Finish
	if by <= 0 { // a date holds it
		return 0, nil
	}
	return float64(after.Finish(longer.Project)-before.Finish(longer.Project)) / float64(by), nil
}
