package planner

import (
	"fmt"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// tidy leaves out what refers to nothing, with a warning for each, and puts tasks behind
// what they are below.
func (p *Plan) tidy() {
	p.tidyCalendars()
	p.tidyTasks()
	tasks := ids(p.Tasks, func(t *Task) string { return t.ID })
	p.Links = keep(p.Links, func(l *Link) bool {
		for _, id := range []string{l.PredecessorID, l.SuccessorID} {
			if !tasks[id] {
				p.warn("link "+l.ID, fmt.Sprintf("It is left out: the file has no task %s.", id))
				return false
			}
		}
		if l.PredecessorID == l.SuccessorID {
			p.warn("link "+l.ID, "It is left out: it joins a task to itself.")
			return false
		}
		return true
	})
	resources := ids(p.Resources, func(r *Resource) string { return r.ID })
	p.Assignments = keep(p.Assignments, func(a *Assignment) bool {
		if !tasks[a.TaskID] || !resources[a.ResourceID] {
			p.warn("assignment "+a.ID, fmt.Sprintf("It is left out: the file has no task %s or no resource %s.", a.TaskID, a.ResourceID))
			return false
		}
		return true
	})
}

// ids are those of some records.
func ids[T any](all []T, id func(*T) string) map[string]bool {
	known := make(map[string]bool, len(all))
	for i := range all {
		known[id(&all[i])] = true
	}
	return known
}

// keep leaves out the records for which a function does not hold.
func keep[T any](all []T, holds func(*T) bool) []T {
	kept := all[:0]
	for i := range all {
		if holds(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// tidyCalendars leaves out calendars that nothing can name, and takes references away to
// calendars that are not there, and bases that go round in a circle.
func (p *Plan) tidyCalendars() {
	known := make(map[string]*Calendar, len(p.Calendars))
	p.Calendars = keep(p.Calendars, func(c *Calendar) bool {
		if known[c.ID] != nil || c.ID == "" {
			p.warn("calendar "+c.ID, "It is left out: its id is missing or another's.")
			return false
		}
		known[c.ID] = c
		return true
	})
	for i := range p.Calendars { // they have moved
		known[p.Calendars[i].ID] = &p.Calendars[i]
	}
	for i := range p.Calendars {
		c := &p.Calendars[i]
		if c.BaseID == "" {
			continue
		}
		at, steps := known[c.BaseID], 0
		for at != nil && at != c && steps < len(known) {
			at, steps = known[at.BaseID], steps+1
		}
		if known[c.BaseID] == nil || at == c {
			p.warn("calendar "+c.ID, fmt.Sprintf("It has no base: there is no calendar %s, or it is based on this one.", c.BaseID))
			c.BaseID = ""
		}
	}
	drop := func(id *string, what string) {
		if *id != "" && known[*id] == nil {
			p.warn(what, fmt.Sprintf("The file has no calendar %s.", *id))
			*id = ""
		}
	}
	for i := range p.Projects {
		drop(&p.Projects[i].CalendarID, "project "+p.Projects[i].ID)
	}
	for i := range p.Tasks {
		drop(&p.Tasks[i].CalendarID, "task "+p.Tasks[i].ID)
	}
	for i := range p.Resources {
		drop(&p.Resources[i].CalendarID, "resource "+p.Resources[i].ID)
	}
}

// tidyTasks puts tasks behind what they are below, and those at the top that are below
// nothing, or below themselves.
func (p *Plan) tidyTasks() {
	known := make(map[string]bool, len(p.Tasks))
	p.Tasks = keep(p.Tasks, func(t *Task) bool {
		if known[t.ID] || t.ID == "" {
			p.warn("task "+t.ID, "It is left out: its id is missing or another's.")
			return false
		}
		known[t.ID] = true
		return true
	})
	o := outline{tasks: p.Tasks, below: make(map[string][]int), done: make([]bool, len(p.Tasks))}
	var top []int
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.ParentID != "" && !known[t.ParentID] {
			p.warn("task "+t.ID, fmt.Sprintf("It is at the top: the file has no %s.", t.ParentID))
			t.ParentID = ""
		}
		if t.ParentID == "" {
			top = append(top, i)
		} else {
			o.below[t.ParentID] = append(o.below[t.ParentID], i)
		}
	}
	o.add(top)
	for i := range p.Tasks {
		if !o.done[i] { // below itself
			p.warn("task "+p.Tasks[i].ID, "It is at the top: it is below itself.")
			p.Tasks[i].ParentID = ""
			o.add([]int{i})
		}
	}
	p.Tasks = o.ordered
}

// outline is tasks while they are put behind what they are below.
type outline struct {
	tasks, ordered []Task
	below          map[string][]int
	done           []bool
}

// add adds tasks, and behind each what is below it.
func (o *outline) add(from []int) {
	for stack := [][]int{from}; len(stack) > 0; {
		last := &stack[len(stack)-1]
		if len(*last) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		i := (*last)[0]
		*last = (*last)[1:]
		if o.done[i] {
			continue
		}
		o.done[i] = true
		t := o.tasks[i]
		if children := o.below[t.ID]; len(children) > 0 {
			t.Kind = cpm.Summary
			stack = append(stack, children)
		}
		o.ordered = append(o.ordered, t)
	}
}
