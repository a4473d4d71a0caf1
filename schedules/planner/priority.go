package planner

import "math"

// usualPriority is the default priority of a task.
const usualPriority int32 = 500

// p6Priorities are the priorities by how P6 calls them.
var p6Priorities = map[string]int32{"Top": 900, "High": 600, "Normal": usualPriority, "Low": 400, "Lowest": 100}

// given is a priority as a task has it.
func given(priority int32) *int32 {
	if priority == usualPriority {
		return nil
	}
	return &priority
}

// priority reads the priority of a task as Microsoft Project counts it.
func (f *fields) priority(to **int32, names ...string) {
	if n := 0; f.whole(&n, 0, 1000, names...) {
		*to = given(int32(n))
	}
}

// priority returns the priority of a task from 0 to 1000, and the default, 500, where the
// file states none.
func (t *Task) priority() int32 {
	if t.Priority == nil {
		return usualPriority
	}
	return *t.Priority
}

// priority is how P6 calls the priority of a task, or the one that is closest to it.
func (x *p6Writer) priority(t *Task) string {
	word, away := "Normal", int32(math.MaxInt32)
	for _, w := range []string{"Lowest", "Low", "Normal", "High", "Top"} {
		if d := max(t.priority()-p6Priorities[w], p6Priorities[w]-t.priority()); d < away {
			word, away = w, d
		}
	}
	if away != 0 {
		x.lose("task", t.ID, "Its priority is "+word+", the closest that P6 has.")
	}
	return word
}
