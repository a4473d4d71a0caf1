package cpm

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// graph is a network in the order in which it is scheduled. Its vertices are the tasks,
// of which a summary is its beginning, and behind them the ends of the summaries: what is
// below one lies between the two.
type graph struct {
	*Network
	*Options
	projects  []project
	lag       LagCalendar // never LagByProfile
	states    []state
	calendars []*worktime.Calendar
	// out and in are the links that count, by the task from which and to which they
	// lead; below are the tasks of a summary.
	out, in rows[arc]
	below   rows[int32]
	order   []int32
}

// project is one while it is scheduled.
type project struct {
	Project
	earliest worktime.Time // at which anything begins that is still to be done
	finish   worktime.Time // of its last task
	target   worktime.Time // by which it is to end
}

// projectsOf are the projects of a network, that of the options first.
func projectsOf(n *Network, o *Options) (all []project) {
	for _, p := range slices.Insert(slices.Clone(n.projects), 0, o.Project) {
		if p.Calendar == nil {
			p.Calendar = o.Calendar
		}
		if p.Start == 0 {
			p.Start = o.Start
		}
		if p.DataDate == 0 || o.Profile == MSProject {
			p.DataDate = p.Start
		}
		all = append(all, project{Project: p, earliest: later(p.Start, p.DataDate)})
	}
	return all
}

// arc is a link as one of its tasks sees it. Those of a task lie side by side, so that
// a pass reads them in the order in which they are in memory.
type arc struct {
	lag  int64
	task int32 // at its other end
	link int32 // its number
	typ  LinkType
	// plain says that it stays on one calendar, on which both ends of it are told.
	plain bool
}

// rows are values by row, one behind the other.
type rows[V any] struct {
	from   []int32
	values []V
}

func (r rows[V]) of(i int) []V { return r.values[r.from[i]:r.from[i+1]] }

// newRows puts values into n rows. row is that of the value with a number, none to leave
// it out.
func newRows[V any](n, values int, row func(i int) int, value func(i int) V) rows[V] {
	r := rows[V]{from: make([]int32, n+1)}
	for i := range values {
		if at := row(i); at != none {
			r.from[at+1]++
		}
	}
	for i := range n {
		r.from[i+1] += r.from[i]
	}
	r.values = make([]V, r.from[n])
	next := slices.Clone(r.from)
	for i := range values {
		if at := row(i); at != none {
			r.values[next[at]] = value(i)
			next[at]++
		}
	}
	return r
}

// newGraph fails with a CycleError.
func newGraph(n *Network, o *Options) (*graph, error) {
	g := &graph{Network: n, Options: o, projects: projectsOf(n, o), lag: o.lags(), states: make([]state, len(n.tasks)), calendars: make([]*worktime.Calendar, len(n.tasks))}
	for i := range n.tasks {
		t := &n.tasks[i]
		if g.states[i], g.calendars[i] = t.state(), t.Calendar; t.Calendar == nil {
			g.calendars[i] = g.project(i).Calendar
		}
	}
	g.out, g.in = g.arcs(g.counts)
	g.below = newRows(len(n.tasks), len(n.tasks), func(i int) int { return int(n.parent[i]) }, func(i int) int32 { return int32(i) })
	return g, g.sort()
}

// arcs are the links for which a function holds, by their two ends.
func (g *graph) arcs(holds func(*Link) bool) (out, in rows[arc]) {
	out = newRows(len(g.tasks), len(g.links), func(i int) int {
		if l := &g.links[i]; holds(l) {
			return l.Predecessor
		}
		return none
	}, func(i int) arc { return g.arc(i, (*Link).successor) })
	from := make([]int32, len(out.values)) // what they are the other way round
	for i := range g.tasks {
		for at := out.from[i]; at < out.from[i+1]; at++ {
			from[at] = int32(i)
		}
	}
	in = newRows(len(g.tasks), len(out.values), func(i int) int { return int(out.values[i].task) }, func(i int) arc {
		a := out.values[i]
		a.task = from[i]
		return a
	})
	return out, in
}

