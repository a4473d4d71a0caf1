package cli

import (
	"fmt"
	"html"
	"io"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
)

// Limits of a report, which a browser is to open at once.
const (
	reportRows  = 2_000 // of each table
	reportTasks = 1_000 // of the chart
)

// compareReport writes how two plans differ as a page that needs nothing else: why the finish moved, the chart of what
// changed with both plans, and the tables.
func (c *command) compareReport(baseline, plan *dated.Plan, all bool) error {
	x, t := compare.Plans(baseline, plan), table.Compare(baseline, plan, all)
	n := &x.Totals
	title := html.EscapeString(heading(plan) + ": what changed")
	fmt.Fprintf(c.out, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>%s%s%s</style>\n"+
		"<h1>%s</h1>\n", title, pageStyle, reportStyle, gantt.Style(), title)
	day := compare.Finish(baseline, plan).Day
	fmt.Fprintf(c.out, "<p>The plan ends on %s, and ended on %s before: %s.</p>\n", minute(n.Finish),
		minute(n.BaselineFinish), inDays(n.FinishVariance, day))
	fmt.Fprintf(c.out, "<p>Tasks: %d added, %d removed, %d changed; %d finish later, %d earlier. "+
		"Links: %d added, %d removed, %d changed.</p>\n", n.Tasks.Added, n.Tasks.Removed, n.Tasks.Changed, n.Later,
		n.Earlier, n.Links.Added, n.Links.Removed, n.Links.Changed)
	fmt.Fprint(c.out, "<h2>Why the finish moved</h2>\n")
	if err := table.HTML(c.out, t.Causes, reportRows); err != nil {
		return err
	}
	if err := c.reportChart(baseline, plan, x, all); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		of   *table.Table
	}{{"Tasks", t.Tasks}, {"Links", t.Links}} {
		fmt.Fprintf(c.out, "<h2>%s</h2>\n<figure>", part.name)
		if err := table.HTML(c.out, part.of, reportRows); err != nil {
			return err
		}
		fmt.Fprint(c.out, "</figure>\n")
	}
	_, err := io.WriteString(c.out, "</html>\n")
	return err
}

// reportChart draws the tasks that changed, and those that they are below, where they are and where they were.
func (c *command) reportChart(baseline, plan *dated.Plan, x *compare.Comparison, all bool) error {
	kept, left := shownTasks(plan, x, all)
	shown := plan.With(func(i int) bool { return kept[i] })
	shown.Name = plan.Name
	shown.SetBaseline(baseline)
	fmt.Fprint(c.out, "<h2>Before and after</h2>\n<p>Where tasks were is the thin bar below each.")
	if left > 0 {
		fmt.Fprintf(c.out, " %d more tasks that changed are not drawn.", left)
	}
	fmt.Fprint(c.out, "</p>\n")
	o := gantt.Options{Bare: true}
	page, err := gantt.Pages(shown, o)
	if err != nil {
		return err
	}
	for o.Page = 1; o.Page <= page; o.Page++ {
		fmt.Fprint(c.out, "<figure>")
		if err := gantt.SVG(c.out, shown, o); err != nil {
			return err
		}
		fmt.Fprint(c.out, "</figure>\n")
	}
	return nil
}

// shownTasks are the tasks of a plan that a report draws, with those above them, and how many are left out.
func shownTasks(plan *dated.Plan, x *compare.Comparison, all bool) (kept []bool, left int) {
	kept = make([]bool, len(plan.Tasks))
	drawn := 0
	for i := range plan.Tasks { // which a comparison has in the same order
		switch {
		case plan.Tasks[i].Kind == cpm.Summary, !all && x.Tasks[i].Change == compare.Unchanged:
			continue
		case drawn == reportTasks:
			left++
			continue
		}
		drawn++
		for at := i; at != dated.None && !kept[at]; at = plan.Tasks[at].Parent {
			kept[at] = true
		}
	}
	return kept, left
}

const reportStyle = `table{border-collapse:collapse}td,th{padding:.1rem .8rem .1rem 0;white-space:nowrap}` +
	`.number{text-align:right;font-variant-numeric:tabular-nums}thead th{border-bottom:1px solid}`
