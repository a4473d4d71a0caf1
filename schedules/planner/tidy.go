package planner

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// clean leaves out what refers to nothing, with a warning for each, and puts tasks behind
// what they are below.
func (p *Plan) clean() {
	p.cleanProjects()
	p.cleanCalendars()
	p.cleanTasks()
	tasks := ids(p.Tasks, func(t *Task) string { return t.ID })
	p.cleanLinks(tasks)
	p.cleanResources(tasks)
	p.cleanCodes()
	p.cleanFields()
}

// maxMade is how many projects are made at most for tasks whose project is not there. The
// tasks of all others are of the last one.
const maxMade = 1000

// cleanProjects leaves out projects without ids, and gives tasks of projects that are not
// there a new one, which is called as its node in the WBS of an XER is.
func (p *Plan) cleanProjects() {
	p.Projects = keepUnique(p, "project", p.Projects, func(x *Project) string { return x.ID })
	place, found := index(p.Projects, func(x *Project) string { return x.ID }), len(p.Projects)
	if found == 0 {
		p.oneProject()
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		at, ok := place[t.ProjectID]
		if !ok {
			if len(p.Projects)-found < maxMade {
				p.makeProject(t.ProjectID, place)
			}
			at = len(p.Projects) - 1
			place[t.ProjectID], place[p.Projects[at].ID] = at, at
		}
		x := &p.Projects[at]
		if at >= found && x.Name == t.ProjectID && t.Kind == cpm.Summary && t.ParentID == "" && p.Format == XER {
			x.Name = t.Name
		}
		t.ProjectID = x.ID
	}
}

// oneProject lets the tasks of a file without projects that name none be of the one that others
// name.
func (p *Plan) oneProject() {
	id := projectOf(p.Tasks)
	for i := range p.Tasks {
		t := &p.Tasks[i]
		t.ProjectID = first(t.ProjectID, id)
	}
}

// makeProject adds a project of which nothing is known. It is on the calendar of the file
// where that has one alone.
func (p *Plan) makeProject(id string, place map[string]int) {
	x := Project{ID: id, Name: id, Lag: cpm.LagOfPredecessor}
	for n, ok := 1, id == ""; ok; n++ {
		x.ID = strconv.Itoa(n)
		_, ok = place[x.ID]
	}
	if len(p.Calendars) == 1 {
		x.CalendarID = p.Calendars[0].ID
	}
	p.Projects = append(p.Projects, x)
	p.warn(
		"project "+x.ID, "The file has nothing of it but its tasks: where it begins and how it is scheduled is not "+
			"known.",
	)
}

// cleanLinks leaves out links to tasks that are not there, and links to themselves.
func (p *Plan) cleanLinks(tasks map[string]bool) {
	known := make(map[string]bool, len(p.Links))
	p.Links = keep(p.Links, func(l *Link) bool {
		if id := l.ID; id == "" || known[id] {
			l.ID = fmt.Sprintf("%s-%s-%d", l.PredecessorID, l.SuccessorID, len(known))
			p.warn("link "+l.ID, "It is called so: its id %q is missing or another's.", id)
		}
		known[l.ID] = true
		for _, id := range []string{l.PredecessorID, l.SuccessorID} {
			if !tasks[id] {
				p.warn("link "+l.ID, "It is left out: the file has no task %s.", id)
				return false
			}
		}
		if l.PredecessorID == l.SuccessorID {
			p.warn("link "+l.ID, "It is left out: it joins a task to itself.")
			return false
		}
		return true
	})
}

// cleanResources leaves out resources without ids, and what is of tasks and resources that
// are not there.
func (p *Plan) cleanResources(tasks map[string]bool) {
	p.Resources = p.unique(p.Resources)
	resources := ids(p.Resources, func(r *Resource) string { return r.ID })
	for i := range p.Resources {
		if r := &p.Resources[i]; r.ParentID != "" && (!resources[r.ParentID] || r.ParentID == r.ID) {
			p.warn("resource "+r.ID, "It is at the top: the file has no resource %s.", r.ParentID)
			r.ParentID = ""
		}
	}
	p.Accounts = keepUnique(p, "account", p.Accounts, func(a *Account) string { return a.ID })
	accounts := ids(p.Accounts, func(a *Account) string { return a.ID })
	for i := range p.Accounts {
		if a := &p.Accounts[i]; a.ParentID != "" && !accounts[a.ParentID] {
			p.warn("account "+a.ID, "It is at the top: the file has no account %s.", a.ParentID)
			a.ParentID = ""
		}
	}
	account := func(id *string, what string) {
		if *id != "" && !accounts[*id] {
			p.warn(what, "The file has no account %s.", *id)
			*id = ""
		}
	}
	p.Assignments = keep(p.Assignments, func(a *Assignment) bool {
		if !tasks[a.TaskID] || !resources[a.ResourceID] {
			p.warn("assignment "+a.ID, "It is left out: the file has no task %s or no resource %s.", a.TaskID,
				a.ResourceID)
			return false
		}
		account(&a.AccountID, "assignment "+a.ID)
		return true
	})
	p.Expenses = keep(p.Expenses, func(e *Expense) bool {
		if !tasks[e.TaskID] {
			p.warn("expense "+e.ID, "It is left out: the file has no task %s.", e.TaskID)
			return false
		}
		account(&e.AccountID, "expense "+e.ID)
		return true
	})
}

