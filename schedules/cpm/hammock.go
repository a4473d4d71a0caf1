package cpm

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// hammocks are those of a pass, put between what they are linked to. They drive
// nothing.
type hammocks struct {
	*pass
	all     []int32     // their numbers
	out, in rows[int32] // links, by their hammocks
	done    map[int32]bool
}

// hammocks are those of a pass, nil where none is linked to anything.
func (p *pass) hammocks() *hammocks {
	h := &hammocks{pass: p}
	for i := range p.tasks {
		if p.isHammock(i) {
			h.all = append(h.all, int32(i))
		}
	}
	if h.all == nil {
		return nil
	}
	ofHammock := func(task int) int {
		if p.isHammock(task) {
			return task
		}
		return none
	}
	h.out = numbersIn(len(p.tasks), len(p.links), func(i int) int { return ofHammock(p.links[i].Predecessor) })
	h.in = numbersIn(len(p.tasks), len(p.links), func(i int) int { return ofHammock(p.links[i].Successor) })
	if len(h.in.values)+len(h.out.values) == 0 {
		return nil
	}
	return h
}

// stretch puts the hammocks in their places, each behind those that it is linked to
// itself. Of hammocks that go round in a circle one does not know the others.
func (h *hammocks) stretch() {
	if h == nil {
		return
	}
	h.done = make(map[int32]bool, len(h.all))
	for _, i := range h.all {
		if !h.done[i] {
			h.from(i)
		}
	}
}

// isHammock reports whether a task is one that has dates.
func (p *pass) isHammock(i int) bool {
	return p.states[i] == outside && p.tasks[i].hammock() && !p.tasks[i].Inactive
}

// from puts a hammock in its place, and before it those that it is linked to.
func (h *hammocks) from(first int32) {
	h.done[first] = true
	for stack := []int32{first}; len(stack) > 0; {
		i, more := stack[len(stack)-1], false
		for other := range h.neighbours(i) {
			if h.isHammock(int(other)) && !h.done[other] {
				h.done[other], more = true, true
				stack = append(stack, other)
			}
		}
		if !more {
			stack = stack[:len(stack)-1]
			h.put(int(i))
		}
	}
}

// neighbours are what a hammock is linked to.
func (h *hammocks) neighbours(i int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, link := range h.in.of(int(i)) {
			if !yield(int32(h.links[link].Predecessor)) {
				return
			}
		}
		for _, link := range h.out.of(int(i)) {
			if !yield(int32(h.links[link].Successor)) {
				return
			}
		}
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
	for _, link := range h.in.of(i) {
		a, held := h.arc(int(link)), &starts
		if a.typ.toFinish() {
			held = &finishes
		}
		if h.hasDates(int(a.from)) {
			held.add(h.anchor(&a))
		}
	}
	for _, link := range h.out.of(i) {
		a, held := h.arc(int(link)), &finishes
		if a.typ.fromStart() {
			held = &starts
		}
		if h.hasDates(int(a.to)) {
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

// hasDates reports whether a task has dates that can hold a hammock.
func (p *pass) hasDates(i int) bool { return !p.tasks[i].Inactive && p.startOf(i) != 0 }

// back is the time at which an arc from it holds a hammock.
func (p *pass) back(a *arc) worktime.Time {
	t := p.startOf(int(a.to))
	if a.typ.toFinish() {
		t = p.finishOf(int(a.to))
	}
	return p.lagged(a, t, -a.lag)
}
