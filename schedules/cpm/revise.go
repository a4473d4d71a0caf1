package cpm

import (
	"container/heap"
	"slices"
)

// Revise gives some tasks of a scheduled network other values, by their numbers, and
// finds the dates that follow: those of the tasks that the change reaches, and not of the
// whole network. It changes the result, which may not be read meanwhile: its Network has the
// other values from then on. The network that was scheduled stays as it is, and so does each
// that Network returned before.
//
// touched are the tasks whose dates, floats or path may be others now, in the order of
// their numbers. Revise reports false, and has changed nothing, where a change takes the
// network to be scheduled again: one of what a task is a part of (Kind, Project,
// Inactive), one of the actual dates of a hammock, and any of a network with tasks that P6 does as late as possible, or whose
// finish it expects.
//
// Errors: ErrNetwork.
func (r *Result) Revise(changes map[int]Task) (touched []int, ok bool, err error) {
	if err := r.p.checkRevision(changes); err != nil {
		return nil, false, err
	}
	v := r.revision()
	if !v.revisable(changes) {
		return nil, false, nil
	}
	for i, t := range changes {
		if !v.tasks[i].equal(&t) {
			r.own()
			v.set(i, t)
		}
	}
	if len(v.touched) == 0 {
		return nil, true, nil
	}
	v.forward()
	moved := v.touched // what has other early dates
	was := slices.Clone(v.projects)
	aimed := v.aimAgain(was)
	v.path(r.longest, moved, was)
	v.backward(aimed)
	v.stretchAgain()
	return v.takeTouched(aimed), true, nil
}

// takeTouched returns the touched tasks in the order of their numbers, which are forgotten:
// all of them where a project is to end at another time, since that holds everything.
func (v *revision) takeTouched(all bool) (touched []int) {
	for _, i := range v.touched {
		v.isTouched[i] = false
		touched = append(touched, int(i))
	}
	v.touched = v.touched[:0]
	if all {
		touched = touched[:0]
		for i := range v.tasks {
			touched = append(touched, i)
		}
	}
	slices.Sort(touched)
	return touched
}

// equal reports whether two tasks are the same.
func (t *Task) equal(o *Task) bool {
	return t.ID == o.ID && t.Kind == o.Kind && t.Project == o.Project && t.Calendar == o.Calendar &&
		t.Duration == o.Duration && t.Remaining == o.Remaining && t.Paused == o.Paused &&
		t.ActualStart == o.ActualStart && t.ActualFinish == o.ActualFinish &&
		slices.Equal(t.Constraints, o.Constraints) && t.Deadline == o.Deadline &&
		t.ExpectedFinish == o.ExpectedFinish &&
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
func (v *revision) revisable(changes map[int]Task) bool {
	for i, t := range changes {
		was := &v.tasks[i]
		if t.hammock() && (t.ActualStart != was.ActualStart || t.ActualFinish != was.ActualFinish) {
			return false
		}
		if t.Kind != was.Kind && (t.hammock() || was.hammock() || t.Kind == Summary || was.Kind == Summary) ||
			t.Project != was.Project || t.Inactive != was.Inactive {
			return false
		}
	}
	if v.Profile == MSProject {
		return true
	}
	for _, t := range changes {
		if t.late() {
			return false
		}
	}
	return !v.refused
}

// late reports whether P6 finds the early dates of a task by later ones.
func (t *Task) late() bool { return t.as(AsLateAsPossible) || t.ExpectedFinish != 0 }

// revision is what revising a result needs besides it. What it takes to be made is linear
// in the network, and what a change takes in what that reaches.
type revision struct {
	*pass
	place     []int32 // of each vertex in the order
	touched   []int32 // tasks
	isTouched []bool  // tasks
	queued    []bool  // vertices
	finishes  finishes
	hammocks  *hammocks
	refused   bool // since a task of the network is late
}

// touch notes a task that may have other dates, floats or path.
func (v *revision) touch(task int) {
	if !v.isTouched[task] {
		v.isTouched[task] = true
		v.touched = append(v.touched, int32(task))
	}
}

// revision returns what revising the result needs, and makes it at the first call: that
// takes time linear in the network.
func (r *Result) revision() *revision {
	if r.revised != nil {
		return r.revised
	}
	p := r.p
	v := &revision{
		pass: p, place: make([]int32, 2*len(p.tasks)), isTouched: make([]bool, len(p.tasks)),
		queued: make([]bool, 2*len(p.tasks)),
	}
	for at, vertex := range p.order {
		v.place[vertex] = int32(at)
	}
	for i := range p.tasks {
		v.refused = v.refused || p.tasks[i].late()
	}
	v.hammocks, v.finishes = p.hammocks(), newFinishes(p)
	r.longestPath()
	r.revised = v
	return v
}

// set gives a task its values, and its links what follows from them.
func (v *revision) set(i int, t Task) {
	v.tasks[i] = t
	v.touch(i)
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
	for _, i := range v.touched {
		q.add(int(i))
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
		if changed = s.start != start || s.finish != finish || v.isTouched[i]; changed { // its lags may be others
			v.touch(i)
		}
	case v.states[vertex] == summary:
		s := &v.spans[vertex]
		floor := s.floor
		s.floor = v.floorOf(vertex)
		changed = s.floor != floor || v.isTouched[vertex]
	default:
		early, onwards, stood := v.early[vertex], v.onwards[vertex], v.spans[vertex].start
		v.begin(vertex)
		changed = v.early[vertex] != early || v.onwards[vertex] != onwards || v.spans[vertex].start != stood ||
			v.isTouched[vertex]
		if changed {
			v.touch(vertex)
		}
	}
	return changed
}

// stretchAgain puts the hammocks in their places, as if they had none.
func (v *revision) stretchAgain() {
	if v.hammocks == nil {
		return
	}
	was := make([]span, len(v.hammocks.all))
	for n, i := range v.hammocks.all {
		was[n], v.spans[i] = v.spans[i], span{}
	}
	v.hammocks.stretch()
	for n, i := range v.hammocks.all {
		if v.spans[i] != was[n] {
			v.touch(int(i))
		}
	}
}

// aimAgain finds the finishes of the projects again, and reports whether one is another than
// it was, or is to be.
func (v *revision) aimAgain(was []project) (aimed bool) {
	for _, i := range v.touched {
		v.finishes.set(int(i))
	}
	for i := range v.projects {
		v.projects[i].finish = v.finishes.last(i)
	}
	v.aim()
	for i := range v.projects {
		aimed = aimed || v.projects[i].finish != was[i].finish || v.projects[i].target != was[i].target
	}
	return aimed
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
	for _, i := range v.touched {
		if v.states[i] != outside {
			q.add(int(i))
			q.add(v.end(int(i))) // of a summary, by which it holds what is below it
			if len(v.out.of(int(i))) > 0 {
				v.touchBelow(int(i)) // whose free float is to what follows it, too
			}
			v.before(int(i), q.add)
			for a := range v.into(int(i)) {
				v.touchBelow(int(a.from)) // whose free float is to it
			}
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
		v.touch(i)
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
	if changed {
		v.touch(vertex)
	}
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

// queue is vertices that wait to be visited, in the order of the passes: forwards by 1,
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
