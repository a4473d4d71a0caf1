package table

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/progress"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// amounts are in what the measures of a curve count, and how much of it is one in the table.
var amounts = map[progress.Measure]struct {
	unit string
	by   float64
}{
	progress.Count: {"tasks", 1}, progress.Duration: {"hours", worktime.Hour}, progress.Units: {"units", 1},
}

// Curve is what a curve comes to by the end of each period.
func Curve(c *progress.Curve) *Table {
	of := amounts[c.Measure]
	amount := func(v *float64) cell {
		if v == nil {
			return cell{}
		}
		return rounded(*v / of.by)
	}
	type point = progress.Point
	in := " (" + of.unit + ")"
	return build("Curve", []column[point]{
		{"From", 17, func(p point) cell { return timeOf(p.From) }},
		{"To", 17, func(p point) cell { return timeOf(p.To) }},
		{"Planned" + in, 16, func(p point) cell { return amount(&p.Planned) }},
		{"Done" + in, 14, func(p point) cell { return amount(p.Actual) }},
		{"Earliest" + in, 17, func(p point) cell { return amount(p.Earliest) }},
		{"Latest" + in, 15, func(p point) cell { return amount(p.Latest) }},
	}, slices.Values(c.Points))
}

// period is what is used of a resource in a period.
type period struct {
	*dated.Resource
	progress.Use
}

var periodColumns = []column[period]{
	{"Resource", 14, func(p period) cell { return textOf(p.Code) }},
	{"Resource name", 40, func(p period) cell { return textOf(p.Name) }},
	{"Unit", 10, func(p period) cell { return textOf(p.Unit) }},
	{"From", 17, func(p period) cell { return timeOf(p.From) }},
	{"To", 17, func(p period) cell { return timeOf(p.To) }},
	{"Units", 10, func(p period) cell { return rounded(p.Units) }},
	{"At a time", 11, func(p period) cell { return rounded(p.AtOnce) }},
	{"Limit", 9, func(p period) cell { return limitOf(p.Resource) }},
	{"Over the limit", 15, func(p period) cell { return yesOf(p.Over) }},
}

// Histogram is what is used of each resource in each period.
func Histogram(h *progress.Histogram) *Table {
	return build("Use of resources", periodColumns, func(yield func(period) bool) {
		for i := range h.Resources {
			r := &h.Resources[i]
			for _, use := range r.Periods {
				if !yield(period{&r.Resource, use}) {
					return
				}
			}
		}
	})
}

// overallocation is a time in which tasks use more of a resource than there is.
type overallocation struct {
	*dated.Resource
	progress.Overallocation

	tasks string
}

var overallocationColumns = []column[overallocation]{
	{"Resource", 14, func(o overallocation) cell { return textOf(o.Code) }},
	{"Resource name", 40, func(o overallocation) cell { return textOf(o.Name) }},
	{"From", 17, func(o overallocation) cell { return timeOf(o.From) }},
	{"To", 17, func(o overallocation) cell { return timeOf(o.To) }},
	{"Limit", 9, func(o overallocation) cell { return limitOf(o.Resource) }},
	{"At a time", 11, func(o overallocation) cell { return rounded(o.AtOnce) }},
	{"Over", 9, func(o overallocation) cell { return rounded(o.Over) }},
	{"Tasks", 60, func(o overallocation) cell { return textOf(o.tasks) }},
}

// Overallocations is when tasks of a plan use more of which resource than there is, by how much, and which they are.
func Overallocations(h *progress.Histogram, p *dated.Plan) *Table {
	return build("Overallocations", overallocationColumns, func(yield func(overallocation) bool) {
		for i := range h.Resources {
			r := &h.Resources[i]
			for _, x := range r.Overallocations {
				var names []string
				for _, place := range x.Tasks {
					names = append(names, strings.TrimSpace(p.Label(place)+" "+p.Tasks[place].Name))
				}
				if x.More {
					names = append(names, "…")
				}
				if !yield(overallocation{&r.Resource, x, strings.Join(names, ", ")}) {
					return
				}
			}
		}
	})
}

// standing is how far a task is.
type standing struct {
	task
	progress.Standing
}

var standingColumns = []column[standing]{
	{"Code", 14, func(s standing) cell { return textOf(s.plan.Label(s.Place)) }},
	{"Name", 48, func(s standing) cell { return textOf(s.Name) }},
	{"Planned start", 17, func(s standing) cell { return timeOf(s.Planned.Start) }},
	{"Planned finish", 17, func(s standing) cell { return timeOf(s.Planned.Finish) }},
	{"Done (%)", 10, func(s standing) cell { return rounded(100 * s.Done) }},
	{"As far as planned for", 21, func(s standing) cell { return timeOf(s.At) }},
	{"Ahead (days)", 13, func(s standing) cell { return daysOf(s.Ahead, s.day) }},
}

// Line is how far each task of a progress line is ahead of what was planned, below zero behind.
func Line(l *progress.Line, p *dated.Plan) *Table {
	return build("Progress", standingColumns, func(yield func(standing) bool) {
		for _, s := range l.Tasks {
			t := task{plan: p, Task: &p.Tasks[s.Place], place: s.Place, day: p.CalendarOf(s.Place).Day()}
			if !yield(standing{t, s}) {
				return
			}
		}
	})
}
