package gantt

import (
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Sizes in pixels.
const (
	rowHeight   = float64(RowHeight)
	titleHeight = 42.0
	tierHeight  = 18.0
	headHeight  = float64(HeadHeight) // titleHeight and two tiers
	legend      = 34.0
	margin      = 8.0
	indent      = 12.0
	maxIndent   = 8 // levels that are moved in
	minBar      = 3.0
	halfDiamond = 7.0
)

// column is one of the table.
type column struct {
	title string
	right bool    // numbers are at its right end
	x     float64 // where its text begins or ends
	left  float64
	width float64
}

// The places of the columns.
const (
	idColumn = iota
	nameColumn
	daysColumn
	startColumn
	finishColumn
	floatColumn
)

// chart is a page while it is drawn.
type chart struct {
	*Page

	place       []int // of tasks in all rows; nowhere for those without one
	columns     []column
	axis        axis
	bars        []extent      // of the rows
	busy        map[side]bool // at which links leave or enter
	routes      []route
	stubs       []stub
	labelEnds   map[int]float64 // where text ends that is right of the bar of a task
	unseen      int             // links that are too many
	brokenLinks int
	faded       bool   // links that do not drive
	marks       []mark // lines where a date is, which the picture names
	keys        []key
	out         []byte
}

// side is an end of the bar of a task.
type side struct {
	task  int
	right bool
}

// extent is where the bar of a row is; it is not there where the end is not behind the beginning.
type extent struct{ x0, x1 float64 }

func (e extent) there() bool { return e.x1 > e.x0 }

// nowhere is the place of a task that has no row.
const nowhere = -1

// newChart lays a page out.
func newChart(p *Page) *chart {
	c := &chart{Page: p, place: make([]int, len(p.plan.Tasks))}
	for i := range c.place {
		c.place[i] = nowhere
	}
	for i, r := range p.all {
		c.place[r.task] = i
	}
	// The order matters: bars need the axis, routes of links need the bars, and the legend
	// names only what was placed before.
	c.setColumns()
	links := c.pageLinks()
	c.axis = newAxis(&p.options, c.extremes(), c.tableWidth(), c.incoming(links))
	c.setBars()
	c.route(links)
	c.faded = len(c.routes) > crowded
	c.setMarks()
	c.setKeys()
	return c
}

// setColumns chooses the columns: there is one of float where any task has it.
func (c *chart) setColumns() {
	if c.options.WithoutTable {
		return
	}
	// Widths are in pixels. Labels of tasks of up to 5 characters fit into 40.
	id, float := 40.0, false
	for i := range c.plan.Tasks {
		t := &c.plan.Tasks[i]
		float = float || t.HasFloat
		if len(c.plan.Label(i)) > 5 {
			id = 60
		}
	}
	x := 0.0
	add := func(title string, width float64, right bool) {
		k := column{title: title, right: right, left: x, x: x + margin, width: width}
		if right {
			k.x = x + width - margin/2
		}
		c.columns = append(c.columns, k)
		x += width
	}
	add("ID", id+margin, false)
	add("Name", 190+margin, false)
	add("Days", 44, true)
	add("Start", 68, true)
	add("Finish", 68, true)
	if float {
		add("Float", 44, true)
	}
}

// tableWidth returns how many pixels the columns take at the left; the axis begins behind
// them.
func (c *chart) tableWidth() float64 {
	if len(c.columns) == 0 {
		return 0
	}
	last := c.columns[len(c.columns)-1]
	return last.left + last.width + margin
}

// extremes are the first and the last time that a page has to draw, and when the last
// of its bars ends.
type extremes struct{ first, last, finish worktime.Time }

// add widens the extremes to a time. A zero time is not known and changes nothing.
func (e *extremes) add(t worktime.Time) {
	if t == 0 {
		return
	}
	if e.first == 0 || t < e.first {
		e.first = t
	}
	e.last = max(e.last, t)
}

// extremes have all bars, and of float, baselines and the data date no more than lets
// bars have half of the room.
func (c *chart) extremes() (e extremes) {
	for _, r := range c.rows {
		t := &c.plan.Tasks[r.task]
		e.add(t.Start)
		e.add(t.Finish)
	}
	if e.first == 0 {
		e.add(worktime.Date(2000, 1, 3, 0, 0, 0))
	}
	e.finish = e.last
	first, last := e.first-(e.last-e.first)/2-worktime.Day, e.last+(e.last-e.first)/2+worktime.Day
	near := func(t worktime.Time) {
		if t != 0 {
			e.add(min(max(t, first), last))
		}
	}
	for _, r := range c.rows {
		t := &c.plan.Tasks[r.task]
		near(t.Baseline.Start)
		near(t.Baseline.Finish)
		if t.HasFloat && !t.Ended() && t.Start != 0 {
			near(t.LateFinish)
		}
	}
	if len(c.rows) > 0 {
		if at := c.plan.ProjectOf(c.rows[0].task).DataDate; at >= first && at <= last {
			e.add(at)
		}
	}
	return e
}

// setBars puts the bars of the rows in their places.
func (c *chart) setBars() {
	c.bars = make([]extent, len(c.rows))
	for i, r := range c.rows {
		t := &c.plan.Tasks[r.task]
		if t.Start == 0 {
			continue
		}
		at, finish := t.Start, max(t.Finish, t.Start)
		if t.Milestone() {
			if t.Kind == cpm.FinishMilestone {
				at = finish
			}
			if x := c.axis.x(at); x >= c.axis.left && x <= c.axis.right {
				c.bars[i] = extent{x - halfDiamond, x + halfDiamond}
			}
			continue
		}
		if finish < c.axis.from || at > c.axis.to {
			continue
		}
		x := c.axis.within(at)
		c.bars[i] = extent{x, math.Max(c.axis.within(finish), x+minBar)}
	}
}

// middle is the height at which the bar of a row is.
func middle(row int) float64 { return headHeight + float64(row)*rowHeight + rowHeight/2 }

// bottom is where the rows end.
func (c *chart) bottom() float64 { return headHeight + float64(max(len(c.rows), 1))*rowHeight }

// height returns the height of the picture in pixels: the rows, the labels of marks, and
// the legend.
func (c *chart) height() float64 {
	lines := 0.0
	if len(c.keys) > 0 {
		lines = c.keys[len(c.keys)-1].y
	}
	return c.bottom() + c.markHeight() + legend + lines
}
