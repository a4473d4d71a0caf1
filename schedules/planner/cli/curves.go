package cli

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/progress"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
)

// curvePeriod is a period of a curve; durations are in seconds of working time.
type curvePeriod struct {
	From     *string  `json:"from"`
	To       *string  `json:"to"`
	Planned  float64  `json:"planned"`
	Actual   *float64 `json:"actual"`
	Earliest *float64 `json:"earliest"`
	Latest   *float64 `json:"latest"`
}

// resourceUse is how much of a resource is used. Peak and Limit are in units at a time;
// Limit is null where there is none.
type resourceUse struct {
	ID      string      `json:"id"`
	Code    string      `json:"code"`
	Name    string      `json:"name"`
	Unit    string      `json:"unit"`
	Limit   *float64    `json:"limit"`
	Peak    float64     `json:"peak"`
	Periods []usePeriod `json:"periods"`
}

// usePeriod is the use of a resource in a period: Units in all, and AtOnce at most at a
// time. Over reports that this is more than the limit.
type usePeriod struct {
	From   *string `json:"from"`
	To     *string `json:"to"`
	Units  float64 `json:"units"`
	AtOnce float64 `json:"atOnce"`
	Over   bool    `json:"over"`
}

// standing is how far a task is; what it is ahead is in seconds of working time.
type standing struct {
	ID            string  `json:"id"`
	Code          string  `json:"code"`
	Name          string  `json:"name"`
	PlannedStart  *string `json:"plannedStart"`
	PlannedFinish *string `json:"plannedFinish"`
	Done          float64 `json:"done"`
	At            *string `json:"at"`
	Ahead         int64   `json:"ahead"`
}

