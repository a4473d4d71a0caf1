package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/risk"
)

// prospect is what came of simulating a file. Durations are in seconds of working time.
type prospect struct {
	File              string           `json:"file"`
	Runs              int              `json:"runs"`
	Seed              uint64           `json:"seed"`
	Distribution      string           `json:"distribution"`
	Planned           *string          `json:"planned"`
	PlannedChance     float64          `json:"plannedChance"`
	Earliest          *string          `json:"earliest"`
	Latest            *string          `json:"latest"`
	Mean              *string          `json:"mean"`
	StandardDeviation int64            `json:"standardDeviation"`
	Percentiles       []percentile     `json:"percentiles"`
	Histogram         []bin            `json:"histogram"`
	Tasks             []riskOfTask     `json:"tasks"`
	result            *risk.Result     // of which the picture is
	critical          []riskOfTaskName // the most critical first
}

// percentile is by when the given percent of the runs ended.
type percentile struct {
	Percent float64 `json:"percent"`
	Finish  *string `json:"finish"`
}

// bin counts the runs that ended after From and by To, and with Cumulative those that ended
// by To.
type bin struct {
	From       *string `json:"from"`
	To         *string `json:"to"`
	Runs       int     `json:"runs"`
	Cumulative int     `json:"cumulative"`
}

// riskOfTask is what the runs drew and found for a task. Criticality is the share of runs,
// from 0 to 1, in which it was on the longest path.
type riskOfTask struct {
	ID           string  `json:"id"`
	Code         string  `json:"code"`
	Name         string  `json:"name"`
	Criticality  float64 `json:"criticality"`
	Optimistic   int64   `json:"optimistic"`
	MostLikely   int64   `json:"mostLikely"`
	Pessimistic  int64   `json:"pessimistic"`
	MeanDuration int64   `json:"meanDuration"`
}

// riskOfTaskName is a task as the table has it.
type riskOfTaskName struct {
	label, name string
	share       float64
}

// riskFlags defines the flags of risk. The same seed gives the same result on however many
// cores.
func riskFlags(c *command, set *flag.FlagSet) func([]string) error {
	o, estimates, distribution, most := risk.Options{}, "", "triangular", 20
	set.IntVar(&o.Runs, "runs", 0,
		fmt.Sprintf("`number` of times to schedule the plan (default: %d)", risk.DefaultRuns))
	set.Uint64Var(&o.Seed, "seed", 0, "`number` that the random numbers begin with")
	set.StringVar(&distribution, "distribution", distribution, "`distribution` of durations: triangular or pert")
	set.Float64Var(&o.Optimistic, "optimistic", risk.DefaultOptimistic,
		"shortest duration in `percent` of the planned one")
	set.Float64Var(&o.Pessimistic, "pessimistic", risk.DefaultPessimistic,
		"longest duration in `percent` of the planned one")
	set.StringVar(&estimates, "estimates", "", "CSV `file` with task,optimistic,mostLikely,pessimistic in working days")
	set.IntVar(&most, "critical", most, "`number` of tasks to list, the most critical first")
	return func(files []string) error {
		switch distribution {
		case "triangular":
			o.Distribution = risk.Triangular
		case "pert":
			o.Distribution = risk.Pert
		default:
			return fmt.Errorf("there is no distribution %q: %w", distribution, errUsage)
		}
		if c.pictured() && len(files) > 1 {
			return fmt.Errorf("a picture is of one file: %w", errUsage)
		}
		return each(func(name string) error {
			p, title, err := c.simulated(name, estimates, o)
			if err != nil {
				return err
			}
			switch {
			case c.json:
				return c.print(p)
			case c.pictured():
				return c.picture(func(w io.Writer) error {
					return risk.SVG(w, p.result, risk.Drawing{Title: title})
				})
			}
			return c.prospect(p, most)
		})(files)
	}
}

