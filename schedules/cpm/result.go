package cpm

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Schedule finds the dates of a network. It fails with ErrOptions, with ErrNetwork, or
// with a *CycleError that names one circle.
func Schedule(n *Network, o Options) (*Result, error) {
	if o.Calendar == nil || o.Start == 0 {
		return nil, ErrOptions
	}
	if err := n.check(); err != nil {
		return nil, err
	}
	g, err := newGraph(n, &o)
	if err != nil {
		return nil, err
	}
	p := started(g)
	p.forward()
	p.backward()
	p.hammocks().stretch()
	r := &Result{p: p}
	r.lent.Store(true)
	return r, nil
}

// Result is a network that is scheduled. It may be read by many at once, and changes by
// Revise alone.
type Result struct {
	p       *pass
	longest []bool // nil until it is asked for
	path    sync.Once
	revised *revision // nil until it is revised
	// lent reports that others have the network, which is theirs to read as long as they like.
	lent atomic.Bool
}

// Network is what the dates are of, with every change that Revise has made. It stays as it
// is: the next Revise changes another one.
func (r *Result) Network() *Network {
	r.lent.Store(true)
	return r.p.Network
}

// own makes the network one that no one else has.
func (r *Result) own() {
	if r.lent.Swap(false) {
		own := *r.p.Network
		own.tasks = slices.Clone(own.tasks)
		r.p.Network = &own
	}
}

// Finish returns when the last task of a project ends. Project 0 is the project of the
// options.
func (r *Result) Finish(project int) worktime.Time { return r.p.projects[project].finish }

// Dates holds when a task is scheduled and how much it may slip. A time that is not known
// is zero: an inactive task has no times, and a hammock no late ones.
//
// In P6 a LongHammock is a level of effort, of which nothing that is still to be done is before
// the data date. It has a late start if the start of a task precedes its own, and a late finish
// if the finish of one precedes its own. Options.Float says which of both its float is to.
//
// In P6 a task that has ended is scheduled like any other, with nothing left to do: its
// early dates are the data date, or where logic is retained when it should have begun by
// it, its late ones what its successors admit.
type Dates struct {
	EarlyStart, EarlyFinish worktime.Time
	LateStart, LateFinish   worktime.Time
	// Start and Finish are when the task is to be done, or was: the actual dates, the
	// dates given by hand, the late ones of a task that Microsoft Project does as late
	// as possible, and else the early ones.
	Start, Finish worktime.Time
	// TotalFloat is by how much the task can slip before the project does, negative
	// where it is late; FreeFloat by how much before another task does. Both are in
	// seconds of the task's calendar. A task that has ended has none in P6, nor has a
	// summary of such alone, nor a hammock without late dates. The free float of a level of
	// effort, and of a task that P6 expects to end on a date, is 0. Since a task takes as long late as early, the float of its
	// start, that of its finish, and the smaller of the two are one; those of a summary
	// differ, and the smaller is counted.
	TotalFloat, FreeFloat int64
	HasFloat              bool
	// Critical reports that the total float is no more than the options allow, unless the
	// task is never critical.
	Critical bool
	// Longest reports that the task is on the longest path: the links that drive lead
	// from it to the finish of a project.
	Longest bool
}

// Dates returns the dates of the task with a number.
func (r *Result) Dates(task int) Dates {
	p, t := r.p, &r.p.tasks[task]
	if t.Inactive {
		return Dates{}
	}
	if p.states[task] == outside || p.states[task] == summary {
		return r.spanned(task)
	}
	d := Dates{
		EarlyStart: p.start(task, p.early[task]), EarlyFinish: p.endOf(task, p.early[task]),
		LateStart: p.start(task, p.late[task]), LateFinish: p.endOf(task, p.late[task]),
		Longest: r.longestPath()[task],
	}
	d.Start, d.Finish = d.EarlyStart, d.EarlyFinish
	switch p.states[task] {
	case begun:
		d.Start = t.ActualStart
		if p.Profile == MSProject {
			d.LateStart = t.ActualStart
		}
	case fixed:
		d.Start, d.Finish = t.Start, t.Finish
		d.EarlyStart, d.EarlyFinish = t.Start, t.Finish
	case ended:
		d = Dates{Longest: d.Longest, Start: t.ActualStart, Finish: t.ActualFinish}
		if d.HasFloat = p.Profile == MSProject; d.HasFloat {
			d.EarlyStart, d.EarlyFinish, d.LateStart, d.LateFinish = d.Start, d.Finish, d.Start, d.Finish
			return d
		}
		s := &p.spans[task]
		d.EarlyStart, d.EarlyFinish, d.LateStart, d.LateFinish = s.start, s.start, s.lateStart, s.lateStart
		return d
	case waiting:
		if p.Profile == MSProject && t.as(AsLateAsPossible) {
			d.Start, d.Finish = d.LateStart, d.LateFinish
		}
	}
	d.HasFloat, d.TotalFloat, d.FreeFloat = true, p.late[task]-p.early[task], p.freeFloat(task)
	if p.Profile == MSProject {
		d.FreeFloat = min(d.FreeFloat, max(d.TotalFloat, 0))
	}
	if !t.NeverCritical {
		d.Critical = d.TotalFloat <= p.project(task).Critical || p.OpenEndsCritical && len(p.out.of(task)) == 0
	}
	return d
}

// spanned are the dates of a summary or a hammock.
func (r *Result) spanned(task int) Dates {
	p, s := r.p, &r.p.spans[task]
	d := Dates{
		EarlyStart: s.start, EarlyFinish: s.finish, LateStart: s.lateStart, LateFinish: s.lateFinish,
		Start: s.start, Finish: s.finish,
	}
	if p.states[task] == summary && s.finish != 0 && s.lateFinish != 0 {
		c := p.calendars[task]
		d.HasFloat = true
		d.TotalFloat = min(c.Between(s.finish, s.lateFinish), c.Between(s.start, s.lateStart))
		d.FreeFloat = max(d.TotalFloat, 0)
		d.Critical = d.TotalFloat <= p.project(task).Critical
	}
	if d.Start != 0 && p.states[task] == outside && p.isEffort(task) {
		p.effort(task, &d)
	}
	return d
}

