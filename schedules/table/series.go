package table

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/series"
)

var seriesColumns = []column[series.Point]{
	{"Update", 30, func(p series.Point) cell { return textOf(p.Name) }},
	{"Data date", 17, func(p series.Point) cell { return timeOf(p.DataDate) }},
	{"Start", 17, func(p series.Point) cell { return timeOf(p.Start) }},
	{"Finish", 17, func(p series.Point) cell { return timeOf(p.Finish) }},
	{"Slipped (days)", 15, func(p series.Point) cell { return rounded(p.Slipped) }},
	{"Late in all (days)", 18, func(p series.Point) cell { return rounded(p.Late) }},
	{"Largest cause", 48, func(p series.Point) cell { return textOf(p.CauseWords()) }},
	{"Tasks", 8, func(p series.Point) cell { return rounded(float64(p.Tasks)) }},
	{"Added tasks", 12, func(p series.Point) cell { return rounded(float64(p.Added)) }},
	{"Removed tasks", 14, func(p series.Point) cell { return rounded(float64(p.Removed)) }},
	{"Added work (days)", 18, func(p series.Point) cell { return rounded(p.AddedWork) }},
	{"Removed work (days)", 20, func(p series.Point) cell { return rounded(p.RemovedWork) }},
	{"Changed work (days)", 20, func(p series.Point) cell { return rounded(p.ChangedWork) }},
	{"Done (%)", 10, func(p series.Point) cell { return rounded(100 * p.Done) }},
}

// Series is the updates of a plan in the order of their data dates.
func Series(points []series.Point) *Table {
	return build("Updates", seriesColumns, slices.Values(points))
}
