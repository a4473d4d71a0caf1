package cpm

import "github.com/seed-933f9a09/twinplatform/schedules/worktime"

// state is how far a task is.
type state uint8

const (
	outside state = iota // of the passes
	summary
	waiting
	fixed // by hand
	begun
	ended
)

// pass is a network while it is scheduled.
//
// A task that waits or goes on is a number of seconds behind the zero of its own
// calendar, early and late, so that tasks on one calendar take nothing but additions.
type pass struct {
	*graph
	Options
	calendars []*worktime.Calendar
	duration  []int64 // that is still to be done
	early     []int64 // start, in working time of the task's calendar
	late      []int64
	onwards   []bool // a finish milestone that is not at the end of a piece of work

	spans []span // of summaries and hammocks, by task

	finish worktime.Time // of the project
}

// span is what a summary has from what is below it, and what it hands down, or where a
// hammock is. Zero is what is not known.
type span struct {
	floor                 worktime.Time // before which nothing below begins
	ceiling               worktime.Time // behind which nothing below ends
	start, finish         worktime.Time
	lateStart, lateFinish worktime.Time
	broken                bool // a hammock whose finish would be before its start
}

// started returns a network before its passes.
func started(g *graph, o Options) *pass {
	n := len(g.tasks)
	p := &pass{
		graph: g, Options: o, calendars: make([]*worktime.Calendar, n),
		duration: make([]int64, n), early: make([]int64, n), late: make([]int64, n), onwards: make([]bool, n), spans: make([]span, n),
	}
	if p.DataDate == 0 || p.Profile == MSProject {
		p.DataDate = p.Start
	}
	for i := range g.tasks {
		t := &g.tasks[i]
		p.calendars[i] = p.calendar(t)
		switch {
		case t.Manual:
			p.duration[i] = p.calendars[i].Between(t.Start, t.Finish)
		case t.Kind != Work:
		case p.states[i] == begun && p.Profile == P6:
			p.duration[i] = t.Remaining
		default:
			p.duration[i] = t.Duration
		}
	}
	return p
}

// state is how far the task is.
func (t *Task) state() state {
	switch {
	case t.Inactive || t.hammock():
		return outside
	case t.Kind == Summary:
		return summary
	case t.ActualFinish != 0:
		return ended
	case t.Manual:
		return fixed
	case t.ActualStart != 0:
		return begun
	default:
		return waiting
	}
}

// hammock reports whether the task is one.
func (t *Task) hammock() bool { return t.Kind == LongHammock || t.Kind == ShortHammock }

// startOf is when a task begins as its successors see it.
func (p *pass) startOf(i int) worktime.Time {
	switch t := &p.tasks[i]; p.states[i] {
	case summary, outside:
		return p.spans[i].start
	case begun, ended:
		return t.ActualStart
	case fixed:
		return t.Start
	default:
		return p.start(i, p.early[i])
	}
}

// finishOf is when a task ends as its successors see it.
func (p *pass) finishOf(i int) worktime.Time {
	switch t := &p.tasks[i]; p.states[i] {
	case summary, outside:
		return p.spans[i].finish
	case ended:
		return t.ActualFinish
	case fixed:
		return t.Finish
	default:
		return p.endOf(i, p.early[i])
	}
}

// start is a start of a task on its calendar as a time.
func (p *pass) start(i int, at int64) worktime.Time {
	if p.duration[i] == 0 && p.atFinish(i) {
		return p.calendars[i].FinishAt(at)
	}
	return p.calendars[i].StartAt(at)
}

// endOf is the finish of a task that begins so.
func (p *pass) endOf(i int, at int64) worktime.Time {
	if p.duration[i] == 0 && !p.atFinish(i) {
		return p.calendars[i].StartAt(at)
	}
	return p.calendars[i].FinishAt(at + p.duration[i])
}

// atFinish reports whether a task without duration is at the end of what is before it.
func (p *pass) atFinish(i int) bool {
	return p.tasks[i].Kind == FinishMilestone && !p.onwards[i]
}

// lag is that of a link in seconds of its calendar.
func (p *pass) lag(l *Link) int64 {
	if l.Percent {
		return p.tasks[l.Predecessor].Duration * l.Lag / 100
	}
	return l.Lag
}

// alike reports whether a link stays on one calendar, on which both ends of it are told.
func (p *pass) alike(l *Link, lag int64) bool {
	a, b := l.Predecessor, l.Successor
	return p.states[a] == waiting && p.states[b] >= waiting && p.calendars[a] == p.calendars[b] &&
		(lag == 0 || p.lagCalendar(p.Network, l) == p.calendars[a])
}

// reach is the time to which a link moves the end of its successor.
func (p *pass) reach(l *Link) worktime.Time {
	t := p.finishOf(l.Predecessor)
	if l.Type.fromStart() {
		t = p.startOf(l.Predecessor)
	}
	if lag := p.lag(l); lag != 0 {
		return p.lagCalendar(p.Network, l).Add(t, lag)
	}
	return t
}

// push is the earliest start of its successor that a link admits.
func (p *pass) push(l *Link) (at int64) {
	if lag := p.lag(l); p.alike(l, lag) {
		if at = p.early[l.Predecessor] + lag; !l.Type.fromStart() {
			at += p.duration[l.Predecessor]
		}
	} else {
		at = p.calendars[l.Successor].Worked(p.reach(l))
	}
	if l.Type.toFinish() {
		at -= p.duration[l.Successor]
	}
	return at
}

// pull is the latest finish of its predecessor that a link admits whose successor has a
// start and a finish as they are told.
func (p *pass) pull(l *Link, start int64) (at int64) {
	lag := p.lag(l)
	if p.alike(l, lag) {
		if at = start - lag; l.Type.toFinish() {
			at += p.duration[l.Successor]
		}
	} else {
		t := p.start(l.Successor, start)
		if l.Type.toFinish() {
			t = p.endOf(l.Successor, start)
		}
		at = p.pullTime(l, lag, t)
	}
	if l.Type.fromStart() {
		at += p.duration[l.Predecessor]
	}
	return at
}

// pullTime is at which working time of its predecessor a link ends that leads to a time.
func (p *pass) pullTime(l *Link, lag int64, t worktime.Time) int64 {
	if lag != 0 {
		t = p.lagCalendar(p.Network, l).Add(t, -lag)
	}
	return p.calendars[l.Predecessor].Worked(t)
}
