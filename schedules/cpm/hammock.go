package cpm

import (
	"cmp"
	"iter"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// hammocks places the hammocks of a pass once all other tasks have dates: each spans what
// it is linked to. A hammock drives nothing.
type hammocks struct {
	*pass
	all     []int32     // their numbers
	out, in rows[int32] // links, by their hammocks
	done    map[int32]bool
}

// hammocks collects the hammocks of a pass and their links. It returns nil where no hammock
// has begun or is linked to anything, since none has dates then.
func (p *pass) hammocks() *hammocks {
	h, held := &hammocks{pass: p}, false
	for i := range p.tasks {
		if p.isHammock(i) {
			h.all = append(h.all, int32(i))
			held = held || p.tasks[i].ActualStart != 0 || p.tasks[i].ActualFinish != 0
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
	if len(h.in.values)+len(h.out.values) == 0 && !held {
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
	s, t := &h.spans[i], &h.tasks[i]
	s.start, s.finish, s.broken = starts.first, finishes.last, false
	if t.Kind == ShortHammock {
		s.start, s.finish = starts.last, finishes.first
	}
	if h.isEffort(i) {
		h.holdEffort(i)
	}
	if s.start == 0 {
		s.start = h.project(i).earliest
	}
	if s.finish == 0 {
		s.finish = s.start
	}
	if t.ActualFinish != 0 {
		s.start, s.finish = cmp.Or(t.ActualStart, t.ActualFinish), t.ActualFinish
	} else if t.ActualStart != 0 {
		s.start = t.ActualStart
	}
	if s.finish < s.start {
		s.finish, s.broken = s.start, true
	}
}

// isEffort reports whether a hammock is a level of effort of P6.
func (p *pass) isEffort(i int) bool { return p.Profile == P6 && p.tasks[i].Kind == LongHammock }

// holdEffort finds the late dates of a level of effort: it begins with the first late start of
// those whose starts precede its start, and ends with the last late finish of those whose
// finishes precede its finish.
func (h *hammocks) holdEffort(i int) {
	var starts, finishes anchors
	for _, link := range h.in.of(i) {
		a := h.arc(int(link))
		late := h.lateSpan(int(a.from))
		switch a.typ {
		case StartToStart:
			starts.add(h.held(&a, late.lateStart))
		case FinishToFinish:
			finishes.add(h.held(&a, late.lateFinish))
		}
	}
	s := &h.spans[i]
	s.lateStart, s.lateFinish = starts.first, finishes.last
}

// held is a time moved by the lag of an arc; no time stays none.
func (p *pass) held(a *arc, t worktime.Time) worktime.Time {
	if t == 0 {
		return 0
	}
	return p.lagged(a, t, a.lag)
}

// lateSpan has the late dates of a task, which are none of one that is inactive.
func (p *pass) lateSpan(i int) span {
	switch {
	case p.tasks[i].Inactive:
		return span{}
	case p.states[i] == outside, p.states[i] == summary:
		return p.spans[i]
	case p.states[i] == ended:
		at := p.spans[i].lateStart
		return span{lateStart: at, lateFinish: at}
	default:
		return span{lateStart: p.start(i, p.late[i]), lateFinish: p.endOf(i, p.late[i])}
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
