package planner

import (
	"cmp"
	"encoding/xml"
	"math"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Microsoft Project has no splits of tasks in its files. They follow from the work of the
// assignments, which it has by periods: where there is none for all of them in between,
// the task is split. A task without resources has an assignment without one for that.

// span is from when until when something is.
type span struct{ from, to worktime.Time }

// The types of time-phased data for the work of assignments.
const (
	remainingWork = "1"
	actualWork    = "2"
)

// phases are the periods of an assignment, of which those that follow one another are one.
type phases struct {
	all    []phase
	merged int // how many periods are a part of another
	lost   bool
	work   map[string]int64 // seconds of it in all, by type
}

// phase is a period with work or without.
type phase struct {
	span
	typ    string
	worked bool
}

// maxPhases is how many periods of an assignment are looked at that differ from the one before.
const maxPhases = 10_000

// timephased reads a period. Periods of anything but work are left out.
func (m *mspdi) timephased(e xml.StartElement) error {
	x, err := m.members(nil)
	if err != nil {
		return err
	}
	f := m.fields("period of assignment", x["UID"], x)
	var seconds int64
	one := phase{typ: x["Type"]}
	if one.typ == remainingWork || one.typ == actualWork {
		f.time(&one.from, "Start")
		f.time(&one.to, "Finish")
		f.span(&seconds, "Value")
	}
	one.worked = seconds > 0
	p := &m.phases
	p.add(one.typ, seconds)
	switch last := len(p.all) - 1; {
	case one.typ != remainingWork && one.typ != actualWork || one.to < one.from || one.from == 0:
		m.count(e)
	case last >= 0 && p.all[last].typ == one.typ && p.all[last].worked == one.worked && p.all[last].from <= one.from:
		p.all[last].to = max(p.all[last].to, one.to)
		p.merged++
	case len(p.all) >= maxPhases:
		p.lost = true
	default:
		p.all = append(p.all, one)
	}
	return nil
}

// add adds the work of a period.
func (p *phases) add(typ string, seconds int64) {
	if p.work == nil {
		p.work = make(map[string]int64)
	}
	p.work[typ] += max(seconds, 0)
}

// phase keeps when there is work on the task of the assignment at hand. How much there is
// when is left out.
func (m *mspdi) phase(task string) {
	p, pauses := &m.phases, 0
	slices.SortStableFunc(p.all, func(a, b phase) int { return cmp.Compare(a.from, b.from) })
	var work []span
	for i, one := range p.all {
		switch {
		case !one.worked:
		case i > 0 && p.all[i-1].worked && len(work) > 0:
			work[len(work)-1].to = max(work[len(work)-1].to, one.to)
		default:
			work = append(work, one.span)
		}
	}
	if pauses = len(work) - 1; pauses < 1 {
		p.merged = p.merged + len(p.all)
	}
	if p.lost {
		m.warn("task "+task, "Its splits are left out: the work on it has too many periods.")
		return
	}
	for range p.merged {
		m.count(xml.StartElement{Name: xml.Name{Local: "TimephasedData"}})
	}
	m.phased[task] = append(m.phased[task], work...)
	if len(m.phased[task]) == 0 {
		delete(m.phased, task)
	}
}

// calendarsAlone makes the calendars of a plan without scheduling it, since reading and
// writing splits needs working time and no dates.
func (p *Plan) calendarsAlone() (*calendars, error) {
	s := &Scheduled{Plan: p}
	err := s.makeCalendars()
	return s.calendars, err
}

// worked is the calendar on which the duration of a task is.
func (c *calendars) worked(t *Task) *worktime.Calendar {
	return cmp.Or(c.of(t), c.project[t.ProjectID], c.standard)
}

// splits finds where tasks are split by when there is work on them.
func (m *mspdi) splits() {
	if !slices.ContainsFunc(m.Tasks, func(t Task) bool { return len(m.phased[t.ID]) > 1 }) {
		return
	}
	c, err := m.calendarsAlone()
	if err != nil {
		m.warn("tasks", "Their splits are left out: %v.", err)
		return
	}
	for i := range m.Tasks {
		if t := &m.Tasks[i]; len(m.phased[t.ID]) > 1 && t.Kind == cpm.Work {
			m.split(t, c.worked(t))
		}
	}
}

// split splits a task on its calendar.
func (m *mspdi) split(t *Task, c *worktime.Calendar) {
	work := m.phased[t.ID]
	slices.SortFunc(work, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	start, end, paused := work[0].from, work[0].to, int64(0)
	for _, w := range work[1:] {
		s := cpm.Split{After: c.Between(start, end) - paused, Pause: c.Between(end, w.from)}
		end = max(end, w.to)
		if s.Pause <= 0 || s.After <= 0 {
			continue
		}
		paused += s.Pause
		switch {
		case s.After == t.Duration-t.Remaining && t.interrupted(c): // which says it already
		case s.After >= t.Duration:
			m.warn("task "+t.ID, "There is work on it in several pieces which its duration does not say; the pause "+
				"behind that is left out.")
		case len(t.Splits) > 0 && t.Splits[len(t.Splits)-1].After == s.After:
			t.Splits[len(t.Splits)-1].Pause += s.Pause
		default:
			t.Splits = append(t.Splits, s)
		}
	}
}

// interrupted reports whether work on a task that has begun stops and resumes later.
func (t *Task) interrupted(c *worktime.Calendar) bool {
	return t.Status() == Started && t.Suspend != 0 && c.Between(t.Suspend, t.Resume) > 0
}

// prepareSplits finds which assignments say when there is work on split tasks: those of
// resources that work, and where there are none one without a resource.
func (x *mspdiWriter) prepareSplits() {
	x.splits = make(map[string]bool)
	for i := range x.Tasks {
		if t := &x.Tasks[i]; len(t.Splits) > 0 && t.Kind == cpm.Work {
			x.splits[t.ID] = true
			x.unassigned = append(x.unassigned, t)
		}
	}
	if len(x.splits) == 0 {
		return
	}
	var err error
	if x.calendarsOf, err = x.calendarsAlone(); err != nil {
		x.lose("task", x.unassigned[0].ID, "Its splits are left out, and those of all others: "+err.Error()+".")
		x.unassigned = nil
		clear(x.splits)
		return
	}
	works := make(map[string]bool)
	for i := range x.Assignments {
		works[x.Assignments[i].TaskID] = works[x.Assignments[i].TaskID] || x.works(&x.Assignments[i])
	}
	x.unassigned = slices.DeleteFunc(x.unassigned, func(t *Task) bool { return works[t.ID] })
}

// works reports whether an assignment says when there is work on a split task.
func (x *mspdiWriter) works(a *Assignment) bool {
	return x.splits[a.TaskID] && math.Round(a.Units*worktime.Hour) > 0
}

// writePhases writes when there is work on a split task, of an assignment of so much work in all.
func (x *mspdiWriter) writePhases(t *Task, uid string, work float64) {
	c := x.calendarsOf.worked(t)
	all, done := slices.Clone(t.Splits), int64(0)
	if t.ActualStart != 0 {
		done = min(max(t.Duration-t.Remaining, 0), t.Duration)
	}
	if at, ok := slices.BinarySearchFunc(all, done,
		func(s cpm.Split, at int64) int { return cmp.Compare(s.After, at) }); t.interrupted(c) && !ok {
		all = slices.Insert(all, at, cpm.Split{After: done, Pause: c.Between(t.Suspend, t.Resume)})
	}
	write := func(typ string, from, to worktime.Time, seconds int64) {
		x.print("<TimephasedData>")
		x.element("Type", typ)
		x.element("UID", uid)
		x.element("Start", from.String())
		x.element("Finish", to.String())
		x.element("Unit", "2") // days
		x.element("Value", period(seconds))
		x.print("</TimephasedData>")
	}
	worked, last := int64(0), worktime.Time(0)
	for from, to := range cpm.Segments(c, x.startOf(t), t.Duration, all) {
		typ, pieces := actualWork, []span{{from, to}}
		if last != 0 {
			if worked >= done {
				typ = remainingWork
			}
			write(typ, last, from, 0)
		}
		if takes := c.Between(from, to); worked < done && worked+takes > done {
			at := c.Worked(from) + done - worked
			pieces = []span{{from, c.FinishAt(at)}, {c.StartAt(at), to}}
		}
		for _, p := range pieces {
			if typ = actualWork; worked >= done {
				typ = remainingWork
			}
			takes := c.Between(p.from, p.to)
			write(typ, p.from, p.to, max(int64(math.Round(work*float64(takes)/float64(t.Duration))), 1))
			worked += takes
		}
		last = to
	}
}

// startOf is when a task begins in the file, as far as that says it.
func (x *mspdiWriter) startOf(t *Task) worktime.Time {
	start := worktime.Time(0)
	if len(x.Projects) > 0 {
		start = x.Projects[0].Start
	}
	return cmp.Or(t.ActualStart, t.File.Start, t.File.EarlyStart, start, (&Scheduled{Plan: x.Plan}).earliest())
}

// writeUnassigned writes when there is work on a split task that no resource works on.
func (x *mspdiWriter) writeUnassigned(t *Task) {
	uid := x.assignments.next()
	x.members("Assignment", "", assignmentOrder, values{
		"UID": uid, "TaskUID": x.tasks.of(t.ID), "ResourceUID": unassigned, "Units": "1",
		"Work": period(t.Duration), "ActualWork": period(max(t.Duration-t.Remaining, 0)),
		"RemainingWork": period(t.Remaining),
		"Start":         instant(t.File.Start), "Finish": instant(t.File.Finish),
		"PercentWorkComplete": strconv.Itoa(int(t.Percent)),
	}, map[string]func(){"TimephasedData": func() { x.writePhases(t, uid, float64(t.Duration)) }})
}
