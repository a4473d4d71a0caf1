package cli

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/series"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
)

// updateState is an update of a plan. Days and work are in working days.
type updateState struct {
	Name        string  `json:"name"`
	DataDate    *string `json:"dataDate"`
	Start       *string `json:"start"`
	Finish      *string `json:"finish"`
	Slipped     float64 `json:"slipped"`
	Late        float64 `json:"late"`
	Cause       string  `json:"cause"`
	Tasks       int     `json:"tasks"`
	Added       int     `json:"added"`
	Removed     int     `json:"removed"`
	AddedWork   float64 `json:"addedWork"`
	RemovedWork float64 `json:"removedWork"`
	ChangedWork float64 `json:"changedWork"`
	Done        float64 `json:"done"`
}

// seriesFlags is what series does: it follows a plan over its updates.
func seriesFlags(c *command, set *flag.FlagSet) func([]string) error {
	var title string
	set.StringVar(&title, "title", "", "`heading` of the picture, in place of the name of the first plan")
	return func(files []string) error {
		updates := make([]series.Update, len(files))
		for i, name := range files {
			_, d, err := c.dated(name)
			if err != nil {
				return err
			}
			updates[i] = series.Update{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Plan: d}
			if i == 0 && title == "" {
				title = heading(d)
			}
		}
		points, err := series.Of(updates)
		if err != nil {
			return err
		}
		switch {
		case c.json:
			return c.print(describedUpdates(points))
		case c.pictured():
			return c.picture(func(w io.Writer) error { return series.SVG(w, points, series.Drawing{Title: title}) })
		case c.format != "text":
			return c.tables(table.Series(points))
		}
		return c.series(points)
	}
}

func describedUpdates(points []series.Point) []updateState {
	all := make([]updateState, len(points))
	for i, p := range points {
		all[i] = updateState{
			Name: p.Name, DataDate: stamp(p.DataDate), Start: stamp(p.Start), Finish: stamp(p.Finish),
			Slipped: p.Slipped, Late: p.Late, Cause: p.CauseWords(), Tasks: p.Tasks, Added: p.Added, Removed: p.Removed,
			AddedWork: p.AddedWork, RemovedWork: p.RemovedWork, ChangedWork: p.ChangedWork, Done: p.Done,
		}
	}
	return all
}

// series prints a series for people.
func (c *command) series(points []series.Point) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "update\tdata date\tfinish\tslipped\tlate\tadded\tremoved\tlonger\tdone\tlargest cause")
	for _, p := range points {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f %%\t%s\n", p.Name, day10(p.DataDate), minute(p.Finish),
			series.Days(p.Slipped), series.Days(p.Late), tasksOf(p.Added, p.AddedWork),
			tasksOf(p.Removed, p.RemovedWork), series.Days(p.ChangedWork), 100*p.Done, cmp.Or(p.CauseWords(), "-"))
	}
	return w.Flush()
}

// tasksOf is so many tasks with the days that they take.
func tasksOf(tasks int, days float64) string {
	if tasks == 0 {
		return "0"
	}
	return fmt.Sprintf("%d, %s", tasks, strings.TrimPrefix(series.Days(days), "+"))
}
