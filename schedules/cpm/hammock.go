package cpm

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// hammocks are those of a pass, put between what they are linked to. They drive
// nothing.
type hammocks struct {
	*pass
	out, in rows[arc] // their links
	done    map[int]bool
}

// stretch puts the hammocks of a pass in their places, each behind those that it is
// linked to itself. Of hammocks that go round in a circle one does not know the others.
func (p *pass) stretch() {
	if !slices.ContainsFunc(p.links, func(l Link) bool { return p.isHammock(l.Predecessor) || p.isHammock(l.Successor) }) {
		return
	}
	h := &hammocks{pass: p, done: make(map[int]bool)}
	h.out, h.in = p.arcs(func(l *Link) bool { return p.isHammock(l.Predecessor) || p.isHammock(l.Successor) })
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
	for _, a := range slices.Concat(h.in.of(i), h.out.of(i)) {
		yield(int(a.task))
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
	a.last = later(a.last, t)
}

// put puts a hammock between its anchors: a long one from the first start to the
// last finish, a short one from the last start to the first finish.
func (h *hammocks) put(i int) {
	var starts, finishes anchors
	for _, a := range h.in.of(i) {
		held := &starts
		if a.typ.toFinish() {
			held = &finishes
		}
		if h.told(int(a.task)) {
			held.add(h.anchor(&a))
		}
	}
	for _, a := range h.out.of(i) {
		held := &finishes
		if a.typ.fromStart() {
			held = &starts
		}
		if h.told(int(a.task)) {
			held.add(h.back(&a))
		}
	}
	s := &h.spans[i]
	s.start, s.finish, s.broken = starts.first, finishes.last, false
	if h.tasks[i].Kind == ShortHammock {
		s.start, s.finish = starts.last, finishes.first
	}
	if s.start == 0 {
		s.start = h.project(i).earliest
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

// back is the time at which an arc from it holds a hammock.
func (p *pass) back(a *arc) worktime.Time {
	t := p.startOf(int(a.task))
	if a.typ.toFinish() {
		t = p.finishOf(int(a.task))
	}
	return p.lagged(a, t, -a.lag)
}
