package gantt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Row is a task where a picture has it.
type Row struct {
	// Task is its place in the plan, dated.None where the row stands for a whole project.
	Task int
	// Project is the place of the project.
	Project int
	Level   int  // how many others it is below
	Parent  bool // others are below it
	Folded  bool // and are not drawn
	// Found reports that it was searched for; without a search every task is.
	Found bool
}

// Rows lists the rows of one page of the plan from top to bottom.
//
// Errors: ErrPage, ErrScale, ErrOrder, ErrSpan.
func Rows(p *dated.Plan, o Options) ([]Row, error) {
	page, err := NewPage(p, o)
	if err != nil {
		return nil, err
	}
	return page.Rows(), nil
}

// row is a task where it is drawn.
type row struct {
	task, level          int
	below, folded, found bool
}

// outline are the rows of all pages.
func outline(p *dated.Plan, o *Options) []row {
	kept := search(p, o)
	top, below := families(p, kept)
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

// families are the tasks at the top, and those right below each task, of those that are kept.
func families(p *dated.Plan, kept hits) (top []int, below [][]int) {
	const left = dated.None - 1
	parents := make([]int, len(p.Tasks))
	sizes := make([]int, len(p.Tasks)+1) // of families: the last one is the top
	for i := range p.Tasks {
		if parents[i] = left; kept.has(i) {
			parents[i] = above(p, i)
			sizes[place(parents[i], len(p.Tasks))]++
		}
	}
	// All families lie in one list, one behind the other.
	list := make([]int, len(p.Tasks))
	below = make([][]int, len(sizes))
	for at, from := 0, 0; at < len(sizes); at++ {
		below[at] = list[from : from : from+sizes[at]]
		from += sizes[at]
	}
	for i, parent := range parents {
		if parent != left {
			at := place(parent, len(p.Tasks))
			below[at] = append(below[at], i)
		}
	}
	return below[len(p.Tasks)], below[:len(p.Tasks)]
}

// place is the place of a parent among families, of which the one at the top is the last.
func place(parent, top int) int {
	if parent == dated.None {
		return top
	}
	return parent
}

// hits are the tasks that were searched for, and those that are drawn for what is below
// them. It is nil where all are.
type hits []hit

type hit uint8

const (
	noHit hit = iota
	// aboveHit marks a task above a hit, drawn so that a reader sees where the hit lies.
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
	return text == "" || strings.Contains(strings.ToLower(t.Name), text) ||
		strings.Contains(strings.ToLower(t.Code), text) || strings.Contains(strings.ToLower(t.ID), text)
}

// order puts tasks in the order in which they start and finish, those without dates
// last, unless the order of the plan is wanted. outlined says that they have an outline.
func order(p *dated.Plan, o *Options, tasks []int, outlined bool) []int {
	unplaced := func(i int) bool { return p.Tasks[i].Unplaced }
	if o.Order == ByStart || o.Order == ByOutline && (!outlined || slices.ContainsFunc(tasks, unplaced)) {
		slices.SortFunc(tasks, func(a, b int) int { // whose places are all different
			x, y := &p.Tasks[a], &p.Tasks[b]
			switch {
			case (x.Start == 0) != (y.Start == 0):
				return cmp.Compare(y.Start, x.Start)
			case x.Start != y.Start:
				return cmp.Compare(x.Start, y.Start)
			case x.Finish != y.Finish:
				return cmp.Compare(x.Finish, y.Finish)
			}
			return cmp.Compare(a, b)
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
