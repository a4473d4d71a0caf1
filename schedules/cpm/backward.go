package cpm

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// backward finds the late dates.
func (p *pass) backward() {
	for _, v := range slices.Backward(p.order) {
		switch i := int(v); {
		case i >= len(p.tasks):
			p.spans[i-len(p.tasks)].ceiling = p.ceilingOf(i - len(p.tasks))
		case p.states[i] == summary:
			p.rollUpLate(i)
		case p.states[i] != outside:
			p.late[i] = p.lateFinish(i) - p.duration[i]
		}
	}
}

// lateFinish is the latest finish of a task, on its calendar.
func (p *pass) lateFinish(i int) int64 {
	c, target := p.calendars[i], p.project(i).target
	if p.states[i] == ended && p.Profile == P6 {
		p.spans[i].lateStart = p.heldBack(i)
		return c.Worked(p.spans[i].lateStart)
	}
	if p.states[i] == ended {
		return p.early[i] + p.duration[i]
	}
	if s := p.parent[i]; s != none {
		target = min(target, p.spans[s].ceiling)
	}
	at := c.Worked(target)
	arcs := p.out.of(i)
	for n := range arcs {
		if t, ok := p.successor(i, &arcs[n], true); ok {
			at = min(at, t)
		}
	}
	if p.bound[i] {
		at = p.constrainLate(i, at)
	}
	return at
}

// constrainLate is the late finish of a task that its successors would let end then.
func (p *pass) constrainLate(i int, at int64) int64 {
	c, d := p.calendars[i], p.duration[i]
	if deadline := p.tasks[i].Deadline; deadline != 0 {
		at = min(at, c.Worked(deadline))
	}
	for _, x := range p.tasks[i].Constraints {
		switch to := c.Worked(x.Date); x.Type {
		case StartNoLater, StartOn:
			at = min(at, to+d)
		case FinishNoLater, FinishOn:
			at = min(at, to)
		case MandatoryStart:
			at = to + d
		case MandatoryFinish:
			at = to
		}
	}
	return at
}

// heldBack is the latest time at which a task that has ended could have: what its
// successors admit, or the project does.
func (p *pass) heldBack(i int) worktime.Time {
	at := p.project(i).target
	if s := p.parent[i]; s != none {
		at = min(at, p.spans[s].ceiling)
	}
	for _, a := range p.out.of(i) {
		if p.holds(&a) && p.states[a.to] != summary {
			at = min(at, p.reachBack(&a, true))
		}
	}
	return at
}

// holds reports whether what is before an arc is held by its successor.
func (p *pass) holds(a *arc) bool {
	switch p.states[a.to] {
	case ended:
		return p.retains()
	case begun:
		return p.Profile == MSProject || p.retains()
	default:
		return true
	}
}

// successor is the latest finish of a task that an arc from it admits by the early or the
// late dates of its successor, if that holds it.
func (p *pass) successor(task int, a *arc, late bool) (at int64, ok bool) {
	if p.states[a.to] == summary {
		return p.successors(task, a, late)
	}
	if !p.holds(a) {
		return 0, false
	}
	return p.pull(task, a, late), true
}

// successors is successor for what is below a summary.
func (p *pass) successors(task int, a *arc, late bool) (at int64, ok bool) {
	t := p.spans[a.to].start
	if late {
		t = p.spans[a.to].lateStart
	}
	if t == 0 {
		return 0, false
	}
	if at = p.calendars[task].Worked(p.lagged(a, t, -a.lag)); a.typ.fromStart() {
		at += p.duration[task]
	}
	return at, true
}

// ceilingOf is behind when nothing below a summary may end.
func (p *pass) ceilingOf(i int) worktime.Time {
	target := p.project(i).target
	if s := p.parent[i]; s != none {
		target = min(target, p.spans[s].ceiling)
	}
	for _, a := range p.out.of(i) {
		if a.typ.fromStart() {
			continue // it is the first of them that this holds, whichever that is
		}
		if at, ok := p.successor(i, &a, true); ok {
			target = min(target, p.calendars[i].FinishAt(at))
		}
	}
	for _, x := range p.tasks[i].Constraints {
		if x.Type == FinishNoLater {
			target = min(target, x.Date)
		}
	}
	return target
}

// rollUpLate gives a summary the late dates of what is below it, in P6 of what is still to
// be done.
func (p *pass) rollUpLate(i int) {
	s := &p.spans[i]
	for _, child := range p.below.of(i) {
		var start, finish worktime.Time
		switch c := int(child); {
		case p.states[c] == outside, p.states[c] == ended && p.Profile == P6:
			continue
		case p.states[c] == summary:
			start, finish = p.spans[c].lateStart, p.spans[c].lateFinish
		default:
			start, finish = p.start(c, p.late[c]), p.endOf(c, p.late[c])
		}
		if s.lateStart == 0 || start != 0 && start < s.lateStart {
			s.lateStart = start
		}
		s.lateFinish = later(s.lateFinish, finish)
	}
}

// freeFloat is by how much a task can slip before it moves another, or the project's
// finish where nothing succeeds it. What succeeds a summary succeeds it too. In P6 a task that
// is expected to end cannot slip.
func (p *pass) freeFloat(i int) int64 {
	if p.Profile == P6 && p.bound[i] && p.tasks[i].expected() {
		return 0
	}
	c, finish := p.calendars[i], p.early[i]+p.duration[i]
	free, bounded := int64(0), false
	bound := func(at int64) {
		if gap := at - finish; !bounded || gap < free {
			free, bounded = gap, true
		}
	}
	for _, a := range p.out.of(i) {
		if at, ok := p.successor(i, &a, false); ok {
			bound(at)
		}
	}
	for s := p.parent[i]; s != none; s = p.parent[s] {
		for _, a := range p.out.of(int(s)) {
			if at, ok := p.successor(int(s), &a, false); ok && !a.typ.fromStart() {
				bound(c.Worked(p.calendars[s].FinishAt(at)))
			}
		}
	}
	if !bounded {
		bound(c.Worked(p.project(i).finish))
	}
	return max(free, 0)
}
