package cpm

// path finds the longest path again where some tasks have other early dates, and where
// projects had another finish than now.
func (v *revision) path(longest []bool, moved []int32, was []project) {
	q := v.queue(-1)
	for _, i := range moved {
		q.add(v.end(int(i)))
		v.drawn(int(i), q.add)
	}
	for x := range v.projects {
		if now := v.projects[x].finish; now != was[x].finish {
			v.finishes.at(x, was[x].finish, q.add)
			v.finishes.at(x, now, q.add)
		}
	}
	for q.Len() > 0 {
		i := q.next() % len(v.tasks)
		if on := v.onLongest(longest, i); on != longest[i] {
			longest[i] = on
			v.touch(i)
			v.drawn(i, q.add)
		}
	}
}

// drawn yields the ends of the tasks that may be on the longest path since one is: what it is
// linked to or above it is, and what is below it.
func (v *revision) drawn(task int, yield func(vertex int)) {
	for at := task; at != none; at = int(v.parent[at]) {
		for a := range v.into(at) {
			yield(v.end(int(a.from)))
		}
	}
	for _, child := range v.below.of(task) {
		yield(v.end(int(child)))
	}
}

// onLongest reports whether a task is on the longest path, where that is known of all that
// is behind it.
func (v *revision) onLongest(longest []bool, i int) bool {
	if v.states[i] > summary && v.reached(i) == v.project(i).finish {
		return true
	}
	if s := v.parent[i]; s != none && longest[s] && v.finishOf(i) == v.finishOf(int(s)) {
		return true
	}
	for n := range v.out.of(i) {
		if v.drivesOnto(longest, &v.out.of(i)[n]) {
			return true
		}
	}
	return false
}

// drivesOnto reports whether an arc drives a task of the longest path: that to which it
// leads, or one below that.
func (v *revision) drivesOnto(longest []bool, a *arc) bool {
	for stack := []int32{a.to}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if longest[i] && v.states[i] > summary && v.driving(int(a.to), a, int(i)) {
			return true
		}
		stack = append(stack, v.below.of(int(i))...)
	}
	return false
}
