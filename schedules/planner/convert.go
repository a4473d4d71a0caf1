package planner

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// hold is what keeps a task of P6 at its dates in Microsoft Project, which schedules from
// the start of the project on, whatever the data date is.
type hold struct {
	// start is when it begins at the earliest, where no link sets it; zero is whenever its
	// links and its constraint do.
	start worktime.Time
	// stop and resume are between what is done of it and what remains; zero is wherever the
	// task has them.
	stop, resume worktime.Time
}

// holds returns, by the id of the task, what keeps a task at the dates of P6 where
// Microsoft Project would move it: a constraint for one that has not begun, a split for one
// that has. Microsoft Project makes the same constraints and splits when a user reschedules
// uncompleted work behind the status date.
func (s *Scheduled) holds() map[string]hold {
	p, all := s.Plan, make(map[string]hold)
	projects, driven := make(map[string]string), s.driven()
	for i := range p.Projects {
		projects[p.Projects[i].ID] = p.Projects[i].CalendarID
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.Kind == cpm.Summary || t.Kind == cpm.LongHammock || t.Kind == cpm.ShortHammock {
			continue
		}
		var h hold
		switch c, d := s.calendarOf(i, projects), s.Dates(i); t.Status() {
		case Planned:
			if !driven[i] && t.heldBefore(c, d.EarlyStart, s.options.Start) {
				h.start = d.EarlyStart
			}
		case Started:
			h.stop, h.resume = t.split(c, d)
		}
		if h != (hold{}) {
			all[t.ID] = h
		}
	}
	return all
}

// driven reports of each task whether a link puts it where it is of which the predecessor
// has not begun. What has begun or ended does not move any more.
func (s *Scheduled) driven() []bool {
	p := s.Plan
	place, driven := index(p.Tasks, func(t *Task) string { return t.ID }), make([]bool, len(p.Tasks))
	for i := range p.Links {
		l := &p.Links[i]
		if p.Tasks[place[l.PredecessorID]].Status() == Planned && s.Link(i).Driving {
			driven[place[l.SuccessorID]] = true
		}
	}
	return driven
}

// heldBefore reports whether Microsoft Project would let a task begin before P6 does, and
// its one constraint can be what holds it.
func (t *Task) heldBefore(c *worktime.Calendar, start, project worktime.Time) bool {
	if start == 0 || c.Worked(start) <= c.Worked(project) {
		return false
	}
	if len(t.Constraints) == 0 {
		return true
	}
	first := t.Constraints[0]
	return (first.Type == cpm.StartNoEarlier || first.Type == cpm.StartOn) && c.Worked(first.Date) < c.Worked(start)
}

// split reports when work on a task that has begun stops and resumes so that it ends as P6
// has it; zero where it does so already, or where more was done of it than there was time.
func (t *Task) split(c *worktime.Calendar, d cpm.Dates) (stop, resume worktime.Time) {
	if t.Kind != cpm.Work {
		return 0, 0
	}
	takes := t.Duration
	if t.Suspend != 0 && t.Resume > t.ActualStart && c.Between(t.Suspend, t.Resume) > 0 {
		takes = c.Between(t.ActualStart, t.Resume) + t.Remaining
	}
	if c.Worked(t.ActualStart)+takes == c.Worked(d.EarlyFinish) {
		return 0, 0
	}
	stop = t.Suspend
	if stop < t.ActualStart {
		stop = c.Add(t.ActualStart, max(t.Duration-t.Remaining, 0))
	}
	if c.Between(stop, d.EarlyStart) <= 0 {
		return 0, 0
	}
	return stop, d.EarlyStart
}

// tools are what the tools are called whose rules the profiles are.
var tools = map[cpm.Profile]string{cpm.P6: "Primavera P6", cpm.MSProject: "Microsoft Project"}

// conversion is a plan that is written for another tool, while it is compared with what
// that makes of it.
type conversion struct {
	was     *Scheduled
	failure error // why it is not scheduled
	file    bytes.Buffer
	// id returns the id that the written file gives a task of the plan, "" where the file
	// leaves the task out.
	id func(*Task) string
}

// compare schedules what was written by the rules of the tool that it is for, and says how
// many tasks are elsewhere then.
func (c *conversion) compare(o Options) []Warning {
	written, err := o.Read(&c.file)
	if err := cmp.Or(c.failure, err); err != nil {
		return unscheduled(err)
	}
	now, err := written.Schedule()
	if err != nil {
		return unscheduled(err)
	}
	place := index(written.Tasks, func(t *Task) string { return t.ID })
	for _, summaries := range []bool{false, true} {
		// Summaries follow what is below them: they are worth a word where nothing else moves.
		if m := c.moves(now, place, summaries); m.count() > 0 {
			return []Warning{{What: "dates", Text: m.text(c.was, now)}}
		}
	}
	return nil
}

// unscheduled reports why nothing is known of what another tool makes of a plan.
func unscheduled(err error) []Warning {
	return []Warning{{
		What: "dates",
		Text: fmt.Sprintf("Whether the other tool schedules the same dates is not known: %v.", err),
	}}
}

// moves are tasks that one tool schedules elsewhere than another.
type moves struct {
	of                   string
	earlier, later, none int // none are in one of both alone
	all                  int
	// most is the one that is moved the furthest.
	most struct {
		task     *Task
		was, now worktime.Time
		by       int64 // in seconds of working time
	}
}

func (m *moves) count() int { return m.earlier + m.later + m.none }

// moves counts the tasks, or else the summaries, that both tools schedule to different
// dates. It compares the finish first, and the start only where the finishes agree.
func (c *conversion) moves(now *Scheduled, place map[string]int, summaries bool) *moves {
	p, m, projects := c.was.Plan, &moves{of: "tasks"}, make(map[string]string)
	if summaries {
		m.of = "summaries"
	}
	for i := range p.Projects {
		projects[p.Projects[i].ID] = p.Projects[i].CalendarID
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		at, ok := place[c.id(t)]
		if !ok || summaries != (t.Kind == cpm.Summary) {
			continue
		}
		m.all++
		a, b := c.was.Dates(i), now.Dates(at)
		was, is := a.Finish, b.Finish
		if was == is {
			was, is = a.Start, b.Start
		}
		if was != is {
			m.add(t, c.was.calendarOf(i, projects), was, is)
		}
	}
	return m
}

// add counts a task that is elsewhere.
func (m *moves) add(t *Task, c *worktime.Calendar, was, now worktime.Time) {
	switch {
	case was == 0 || now == 0:
		m.none++
		return
	case now < was:
		m.earlier++
	default:
		m.later++
	}
	by := c.Between(was, now)
	if m.most.task == nil || max(by, -by) > max(m.most.by, -m.most.by) {
		m.most.task, m.most.was, m.most.now, m.most.by = t, was, now, by
	}
}

// text says it.
func (m *moves) text(was, now *Scheduled) string {
	s := fmt.Sprintf("By the rules of %s %d of %d %s are at other dates than by those of %s: %d earlier, %d later",
		tools[now.options.Profile], m.count(), m.all, m.of, tools[was.options.Profile], m.earlier, m.later)
	if m.none > 0 {
		s += fmt.Sprintf(", %d with dates by one of both alone", m.none)
	}
	if x := &m.most; x.task != nil {
		s += fmt.Sprintf("; the furthest is %q (task %s) by %s h of working time, from %v to %v", x.task.Code,
			x.task.ID,
			decimal(float64(max(x.by, -x.by))/worktime.Hour), x.was, x.now)
	}
	return s + "."
}
