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
	if p.states[i] == ended {
		return p.early[i] + p.duration[i]
	}
	if s := p.parent[i]; s != none {
		target = min(target, p.spans[s].ceiling)
	}
	at := c.Worked(target)
	arcs := p.out.of(i)
	for n := range arcs {
		if t, ok := p.successor(i, &arcs[n], p.late); ok {
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

// successor is the latest finish of a task that an arc from it admits, if its successor
// is still to be done. dates are the early or the late starts of all.
func (p *pass) successor(task int, a *arc, dates []int64) (at int64, ok bool) {
	switch p.states[a.task] {
	case ended:
		return 0, false
	case begun:
		if p.Profile == P6 && p.Progress != RetainedLogic {
			return 0, false
		}
	case summary:
		return p.successors(task, a, &dates[0] == &p.late[0])
	}
	return p.pull(task, a, dates[a.task]), true
}

// successors is successor for what is below a summary.
func (p *pass) successors(task int, a *arc, late bool) (at int64, ok bool) {
	t := p.spans[a.task].start
	if late {
		t = p.spans[a.task].lateStart
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
		if at, ok := p.successor(i, &a, p.late); ok {
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

// rollUpLate gives a summary the late dates of what is below it.
func (p *pass) rollUpLate(i int) {
	s := &p.spans[i]
	for _, child := range p.below.of(i) {
		var start, finish worktime.Time
		switch c := int(child); p.states[c] {
		case outside:
			continue
		case summary:
			start, finish = p.spans[c].lateStart, p.spans[c].lateFinish
		default:
			start, finish = p.start(c, p.late[c]), p.endOf(c, p.late[c])
		}
		if s.lateStart == 0 || start != 0 && start < s.lateStart {
			s.lateStart = start
		}
		s.lateFinish = max(s.lateFinish, finish)
	}
}

// freeFloat is by how much a task can slip before it moves another, or the project's
// finish where nothing succeeds it. What succeeds a summary succeeds it too.
func (p *pass) freeFloat(i int) int64 {
	c, finish := p.calendars[i], p.early[i]+p.duration[i]
	free, bounded := int64(0), false
	bound := func(at int64) {
		if gap := at - finish; !bounded || gap < free {
			free, bounded = gap, true
		}
	}
	for _, a := range p.out.of(i) {
		if at, ok := p.successor(i, &a, p.early); ok {
			bound(at)
		}
	}
	for s := p.parent[i]; s != none; s = p.parent[s] {
		for _, a := range p.out.of(int(s)) {
			if at, ok := p.successor(int(s), &a, p.early); ok && !a.typ.fromStart() {
				bound(c.Worked(p.calendars[s].FinishAt(at)))
			}
		}
	}
	if !bounded {
		bound(c.Worked(p.project(i).finish))
	}
	return max(free, 0)
}
