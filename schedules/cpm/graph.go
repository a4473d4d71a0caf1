package cpm

import "slices"

// graph is a network in the order in which it is scheduled. Its vertices are the tasks,
// of which a summary is its beginning, and behind them the ends of the summaries: what is
// below one lies between the two.
type graph struct {
	*Network
	states []state
	// out and in are the links that count, by the task from which and to which they
	// lead; below are the tasks of a summary.
	out, in, below rows
	order          []int32
}

// rows are numbers by row, one behind the other.
type rows struct{ from, values []int32 }

func (r rows) of(i int) []int32 { return r.values[r.from[i]:r.from[i+1]] }

// newRows puts the numbers from zero on into rows. Those in the row none are left out.
func newRows(n, values int, row func(i int) int32) rows {
	r := rows{from: make([]int32, n+1), values: make([]int32, values)}
	for i := range values {
		if at := row(i); at != none {
			r.from[at+1]++
		}
	}
	for i := range n {
		r.from[i+1] += r.from[i]
	}
	next := slices.Clone(r.from)
	for i := range values {
		if at := row(i); at != none {
			r.values[next[at]] = int32(i)
			next[at]++
		}
	}
	return r
}

// newGraph fails with a CycleError.
func newGraph(n *Network) (*graph, error) {
	g := &graph{Network: n, states: make([]state, len(n.tasks))}
	for i := range n.tasks {
		g.states[i] = n.tasks[i].state()
	}
	g.out, g.in = g.rows(g.counts)
	g.below = newRows(len(n.tasks), len(n.tasks), func(i int) int32 { return n.parent[i] })
	return g, g.sort()
}

// rows are the links for which a function holds, by their two ends.
func (g *graph) rows(holds func(*Link) bool) (out, in rows) {
	end := func(of func(*Link) int) rows {
		return newRows(len(g.tasks), len(g.links), func(i int) int32 {
			if l := &g.links[i]; holds(l) {
				return int32(of(l))
			}
			return none
		})
	}
	return end(func(l *Link) int { return l.Predecessor }), end(func(l *Link) int { return l.Successor })
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
	for _, at := range g.out.of(task) {
		yield(g.links[at].Successor)
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