// unique leaves out resources whose id is missing or another's.
func (p *Plan) unique(all []Resource) []Resource {
	return keepUnique(p, "resource", all, func(r *Resource) string { return r.ID })
}

// keepUnique leaves out the records whose id is missing or another's.
func keepUnique[T any](p *Plan, kind string, all []T, id func(*T) string) []T {
	known := make(map[string]bool, len(all))
	return keep(all, func(x *T) bool {
		if known[id(x)] || id(x) == "" {
			p.warn(kind+" "+id(x), "It is left out: its id is missing or another's.")
			return false
		}
		known[id(x)] = true
		return true
	})
}

// cleanCodes leaves out codes and values without ids, values of no code, and those of
// them that items have and that are not there.
func (p *Plan) cleanCodes() {
	p.Codes = keepUnique(p, "code", p.Codes, func(c *Code) string { return c.ID })
	codes := index(p.Codes, func(c *Code) string { return c.ID })
	p.CodeValues = keepUnique(p, "code value", p.CodeValues, func(v *CodeValue) string { return v.ID })
	p.CodeValues = keep(p.CodeValues, func(v *CodeValue) bool {
		_, ok := codes[v.CodeID]
		if !ok {
			p.warn("code value "+v.ID, "It is left out: the file has no code %s.", v.CodeID)
		}
		return ok
	})
	p.nestValues()
	values := index(p.CodeValues, func(v *CodeValue) string { return v.ID })
	// A record has one value of a code at most; of several the first is kept.
	given := func(what string, of Subject, all []string) []string {
		had := make(map[string]bool, len(all)) // codes of which there is a value
		return nothing(keep(all, func(id *string) bool {
			at, ok := values[*id]
			if !ok || p.Codes[codes[p.CodeValues[at].CodeID]].Of != of || had[p.CodeValues[at].CodeID] {
				p.warn(what, "Its code value %s is left out: the file has no such value, or another one of that code.",
					*id)
				return false
			}
			had[p.CodeValues[at].CodeID] = true
			return true
		}))
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		t.CodeValueIDs = given("task "+t.ID, OfTasks, t.CodeValueIDs)
	}
	for i := range p.Resources {
		r := &p.Resources[i]
		r.CodeValueIDs = given("resource "+r.ID, OfResources, r.CodeValueIDs)
	}
	for i := range p.Projects {
		x := &p.Projects[i]
		x.CodeValueIDs = given("project "+x.ID, OfProjects, x.CodeValueIDs)
	}
}

// nothing is no list where a list is empty.
func nothing[T any](all []T) []T {
	if len(all) == 0 {
		return nil
	}
	return all
}

// nestValues puts code values behind what they are below, and those at the top that are
// below nothing of their code, or below themselves.
func (p *Plan) nestValues() {
	known := index(p.CodeValues, func(v *CodeValue) string { return v.ID })
	below := make(map[string][]int)
	for i := range p.CodeValues {
		v := &p.CodeValues[i]
		if at, ok := known[v.ParentID]; v.ParentID != "" && (!ok || p.CodeValues[at].CodeID != v.CodeID) {
			p.warn("code value "+v.ID, "It is at the top: its code has no value %s.", v.ParentID)
			v.ParentID = ""
		}
		below[v.ParentID] = append(below[v.ParentID], i)
	}
	done := make([]bool, len(p.CodeValues))
	ordered := make([]CodeValue, 0, len(p.CodeValues))
	from := func(places []int) {
		for stack := slices.Clone(places); len(stack) > 0; {
			i := stack[0]
			stack = stack[1:]
			if !done[i] {
				done[i] = true
				ordered = append(ordered, p.CodeValues[i])
				stack = append(stack, below[p.CodeValues[i].ID]...)
			}
		}
	}
	from(below[""])
	for i := range p.CodeValues {
		if !done[i] {
			p.warn("code value "+p.CodeValues[i].ID, "It is at the top: it is below itself.")
			p.CodeValues[i].ParentID = ""
			from([]int{i})
		}
	}
	p.CodeValues = ordered
}

// cleanFields leaves out user fields of items that have none here, and values of fields
// that are not there.
func (p *Plan) cleanFields() {
	p.UserFields = keepUnique(p, "user field", p.UserFields, func(f *UserField) string { return f.ID })
	p.UserFields = keep(p.UserFields, func(f *UserField) bool {
		if f.Of == "" {
			p.warn("user field "+f.ID, "It is left out with its values: it is of nothing that has user fields here.")
		}
		return f.Of != ""
	})
}

