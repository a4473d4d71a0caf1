package cpm

import (
	"container/heap"
	"slices"
	"sync"
)

// Revise gives some tasks of a scheduled network other values, by their numbers, and
// finds the dates that follow: those of the tasks that the change reaches, and not of the
// whole network. It changes the result, and neither may be read meanwhile; the network
// that was scheduled stays as it is.
//
// touched are the tasks whose dates, floats or path may be others now, in the order of
// their numbers. Revise reports false, and has changed nothing, where a change takes the
// network to be scheduled anew: one of what a task is a part of (Kind, Project, Inactive),
// and any of a network with tasks that P6 does as late as possible, or whose finish it
// expects.
//
// Errors: ErrNetwork.
func (r *Result) Revise(changes map[int]Task) (touched []int, ok bool, err error) {
	p := r.p
	if err := p.checkRevision(changes); err != nil {
		return nil, false, err
	}
	if !p.revisable(changes) {
		return nil, false, nil
	}
	v := r.revision()
	changed := false
	for i, t := range changes {
		if !v.tasks[i].equal(&t) {
			v.set(i, t)
			changed = true
		}
	}
	if !changed {
		return nil, true, nil
	}
	v.forward()
	moved := p.aimAgain()
	v.backward(moved)
	v.stretchAgain()
	before := r.longestPath()
	r.path = sync.Once{}
	after := r.longestPath()
	for i := range p.tasks {
		if v.touched[i] || before[i] != after[i] || moved || p.isHammock(i) {
			touched = append(touched, i)
		}
	}
	clear(v.touched)
	return touched, true, nil
}

// equal reports whether two tasks are the same.
func (t *Task) equal(o *Task) bool {
	return t.ID == o.ID && t.Kind == o.Kind && t.Project == o.Project && t.Calendar == o.Calendar &&
		t.Duration == o.Duration && t.Remaining == o.Remaining && t.ActualStart == o.ActualStart && t.ActualFinish == o.ActualFinish &&
		slices.Equal(t.Constraints, o.Constraints) && t.Deadline == o.Deadline && t.ExpectedFinish == o.ExpectedFinish &&
		t.Resume == o.Resume && t.Manual == o.Manual && t.Start == o.Start && t.Finish == o.Finish &&
		t.NeverCritical == o.NeverCritical && t.Inactive == o.Inactive
}

// checkRevision refuses values that a network cannot have.
func (p *pass) checkRevision(changes map[int]Task) error {
	n := Network{projects: p.Network.projects}
	for i, t := range changes {
		if i < 0 || i >= len(p.tasks) {
			return ErrNetwork
		}
		n.tasks = append(n.tasks, t)
	}
	return n.check()
}

// revisable reports whether changes leave the graph as it is.
func (p *pass) revisable(changes map[int]Task) bool {
	for i, t := range changes {
		was := &p.tasks[i]
		if t.Kind != was.Kind && (t.hammock() || was.hammock() || t.Kind == Summary || was.Kind == Summary) || t.Project != was.Project || t.Inactive != was.Inactive {
			return false
		}
	}
	if p.Profile == MSProject {
		return true
	}
	late := func(t *Task) bool { return t.as(AsLateAsPossible) || t.ExpectedFinish != 0 }
	for i := range p.tasks {
		if p.bound[i] && late(&p.tasks[i]) {
			return false
		}
	}
	for _, t := range changes {
		if late(&t) {
			return false
		}
	}
	return true
}

// revision is what revising a result needs beside it.
type revision struct {
	*pass
	place    []int32 // of each vertex in the order
	touched  []bool  // tasks
	queued   []bool  // vertices
	hammocks *hammocks
}

// revision is that of the result, made once.
func (r *Result) revision() *revision {
	if r.revised != nil {
		return r.revised
	}
	p := r.p
	network := *p.Network
	network.tasks = slices.Clone(network.tasks)
	p.Network = &network
	v := &revision{pass: p, place: make([]int32, 2*len(p.tasks)), touched: make([]bool, len(p.tasks)), queued: make([]bool, 2*len(p.tasks))}
	for at, vertex := range p.order {
		v.place[vertex] = int32(at)
	}
	v.hammocks = p.hammocks()
	r.revised = v
	return v
}

// set gives a task its values, and its links what follows from them.
func (v *revision) set(i int, t Task) {
	v.tasks[i], v.touched[i] = t, true
	if v.calendars[i] = t.Calendar; t.Calendar == nil {
		v.calendars[i] = v.project(i).Calendar
	}
	if v.states[i] != summary {
		v.states[i] = v.tasks[i].state()
	}
	if v.onwards[i] = false; v.states[i] > summary {
		v.spans[i] = span{}
	}
	v.prepare(i)
	for a := range v.into(i) {
		*a = v.arc(int(a.link))
	}
	for n := range v.out.of(i) {
		a := &v.out.of(i)[n]
		*a = v.arc(int(a.link))
	}
}

// forward finds the early dates again of what was touched and of what follows from it.
func (v *revision) forward() {
	q := v.queue(1)
	for i, touched := range v.touched {
		if touched && v.states[i] != outside {
			q.add(i)
		}
	}
	for q.Len() > 0 {
		vertex := q.next()
		if v.again(vertex) {
			v.pass.next(vertex, q.add)
		}
	}
}

