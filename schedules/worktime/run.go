package worktime

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"math"
	"slices"
)

// run is days one behind the other that are not as the week has them, and have the same
// hours.
type run struct {
	first, last int32
	hours       int32 // place in Calendar.hours
	gained      int64 // by how much the runs before it differ from the week
	through     int64 // the working time until the end of its last day
}

// RunBytes is how much memory a run of equal days takes.
const RunBytes = 32

// rule is an exception of a definition.
type rule struct {
	first, last int32
	hours       int32
	repeat      *Repeat // nil for all of these days
}

// interned returns the places of hours.
type interned map[string]int32

// place returns where the calendar keeps some hours, and adds them where they are new: days
// with equal hours share one entry.
func (c *Calendar) place(h Hours, known interned) int32 {
	key := make([]byte, 0, 64)
	for _, p := range h {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(p.From)), uint64(p.To))
	}
	at, ok := known[string(key)]
	if !ok {
		at = int32(len(c.hours))
		known[string(key)] = at
		c.hours = append(c.hours, dayWork{slices.Clone(h), h.total()})
	}
	return at
}

// rule adds an exception.
func (c *Calendar) rule(x *Exception, known interned) error {
	if err := x.check(); err != nil {
		return err
	}
	r := rule{first: int32(dayOf(x.First)), last: int32(dayOf(x.Last)), hours: c.place(x.Hours, known)}
	if x.Repeat != nil {
		own := *x.Repeat
		own.Weekdays = slices.Clone(own.Weekdays)
		r.repeat = &own
	}
	c.rules = append(c.rules, r)
	return nil
}

// stretch is days one behind the other for which a rule holds.
type stretch struct {
	first, last int32
	hours       int32
	rank        int32 // of several for a day the one with the highest holds
}

// expand finds the runs that the rules make, of which the last ones outrank those before
// them.
func (c *Calendar) expand() ([]run, error) {
	all := make([]stretch, 0, len(c.rules))
	for i := range c.rules {
		if all = c.rules[i].expand(all, int32(i+1)); len(all) > 2*MaxExceptionDays {
			if all = resolve(all); days(all) > MaxExceptionDays {
				return nil, ErrExceptions
			}
		}
	}
	if all = resolve(all); days(all) > MaxExceptionDays {
		return nil, ErrExceptions
	}
	return c.measure(all), nil
}

// expand adds the days that a rule hits.
func (r *rule) expand(all []stretch, rank int32) []stretch {
	if r.repeat == nil {
		return append(all, stretch{r.first, r.last, r.hours, rank})
	}
	own := len(all)
	for day := range r.repeat.days(int64(r.first), int64(r.last)) {
		if n := len(all); n > own && int64(all[n-1].last)+1 == day {
			all[n-1].last++
			continue
		}
		all = append(all, stretch{int32(day), int32(day), r.hours, rank})
	}
	return all
}

func days(all []stretch) (n int64) {
	for _, s := range all {
		n += int64(s.last) - int64(s.first) + 1
	}
	return n
}

// resolve leaves to each day the stretch with the highest rank, and joins what is the same
// on days one behind the other. What is left is in order and of rank 0.
func resolve(all []stretch) []stretch {
	byFirst := func(a, b stretch) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.rank, b.rank)) }
	if !slices.IsSortedFunc(all, byFirst) {
		slices.SortFunc(all, byFirst)
	}
	if !overlap(all) {
		return join(all)
	}
	var out []stretch
	var open ranked
	for next := 0; next < len(all) || len(open) > 0; {
		if len(open) == 0 {
			open = append(open, all[next])
			next++
		}
		top := &open[0]
		until := top.last
		if next < len(all) && all[next].first <= until {
			until = all[next].first - 1
		}
		if top.first <= until {
			out = append(out, stretch{first: top.first, last: until, hours: top.hours})
		}
		from := until + 1
		for ; next < len(all) && all[next].first == from; next++ {
			heap.Push(&open, all[next])
		}
		open.from(from)
	}
	return join(out)
}

func overlap(all []stretch) bool {
	for i := 1; i < len(all); i++ {
		if all[i].first <= all[i-1].last {
			return true
		}
	}
	return false
}

// join joins stretches that are the same on days one behind the other.
func join(all []stretch) []stretch {
	kept := all[:0]
	for _, s := range all {
		if n := len(kept); n > 0 && kept[n-1].hours == s.hours && kept[n-1].last+1 == s.first {
			kept[n-1].last = s.last
			continue
		}
		s.rank = 0
		kept = append(kept, s)
	}
	return kept
}

// ranked are stretches that are open at a day, as a heap with the highest rank on top.
type ranked []stretch

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (r ranked) Len() int           { return len(r) }
func (r ranked) Less(i, j int) bool { return r[i].rank > r[j].rank }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranked) Push(x any)        { *r = append(*r, x.(stretch)) }
func (r *ranked) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

// from drops the stretches on top that have ended before a day, and cuts what is before
// it off the one that is on top then.
func (r *ranked) from(day int32) {
	for len(*r) > 0 && (*r)[0].last < day {
		heap.Pop(r)
	}
	if len(*r) > 0 {
		(*r)[0].first = max((*r)[0].first, day)
	}
}

// measure makes runs of stretches that are in order.
func (c *Calendar) measure(all []stretch) []run {
	runs, gained := make([]run, len(all)), int64(0)
	for i, s := range all {
		r := run{first: s.first, last: s.last, hours: s.hours, gained: gained}
		from, behind := int64(s.first), int64(s.last)+1
		work := (behind - from) * c.hours[s.hours].total
		gained += work - (c.regular(behind) - c.regular(from))
		r.through = c.regular(behind) + gained
		runs[i] = r
	}
	return runs
}

// span is what is known of the runs from one day to another.
type span struct {
	from, to    int64 // the first and the last of these days
	least, most int64 // the working time until from, and until the end of to
	runs        []run // that are in some of these days
	gained      int64 // by all runs until the end of to
}

// whole is the span of all time.
func whole(runs []run, gained int64) *span {
	return &span{
		from: math.MinInt64, to: math.MaxInt64, least: math.MinInt64, most: math.MaxInt64, runs: runs, gained: gained,
	}
}

// find is the place of the first run that does not end before a day.
func (s *span) find(day int64) int {
	low, high := 0, len(s.runs)
	for low < high {
		if mid := int(uint(low+high) >> 1); int64(s.runs[mid].last) < day {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// findWorked is the place of the first run until whose end so much was worked.
func (s *span) findWorked(worked int64) int {
	low, high := 0, len(s.runs)
	for low < high {
		if mid := int(uint(low+high) >> 1); s.runs[mid].through < worked {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
