package gantt

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// class is how a link is drawn, from the back to the front.
type class uint8

const (
	// SVG draws later paths over earlier ones, and pageLinks keeps the higher classes where
	// there are more than maxLinks, so the order of the classes is their importance.
	otherLink class = iota
	drivingLink
	criticalLink
	brokenLink // its dates do not keep it
)

// route is a link with the points at which its line bends.
type route struct {
	class    class
	from, to int // rows of the page
	points   []point
}

type point struct{ x, y float64 }

// stub is where links of a row lead to other pages, on one side of its bar.
type stub struct {
	row      int
	right    bool  // side
	rows     []int // in all rows
	in, out  bool  // whether links come in there, and go out
	critical bool
	words    string // the tasks at the other ends
}

// joint is a link between two rows, which may be of other pages.
type joint struct {
	link     int
	from, to int // in the rows of the page, which may be beyond
	class    class
}

// pageLinks are the links that the page shows, in the order in which they are routed:
// those that count most first.
func (c *chart) pageLinks() (all []joint) {
	if c.options.WithoutLinks {
		return nil
	}
	for i := range c.plan.Links {
		l := &c.plan.Links[i]
		from, to := c.place[l.Predecessor], c.place[l.Successor]
		if from == nowhere || to == nowhere {
			continue
		}
		if from, to = from-c.first, to-c.first; !c.onPage(from) && !c.onPage(to) {
			continue
		}
		if c.plan.Tasks[l.Predecessor].Start == 0 || c.plan.Tasks[l.Successor].Start == 0 {
			continue
		}
		j := joint{link: i, from: from, to: to, class: c.classOf(l)}
		if j.class == brokenLink {
			c.brokenLinks++
		}
		all = append(all, j)
	}
	slices.SortStableFunc(all, func(a, b joint) int {
		return cmp.Or(cmp.Compare(b.class, a.class), cmp.Compare(apartBy(a), apartBy(b)))
	})
	if len(all) > maxLinks {
		c.unseen = len(all) - maxLinks
		all = all[:maxLinks]
	}
	return all
}

// apartBy returns how many rows lie between the ends of a link. Short links are routed
// first, since long ones have more ways around them.
func apartBy(j joint) int { return max(j.from-j.to, j.to-j.from) }

// onPage reports whether a row, counted from the first one of the page, is drawn.
func (c *chart) onPage(row int) bool { return row >= 0 && row < len(c.rows) }

// classOf returns how a link is drawn. A link with negative float is broken: the dates of
// its tasks violate it. Between tasks that have ended that no longer matters.
func (c *chart) classOf(l *dated.Link) class {
	p, s := &c.plan.Tasks[l.Predecessor], &c.plan.Tasks[l.Successor]
	switch {
	case l.Float < 0 && !p.Ended() && !s.Ended():
		return brokenLink
	case l.Driving && Critical(p) && Critical(s):
		return criticalLink
	case l.Driving:
		return drivingLink
	}
	return otherLink
}

// Critical reports whether a task is drawn as a critical one: what is done is not, and no
// hammock.
func Critical(t *dated.Task) bool { return t.Critical && !t.Ended() && !t.Hammock() }

// incoming reports whether links of other pages meet a left end.
func (c *chart) incoming(links []joint) bool {
	return slices.ContainsFunc(links, func(j joint) bool {
		leaves, enters := ends(c.plan.Links[j.link].Type)
		return !c.onPage(j.from) && !enters || !c.onPage(j.to) && !leaves
	})
}

// ends are the sides at which a link leaves and enters.
func ends(t cpm.LinkType) (leavesRight, entersRight bool) {
	return t == cpm.FinishToStart || t == cpm.FinishToFinish, t == cpm.FinishToFinish || t == cpm.StartToFinish
}

