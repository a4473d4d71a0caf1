package planner

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// numberedStep is a step with its place among those of its task.
type numberedStep struct {
	number int
	Step
}

// stepsOf are the steps of a task in their order.
func stepsOf(all []numberedStep) (steps []Step) {
	slices.SortStableFunc(all, func(a, b numberedStep) int { return cmp.Compare(a.number, b.number) })
	for _, s := range all {
		steps = append(steps, s.Step)
	}
	return steps
}

// step reads a step of a task.
func (x *xer) step(r *row) {
	s := numberedStep{Step: Step{Name: r.get("proc_name"), Description: plain(r.get("proc_descr"))}}
	f := x.fields("step of task", r.get("task_id"), r)
	f.flag(&s.Done, "complete_flag")
	f.whole(&s.number, math.MinInt32, math.MaxInt32, "seq_num")
	f.number(&s.Weight, "proc_wt")
	f.number(&s.Percent, "complete_pct")
	add(x.attached.steps, r.get("task_id"), s)
}

// stepRows writes the steps of tasks.
func (x *xerWriter) stepRows() {
	t, number := x.table("TASKPROC"), 0
	for i := range x.Tasks {
		one := &x.Tasks[i]
		if one.Kind == cpm.Summary {
			continue
		}
		for at, s := range one.Steps {
			number++
			t.row(values{
				"proc_id": strconv.Itoa(number), "task_id": x.tasks.of(one.ID), "proj_id": x.projects.of(one.ProjectID),
				"seq_num": strconv.Itoa(at + 1), "proc_name": s.Name, "proc_descr": marked(s.Description),
				"complete_flag": yes(s.Done), "proc_wt": x.decimal(s.Weight), "complete_pct": x.decimal(s.Percent),
			})
		}
	}
}
