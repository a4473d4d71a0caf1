package cpm

import (
	"iter"
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
	// out are the arcs by the task from which they lead, in their places by that to which
	// they lead; below are the tasks of a summary.
	out       rows[arc]
	in, below rows[int32]
	order     []int32
}

// project is one while it is scheduled.
type project struct {
	Project
	earliest worktime.Time // at which anything begins that is still to be done
	finish   worktime.Time // of its last task
	target   worktime.Time // by which it is to end
	// last is the calendar of its last task, and worked the working time before its finish.
	last   *worktime.Calendar
	worked int64
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

// arc is a link that a pass follows. Those from a task lie side by side, so that a pass
// reads them in the order in which they are in memory.
type arc struct {
	lag      int64
	from, to int32
	link     int32 // its number
	typ      LinkType
	// plain reports that it stays on one calendar, on which both ends of it are reckoned.
	plain bool
}

// rows are values by row, one behind the other.
type rows[V any] struct {
	from   []int32
	values []V
}

func (r rows[V]) of(i int) []V { return r.values[r.from[i]:r.from[i+1]] }

// newRows distributes values over n rows. row returns the row of the value with a number,
// or none, which leaves the value out.
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

// numbersIn puts numbers into n rows.
func numbersIn(n, numbers int, row func(i int) int) rows[int32] {
	return newRows(n, numbers, row, func(i int) int32 { return int32(i) })
}

// newGraph fails with a CycleError.
func newGraph(n *Network, o *Options) (*graph, error) {
	g := &graph{
		Network: n, Options: o, projects: projectsOf(n, o), lag: o.lags(),
		states: make([]state, len(n.tasks)), calendars: make([]*worktime.Calendar, len(n.tasks)),
	}
	for i := range n.tasks {
		t := &n.tasks[i]
		if g.states[i], g.calendars[i] = t.state(), t.Calendar; t.Calendar == nil {
			g.calendars[i] = g.project(i).Calendar
		}
	}
	g.join()
	g.below = numbersIn(len(n.tasks), len(n.tasks), func(i int) int { return int(n.parent[i]) })
	return g, g.sort()
}

// join finds the arcs. The links are read in their order, and what an arc takes from its
// tasks in theirs.
func (g *graph) join() {
	g.out = newRows(len(g.tasks), len(g.links), func(i int) int { return g.links[i].Predecessor }, g.bare)
	counting := g.out.values[:0]
	for i := range g.tasks {
		row := g.out.of(i)
		g.out.from[i] = int32(len(counting))
		for _, a := range row {
			if g.counts(int(a.from), int(a.to), a.typ) {
				a.plain = g.plain(&a)
				counting = append(counting, a)
			}
		}
	}
	g.out.from[len(g.tasks)] = int32(len(counting))
	g.out.values = counting
	g.in = numbersIn(len(g.tasks), len(counting), func(i int) int { return int(counting[i].to) })
}

// into are the arcs that lead to a task.
func (g *graph) into(task int) iter.Seq[*arc] {
	return func(yield func(*arc) bool) {
		for _, at := range g.in.of(task) {
			if !yield(&g.out.values[at]) {
				return
			}
		}
	}
}

// arc is the one of a link.
func (g *graph) arc(link int) arc {
	a := g.bare(link)
	a.plain = g.plain(&a)
	return a
}

// bare is the arc of a link before its tasks are known. It may be plain if its lag has no
// own calendar.
func (g *graph) bare(link int) arc {
	l := &g.links[link]
	a := arc{
		from: int32(l.Predecessor), to: int32(l.Successor), link: int32(link), typ: l.Type, lag: l.Lag,
		plain: l.Lag == 0 || l.Calendar == nil,
	}
	if l.Percent {
		a.lag = g.tasks[l.Predecessor].Duration * l.Lag / 100
	}
	return a
}

// plain reports whether an arc that may be plain is.
func (g *graph) plain(a *arc) bool {
	c := g.calendars[a.from]
	return a.plain && g.states[a.from] == waiting && g.states[a.to] >= waiting && g.calendars[a.to] == c &&
		(a.lag == 0 || g.usualLag(int(a.from), int(a.to)) == c)
}

// lagOf is the calendar of the lag of a link.
func (g *graph) lagOf(l *Link) *worktime.Calendar {
	if l.Calendar != nil {
		return l.Calendar
	}
	return g.usualLag(l.Predecessor, l.Successor)
}

// usualLag is the calendar of lags between two tasks that have no own calendar.
func (g *graph) usualLag(predecessor, successor int) *worktime.Calendar {
	switch g.lag {
	case LagOfPredecessor:
		return g.calendars[predecessor]
	case LagOfSuccessor:
		return g.calendars[successor]
	case LagElapsed:
		return worktime.Continuous
	default:
		return g.project(predecessor).Calendar
	}
}

// project returns the project of a task. Most networks have one project alone, for which it
// does not read the task.
func (g *graph) project(task int) *project {
	if len(g.projects) == 1 {
		return &g.projects[0]
	}
	return &g.projects[g.tasks[task].Project]
}

// counts reports whether the passes follow links of a type between two tasks.
func (g *graph) counts(predecessor, successor int, t LinkType) bool {
	a, b := g.states[predecessor], g.states[successor]
	return a != outside && b != outside && (b != summary || !t.toFinish())
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
		yield(int(a.to))
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

// sort puts the vertices in order, each behind those that it depends on, and else as they
// are numbered: neighbours in a plan stay neighbours.
func (g *graph) sort() error {
	waits, total := g.waits()
	g.order = make([]int32, 0, total)
	var ready []int32
	take := func(v int) {
		ready, waits[v] = append(ready, int32(v)), taken
	}
	g.vertices(func(v int) {
		if waits[v] == 0 {
			take(v)
		}
		for len(ready) > 0 {
			first := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			g.order = append(g.order, first)
			g.next(int(first), func(w int) {
				if waits[w]--; waits[w] == 0 && w%len(g.tasks) <= v%len(g.tasks) {
					take(w) // it was taken
				}
			})
		}
	})
	if len(g.order) < total {
		return g.cycle(waits, total-len(g.order))
	}
	return nil
}

// taken is what a vertex waits for that has its place in the order.
const taken = -1

// waits is how many others each vertex directly depends on, and how many vertices there
// are.
func (g *graph) waits() (waits []int32, total int) {
	waits, total = make([]int32, 2*len(g.tasks)), len(g.tasks)
	for i := range g.tasks {
		waits[i] = int32(len(g.in.of(i)))
		if g.parent[i] != none {
			waits[i]++
		}
		if g.summary(i) {
			waits[g.end(i)] = 1 + int32(len(g.below.of(i)))
			total++
		}
	}
	return waits, total
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
