package compare

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// paths leads along the links of a plan that drive.
type paths struct {
	plan    *dated.Plan
	last    int     // the task that ends last, None where no task has dates
	into    [][]int // the links of each task as a successor
	below   map[int][]int
	flagged bool // links say which of them drive
}

func newPaths(p *dated.Plan) *paths {
	x := &paths{plan: p, last: dated.None, into: make([][]int, len(p.Tasks)), below: make(map[int][]int)}
	for i := range p.Links {
		l := &p.Links[i]
		x.into[l.Successor] = append(x.into[l.Successor], i)
		x.flagged = x.flagged || l.Driving
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if at := t.Parent; at >= 0 && at < i {
			x.below[at] = append(x.below[at], i)
		}
		if t.Start == 0 || t.Kind == cpm.Summary || t.Hammock() || t.Inactive {
			continue
		}
		if x.last == dated.None || t.Finish > p.Tasks[x.last].Finish ||
			t.Finish == p.Tasks[x.last].Finish && t.Longest && !p.Tasks[x.last].Longest {
			x.last = i
		}
	}
	return x
}

// stop is an end of a task on a path, with what leads to it.
type stop struct {
	task   int
	finish bool
	link   int // None where the task itself leads to it, from its other end
}

// at is when a stop is.
func (x *paths) at(s stop) worktime.Time {
	if s.finish {
		return x.plan.Tasks[s.task].Finish
	}
	return x.plan.Tasks[s.task].Start
}

// stops lists the stops of the path that leads to a stop, from the first one on. The path
// begins where nothing drives a task any more, or behind a task for which ends holds.
func (x *paths) stops(to stop, ends func(task int) bool) (all []stop) {
	seen := map[int]bool{to.task: true}
	for at := to; ; {
		link, before := x.driver(at.task)
		if link != dated.None && seen[before] {
			link = dated.None
		}
		if link == dated.None {
			if at.finish {
				all = append(all, stop{at.task, true, dated.None})
			}
			all = append(all, stop{at.task, false, dated.None})
			break
		}
		leaves, enters := endsOf(x.plan.Links[link].Type)
		if at.finish != enters {
			all = append(all, stop{at.task, at.finish, dated.None})
		}
		all = append(all, stop{at.task, enters, link})
		if seen[before], at = true, (stop{before, leaves, dated.None}); ends(before) {
			all = append(all, at)
			break
		}
	}
	slices.Reverse(all)
	return all
}

// endsOf reports for the ends of a link whether they are finishes.
func endsOf(t cpm.LinkType) (leaves, enters bool) {
	return t == cpm.FinishToStart || t == cpm.FinishToFinish, t == cpm.FinishToFinish || t == cpm.StartToFinish
}

// driver is the link that drives a task, and the task from which it leads: below a summary,
// that which gives it its date. A task that no link drives is driven by those of what it is
// below, where it is at the beginning of that.
func (x *paths) driver(task int) (link, from int) {
	for at := task; at >= 0; at = x.plan.Tasks[at].Parent {
		if x.plan.Tasks[at].Start != x.plan.Tasks[task].Start {
			break
		}
		if link = x.driving(at); link != dated.None {
			leaves, _ := endsOf(x.plan.Links[link].Type)
			return link, x.leaf(x.plan.Links[link].Predecessor, leaves)
		}
		if x.plan.Tasks[at].Parent >= at {
			break
		}
	}
	return dated.None, dated.None
}

// leaf is the task below a summary that gives it one of its dates.
func (x *paths) leaf(task int, finish bool) int {
	for x.plan.Tasks[task].Kind == cpm.Summary {
		next := dated.None
		for _, i := range x.below[task] {
			if x.at(stop{i, finish, dated.None}) == x.at(stop{task, finish, dated.None}) {
				next = i
				break
			}
		}
		if next == dated.None {
			return task
		}
		task = next
	}
	return task
}

// driving is the link into a task that drives it: the one that is marked as driving, and
// where none is, the one that leaves it the least room. Room it may leave only where one
// of the two was done: what was done begins when it began.
func (x *paths) driving(task int) (link int) {
	link = dated.None
	least := int64(0)
	for _, i := range x.into[task] {
		l := &x.plan.Links[i]
		p, s := &x.plan.Tasks[l.Predecessor], &x.plan.Tasks[l.Successor]
		if l.Driving {
			return i
		}
		if p.Start == 0 || s.Start == 0 {
			continue
		}
		past := p.Ended() || s.ActualStart != 0
		room := x.room(l)
		if x.flagged && !past || room > 0 && !past || room < 0 && x.flagged {
			continue
		}
		if link == dated.None || room < least {
			link, least = i, room
		}
	}
	return link
}

// room is by how much the successor of a link could be earlier, by their dates.
func (x *paths) room(l *dated.Link) int64 {
	leaves, enters := endsOf(l.Type)
	from, lag, c := x.at(stop{l.Predecessor, leaves, dated.None}), l.Lag, x.plan.CalendarOf(l.Predecessor)
	if l.Percent {
		lag = x.plan.Tasks[l.Predecessor].Duration * l.Lag / 100
	}
	if l.Elapsed {
		c = worktime.Continuous
	}
	if lag != 0 {
		from = c.Add(from, lag)
	}
	return x.plan.CalendarOf(l.Successor).Between(from, x.at(stop{l.Successor, enters, dated.None}))
}
