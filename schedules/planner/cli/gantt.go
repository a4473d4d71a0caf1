package cli

import (
	"flag"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// ganttFlags defines the flags of gantt, which draws one page, and all pages on paper; -page chooses one.
func ganttFlags(c *command, set *flag.FlagSet) func([]string) error {
	o, baseline := gantt.Options{}, ""
	set.StringVar(&baseline, "baseline", "", "`file` with the baseline to show, in place of the one in FILE")
	set.IntVar(&o.Page, "page", 0, "`number` of the page to draw (default: the first, and of PDF all)")
	set.IntVar(&o.Rows, "rows", 0, fmt.Sprintf("`number` of tasks on a page (default: %d, and of PDF those that fit)",
		gantt.DefaultRows))
	set.IntVar(&o.Width, "width", gantt.DefaultWidth, "width of the time axis in `pixels`")
	set.IntVar(&o.Levels, "levels", 0, "`number` of levels of the tree to draw; 0 draws all")
	set.StringVar(&o.Title, "title", "", "`heading`, in place of the name of the plan")
	set.BoolVar(&o.WithoutLinks, "no-links", false, "leave links out")
	set.Func("order-by", "`order` of tasks below one: outline, start or plan", func(s string) (err error) {
		o.Order, err = gantt.ParseOrder(s)
		return err
	})
	set.BoolFunc("in-order", "the same as -order-by plan", func(string) error {
		o.Order = gantt.ByPlan
		return nil
	})
	today := time.Now().Format(time.DateOnly)
	set.StringVar(&today, "today", today, "`day` at which to draw a line; none draws no line")
	set.Func("scale", "`scale` of time: fit, day, week, month or quarter", func(s string) (err error) {
		o.Scale, err = gantt.ParseScale(s)
		return err
	})
	set.Func("from", "first `day` to draw, such as 2026-01-31", func(s string) error { return day(&o.From, s, 0) })
	set.Func("to", "last `day` to draw", func(s string) error { return day(&o.To, s, worktime.Day) })
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
		switch c.format {
		case "mermaid":
			return gantt.Mermaid(c.out, d, o)
		case "pdf":
			paper, err := gantt.PDF(c.out, d, o)
			c.replaced(paper.Replaced)
			return err
		}
		return gantt.SVG(c.out, d, o)
	}
}

// day reads a day, from whose beginning the time is so far.
func day(to *worktime.Time, s string, further worktime.Time) error {
	t, err := worktime.Parse(s + "T00:00:00")
	*to = t + further
	return err
}