// effort completes the dates of a level of effort. What of it is still to be done is not before
// the data date, and of one that has ended nothing is.
func (p *pass) effort(task int, d *Dates) {
	t, c, x := &p.tasks[task], p.calendars[task], p.project(task)
	if t.ActualFinish != 0 {
		d.EarlyStart, d.EarlyFinish, d.LateStart, d.LateFinish = x.earliest, x.earliest, 0, 0
		return
	}
	d.EarlyStart = max(d.EarlyStart, x.earliest)
	d.EarlyFinish = max(d.EarlyFinish, d.EarlyStart)
	d.Finish = d.EarlyFinish
	if d.LateStart != 0 {
		d.LateStart = c.Start(d.LateStart)
	}
	start, finish := c.Between(d.EarlyStart, d.LateStart), c.Between(d.EarlyFinish, d.LateFinish)
	switch p.Float {
	case StartFloat:
		d.TotalFloat, d.HasFloat = start, d.LateStart != 0
	case SmallestFloat:
		d.TotalFloat, d.HasFloat = min(start, finish), d.LateStart != 0 && d.LateFinish != 0
	default:
		d.TotalFloat, d.HasFloat = finish, d.LateFinish != 0
	}
	if !d.HasFloat {
		d.TotalFloat = 0
		return
	}
	d.Critical = !t.NeverCritical && d.TotalFloat <= x.Critical
}

// LinkDates are the results of scheduling for a link.
type LinkDates struct {
	// Float is by how much its predecessor can slip before the link moves its successor,
	// in seconds of the predecessor's calendar. It is zero where one of them has ended.
	Float int64
	// Driving reports that the link is what puts its successor where it is.
	Driving bool
}

// Link is the result of scheduling for the link with a number.
func (r *Result) Link(link int) LinkDates {
	p, l := r.p, &r.p.links[link]
	if !p.counts(l.Predecessor, l.Successor, l.Type) {
		return LinkDates{}
	}
	a := p.arc(link)
	d := LinkDates{Driving: p.driving(l.Successor, &a, l.Successor)}
	if at, ok := p.successor(l.Predecessor, &a, false); ok && p.states[l.Predecessor] >= waiting &&
		p.states[l.Predecessor] < ended {
		d.Float = at - p.early[l.Predecessor] - p.duration[l.Predecessor]
	}
	return d
}

// driving reports whether an arc to a successor puts a task where it is. The task is the
// successor itself, or lies below it where that is a summary.
func (p *pass) driving(successor int, a *arc, task int) bool {
	switch p.states[task] {
	case waiting:
	case begun:
		if !p.retains() {
			return false
		}
	case ended:
		return p.retains() && successor == task && p.reach(a) == p.spans[task].start
	default:
		return false
	}
	if successor == task {
		return p.push(task, a) == p.early[task]
	}
	return p.calendars[task].Worked(p.reach(a)) == p.early[task]
}

// drivers yields the arcs that put a task where it is, those of what it is below
// included.
func (p *pass) drivers(task int, yield func(*arc)) {
	for at := task; at != none; at = int(p.parent[at]) {
		for a := range p.into(at) {
			if p.driving(at, a, task) {
				yield(a)
			}
		}
	}
}

// longestPath is what the finishes of the projects were driven by. It is found once.
func (r *Result) longestPath() []bool {
	r.path.Do(func() { r.longest = r.p.longestPath() })
	return r.longest
}

// longestPath marks what the finishes of the projects were driven by.
func (p *pass) longestPath() []bool {
	longest := make([]bool, len(p.tasks))
	p.markLongest(longest)
	return longest
}

func (p *pass) markLongest(longest []bool) {
	for i := range p.tasks {
		longest[i] = p.states[i] > summary && p.reached(i) == p.project(i).finish
	}
	for _, v := range slices.Backward(p.order) {
		i := int(v)
		if i >= len(p.tasks) {
			i -= len(p.tasks)
			if longest[i] { // what ends last below it
				p.markLast(i, longest)
			}
			continue
		}
		if !longest[i] || p.states[i] == summary {
			continue
		}
		p.drivers(i, func(a *arc) { longest[a.from] = true })
	}
}

// markLast marks what gives a summary its finish.
func (p *pass) markLast(i int, longest []bool) {
	for _, child := range p.below.of(i) {
		if p.states[child] != outside && p.finishOf(int(child)) == p.finishOf(i) {
			longest[child] = true
		}
	}
}

// DrivingPath are the links that lead to a task and drive it, from the first task on:
// why the task is where it is. Of several that drive one task it follows the first.
func (r *Result) DrivingPath(task int) (links []int) {
	for at := task; at != none; {
		next := none
		r.p.drivers(at, func(a *arc) {
			if next == none {
				links, next = append(links, int(a.link)), int(a.from)
			}
		})
		if next != none && r.p.states[next] == summary {
			next = r.p.lastBelow(next)
		}
		at = next
	}
	slices.Reverse(links)
	return links
}

// lastBelow is the task that gives a summary its finish.
func (p *pass) lastBelow(i int) int {
	for p.states[i] == summary {
		last := none
		for _, child := range p.below.of(i) {
			if p.states[child] != outside && p.finishOf(int(child)) == p.finishOf(i) {
				last = int(child)
				break
			}
		}
		if last == none {
			return none
		}
		i = last
	}
	return i
}