// route finds the lines of links, and the stubs of those that leave the page.
func (c *chart) route(links []joint) {
	r := &router{chart: c, lines: make(map[int][]line)}
	stubs := make(map[stubKey]int)
	c.busy = make(map[side]bool, 2*len(links))
	for _, j := range links {
		l := &c.plan.Links[j.link]
		leaves, enters := ends(l.Type)
		c.busy[side{l.Predecessor, leaves}], c.busy[side{l.Successor, enters}] = true, true
		switch {
		case !c.onPage(j.from):
			c.addStub(stubs, stubKey{j.to, enters}, j.from, j.class).in = true
		case !c.onPage(j.to):
			c.addStub(stubs, stubKey{j.from, leaves}, j.to, j.class).out = true
		case c.bars[j.from].there() && c.bars[j.to].there() && j.from != j.to:
			c.routes = append(c.routes, route{j.class, j.from, j.to, r.find(j, l)})
		}
	}
	slices.SortStableFunc(c.routes, func(a, b route) int { return cmp.Compare(a.class, b.class) })
	slices.SortStableFunc(c.stubs, func(a, b stub) int { return cmp.Compare(a.row, b.row) })
	c.labelEnds = make(map[int]float64)
	for i := range c.stubs {
		s := &c.stubs[i]
		if s.words = c.elsewhere(s.rows); s.right {
			c.labelEnds[c.rows[s.row].task] = c.bars[s.row].x1 + stubLine + 4 +
				narrow*float64(utf8.RuneCountInString(s.words))
		}
	}
}

// stubKey is what links have in common that share a stub.
type stubKey struct {
	row   int
	right bool
}

// addStub notes a link that leads off the page. Links on the same side of a row share one
// stub, which is critical if one of them is.
func (c *chart) addStub(known map[stubKey]int, k stubKey, other int, of class) *stub {
	if !c.bars[k.row].there() {
		return new(stub) // which is nowhere
	}
	at, ok := known[k]
	if !ok {
		at = len(c.stubs)
		known[k] = at
		c.stubs = append(c.stubs, stub{row: k.row, right: k.right})
	}
	s := &c.stubs[at]
	s.rows = append(s.rows, other+c.first)
	s.critical = s.critical || of >= criticalLink
	return s
}

// Distances of lines in pixels.
const (
	out      = 6.0  // of the first bend from the bar
	in       = 8.0  // of the last bend from the bar
	zigzag   = 14.0 // that a line with two bends needs
	beyond   = 8.0  // of a line around both ends
	lane     = 4.0
	maxLanes = 24
	stubLine = 9.0 // of a stub
	crowded  = 100 // links on a page, beyond which those that do not drive are faint
)

// What it costs a vertical line to be somewhere.
const (
	behindBar   = 12.0
	nearOther   = 20.0
	crowdingOwn = 8.0
	sharedTrunk = -6.0
	aLane       = 0.6
)

// router finds lines that can be distinguished.
type router struct {
	*chart
	lines map[int][]line // vertical ones, by their lane
}

// line is a vertical one.
type line struct {
	x, top, bottom float64
	from, to       int // rows
}

// find is the line of a link between two rows.
func (r *router) find(j joint, l *dated.Link) []point {
	leaves, enters := ends(l.Type)
	from, to := r.bars[j.from], r.bars[j.to]
	// What leaves on the left is the mirror of what leaves on the right.
	sign := 1.0
	if !leaves {
		sign, enters = -1, !enters
		from, to = extent{-from.x1, -from.x0}, extent{-to.x1, -to.x0}
	}
	w := way{
		router: r, joint: j, sign: sign, y1: middle(j.from), y2: middle(j.to),
		milestone: r.plan.Tasks[l.Successor].Milestone(),
	}
	var points []point
	if enters {
		points = w.bracket(from.x1, to.x1)
	} else {
		points = w.through(from.x1, to)
	}
	for i := range points {
		points[i].x *= sign
	}
	return points
}

// way is a link that leaves its predecessor on the right, seen in a mirror where it does
// not.
type way struct {
	*router
	joint
	sign      float64
	y1, y2    float64
	milestone bool // at its end
}

// bracket is around the right ends of both.
func (w *way) bracket(a, b float64) []point {
	x := w.vertical(math.Max(a, b)+beyond, lane, math.Inf(1), w.y1, w.y2)
	return []point{{a, w.y1}, {x, w.y1}, {x, w.y2}, {b, w.y2}}
}