// progressFlags defines the flags of progress. Without -baseline it takes the current one
// of the file.
func progressFlags(c *command, set *flag.FlagSet) func([]string) error {
	o, show, baseline := progress.Options{}, "curve", ""
	set.StringVar(&show, "show", show, "`picture` to make: curve, resources or line; or the table overallocations")
	set.StringVar(&baseline, "baseline", "", "`file` with the baseline, in place of the one in FILE")
	set.Func("by", "`measure` of tasks to add up: count, duration or units", func(s string) error {
		return named(&o.Measure, s, progress.Measures())
	})
	set.Func("step", "`step` between two points: day, week, month or year",
		func(s string) error { return named(&o.Step, s, progress.Steps()) })
	return func(files []string) error {
		if len(files) > 1 {
			return fmt.Errorf("progress is of one file: %w", errUsage)
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
		switch show {
		case "curve":
			return c.curve(d, o)
		case "resources":
			return c.resources(d, o)
		case "overallocations":
			return c.overallocations(d, o)
		case "line":
			return c.line(d)
		}
		return fmt.Errorf("there is no picture %q: %w", show, errUsage)
	}
}

// named sets what is called so in small letters.
func named[S ~string](to *S, name string, values []S) error {
	i := slices.IndexFunc(values, func(v S) bool { return strings.ToLower(string(v)) == name })
	if i < 0 {
		return fmt.Errorf("%q is none of them", name)
	}
	*to = values[i]
	return nil
}

// curve writes what was to be done by when, and what was: in JSON, as CSV or as a picture.
func (c *command) curve(d *dated.Plan, o progress.Options) error {
	curve, err := progress.CurveOf(d, o)
	if err != nil {
		return err
	}
	switch {
	case c.json:
		all := []curvePeriod{}
		for _, x := range curve.Points {
			all = append(all, curvePeriod{stamp(x.From), stamp(x.To), x.Planned, x.Actual, x.Earliest, x.Latest})
		}
		return c.print(struct {
			Measure  string        `json:"measure"`
			Step     string        `json:"step"`
			Tasks    int           `json:"tasks"`
			DataDate *string       `json:"dataDate"`
			Periods  []curvePeriod `json:"periods"`
		}{string(curve.Measure), string(curve.Step), curve.Tasks, stamp(curve.DataDate), all})
	case c.pictured():
		return c.picture(func(w io.Writer) error { return progress.CurveSVG(w, curve, progress.Drawing{}) })
	}
	return c.tables(table.Curve(curve))
}

// resources writes the use of resources, over all that the plan assigns, in the same three
// forms.
func (c *command) resources(d *dated.Plan, o progress.Options) error {
	h, err := progress.HistogramOf(d, o)
	if err != nil {
		return err
	}
	switch {
	case c.json:
		all := []resourceUse{}
		for _, r := range h.Resources {
			u := resourceUse{
				r.Resource.ID, r.Resource.Code, r.Resource.Name, r.Resource.Unit, r.Resource.Limit, r.Peak,
				[]usePeriod{},
			}
			for _, x := range r.Periods {
				u.Periods = append(u.Periods, usePeriod{stamp(x.From), stamp(x.To), x.Units, x.AtOnce, x.Over})
			}
			all = append(all, u)
		}
		return c.print(struct {
			Step      string        `json:"step"`
			DataDate  *string       `json:"dataDate"`
			Resources []resourceUse `json:"resources"`
		}{string(h.Step), stamp(h.DataDate), all})
	case c.pictured():
		return c.picture(func(w io.Writer) error { return progress.HistogramSVG(w, h, progress.Drawing{}) })
	}
	return c.tables(table.Histogram(h))
}

// overUse is a time in which more of a resource is used than there is. Tasks are ids; IsMore reports that there are others.
type overUse struct {
	ResourceID string   `json:"resourceId"`
	Code       string   `json:"code"`
	Name       string   `json:"name"`
	From       *string  `json:"from"`
	To         *string  `json:"to"`
	Limit      float64  `json:"limit"`
	AtOnce     float64  `json:"atOnce"`
	Over       float64  `json:"over"`
	Tasks      []string `json:"tasks"`
	IsMore     bool     `json:"isMore"`
}

// overallocations writes when more of a resource is used than there is, in JSON or as a table. Resources without maximum
// units are named on standard error.
func (c *command) overallocations(d *dated.Plan, o progress.Options) error {
	h, err := progress.HistogramOf(d, o)
	if err != nil {
		return err
	}
	if c.pictured() {
		return fmt.Errorf("overallocations are a table, and there is no picture of them: %w", errUsage)
	}
	for _, r := range h.Unlimited() {
		fmt.Fprintf(c.errs, "%s: This resource has no maximum units: %s\n", c.program,
			strings.TrimSpace(r.Code+" "+r.Name))
	}
	if !c.json {
		return c.tables(table.Overallocations(h, d))
	}
	all := []overUse{}
	for _, r := range h.Resources {
		for _, x := range r.Overallocations {
			u := overUse{
				r.Resource.ID, r.Resource.Code, r.Resource.Name, stamp(x.From), stamp(x.To), *r.Resource.Limit,
				x.AtOnce, x.Over, nil, x.More,
			}
			for _, place := range x.Tasks {
				u.Tasks = append(u.Tasks, d.Tasks[place].ID)
			}
			all = append(all, u)
		}
	}
	return c.print(struct {
		Overallocations []overUse `json:"overallocations"`
	}{all})
}

// line writes how far ahead or behind each task is at the data date, in the same three
// forms.
func (c *command) line(d *dated.Plan) error {
	l := progress.LineOf(d)
	switch {
	case c.json:
		all := []standing{}
		for _, s := range l.Tasks {
			t := &d.Tasks[s.Place]
			all = append(all, standing{
				t.ID, t.Code, t.Name, stamp(s.Planned.Start), stamp(s.Planned.Finish), s.Done,
				stamp(s.At), s.Ahead,
			})
		}
		return c.print(struct {
			DataDate *string    `json:"dataDate"`
			Tasks    []standing `json:"tasks"`
		}{stamp(l.DataDate), all})
	case c.pictured():
		return c.picture(func(w io.Writer) error { return progress.LineSVG(w, l, d, progress.Drawing{}) })
	}
	return c.tables(table.Line(l, d))
}
