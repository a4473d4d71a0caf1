package cli

import (
	"errors"
	"flag"
	"fmt"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// comparison is how two plans differ. Variances, durations, floats and lags are in
// seconds of working time.
type comparison struct {
	Totals totals           `json:"totals"`
	Move   finishMove       `json:"finishMove"`
	Tasks  []taskDifference `json:"tasks"`
	Links  []linkDifference `json:"links"`
}

// totals counts how tasks and links changed. Later to Shorter count tasks in both plans;
// variances are how much later the whole plan begins and ends, below zero earlier.
type totals struct {
	Tasks            counts  `json:"tasks"`
	Links            counts  `json:"links"`
	Later            int     `json:"later"`
	Earlier          int     `json:"earlier"`
	Longer           int     `json:"longer"`
	Shorter          int     `json:"shorter"`
	BecameCritical   int     `json:"becameCritical"`
	NoLongerCritical int     `json:"noLongerCritical"`
	BaselineStart    *string `json:"baselineStart"`
	BaselineFinish   *string `json:"baselineFinish"`
	Start            *string `json:"start"`
	Finish           *string `json:"finish"`
	StartVariance    int64   `json:"startVariance"`
	FinishVariance   int64   `json:"finishVariance"`
}

// counts says how many there are of each change. Added ones are only in the plan, removed
// ones only in the baseline.
type counts struct {
	Unchanged int `json:"unchanged"`
	Changed   int `json:"changed"`
	Added     int `json:"added"`
	Removed   int `json:"removed"`
}

// taskDifference is how a task differs. Baseline is null for an added task, Plan for a
// removed one, and Variance for both.
type taskDifference struct {
	ID       string     `json:"id"`
	Code     string     `json:"code"`
	Name     string     `json:"name"`
	Type     string     `json:"type"`
	Change   string     `json:"change"`
	Baseline *taskState `json:"baseline"`
	Plan     *taskState `json:"plan"`
	Variance *variance  `json:"variance"`
}

// taskState is how one of both plans has a task. TotalFloat is null where it is not known.
type taskState struct {
	Start      *string `json:"start"`
	Finish     *string `json:"finish"`
	Duration   int64   `json:"duration"`
	TotalFloat *int64  `json:"totalFloat"`
	Critical   bool    `json:"critical"`
}

// variance is the state in the plan less the state in the baseline: above zero is later,
// longer or more float.
type variance struct {
	Start      int64  `json:"start"`
	Finish     int64  `json:"finish"`
	Duration   int64  `json:"duration"`
	TotalFloat *int64 `json:"totalFloat"`
}

// linkDifference is how a link differs. Predecessor and Successor are codes, which readers
// know better than ids.
type linkDifference struct {
	ID            string     `json:"id"`
	PredecessorID string     `json:"predecessorId"`
	SuccessorID   string     `json:"successorId"`
	Predecessor   string     `json:"predecessor"`
	Successor     string     `json:"successor"`
	Change        string     `json:"change"`
	Baseline      *linkState `json:"baseline"`
	Plan          *linkState `json:"plan"`
}

// linkState is how one of both plans has a link. Lag is in seconds, or with Percent in
// percent of the predecessor's duration.
type linkState struct {
	Type    string `json:"type"`
	Lag     int64  `json:"lag"`
	Percent bool   `json:"percent"`
	Elapsed bool   `json:"elapsed"`
}

var errNoBaseline = errors.New("the file has no baseline; name another file before it")

// compareFlags defines the flags of compare. Of one file it compares the plan with its
// current baseline.
func compareFlags(c *command, set *flag.FlagSet) func([]string) error {
	kind, all := "", false
	set.Func("csv", "write CSV of this `kind`: tasks, links or causes", func(s string) error {
		kind, c.format = s, "csv"
		return nil
	})
	set.BoolVar(&all, "all", false, "list what has not changed too")
	return func(files []string) error {
		if len(files) > 2 {
			return fmt.Errorf("compare takes two files: %w", errUsage)
		}
		baseline, plan, err := c.both(files)
		if err != nil {
			return err
		}
		if c.format == "csv" || c.format == "xlsx" {
			return c.compareTables(table.Compare(baseline, plan, all), kind)
		}
		if c.format == "html" {
			return c.compareReport(baseline, plan, all)
		}
		x := compare.Plans(baseline, plan)
		if !all {
			x.Tasks = changed(x.Tasks, func(t *compare.Task) compare.Change { return t.Change })
			x.Links = changed(x.Links, func(l *compare.Link) compare.Change { return l.Change })
		}
		if c.json {
			d := described(x)
			d.Move = describedMove(compare.Finish(baseline, plan))
			return c.print(d)
		}
		return c.differences(x, compare.Finish(baseline, plan))
	}
}

// compareTables writes what differs as a workbook, or one kind of it as CSV.
func (c *command) compareTables(x *table.Comparison, kind string) error {
	switch kind {
	case "", "tasks":
		return c.tables(x.Tasks, x.Links, x.Causes)
	case "links":
		return c.tables(x.Links)
	case "causes":
		return c.tables(x.Causes)
	}
	return fmt.Errorf("CSV is of tasks, links or causes, not of %q: %w", kind, errUsage)
}

// both are the plans of two files, or the baseline of one and its plan.
func (c *command) both(files []string) (baseline, plan *dated.Plan, err error) {
	s, plan, err := c.dated(files[len(files)-1])
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 2 {
		_, baseline, err = c.dated(files[0])
		return baseline, plan, err
	}
	for i := range s.Plan.Baselines {
		b := &s.Plan.Baselines[i]
		if mine := len(plan.Tasks) > 0 && plan.ProjectOf(0).ID == b.ProjectID; b.Current && mine {
			return s.DatedBaseline(b), plan, nil
		}
	}
	return nil, nil, fmt.Errorf("%s: %w", files[0], errNoBaseline)
}

// changed leaves out what has not.
func changed[T any](all []T, change func(*T) compare.Change) (kept []T) {
	for i := range all {
		if change(&all[i]) != compare.Unchanged {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// described is a comparison as JSON has it.
func described(x *compare.Comparison) comparison {
	n := &x.Totals
	d := comparison{Tasks: []taskDifference{}, Links: []linkDifference{}, Totals: totals{
		Tasks: counts(n.Tasks), Links: counts(n.Links), Later: n.Later, Earlier: n.Earlier, Longer: n.Longer,
		Shorter:        n.Shorter,
		BecameCritical: n.BecameCritical, NoLongerCritical: n.NoLongerCritical, BaselineStart: stamp(n.BaselineStart),
		BaselineFinish: stamp(n.BaselineFinish),
		Start:          stamp(n.Start), Finish: stamp(n.Finish), StartVariance: n.StartVariance,
		FinishVariance: n.FinishVariance,
	}}
	for _, t := range x.Tasks {
		d.Tasks = append(d.Tasks, taskDifference{
			ID: t.ID, Code: t.Code, Name: t.Name, Type: kinds[t.Kind], Change: string(t.Change),
			Baseline: describedTask(t.Baseline), Plan: describedTask(t.Plan), Variance: (*variance)(t.Variance),
		})
	}
	for _, l := range x.Links {
		d.Links = append(d.Links, linkDifference{
			ID: l.ID, PredecessorID: l.PredecessorID, SuccessorID: l.SuccessorID, Predecessor: l.Predecessor,
			Successor: l.Successor,
			Change:    string(l.Change), Baseline: describedLink(l.Baseline), Plan: describedLink(l.Plan),
		})
	}
	return d
}

// describedTask is a state as JSON has it, null for none.
func describedTask(s *compare.State) *taskState {
	if s == nil {
		return nil
	}
	return &taskState{
		Start: stamp(s.Start), Finish: stamp(s.Finish), Duration: s.Duration, TotalFloat: s.TotalFloat,
		Critical: s.Critical,
	}
}

func describedLink(s *compare.LinkState) *linkState {
	if s == nil {
		return nil
	}
	return &linkState{Type: compare.TypeName(s.Type), Lag: s.Lag, Percent: s.Percent, Elapsed: s.Elapsed}
}

// differences prints a comparison for people.
func (c *command) differences(x *compare.Comparison, m *compare.FinishMove) error {
	n := &x.Totals
	fmt.Fprintf(c.out, "tasks: %d added, %d removed, %d changed, %d as they were; %d finish later, %d earlier\n",
		n.Tasks.Added, n.Tasks.Removed, n.Tasks.Changed, n.Tasks.Unchanged, n.Later, n.Earlier)
	fmt.Fprintf(c.out, "links: %d added, %d removed, %d changed, %d as they were\n", n.Links.Added, n.Links.Removed,
		n.Links.Changed, n.Links.Unchanged)
	fmt.Fprintf(c.out, "finish: %s, was %s, %s of working time\n", clock(n.Finish), clock(n.BaselineFinish),
		signed(&n.FinishVariance))
	if err := c.moved(m); err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	if len(x.Tasks) > 0 {
		fmt.Fprintln(w, "\ntask\tchange\tstart\tfinish\tstart by\tfinish by\tduration by\tfloat by")
	}
	for i := range x.Tasks {
		t := &x.Tasks[i]
		at := t.Plan
		if at == nil {
			at = t.Baseline
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\t", t.Code, t.Name, t.Change, clock(at.Start), clock(at.Finish))
		if v := t.Variance; v != nil {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", signed(&v.Start), signed(&v.Finish), signed(&v.Duration),
				signed(v.TotalFloat))
		} else {
			fmt.Fprint(w, "\t\t\t\n")
		}
	}
	if len(x.Links) > 0 {
		fmt.Fprintln(w, "\nlink\tchange\tis\twas")
	}
	for _, l := range x.Links {
		fmt.Fprintf(w, "%s → %s\t%s\t%s\t%s\n", l.Predecessor, l.Successor, l.Change, linked(l.Plan),
			linked(l.Baseline))
	}
	return w.Flush()
}

// signed is working time with its sign.
func signed(seconds *int64) string {
	if seconds == nil {
		return "-"
	}
	if *seconds == 0 {
		return "0"
	}
	return fmt.Sprintf("%+g h", float64(*seconds)/worktime.Hour)
}

// linked is a link as planners write it, such as FS + 16 h.
func linked(s *compare.LinkState) string {
	switch {
	case s == nil:
		return "-"
	case s.Lag == 0:
		return compare.TypeName(s.Type)
	case s.Percent:
		return fmt.Sprintf("%s %+d %%", compare.TypeName(s.Type), s.Lag)
	case s.Elapsed:
		return fmt.Sprintf("%s %s elapsed", compare.TypeName(s.Type), signed(&s.Lag))
	}
	return compare.TypeName(s.Type) + " " + signed(&s.Lag)
}

// kinds are the types of tasks by their kinds.
var kinds = map[cpm.Kind]string{
	cpm.Work: "Work", cpm.StartMilestone: "StartKeyDate", cpm.FinishMilestone: "FinishKeyDate",
	cpm.LongHammock:  "LongHammock",
	cpm.ShortHammock: "ShortHammock", cpm.Summary: "Summary",
}
