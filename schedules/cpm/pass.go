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
// A task that waits or continues is a number of seconds behind the zero of its own
// calendar, early and late, so that tasks on one calendar take nothing but additions.
type pass struct {
	*graph
	duration []int64 // that is still to be done
	early    []int64 // start, in working time of the task's calendar
	late     []int64
	onwards  []bool // a finish milestone that is not at the end of a piece of work
	bound    []bool // a task that dates hold

	spans []span // of summaries and hammocks, by task
}

// span is what a summary has from what is below it, and what it hands down, or where a
// hammock is, or where a task that has ended is in P6 with nothing left to do. Zero is
// what is not known.
type span struct {
	floor                 worktime.Time // before which nothing below begins
	ceiling               worktime.Time // behind which nothing below ends
	start, finish         worktime.Time
	lateStart, lateFinish worktime.Time
	broken                bool // a hammock whose finish would be before its start
}

// started returns a graph before its passes.
func started(g *graph) *pass {
	n := len(g.tasks)
	p := &pass{
		graph: g, duration: make([]int64, n), early: make([]int64, n), late: make([]int64, n),
		onwards: make([]bool, n), bound: make([]bool, n), spans: make([]span, n),
	}
	for i := range g.tasks {
		p.prepare(i)
	}
	return p
}

// prepare finds how long a task takes from now on, and whether dates hold it.
func (p *pass) prepare(i int) {
	t := &p.tasks[i]
	p.bound[i] = len(t.Constraints) > 0 || t.Deadline != 0 || t.ExpectedFinish != 0 || t.Resume != 0
	switch {
	case p.states[i] == ended && p.Profile == P6:
		p.duration[i] = 0
	case t.Manual:
		p.duration[i] = p.calendars[i].Between(t.Start, t.Finish)
	case t.Kind != Work:
		p.duration[i] = 0
	case p.states[i] == begun && p.Profile == P6:
		p.duration[i] = t.Remaining + t.Paused
	case p.states[i] == begun && t.Resume != 0 && t.Resume > t.ActualStart:
		p.duration[i] = p.calendars[i].Between(t.ActualStart, t.Resume) + t.Remaining + t.Paused
	default:
		p.duration[i] = t.Duration + t.Paused
	}
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

// anchor is the time at which an arc holds the end of its successor, by the actual dates
// of its predecessor where it has such. A summary without dates holds nothing.
func (p *pass) anchor(a *arc) worktime.Time {
	l := &p.links[a.link]
	t := p.finishOf(l.Predecessor)
	if a.typ.fromStart() {
		t = p.startOf(l.Predecessor)
	}
	if t == 0 && p.states[l.Predecessor] == summary {
		return worktime.MinTime
	}
	return p.lagged(a, t, a.lag)
}

// retains reports whether logic holds in P6 what has begun or ended too. A task that has
// ended then is in the network with nothing left to do: what it waits for, though it did
// not wait, it hands on to what waits for it.
func (p *pass) retains() bool { return p.Profile == P6 && p.Progress == RetainedLogic }

// reach is the time to which an arc moves the end of its successor. Where logic is
// retained that is not before what remains of the predecessor begins, of which a lag from
// its actual date takes nothing away.
func (p *pass) reach(a *arc) worktime.Time {
	t := p.anchor(a)
	if !p.retains() {
		return t
	}
	l := &p.links[a.link]
	successor := p.states[l.Successor]
	switch i := l.Predecessor; {
	case p.states[i] == ended && (successor == ended || successor == begun && a.typ == FinishToStart):
		return p.spans[i].start
	case p.states[i] == ended:
		return later(t, p.spans[i].start)
	case p.states[i] == begun && a.typ.fromStart() && successor == ended:
		return p.start(i, p.early[i])
	case p.states[i] == begun && a.typ.fromStart():
		return max(t, p.start(i, p.early[i]))
	}
	return t
}

// reachBack is the time before which an arc holds the end of its predecessor, by the early
// or the late dates of its successor.
func (p *pass) reachBack(a *arc, late bool) (t worktime.Time) {
	i, s := int(a.to), &p.spans[a.to]
	switch {
	case p.states[i] == ended && late:
		t = s.lateStart
	case p.states[i] == ended:
		t = s.start
	case a.typ.toFinish():
		t = p.endOf(i, p.dates(late)[i])
	default:
		t = p.start(i, p.dates(late)[i])
	}
	return p.lagged(a, t, -p.lagBack(a))
}

// dates are the early or the late starts of all.
func (p *pass) dates(late bool) []int64 {
	if late {
		return p.late
	}
	return p.early
}

// lagBack is what of the lag of an arc is still to pass. A lag from an actual date passes
// from that date on.
func (p *pass) lagBack(a *arc) int64 {
	if !p.retains() {
		return a.lag
	}
	l := &p.links[a.link]
	open := p.states[l.Successor] != begun && p.states[l.Successor] != ended
	switch p.states[l.Predecessor] {
	case begun:
		if !open && a.typ == FinishToStart {
			return 0
		}
		if !a.typ.fromStart() {
			return a.lag
		}
	case ended:
		if !open {
			return 0
		}
	default:
		return a.lag
	}
	return max(p.lagOf(l).Between(p.project(l.Predecessor).earliest, p.anchor(a)), 0)
}

// lagged is a time moved on the calendar of the lag of an arc.
func (p *pass) lagged(a *arc, t worktime.Time, seconds int64) worktime.Time {
	if seconds == 0 {
		return t
	}
	return p.lagOf(&p.links[a.link]).Add(t, seconds)
}

// push is the earliest start of a task that an arc to it admits.
func (p *pass) push(task int, a *arc) (at int64) {
	if a.plain {
		if at = p.early[a.from] + a.lag; !a.typ.fromStart() {
			at += p.duration[a.from]
		}
	} else {
		at = p.calendars[task].Worked(p.reach(a))
	}
	if a.typ.toFinish() {
		at -= p.duration[task]
	}
	return at
}

// pull is the latest finish of a task that an arc from it admits, by the early or the late
// dates of its successor.
func (p *pass) pull(task int, a *arc, late bool) (at int64) {
	if a.plain {
		if at = p.dates(late)[a.to] - a.lag; a.typ.toFinish() {
			at += p.duration[a.to]
		}
	} else {
		at = p.calendars[task].Worked(p.reachBack(a, late))
	}
	if a.typ.fromStart() {
		at += p.duration[task]
	}
	return at
}

// later is the later of two times; zero is none, and times before 1970 are negative.
func later(a, b worktime.Time) worktime.Time {
	if a == 0 || b > a && b != 0 {
		return b
	}
	return a
}
