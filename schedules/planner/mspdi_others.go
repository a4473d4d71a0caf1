package planner

import (
	"cmp"
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Other programs write files of Microsoft Project with less in them than it writes itself, or
// with the same in another place. What follows from the rest of such a file is found here.

// others are the tasks of a file of which something follows from the rest.
type others struct {
	above   []outlined      // the last task and what it is below, the highest first
	spanned map[string]bool // those without a duration, and whether they say what remains of it
	claimed map[string]bool // those with an actual finish that are not all done, and whether they say how much is
}

// leaves takes up what a task leaves open, before that is taken from its members.
func (m *mspdi) leaves(id string, x members) {
	if x["Duration"] == "" {
		m.spanned[id] = x["RemainingDuration"] != ""
	}
	percent := x["PercentComplete"]
	if n, _, ok := m.notation.parse(percent); x["ActualFinish"] != "" && (percent == "" || ok && n < 100) {
		m.claimed[id] = percent != ""
	}
}

// outlined is a task by its level of the outline.
type outlined struct {
	level int
	id    string
}

// parent is what a task of a level is below: the last one before it whose level is lower. So the
// lowest level is the top: Microsoft Project counts from 1, TaskJuggler from 0.
func (m *mspdi) parent(level int, id string) (parent string) {
	last := len(m.above) - 1
	for last >= 0 && m.above[last].level >= level {
		last--
	}
	if last >= 0 {
		parent = m.above[last].id
	}
	m.above = append(m.above[:last+1], outlined{level, id})
	return parent
}

// complete finds what the tasks leave open: their durations, and what of them is not done although
// the file says when it was.
func (m *mspdi) complete(today worktime.Time) {
	m.takeSpans()
	m.takeClaims(today)
}

// takeSpans gives tasks without a duration the working time between their start and their finish.
func (m *mspdi) takeSpans() {
	if len(m.spanned) == 0 {
		return
	}
	c, err := m.calendarsAlone()
	if err != nil {
		m.warn("tasks", "Those without a duration take none: %v.", err)
		return
	}
	n := 0
	for i := range m.Tasks {
		t := &m.Tasks[i]
		remains, spanned := m.spanned[t.ID]
		start, finish := t.File.Start, t.File.Finish
		if !spanned || start == 0 || finish <= start || t.Kind != cpm.Work && t.Kind != cpm.Summary {
			continue
		}
		t.Duration = c.worked(t).Between(start, finish)
		if t.Planned = t.Duration; !remains {
			t.Remaining = t.left()
		}
		n++
	}
	if n > 0 {
		m.warn("tasks", "%d have no duration: they take the working time between their start and their finish.", n)
	}
}

// left is what of a task remains by its percent complete.
func (t *Task) left() int64 {
	switch {
	case t.ActualFinish != 0:
		return 0
	case t.ActualStart == 0:
		return t.Duration
	default:
		return int64(math.Round(float64(t.Duration) * (100 - t.Percent) / 100))
	}
}

// takeClaims takes an actual finish for a planned one where the file says that less than all of the task is
// done, or does not say it and the finish is not before today: the status date, or else when the file
// was current. TaskJuggler gives all tasks actual dates. Nor has a task begun then of which nothing is done.
func (m *mspdi) takeClaims(today worktime.Time) {
	n := 0
	for i := range m.Tasks {
		t := &m.Tasks[i]
		says, claimed := m.claimed[t.ID]
		if !claimed || !says && (today == 0 || t.ActualFinish < today) {
			continue
		}
		t.File.Finish = cmp.Or(t.File.Finish, t.ActualFinish)
		if t.ActualFinish = 0; t.Percent == 0 {
			t.File.Start = cmp.Or(t.File.Start, t.ActualStart)
			t.ActualStart = 0
		}
		if t.Remaining == 0 {
			t.Remaining = t.left()
		}
		n++
	}
	if n > 0 {
		m.warn("tasks", "%d have an actual finish and are not all done: it is a planned one.", n)
	}
}

// works finds the work of an assignment: what the file has of it, else what its periods have.
// What remains is what is not done, unless the file says it.
func (m *mspdi) works(f *fields, a *Assignment) {
	done, left := float64(m.phases.work[actualWork])/worktime.Hour, float64(m.phases.work[remainingWork])/worktime.Hour
	a.ActualUnits = done
	f.work(&a.ActualUnits, "ActualWork")
	a.Units = a.ActualUnits + left
	f.work(&a.Units, "Work")
	a.RemainingUnits = max(a.Units-a.ActualUnits, 0)
	f.work(&a.RemainingUnits, "RemainingWork")
}
