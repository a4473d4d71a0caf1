package dated

import (
	"cmp"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// Round is one way in which items of two sides are known by a name.
type Round struct {
	// Of and In are the names of the items of each side; one that is empty is no name.
	Of, In func(i int) string
	// Once is for names that mean nothing where several items of a side have one, be they
	// found already or not. Names that several have of those that are left are in any other
	// round those of none.
	Once bool
	// InOrder pairs those that have one name in their order instead.
	InOrder bool
}

// Pairs finds items in others: the place there of each of so many, None for those that are
// not there. The rounds are in the order of how much they say: what was found in one is not
// looked for in the next.
func Pairs(of, in int, rounds ...Round) []int {
	places, taken, left := slices.Repeat([]int{None}, of), make([]bool, in), min(of, in)
	for _, r := range rounds {
		if left == 0 {
			break
		}
		left -= r.pair(places, taken)
	}
	return places
}

// pair finds what is left by the names of a round, and returns how many it has found.
func (r *Round) pair(places []int, taken []bool) (found int) {
	var own named
	if !r.InOrder {
		own = r.names(len(places), r.Of, func(i int) bool { return places[i] != None })
	}
	others := r.names(len(taken), r.In, func(i int) bool { return taken[i] })
	for i := range places {
		if places[i] != None {
			continue
		}
		name := r.Of(i)
		at, ok := others.first[name]
		if name == "" || !ok || at == None || !r.InOrder && own.first[name] == None {
			continue
		}
		if r.InOrder {
			if next, more := others.next[at]; more {
				others.first[name] = next
			} else {
				delete(others.first, name)
			}
		}
		if !taken[at] {
			places[i], taken[at] = at, true
			found++
		}
	}
	return found
}

// named are items by their names: the first that has one, None where several have it, and
// where these are paired in their order, the next behind each.
type named struct {
	first map[string]int
	next  map[int]int
}

func (r *Round) names(n int, by func(int) string, found func(int) bool) named {
	out := named{first: make(map[string]int)}
	last := make(map[string]int)
	for i := range n {
		if !r.Once && found(i) {
			continue
		}
		name := by(i)
		if name == "" {
			continue
		}
		switch _, there := out.first[name]; {
		case !there:
			out.first[name] = i
		case !r.InOrder:
			out.first[name] = None
		default:
			if out.next == nil {
				out.next = make(map[int]int)
			}
			out.next[cmp.Or(last[name], out.first[name])] = i
			last[name] = i
		}
	}
	return out
}

// Match finds the tasks of a plan in another: the place there of each, None for those
// that are not there. A task is known by its key, by what it was copied from, and by its
// code: that of its project and its own, or its own alone, which is enough where both plans
// have one project. What is above tasks is known by the codes from the top down instead, since
// its code is its own among its siblings alone. Tasks that have one name on a side are not
// known by it. A task that became a milestone is the same task.
func Match(p, in *Plan) []int {
	// They are read where something is left to be found by them.
	of := sync.OnceValue(func() *names { return namesOf(p) })
	there := sync.OnceValue(func() *names { return namesOf(in) })
	return Pairs(
		len(p.Tasks), len(in.Tasks),
		Round{Of: p.key, In: in.key},
		Round{Of: p.template, In: in.template, Once: true},
		Round{Of: func(i int) string { return of().whole(i) }, In: func(i int) string { return there().whole(i) }},
		Round{Of: func(i int) string { return of().code(i) }, In: func(i int) string { return there().code(i) }},
	)
}

func (p *Plan) key(i int) string { return cmp.Or(p.Tasks[i].Key, p.Tasks[i].ID) }

func (p *Plan) template(i int) string { return p.Tasks[i].Template }

// names holds the code of each task of a plan and the code of its project. Tasks are
// matched by both together or by their own code alone.
type names struct{ codes, projects []string }

func (n *names) code(i int) string { return n.codes[i] }

func (n *names) whole(i int) string {
	if n.codes[i] == "" {
		return ""
	}
	return n.projects[i] + "\x00" + n.codes[i]
}

// namesOf calls tasks by their codes, and what is above tasks by its path, in which what stands
// for a project as a whole has no code: P6 gives it that of the project, which is another in
// each copy.
func namesOf(p *Plan) *names {
	n := &names{codes: make([]string, len(p.Tasks)), projects: make([]string, len(p.Tasks))}
	paths := make([]string, len(p.Tasks))
	for i := range p.Tasks {
		t := &p.Tasks[i]
		project := p.ProjectOf(i)
		n.projects[i] = project.Code
		if t.Kind != cpm.Summary {
			if t.Code != "" {
				n.codes[i] = "c" + t.Code
			}
			continue
		}
		paths[i] = "w"
		if t.Parent != None {
			paths[i] = paths[t.Parent]
		}
		if t.Parent != None || t.Code != project.Code {
			paths[i] += "\x00" + t.Code
		}
		if t.Code != "" {
			n.codes[i] = paths[i]
		}
	}
	return n
}

// SetBaseline sets the baseline of each task to where another plan has it, and takes
// that of the others away. Other plans with the same tasks keep theirs.
func (p *Plan) SetBaseline(of *Plan) {
	p.Tasks = slices.Clone(p.Tasks)
	for i, at := range Match(p, of) {
		p.Tasks[i].Baseline = Span{}
		if at != None {
			t := &of.Tasks[at]
			p.Tasks[i].Baseline = Span{Start: t.Start, Finish: t.Finish, Duration: t.Duration}
		}
	}
}