// ids collects the ids of records, to look up whether a reference leads anywhere.
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

// shareCalendars makes a project calendar global where its project is not in the plan, as
// the project behind a baseline is not.
func (p *Plan) shareCalendars() {
	projects := ids(p.Projects, func(x *Project) string { return x.ID })
	for i := range p.Calendars {
		if c := &p.Calendars[i]; !projects[c.ProjectID] {
			c.ProjectID = ""
		}
	}
}

// cleanCalendars leaves out calendars that nothing can name, and takes references away to
// calendars that are not there, and bases that go round in a circle.
func (p *Plan) cleanCalendars() {
	known := make(map[string]*Calendar, len(p.Calendars))
	p.Calendars = keep(p.Calendars, func(c *Calendar) bool {
		if known[c.ID] != nil || c.ID == "" {
			p.warn("calendar "+c.ID, "It is left out: its id is missing or another's.")
			return false
		}
		known[c.ID] = c
		return true
	})
	// keep moves what it keeps, so pointers into the list have to be taken again.
	for i := range p.Calendars { // they have moved
		known[p.Calendars[i].ID] = &p.Calendars[i]
	}
	for i := range p.Calendars {
		c := &p.Calendars[i]
		if c.BaseID == "" {
			continue
		}
		at, steps := known[c.BaseID], 0
		// A chain of more steps than there are calendars runs into a circle that this one is
		// not part of; that is cut at one of its members.
		for at != nil && at != c && steps < len(known) {
			at, steps = known[at.BaseID], steps+1
		}
		if known[c.BaseID] == nil || at == c {
			p.warn("calendar "+c.ID, "It has no base: there is no calendar %s, or it is based on this one.", c.BaseID)
			c.BaseID = ""
		}
	}
	p.shareCalendars()
	drop := func(id *string, what string) {
		if *id != "" && known[*id] == nil {
			p.warn(what, "The file has no calendar %s.", *id)
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

// cleanTasks puts tasks behind what they are below, and those at the top that are below
// nothing, or below themselves.
func (p *Plan) cleanTasks() {
	known := make(map[string]bool, len(p.Tasks))
	p.Tasks = keep(p.Tasks, func(t *Task) bool {
		if known[t.ID] || t.ID == "" {
			p.warn("task "+t.ID, "It is left out: its id is missing or another's.")
			return false
		}
		known[t.ID] = true
		return true
	})
	o := outline{
		tasks: p.Tasks, order: make([]int, 0, len(p.Tasks)), below: make(map[string][]int),
		done: make([]bool, len(p.Tasks)),
	}
	var top []int
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.ParentID != "" && !known[t.ParentID] {
			p.warn("task "+t.ID, "It is at the top: the file has no %s.", t.ParentID)
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
	for _, id := range o.deep {
		p.warn("task "+id, "It is moved up: it lies more than %d levels deep.", maxLevels)
	}
	o.arrange()
}

// maxLevels is how deep tasks may lie. What lies deeper is moved up.
const maxLevels = 200

// outline is tasks while they are put behind what they are below.
type outline struct {
	tasks []Task
	order []int // their places, each behind what it is below
	below map[string][]int
	done  []bool
	deep  []string // tasks that were moved up
}

// arrange puts the tasks in their order, without a second list of them, along each circle of those that
// take each other's places.
func (o *outline) arrange() {
	for i := range o.order {
		first, at := o.tasks[i], i
		for from := o.order[at]; from != i && from != at; from = o.order[at] {
			o.tasks[at], o.order[at] = o.tasks[from], at
			at = from
		}
		o.tasks[at], o.order[at] = first, at
	}
}

// level are tasks side by side, and how deep they are.
type level struct {
	rest  []int
	depth int
}

// add adds tasks, and behind each what is below it. It keeps its own stack: a file may
// nest tasks deeper than a goroutine should recurse.
func (o *outline) add(from []int) {
	for stack := []level{{from, 1}}; len(stack) > 0; {
		last := &stack[len(stack)-1]
		if len(last.rest) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		i := last.rest[0]
		last.rest = last.rest[1:]
		if o.done[i] {
			continue
		}
		o.done[i] = true
		t := &o.tasks[i]
		if children := o.below[t.ID]; len(children) > 0 {
			depth := last.depth + 1
			// What is below the deepest level becomes a sibling of what it was below, so
			// that nothing is lost and no later walk is deeper than this.
			if depth > maxLevels {
				depth = maxLevels
				for _, c := range children {
					o.tasks[c].ParentID = t.ParentID
					o.deep = append(o.deep, o.tasks[c].ID)
				}
			} else {
				t.Kind = cpm.Summary
			}
			stack = append(stack, level{children, depth})
		}
		o.order = append(o.order, i)
	}
}

// appended is append for lists of which a file has many: they get room for half as many again
// rather than for a quarter more.
func appended[T any](all []T, more T) []T {
	if len(all) == cap(all) {
		all = slices.Grow(all, max(len(all)/2, 16))
	}
	return append(all, more)
}
