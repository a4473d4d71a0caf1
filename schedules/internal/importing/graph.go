package importing

import "slices"

// Graph is what links connect: tasks by their ids.
type Graph struct {
	ids   []string
	place map[string]int
	next  [][]int
}

// NewGraph is a graph of tasks without links. The ids are in the order in which cycles are looked for.
func NewGraph(ids []string) *Graph {
	g := &Graph{ids: ids, place: make(map[string]int, len(ids)), next: make([][]int, len(ids))}
	for i, id := range ids {
		g.place[id] = i
	}
	return g
}

// Join adds a link, unless one of its tasks is not in the graph.
func (g *Graph) Join(predecessor, successor string) {
	from, ok := g.place[predecessor]
	to, both := g.place[successor]
	if ok && both {
		g.next[from] = append(g.next[from], to)
	}
}

// Cycle is one that the links close, from a task back to that; nil when there is none. It is found
// by a depth-first search that keeps its way itself, since plans are deep.
func (g *Graph) Cycle() []string {
	const (
		onWay = iota + 1
		done
	)
	state, tried := make([]int8, len(g.ids)), make([]int, len(g.ids))
	for root := range g.ids {
		way := []int{root}
		for len(way) > 0 {
			at := way[len(way)-1]
			if state[at] == done {
				way = way[:len(way)-1]
				continue
			}
			state[at] = onWay
			if tried[at] == len(g.next[at]) {
				state[at] = done
				way = way[:len(way)-1]
				continue
			}
			to := g.next[at][tried[at]]
			tried[at]++
			switch state[to] {
			case onWay:
				var ids []string
				for _, v := range way[slices.Index(way, to):] {
					ids = append(ids, g.ids[v])
				}
				return append(ids, g.ids[to])
			case done:
			default:
				way = append(way, to)
			}
		}
	}
	return nil
}
