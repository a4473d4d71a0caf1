package cpm

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// hammocks are those of a pass, put between what they are linked to. They drive
// nothing.
type hammocks struct {
	*pass
	out, in rows // their links
	done    map[int]bool
}

// stretch puts the hammocks of a pass in their places, each behind those that it is
// linked to itself. Of hammocks that go round in a circle one does not know the others.
func (p *pass) stretch() {
	if !slices.ContainsFunc(p.links, func(l Link) bool { return p.isHammock(l.Predecessor) || p.isHammock(l.Successor) }) {
		return
	}
	h := &hammocks{pass: p, done: make(map[int]bool)}
	h.out, h.in = p.rows(func(l *Link) bool { return p.isHammock(l.Predecessor) || p.isHammock(l.Successor) })
	for i := range p.tasks {
		if p.isHammock(i) && !h.done[i] {
			h.from(i)
		}
	}
}

// isHammock reports whether a task is one that has dates.
func (p *pass) isHammock(i int) bool {
	return p.states[i] == outside && p.tasks[i].hammock() && !p.tasks[i].Inactive
}

// from puts a hammock in its place, and before it those that it is linked to.
func (h *hammocks) from(first int) {
	h.done[first] = true
	for stack := []int{first}; len(stack) > 0; {
		i, more := stack[len(stack)-1], false
		h.neighbours(i, func(other int) {
			if h.isHammock(other) && !h.done[other] {
				h.done[other], more = true, true
				stack = append(stack, other)
			}
		})
		if !more {
			stack = stack[:len(stack)-1]
			h.put(i)
		}
	}
}

func (h *hammocks) neighbours(i int, yield func(int)) {
	for _, at := range h.in.of(i) {
		yield(h.links[at].Predecessor)
	}
	for _, at := range h.out.of(i) {
		yield(h.links[at].Successor)
	}
}

// anchors are the times that hold an end of a hammock: the first and the last, zero
// where there are none.
type anchors struct{ first, last worktime.Time }

func (a *anchors) add(t worktime.Time) {
	if t == 0 {
		return
	}
	if a.first == 0 || t < a.first {
		a.first = t
	}
	a.last = max(a.last, t)
}

// put puts a hammock between its anchors: a long one from the first start to the
// last finish, a short one from the last start to the first finish.
func (h *hammocks) put(i int) {
	var starts, finishes anchors
	for _, at := range h.in.of(i) {
		l := &h.links[at]
		held := &starts
		if l.Type.toFinish() {
			held = &finishes
		}
		if h.told(l.Predecessor) {
			held.add(h.reach(l))
		}
	}
	for _, at := range h.out.of(i) {
		l := &h.links[at]
		held := &finishes
		if l.Type.fromStart() {
			held = &starts
		}
		if h.told(l.Successor) {
			held.add(h.back(l))
		}
	}
	s := &h.spans[i]
	s.start, s.finish = starts.first, finishes.last
	if h.tasks[i].Kind == ShortHammock {
		s.start, s.finish = starts.last, finishes.first
	}
	if s.start == 0 {
		s.start = h.DataDate
	}
	if s.finish == 0 {
		s.finish = s.start
	}
	if s.finish < s.start {
		s.finish, s.broken = s.start, true
	}
}

// told reports whether a task has dates that can hold a hammock.
func (p *pass) told(i int) bool { return !p.tasks[i].Inactive && p.startOf(i) != 0 }

// back is the time at which a link holds its predecessor.
func (p *pass) back(l *Link) worktime.Time {
	t := p.startOf(l.Successor)
	if l.Type.toFinish() {
		t = p.finishOf(l.Successor)
	}
	if lag := p.lag(l); lag != 0 {
		return p.lagCalendar(p.Network, l).Add(t, -lag)
	}
	return t
}
