package cli

import (
	"flag"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func ganttFlags(c *command, set *flag.FlagSet) func([]string) error {
	o, format, baseline := gantt.Options{}, "svg", ""
	set.StringVar(&format, "format", format, "draw in this `FORMAT`: svg or mermaid")
	set.StringVar(&baseline, "baseline", "", "show where the plan of this `FILE` has the tasks, in place of the baseline in the file")
	set.IntVar(&o.Page, "page", 1, "draw this `PAGE`")
	set.IntVar(&o.Rows, "rows", gantt.DefaultRows, "`TASKS` on a page")
	set.IntVar(&o.Width, "width", gantt.DefaultWidth, "fit time into so many `PIXELS`")
	set.IntVar(&o.Levels, "levels", 0, "draw so many `LEVELS` of the tree; 0 is all")
	set.StringVar(&o.Title, "title", "", "put this `HEADING` in place of the name of the plan")
	set.BoolVar(&o.WithoutLinks, "no-links", false, "draw no links")
	set.Func("order-by", "put tasks below one in this `ORDER`: outline, start or plan", func(s string) (err error) {
		o.Order, err = gantt.ParseOrder(s)
		return err
	})
	set.BoolFunc("in-order", "keep tasks in the order of the file: -order-by plan", func(string) error {
		o.Order = gantt.ByPlan
		return nil
	})
	today := time.Now().Format(time.DateOnly)
	set.StringVar(&today, "today", today, "draw a line at this `DAY` where it is in the picture; none for no line")
	set.Func("scale", "draw time at this `SCALE`: fit, day, week, month or quarter", func(s string) (err error) {
		o.Scale, err = gantt.ParseScale(s)
		return err
	})
	set.Func("from", "draw from this `DAY` on, such as 2026-01-31", func(s string) error { return day(&o.From, s, 0) })
	set.Func("to", "draw until this `DAY`", func(s string) error { return day(&o.To, s, worktime.Day) })
	return func(files []string) error {
		if len(files) > 1 {
			return fmt.Errorf("a picture is of one file: %w", errUsage)
		}
		_, d, err := c.dated(files[0])
		if err != nil {
			return err
		}
		if baseline != "" {
			s, err := c.scheduled(baseline)
			if err != nil {
				return err
			}
			d.SetBaseline(s.Dated())
		}
		if today != "none" {
			if err := day(&o.Today, today, 0); err != nil {
				return err
			}
		}
		switch format {
		case "svg":
			return gantt.SVG(c.out, d, o)
		case "mermaid":
			return gantt.Mermaid(c.out, d, o)
		}
		return fmt.Errorf("there is no format %q: %w", format, errUsage)
	}
}

// day reads a day, from whose beginning the time is so far.
func day(to *worktime.Time, s string, further worktime.Time) error {
	t, err := worktime.Parse(s + "T00:00:00")
	*to = t + further
	return err
}
