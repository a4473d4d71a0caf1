package compare

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// pair is two tasks that links join, by their places in the plan, and where they are not
// there, by those in the baseline behind it. Links of a pair are distinguished by the
// relevant part of their state.
type pair struct {
	predecessor, successor int
	by                     LinkState
}

// likeness is how much of the state of two links has to be the same.
var likeness = []func(s LinkState) LinkState{
	func(s LinkState) LinkState { return s },
	func(s LinkState) LinkState { return LinkState{Type: s.Type} },
	func(LinkState) LinkState { return LinkState{} },
}

// links compares those between each two tasks: those that are the same first, then those of one
// type, and the rest in their order.
func (c *comparison) links() {
	matched := make([]int, len(c.plan.Links)) // the place in the baseline, and one
	taken := make([]bool, len(c.baseline.Links))
	next := make([]int, len(c.baseline.Links)) // behind each the next one that is left of its pair, and one
	for _, like := range likeness {
		first := make(map[pair]int) // that is left of each, and one
		for i := range slices.Backward(c.baseline.Links) {
			if l := &c.baseline.Links[i]; !taken[i] {
				p := pair{c.known(l.Predecessor), c.known(l.Successor), like(*linkState(l))}
				next[i], first[p] = first[p], i+1
			}
		}
		if len(first) == 0 {
			break
		}
		for i := range c.plan.Links {
			if matched[i] != 0 {
				continue
			}
			l := &c.plan.Links[i]
			p := pair{l.Predecessor, l.Successor, like(*linkState(l))}
			if at := first[p]; at != 0 {
				matched[i], taken[at-1], first[p] = at, true, next[at-1]
			}
		}
	}
	for i := range c.plan.Links {
		c.link(&c.plan.Links[i], matched[i]-1)
	}
	for i := range c.baseline.Links {
		if !taken[i] {
			l := &c.baseline.Links[i]
			c.addLink(l, c.now(l.Predecessor), c.now(l.Successor), Link{Change: Removed, Baseline: linkState(l)})
		}
	}
}

// known is what a pair has for a place of the baseline.
func (c *comparison) known(at int) int {
	if i := c.back[at]; i != dated.None {
		return i
	}
	return len(c.plan.Tasks) + at
}

// link compares a link of the plan with that at a place of the baseline.
func (c *comparison) link(l *dated.Link, at int) {
	row := Link{Change: Added, Plan: linkState(l)}
	if at >= 0 {
		row.Baseline = linkState(&c.baseline.Links[at])
		if row.Change = Unchanged; *row.Baseline != *row.Plan {
			row.Change = Changed
		}
	}
	c.addLink(l, &c.plan.Tasks[l.Predecessor], &c.plan.Tasks[l.Successor], row)
}

// addLink adds the comparison of a link between two tasks.
func (c *comparison) addLink(l *dated.Link, p, s *dated.Task, row Link) {
	row.ID, row.PredecessorID, row.SuccessorID = l.ID, p.ID, s.ID
	row.Predecessor, row.Successor = p.Label(), s.Label()
	c.Links = append(c.Links, row)
	c.Totals.Links.add(row.Change)
}

// now is a task of the baseline as the plan has it, if it does.
func (c *comparison) now(at int) *dated.Task {
	if i := c.back[at]; i != dated.None {
		return &c.plan.Tasks[i]
	}
	return &c.baseline.Tasks[at]
}

func linkState(l *dated.Link) *LinkState {
	return &LinkState{Type: l.Type, Lag: l.Lag, Percent: l.Percent, Elapsed: l.Elapsed}
}