// again finds what a vertex has of the early dates, and reports whether another vertex
// may see a change in it.
func (v *revision) again(vertex int) (changed bool) {
	n := len(v.tasks)
	switch {
	case vertex >= n:
		i := vertex - n
		s := &v.spans[i]
		start, finish := s.start, s.finish
		s.start, s.finish = 0, 0
		v.rollUp(i)
		changed = s.start != start || s.finish != finish
		v.touched[i] = v.touched[i] || changed
	case v.states[vertex] == summary:
		s := &v.spans[vertex]
		floor := s.floor
		s.floor = v.floorOf(vertex)
		changed = s.floor != floor || v.touched[vertex]
	default:
		early, onwards, stood := v.early[vertex], v.onwards[vertex], v.spans[vertex].start
		v.begin(vertex)
		changed = v.early[vertex] != early || v.onwards[vertex] != onwards || v.spans[vertex].start != stood || v.touched[vertex]
		v.touched[vertex] = changed
	}
	return changed
}

// stretchAgain puts the hammocks in their places, as if they had none.
func (v *revision) stretchAgain() {
	if v.hammocks == nil {
		return
	}
	for _, i := range v.hammocks.all {
		v.spans[i] = span{}
	}
	v.hammocks.stretch()
}

// aimAgain finds the finishes of the projects again, and reports whether one is another.
func (p *pass) aimAgain() (moved bool) {
	before := slices.Clone(p.projects)
	for i := range p.projects {
		p.projects[i].finish = 0
	}
	for i := range p.tasks {
		if p.states[i] > summary {
			x := p.project(i)
			x.finish = later(x.finish, p.reached(i))
		}
	}
	p.aim()
	for i := range p.projects {
		moved = moved || p.projects[i].finish != before[i].finish || p.projects[i].target != before[i].target
	}
	return moved
}

// backward finds the late dates again: all of them where the finish of a project has
// moved, which holds everything.
func (v *revision) backward(all bool) {
	if all {
		for i := range v.spans {
			v.spans[i].lateStart, v.spans[i].lateFinish = 0, 0
		}
		v.pass.backward()
		return
	}
	q := v.queue(-1)
	for i, touched := range slices.Clone(v.touched) {
		if touched && v.states[i] != outside {
			q.add(i)
			v.before(i, func(w int) {
				q.add(w)
				v.touchBelow(w % len(v.tasks)) // their free float
			})
		}
	}
	for q.Len() > 0 {
		vertex := q.next()
		if v.lateOf(vertex) {
			v.before(vertex, q.add)
		}
	}
}

// touchBelow touches a task and all that is below it.
func (v *revision) touchBelow(task int) {
	for stack := []int{task}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		v.touched[i] = true
		for _, child := range v.below.of(i) {
			stack = append(stack, int(child))
		}
	}
}

// lateOf finds what a vertex has of the late dates, and reports whether another vertex
// may see a change in it.
func (v *revision) lateOf(vertex int) (changed bool) {
	n := len(v.tasks)
	switch {
	case vertex >= n:
		s := &v.spans[vertex-n]
		ceiling := s.ceiling
		s.ceiling = v.ceilingOf(vertex - n)
		return s.ceiling != ceiling
	case v.states[vertex] == summary:
		s := &v.spans[vertex]
		start, finish := s.lateStart, s.lateFinish
		s.lateStart, s.lateFinish = 0, 0
		v.rollUpLate(vertex)
		changed = s.lateStart != start || s.lateFinish != finish
	default:
		late, stood := v.late[vertex], v.spans[vertex].lateStart
		v.late[vertex] = v.lateFinish(vertex) - v.duration[vertex]
		changed = v.late[vertex] != late || v.spans[vertex].lateStart != stood
	}
	v.touched[vertex] = v.touched[vertex] || changed
	return changed
}

// before yields the vertices whose late dates depend on those of one.
func (v *revision) before(vertex int, yield func(int)) {
	n := len(v.tasks)
	if vertex >= n {
		for _, child := range v.below.of(vertex - n) {
			if v.states[child] != outside {
				yield(v.end(int(child)))
			}
		}
		return
	}
	for a := range v.into(vertex) {
		yield(v.end(int(a.from)))
	}
	if s := v.parent[vertex]; s != none {
		yield(int(s))
	}
}

// queue is vertices that wait for their turn, in the order of the passes: forwards by 1,
// backwards by -1.
type queue struct {
	*revision
	direction int32
	vertices  []int32
}

func (v *revision) queue(direction int32) *queue { return &queue{revision: v, direction: direction} }

func (q *queue) add(vertex int) {
	if i := vertex % len(q.tasks); q.states[i] != outside && !q.queued[vertex] {
		q.queued[vertex] = true
		heap.Push(q, int32(vertex))
	}
}

func (q *queue) next() int {
	vertex := heap.Pop(q).(int32)
	q.queued[vertex] = false
	return int(vertex)
}

// Len implements heap.Interface.
func (q *queue) Len() int { return len(q.vertices) }

// Less implements heap.Interface.
func (q *queue) Less(i, j int) bool {
	return q.direction*q.place[q.vertices[i]] < q.direction*q.place[q.vertices[j]]
}

// Swap implements heap.Interface.
func (q *queue) Swap(i, j int) { q.vertices[i], q.vertices[j] = q.vertices[j], q.vertices[i] }

// Push implements heap.Interface.
func (q *queue) Push(v any) { q.vertices = append(q.vertices, v.(int32)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(q.vertices) - 1
	v := q.vertices[last]
	q.vertices = q.vertices[:last]
	return v
}
