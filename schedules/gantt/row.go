package gantt

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// row is a task where it is drawn.
type row struct {
	task, level int
	parent      bool // of others
}

// outline are the rows of all pages.
func outline(p *dated.Plan, o *Options) []row {
	below := make([][]int, len(p.Tasks))
	var top []int
	for i := range p.Tasks {
		if at := above(p, i); at != dated.None {
			below[at] = append(below[at], i)
		} else {
			top = append(top, i)
		}
	}
	rows := make([]row, 0, len(p.Tasks))
	for stack := [][]int{order(p, o, top)}; len(stack) > 0; {
		last := &stack[len(stack)-1]
		if len(*last) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		i, level := (*last)[0], len(stack)-1
		*last = (*last)[1:]
		rows = append(rows, row{task: i, level: level, parent: len(below[i]) > 0 || p.Tasks[i].Kind == cpm.Summary})
		if len(below[i]) > 0 && (o.Levels == 0 || level+1 < o.Levels) {
			stack = append(stack, order(p, o, below[i]))
		}
	}
	return rows
}

// order puts tasks in the order in which they start and finish, those without dates
// last.
func order(p *dated.Plan, o *Options, tasks []int) []int {
	if !o.InOrder {
		slices.SortStableFunc(tasks, func(a, b int) int {
			x, y := &p.Tasks[a], &p.Tasks[b]
			if (x.Start == 0) != (y.Start == 0) {
				return cmp.Compare(y.Start, x.Start)
			}
			return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.Finish, y.Finish))
		})
	}
	return tasks
}

// above is the task that another is below, None for one that is none before it.
func above(p *dated.Plan, task int) int {
	if at := p.Tasks[task].Parent; at >= 0 && at < task {
		return at
	}
	return dated.None
}
