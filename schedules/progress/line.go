package progress

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Line is how far each task is ahead of what was planned, or behind (progress line).
type Line struct {
	Plan     string // its name
	DataDate worktime.Time
	// Baseline reports that what is planned is the baseline of the plan.
	Baseline bool
	Tasks    []Standing
}

// Standing is how far a task is.
type Standing struct {
	// Place is the place of the task in the plan.
	Place int
	// Planned is when the task is planned; where the plan has a baseline and the task none,
	// as the plan has it.
	Planned dated.Span
	// Done is the share of the duration that was done, from 0 to 1.
	Done float64
	// At is the time until which, as planned, as much was to be done as was: the data date
	// where nothing was due yet, or all is done that was.
	At worktime.Time
	// Ahead is the working time from the data date to At, in seconds of the task's calendar:
	// below zero it is behind.
	Ahead int64
}

// LineOf is the progress line of a plan. It has no tasks where nothing is known of what was
// done.
func LineOf(p *dated.Plan) *Line {
	l := &Line{Plan: p.Name, DataDate: known(p)}
	for i := range p.Tasks {
		l.Baseline = l.Baseline || p.Tasks[i].Baseline.Finish != 0
	}
	for i := range p.Tasks {
		if counted(&p.Tasks[i]) && l.DataDate != 0 {
			l.Tasks = append(l.Tasks, l.standing(p, i))
		}
	}
	return l
}

func (l *Line) standing(p *dated.Plan, i int) Standing {
	t, c := &p.Tasks[i], p.CalendarOf(i)
	data := cmp.Or(p.ProjectOf(i).DataDate, l.DataDate)
	s := Standing{Place: i, Planned: t.Baseline, At: data}
	if s.Planned.Finish == 0 {
		s.Planned = dated.Span{Start: cmp.Or(t.Start, t.Finish), Finish: t.Finish, Duration: t.Duration}
	}
	switch {
	case t.Ended():
		s.Done = 1
		s.At = max(data, s.Planned.Finish)
	case t.ActualStart == 0:
		s.At = min(data, s.Planned.Start)
	default:
		if t.Duration > 0 {
			s.Done = min(max(float64(t.Duration-t.Remaining)/float64(t.Duration), 0), 1)
		}
		planned := c.Between(s.Planned.Start, s.Planned.Finish)
		s.At = c.Add(s.Planned.Start, int64(s.Done*float64(planned)))
	}
	s.Ahead = c.Between(data, s.At)
	return s
}
