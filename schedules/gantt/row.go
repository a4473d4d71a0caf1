package gantt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Row is a task where a picture has it.
type Row struct {
	// Task is its place in the plan, dated.None where the row is that of a whole project.
	Task int
	// Project is the place of the project.
	Project int
	Level   int  // how many others it is below
	Parent  bool // others are below it
	Folded  bool // and are not drawn
	// Found reports that it was searched for; without a search every task is.
	Found bool
}

// Rows are those of a page of the plan, from above.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan.
func Rows(p *dated.Plan, o Options) ([]Row, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	tasks := len(p.Tasks)
	p = withProjects(p)
	all := outline(p, &o)
	if o.Page > pages(len(all), o.Rows) {
		return nil, ErrPage
	}
	first := (o.Page - 1) * o.Rows
	page := all[first:min(first+o.Rows, len(all))]
	rows := make([]Row, len(page))
	for i, r := range page {
		rows[i] = Row{Task: r.task, Project: p.Tasks[r.task].Project, Level: r.level, Parent: r.below, Folded: r.folded, Found: r.found}
		if r.task >= tasks {
			rows[i].Task = dated.None
		}
	}
	return rows, nil
}

// row is a task where it is drawn.
type row struct {
	task, level          int
	below, folded, found bool
}

// outline are the rows of all pages.
func outline(p *dated.Plan, o *Options) []row {
	below := make([][]int, len(p.Tasks))
	var top []int
	kept := search(p, o)
	for i := range p.Tasks {
		switch at := above(p, i); {
		case !kept.has(i):
		case at != dated.None:
			below[at] = append(below[at], i)
		default:
			top = append(top, i)
		}
	}
	toggled := make(map[int]bool, len(o.Toggled))
	for _, i := range o.Toggled {
		toggled[i] = true
	}
	rows := make([]row, 0, len(p.Tasks))
	parents := slices.ContainsFunc(top, func(i int) bool { return len(below[i]) > 0 })
	for stack := [][]int{order(p, o, top, parents)}; len(stack) > 0; {
		last := &stack[len(stack)-1]
		if len(*last) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		i, level := (*last)[0], len(stack)-1
		*last = (*last)[1:]
		r := row{task: i, level: level, below: len(below[i]) > 0, found: kept.found(i)}
		r.folded = r.below && kept == nil && (o.Levels > 0 && level+1 >= o.Levels) != toggled[i]
		rows = append(rows, r)
		if r.below && !r.folded {
			stack = append(stack, order(p, o, below[i], true))
		}
	}
	return rows
}

// hits are the tasks that were searched for, and those that are drawn for what is below
// them. It is nil where all are.
type hits []hit

type hit uint8

const (
	noHit hit = iota
	aboveHit
	isHit
)

func (h hits) has(task int) bool   { return h == nil || h[task] != noHit }
func (h hits) found(task int) bool { return h == nil || h[task] == isHit }

// search finds what options ask for.
func search(p *dated.Plan, o *Options) hits {
	if o.Search == "" && !o.Critical {
		return nil
	}
	h, text := make(hits, len(p.Tasks)), strings.ToLower(o.Search)
	for i := len(p.Tasks) - 1; i >= 0; i-- { // those below before those above
		t := &p.Tasks[i]
		if (!o.Critical || Critical(t) && !isSummary(t)) && has(t, text) {
			h[i] = isHit
		}
		for at := above(p, i); h[i] != noHit && at != dated.None; at = above(p, at) {
			h[at] = max(h[at], aboveHit)
			if at < i {
				break // which is looked at later
			}
		}
	}
	return h
}

// has reports whether a task is known by a text, which is in lower case.
func has(t *dated.Task, text string) bool {
	return text == "" || strings.Contains(strings.ToLower(t.Name), text) || strings.Contains(strings.ToLower(t.Code), text) || strings.Contains(strings.ToLower(t.ID), text)
}

// order puts tasks in the order in which they start and finish, those without dates
// last, unless the order of the plan is wanted. outlined says that they have an outline.
func order(p *dated.Plan, o *Options, tasks []int, outlined bool) []int {
	unplaced := func(i int) bool { return p.Tasks[i].Unplaced }
	if o.Order == ByStart || o.Order == ByOutline && (!outlined || slices.ContainsFunc(tasks, unplaced)) {
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
	switch at := p.Tasks[task].Parent; {
	case at >= 0 && at < task, at < len(p.Tasks) && isProject(p, at) && !isProject(p, task):
		return at
	}
	return dated.None
}
