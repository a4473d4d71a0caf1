package cli

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/quality"
)

// verdict is what came of judging a file.
type verdict struct {
	File   string  `json:"file"`
	Points []point `json:"points"`
}

// point is the result of one of the 14 points. Value and Threshold are in Unit; AtLeast
// says that Threshold is the lower limit, else it is the upper one.
type point struct {
	Number     int         `json:"number"`
	Point      string      `json:"point"`
	State      string      `json:"state"`
	Reason     string      `json:"reason,omitempty"`
	Value      float64     `json:"value"`
	Unit       string      `json:"unit"`
	Threshold  float64     `json:"threshold"`
	AtLeast    bool        `json:"atLeast"`
	Checked    int         `json:"checked"`
	Violations []violation `json:"violations"`
}

// violation is a task or a link that counts against a point.
type violation struct {
	TaskID string `json:"taskId,omitempty"`
	LinkID string `json:"linkId,omitempty"`
	Code   string `json:"code"`
	Name   string `json:"name,omitempty"`
	Detail string `json:"detail"`
}

// checkFlags defines the flags of check, which ends with exit code 3 where a plan fails a
// point.
func checkFlags(c *command, set *flag.FlagSet) func([]string) error {
	o, verbose := quality.Options{Thresholds: map[quality.Point]float64{}}, false
	set.BoolVar(&verbose, "v", false, "list the tasks and links that fail")
	set.BoolVar(&o.Milestones, "milestones", false, "count milestones as tasks")
	set.IntVar(&o.HighFloat, "high-float", 0, "most `days` of float that are not high (default: 44)")
	set.IntVar(&o.HighDuration, "high-duration", 0, "most `days` of work that are not long (default: 44)")
	set.Func("threshold", "threshold of a point, as `point=value`, such as Lags=10; repeat it for several",
		func(s string) error {
			name, value, ok := strings.Cut(s, "=")
			v, err := strconv.ParseFloat(value, 64)
			if !ok || err != nil {
				return fmt.Errorf("%q is not POINT=VALUE", s)
			}
			o.Thresholds[quality.Point(name)] = v
			return nil
		})
	return each(func(name string) error {
		_, d, err := c.dated(name)
		if err != nil {
			return err
		}
		results, err := quality.Analyze(d, o)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := c.report(name, results, verbose); err != nil {
			return err
		}
		for i := range results {
			if results[i].State == quality.Failed {
				return errUnsound
			}
		}
		return nil
	})
}

// report prints what came of a file.
func (c *command) report(name string, results []quality.Result, verbose bool) error {
	v := verdict{File: name}
	for _, r := range results {
		p := point{
			Number: r.Number, Point: string(r.Point), State: string(r.State), Reason: r.Reason, Value: r.Value,
			Unit:      string(r.Unit),
			Threshold: r.Threshold, AtLeast: r.AtLeast, Checked: r.Checked, Violations: []violation{},
		}
		for _, x := range r.Violations {
			p.Violations = append(p.Violations, violation(x))
		}
		v.Points = append(v.Points, p)
	}
	if c.json {
		return c.print(v)
	}
	fmt.Fprintln(c.out, v.File)
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  \tpoint\t\tvalue\twanted\tof\tagainst it")
	for i := range v.Points {
		p := &v.Points[i]
		if p.Reason != "" {
			fmt.Fprintf(w, "  %d\t%s\tnot applicable\t\t\t\t%s\n", p.Number, p.Point, p.Reason)
			continue
		}
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\t%s\t%d\t%d\n", p.Number, p.Point, strings.ToLower(p.State), p.amount(p.Value),
			p.wanted(), p.Checked, len(p.Violations))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !verbose {
		return nil
	}
	for i := range v.Points {
		for _, x := range v.Points[i].Violations {
			fmt.Fprintf(c.out, "%s: %s %s: %s\n", v.Points[i].Point, x.Code, x.Name, x.Detail)
		}
	}
	return nil
}

// amount is a value as people read it.
func (p *point) amount(v float64) string {
	if p.Unit == string(quality.Percent) {
		return strconv.FormatFloat(v, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func (p *point) wanted() string {
	if p.AtLeast {
		return "≥ " + p.amount(p.Threshold)
	}
	return "≤ " + p.amount(p.Threshold)
}
