package cpm

import "github.com/seed-933f9a09/twinplatform/schedules/worktime"

// Repetition is one network that is scheduled again and again, each time with other
// durations, as simulations do. It finds early dates alone: finishes of projects, and the
// longest path to them. From the first run on nothing is allocated. One goroutine uses it;
// several may have a Repetition each of one network.
type Repetition struct {
	p       *pass
	base    []int64 // what is still to be done of each task in the network
	usual   []int64 // how long it takes from now on then
	percent []percentArc
	longest []bool
}

// percentArc is an arc whose lag follows from a duration.
type percentArc struct {
	*Link
	*arc
}

// Repeat prepares a network for being scheduled again and again. It fails as Schedule does.
func Repeat(n *Network, o Options) (*Repetition, error) {
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
	r := &Repetition{
		p: p, base: make([]int64, len(n.tasks)), usual: make([]int64, len(n.tasks)),
		longest: make([]bool, len(n.tasks)),
	}
	copy(r.usual, p.duration)
	for i := range n.tasks {
		r.base[i] = n.remaining(i)
	}
	r.findPercents()
	return r, nil
}

// remaining is what of a task is still to be done.
func (n *Network) remaining(task int) int64 {
	switch t := &n.tasks[task]; {
	case t.Kind != Work || t.Manual || t.Inactive || t.ActualFinish != 0:
		return 0
	case t.ActualStart != 0:
		return t.Remaining
	default:
		return t.Duration
	}
}

func (r *Repetition) findPercents() {
	arcs := r.p.out.values
	for i := range arcs {
		if l := &r.p.links[arcs[i].link]; l.Percent {
			r.percent = append(r.percent, percentArc{l, &arcs[i]})
		}
	}
}

// Remaining is what is still to be done of the task with a number as the network has it,
// in seconds of working time: 0 of one that is done, that stays where it is by hand, or
// that takes no work.
func (r *Repetition) Remaining(task int) int64 { return r.base[task] }

// Run schedules the network with other work still to be done, in seconds of working time
// by the numbers of the tasks. Values of tasks that have none in the network has no
// effect, nor has it where a task ends on the date on which that is expected.
func (r *Repetition) Run(remaining []int64) {
	p := r.p
	for i, base := range r.base {
		if base > 0 {
			p.duration[i] = max(r.usual[i]+remaining[i]-base, 0)
		} else {
			p.duration[i] = r.usual[i] // which a pass may have changed
		}
	}
	for _, a := range r.percent {
		i := a.Link.Predecessor
		duration := p.tasks[i].Duration
		if r.base[i] > 0 {
			duration = max(duration+remaining[i]-r.base[i], 0)
		}
		a.lag = duration * a.Link.Lag / 100
		a.plain = a.lag == 0 || a.Link.Calendar == nil
		a.plain = p.plain(a.arc)
	}
	clear(p.spans)
	clear(p.onwards)
	for i := range p.projects {
		x := &p.projects[i]
		x.finish, x.last, x.worked = 0, nil, 0
	}
	p.forward()
}

// Finish returns when the last task of a project ended in the last run. Project 0 is the
// project of the options.
func (r *Repetition) Finish(project int) worktime.Time { return r.p.projects[project].finish }

// Longest reports of each task, by its number, whether it was on the longest path of the
// last run, as Dates do. The next call overwrites it.
func (r *Repetition) Longest() []bool {
	clear(r.longest)
	r.p.markLongest(r.longest)
	return r.longest
}