// simulated is what came of a file. An interrupt ends it.
func (c *command) simulated(name, estimates string, o risk.Options) (*prospect, string, error) {
	_, d, err := c.dated(name)
	if err != nil {
		return nil, "", err
	}
	if estimates != "" {
		if o.Estimates, err = readEstimates(estimates, d); err != nil {
			return nil, "", fmt.Errorf("%s: %w", estimates, err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	done := c.bar.begin("simulating "+name, 0)
	r, err := risk.Simulate(ctx, d, o)
	done()
	if errors.Is(err, risk.ErrOptions) {
		err = fmt.Errorf("%w: %w", err, errUsage)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	return prospectOf(name, d, r), d.Name, nil
}

func prospectOf(name string, d *dated.Plan, r *risk.Result) *prospect {
	p := &prospect{
		File: name, Runs: r.Runs, Seed: r.Seed, Distribution: string(r.Distribution), Planned: stamp(r.Planned),
		PlannedChance: r.Chance(r.Planned),
		Earliest:      stamp(r.Earliest()), Latest: stamp(r.Latest()), Mean: stamp(r.Mean),
		StandardDeviation: int64(math.Round(r.Deviation)),
		Percentiles:       []percentile{}, Histogram: []bin{}, Tasks: []riskOfTask{}, result: r,
	}
	for _, percent := range risk.Percentiles() {
		p.Percentiles = append(p.Percentiles, percentile{percent, stamp(r.Percentile(percent))})
	}
	for _, b := range r.Bins {
		p.Histogram = append(p.Histogram, bin{stamp(b.From), stamp(b.To), b.Runs, b.Cumulative})
	}
	for _, x := range r.Tasks {
		t := &d.Tasks[x.Place]
		p.Tasks = append(p.Tasks, riskOfTask{
			ID: t.ID, Code: t.Code, Name: t.Name, Criticality: x.Criticality,
			Optimistic: x.Estimate.Optimistic, MostLikely: x.Estimate.MostLikely, Pessimistic: x.Estimate.Pessimistic,
			MeanDuration: int64(math.Round(x.Mean)),
		})
	}
	for _, x := range r.MostCritical(len(r.Tasks)) {
		if t := &d.Tasks[x.Place]; !t.Ended() {
			p.critical = append(p.critical, riskOfTaskName{t.Label(), t.Name, x.Criticality})
		}
	}
	return p
}

// prospect prints what came of a file as a table.
func (c *command) prospect(p *prospect, most int) error {
	fmt.Fprintf(c.out, "%s: %d runs, durations %s, seed %d\n", p.File, p.Runs, p.Distribution, p.Seed)
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  planned\t%s\tkept in %.1f %% of the runs\n", text(p.Planned), 100*p.PlannedChance)
	for _, x := range p.Percentiles {
		fmt.Fprintf(w, "  P%v\t%s\t\n", x.Percent, text(x.Finish))
	}
	fmt.Fprintf(w, "  mean\t%s\t± %.1f days\n", text(p.Mean), float64(p.StandardDeviation)/86_400)
	fmt.Fprintf(w, "  from\t%s\t\n  to\t%s\t\n", text(p.Earliest), text(p.Latest))
	if len(p.critical) > 0 && most > 0 {
		fmt.Fprintln(w, "\n  critical\ttask\tname")
	}
	for _, t := range p.critical[:min(max(most, 0), len(p.critical))] {
		fmt.Fprintf(w, "  %.1f %%\t%s\t%s\n", 100*t.share, t.label, t.name)
	}
	return w.Flush()
}

// readEstimates reads how long tasks take: a line for each, below the names of the fields.
// Tasks are known by their codes or ids.
func readEstimates(name string, d *dated.Plan) (map[int]risk.Estimate, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	places := make(map[string]int, 2*len(d.Tasks))
	for i := range d.Tasks {
		places[d.Tasks[i].ID] = i
	}
	for i := range d.Tasks {
		if code := d.Tasks[i].Code; code != "" {
			places[code] = i
		}
	}
	lines := csv.NewReader(f)
	lines.FieldsPerRecord, lines.TrimLeadingSpace = 4, true
	found := make(map[int]risk.Estimate)
	for n := 1; ; n++ {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if n == 1 {
			continue // the names of the fields
		}
		place, ok := places[fields[0]]
		if !ok {
			return nil, fmt.Errorf("line %d: there is no task %q", n, fields[0])
		}
		e, err := estimateOf(fields, d.CalendarOf(place).Day())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		found[place] = e
	}
}

// estimateOf reads the three durations behind the name of a task, in days of so many seconds.
func estimateOf(fields []string, day int64) (risk.Estimate, error) {
	var seconds [3]int64
	for i, text := range fields[1:] {
		days, err := strconv.ParseFloat(text, 64)
		if err != nil || !(days >= 0 && days <= 36_500) {
			return risk.Estimate{}, fmt.Errorf("%q is no number of days", text)
		}
		seconds[i] = int64(math.Round(days * float64(day)))
	}
	e := risk.Estimate{Optimistic: seconds[0], MostLikely: seconds[1], Pessimistic: seconds[2]}
	if !e.Valid() {
		return e, fmt.Errorf("the three durations of %s do not rise", fields[0])
	}
	return e, nil
}