// arc is a link as seen from one end, by the other.
func (g *graph) arc(link int, other func(*Link) int) arc {
	l := &g.links[link]
	a := arc{task: int32(other(l)), link: int32(link), typ: l.Type, lag: l.Lag}
	if l.Percent {
		a.lag = g.tasks[l.Predecessor].Duration * l.Lag / 100
	}
	c := g.calendars[l.Predecessor]
	a.plain = g.states[l.Predecessor] == waiting && g.states[l.Successor] >= waiting && g.calendars[l.Successor] == c &&
		(a.lag == 0 || g.lagOf(l) == c)
	return a
}

// lagOf is the calendar of the lag of a link.
func (g *graph) lagOf(l *Link) *worktime.Calendar {
	if l.Calendar != nil {
		return l.Calendar
	}
	switch g.lag {
	case LagOfPredecessor:
		return g.calendars[l.Predecessor]
	case LagOfSuccessor:
		return g.calendars[l.Successor]
	case LagElapsed:
		return worktime.Continuous
	default:
		return g.project(l.Predecessor).Calendar
	}
}

// project is that of a task.
func (g *graph) project(task int) *project {
	if len(g.projects) == 1 {
		return &g.projects[0]
	}
	return &g.projects[g.tasks[task].Project]
}

// counts reports whether the passes follow a link.
func (g *graph) counts(l *Link) bool {
	a, b := g.states[l.Predecessor], g.states[l.Successor]
	return a != outside && b != outside && (b != summary || !l.Type.toFinish())
}

// summary reports whether a vertex is the beginning of one.
func (g *graph) summary(v int) bool { return v < len(g.tasks) && g.states[v] == summary }

// end is the vertex at which a task is over.
func (g *graph) end(task int) int {
	if g.summary(task) {
		return len(g.tasks) + task
	}
	return task
}

// next yields the vertices that directly follow one.
func (g *graph) next(v int, yield func(int)) {
	if g.summary(v) {
		for _, child := range g.below.of(v) {
			yield(int(child))
		}
		yield(g.end(v))
		return
	}
	task := v
	if v >= len(g.tasks) {
		task -= len(g.tasks)
	}
	for _, a := range g.out.of(task) {
		yield(int(a.task))
	}
	if p := g.parent[task]; p != none {
		yield(g.end(int(p)))
	}
}

// vertices yields all of them.
func (g *graph) vertices(yield func(int)) {
	for i := range g.tasks {
		if yield(i); g.summary(i) {
			yield(g.end(i))
		}
	}
}

// sort puts the vertices in order, each behind those that it depends on.
func (g *graph) sort() error {
	waits, total := make([]int32, 2*len(g.tasks)), 0
	g.vertices(func(v int) {
		total++
		g.next(v, func(w int) { waits[w]++ })
	})
	g.order = make([]int32, 0, total)
	g.vertices(func(v int) {
		if waits[v] == 0 {
			g.order = append(g.order, int32(v))
		}
	})
	for at := 0; at < len(g.order); at++ {
		g.next(int(g.order[at]), func(w int) {
			if waits[w]--; waits[w] == 0 {
				g.order = append(g.order, int32(w))
			}
		})
	}
	if len(g.order) < total {
		return g.cycle(waits, total-len(g.order))
	}
	return nil
}

// cycle names one among vertices that wait for one another.
func (g *graph) cycle(waits []int32, left int) error {
	before := make(map[int]int, left) // of each that waits, one that it waits for
	last := none
	g.vertices(func(v int) {
		if waits[v] > 0 {
			g.next(v, func(w int) {
				if waits[w] > 0 {
					before[w] = v
				}
			})
			last = v
		}
	})
	// Whatever waits has one before it that waits, so the way back ends in a circle.
	seen := make(map[int]bool, left)
	for ; !seen[last]; last = before[last] {
		seen[last] = true
	}
	e := &CycleError{Size: left}
	for at := last; ; {
		if id := g.tasks[at%len(g.tasks)].ID; len(e.Tasks) == 0 || e.Tasks[len(e.Tasks)-1] != id {
			e.Tasks = append(e.Tasks, id)
		}
		if at = before[at]; at == last {
			break
		}
	}
	slices.Reverse(e.Tasks)
	if first := e.Tasks[0]; len(e.Tasks) == 1 || e.Tasks[len(e.Tasks)-1] != first {
		e.Tasks = append(e.Tasks, first)
	}
	return e
}
