package fourd

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// sweep goes through the times at which the tasks of an entity begin and end, and finds which of
// its bindings decides from then on.
type sweep struct {
	*Timeline

	bounds   []bound // of the entity, in order
	base     int32   // place of the first
	first    int     // of the segments of the entity
	says     []says
	finishes []int32          // the bindings in the order in which their tasks finish
	open     [aspects][]int32 // those that say something and whose tasks have begun: the last one on top
	ended    [aspects]int32   // the last one that ended and says something
	next     [aspects]int     // where to look for the first that has not begun
}

func (w *sweep) run(t *Timeline, bounds []bound, base int32) {
	w.Timeline, w.bounds, w.base, w.first = t, bounds, base, len(t.times)
	w.says, w.finishes = w.says[:0], w.finishes[:0]
	for i := range bounds {
		w.says, w.finishes = append(w.says, t.saysOf(&bounds[i])), append(w.finishes, int32(i))
	}
	slices.SortFunc(w.finishes, w.byFinish)
	for a := range aspects {
		w.open[a], w.ended[a], w.next[a] = w.open[a][:0], none, 0
	}
	w.add(worktime.MinTime, worktime.MinTime-1)
	for begun, ended := 0, 0; ; {
		at := never
		if begun < len(bounds) {
			at = w.span(begun).start
		}
		if ended < len(bounds) {
			at = min(at, w.span(int(w.finishes[ended])).finish)
		}
		if at == never {
			return
		}
		for ; begun < len(bounds) && w.span(begun).start <= at; begun++ {
			w.begin(int32(begun), at)
		}
		for ; ended < len(bounds) && w.span(int(w.finishes[ended])).finish <= at; ended++ {
			w.end(w.finishes[ended])
		}
		w.add(at, at)
	}
}

func (w *sweep) span(i int) *span { return &w.spans[w.bounds[i].task] }

func (w *sweep) byFinish(x, y int32) int {
	return cmp.Or(cmp.Compare(w.span(int(x)).finish, w.span(int(y)).finish), cmp.Compare(x, y))
}

func (w *sweep) begin(i int32, at worktime.Time) {
	if w.span(int(i)).finish <= at {
		return
	}
	for a := range aspects {
		if w.says[i]&saying(a, during) != 0 {
			w.open[a] = append(w.open[a], i)
		}
	}
}

func (w *sweep) end(i int32) {
	for a := range aspects {
		if w.says[i]&saying(a, after) != 0 {
			w.ended[a] = i
		}
	}
}

// add adds the segment from a time on, unless it is as the one before it. Tasks that start at or
// before begun have begun.
func (w *sweep) add(from, begun worktime.Time) {
	var c choice
	for a := range aspects {
		c[a] = w.decide(a, begun)
	}
	if c[path] != none && w.outranks(c[place], c[path]) {
		c[path] = none
	}
	n := len(w.times)
	switch {
	case n > w.first && w.choices[n-1] == c:
	case n > w.first && w.times[n-1] == from:
		w.choices[n-1] = c
	default:
		w.times, w.choices = append(w.times, from), append(w.choices, c)
	}
}

// decide finds the binding that decides about an aspect.
func (w *sweep) decide(aspect int, begun worktime.Time) int32 {
	open := w.open[aspect]
	for len(open) > 0 && w.span(int(open[len(open)-1])).finish <= begun {
		open = open[:len(open)-1]
	}
	w.open[aspect] = open
	if n := len(open); n > 0 {
		return decision(w.base+open[n-1], during)
	}
	if i := w.ended[aspect]; i != none {
		return decision(w.base+i, after)
	}
	for ; w.next[aspect] < len(w.bounds); w.next[aspect]++ {
		if i := w.next[aspect]; w.span(i).start > begun && w.says[i]&saying(aspect, before) != 0 {
			return decision(w.base+int32(i), before)
		}
	}
	return none
}

// outranks reports whether another binding puts the entity somewhere than the one that moves it along a
// path, and goes before that.
func (w *sweep) outranks(puts, moves int32) bool {
	if puts == none || puts>>2 == moves>>2 {
		return false
	}
	if p, m := puts&3, moves&3; p != m {
		return p == during
	}
	if puts&3 == during {
		return puts > moves
	}
	return w.byFinish(puts>>2-w.base, moves>>2-w.base) > 0
}