// through is from a right end to a left one.
func (w *way) through(a float64, to extent) []point {
	b := to.x0
	if b-a >= zigzag {
		x := w.vertical(a+out, lane, b-in, w.y1, w.y2)
		return []point{{a, w.y1}, {x, w.y1}, {x, w.y2}, {b, w.y2}}
	}
	edge := w.y2 - 6
	if w.milestone {
		edge = w.y2 - halfDiamond
	}
	if w.y1 > w.y2 {
		edge = 2*w.y2 - edge
	}
	if w.milestone {
		if x := (to.x0 + to.x1) / 2; x >= a-lane {
			w.block(x, w.y1, edge)
			if x < a+2 { // it leaves below the end of the bar
				return []point{{x, w.y1}, {x, edge}}
			}
			return []point{{a, w.y1}, {x, w.y1}, {x, edge}}
		}
	} else if first := math.Max(math.Min(b+4, (to.x0+to.x1)/2), a+2); first <= to.x1-1 && a-b < 4*lane {
		x := w.vertical(first, lane, to.x1-2, w.y1, edge)
		return []point{{a, w.y1}, {x, w.y1}, {x, edge}}
	}
	// Back: along the edge of the row to the far side.
	border := w.y2 - rowHeight/2
	if w.y1 > w.y2 {
		border = w.y2 + rowHeight/2
	}
	x1 := w.vertical(a+out, lane, math.Inf(1), w.y1, border)
	x2 := w.vertical(b-in, -lane, math.Inf(-1), border, w.y2)
	return []point{{a, w.y1}, {x1, w.y1}, {x1, border}, {x2, border}, {x2, w.y2}, {b, w.y2}}
}

// vertical is where a line between two heights costs least, from a place on in steps
// until a last one.
func (w *way) vertical(first, step, last, y1, y2 float64) float64 {
	n := maxLanes
	if !math.IsInf(last, 0) {
		n = min(max(int((last-first)/step)+1, 1), maxLanes)
	}
	costs := make([]float64, n)
	w.behindBars(costs, first, step)
	top, bottom := math.Min(y1, y2), math.Max(y1, y2)
	best := 0
	for k := range costs {
		costs[k] += float64(k)*aLane + w.crowding((first+float64(k)*step)*w.sign, top, bottom)
		if costs[k] < costs[best] {
			best = k
		}
	}
	x := first + float64(best)*step
	w.block(x, y1, y2)
	return x
}

// behindBars adds what it costs to pass bars of the rows in between.
func (w *way) behindBars(costs []float64, first, step float64) {
	for row := min(w.from, w.to) + 1; row < max(w.from, w.to); row++ {
		bar := w.bars[row]
		if !bar.there() {
			continue
		}
		if w.sign < 0 {
			bar = extent{-bar.x1, -bar.x0}
		}
		k0, k1 := (bar.x0-2-first)/step, (bar.x1+2-first)/step
		if k0 > k1 {
			k0, k1 = k1, k0
		}
		for k := int(math.Max(math.Ceil(k0), 0)); k <= int(math.Min(math.Floor(k1), float64(len(costs)-1))); k++ {
			costs[k] += behindBar
		}
	}
}

// crowding is what it costs to be near lines that were placed before.
func (w *way) crowding(x, top, bottom float64) (cost float64) {
	at := bucket(x)
	for b := at - 1; b <= at+1; b++ {
		near := w.lines[b]
		for _, l := range near[max(len(near)-64, 0):] {
			apart := math.Abs(l.x - x)
			if apart >= lane || l.bottom < top || l.top > bottom {
				continue
			}
			switch {
			case l.from != w.from && l.to != w.to:
				cost += nearOther
			case apart < 0.5:
				cost += sharedTrunk
			default:
				cost += crowdingOwn
			}
		}
	}
	return math.Max(cost, 4*sharedTrunk)
}

// block remembers a line.
func (w *way) block(x, y1, y2 float64) {
	x *= w.sign
	w.lines[bucket(x)] = append(w.lines[bucket(x)],
		line{x: x, top: math.Min(y1, y2), bottom: math.Max(y1, y2), from: w.from, to: w.to})
}

func bucket(x float64) int { return int(math.Floor(x / lane)) }
