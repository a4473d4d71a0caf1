package cpm

import "github.com/seed-933f9a09/twinplatform/schedules/worktime"

// finishes are when the tasks of each project end, as its finish sees them: a tournament of
// which the last of all is the winner, so that another finish of one task is a matter of its
// matches alone.
type finishes struct {
	*pass
	members rows[int32]       // tasks by project
	place   []int32           // of each task among those of its project
	trees   [][]worktime.Time // by project: the winner at 1, the tasks behind all matches
}

func newFinishes(p *pass) finishes {
	f := finishes{pass: p, place: make([]int32, len(p.tasks)), trees: make([][]worktime.Time, len(p.projects))}
	f.members = numbersIn(len(p.projects), len(p.tasks), f.projectOf)
	for x := range p.projects {
		all := f.members.of(x)
		tree := make([]worktime.Time, 2*len(all))
		for at, i := range all {
			f.place[i] = int32(at)
			tree[len(all)+at] = f.finish(int(i))
		}
		for at := len(all) - 1; at > 0; at-- {
			tree[at] = later(tree[2*at], tree[2*at+1])
		}
		f.trees[x] = tree
	}
	return f
}

// projectOf is the number of the project of a task.
func (f *finishes) projectOf(task int) int {
	if len(f.projects) == 1 {
		return 0
	}
	return f.tasks[task].Project
}

// finish returns when a task ends, and zero for a task that does not move the finish of its
// project: a summary, or one outside the network.
func (f *finishes) finish(task int) worktime.Time {
	if f.states[task] <= summary {
		return 0
	}
	return f.reached(task)
}

// set looks at the finish of a task again.
func (f *finishes) set(task int) {
	tree := f.trees[f.projectOf(task)]
	at := len(tree)/2 + int(f.place[task])
	tree[at] = f.finish(task)
	for at /= 2; at > 0; at /= 2 {
		tree[at] = later(tree[2*at], tree[2*at+1])
	}
}

// last is when the last task of a project ends, zero where it has none.
func (f *finishes) last(project int) worktime.Time {
	if tree := f.trees[project]; len(tree) > 1 {
		return tree[1]
	}
	return 0
}

// at yields the tasks of a project that end at a time than which only few end later.
func (f *finishes) at(project int, t worktime.Time, yield func(task int)) {
	tree := f.trees[project]
	if len(tree) == 0 || t == 0 {
		return
	}
	for stack := []int{1}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch leaf := at - len(tree)/2; {
		case tree[at] == 0 || tree[at] < t:
		case leaf < 0:
			stack = append(stack, 2*at, 2*at+1)
		case tree[at] == t:
			yield(int(f.members.of(project)[leaf]))
		}
	}
}
