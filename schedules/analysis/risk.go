package analysis

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/effort"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/progress"
	"github.com/seed-933f9a09/twinplatform/schedules/risk"
)

// RiskDistribution is how likely durations are between the shortest and the longest.
type RiskDistribution = risk.Distribution

// MaxSeed is the largest seed of a risk analysis.
const MaxSeed = math.MaxInt32

// RiskOptions say how uncertain a schedule is, and how it is simulated. The zero value is
// 1,000 runs of durations from 90 to 125 percent of the planned ones.
type RiskOptions struct {
	// Distribution is Triangular unless it is given.
	Distribution RiskDistribution `json:"distribution"`
	// OptimisticPercent and PessimisticPercent are the shortest and the longest duration of
	// tasks that Tasks do not name, in percent of what is still to be done of them: 1 to
	// 100, and 100 to 1,000. 0 is 90, and 125.
	OptimisticPercent  int `json:"optimisticPercent"`
	PessimisticPercent int `json:"pessimisticPercent"`
	// Runs is how often the schedule is scheduled: up to 100,000, and up to 50,000,000
	// divided by the number of its tasks. 0 is 1,000.
	Runs int `json:"runs"`
	// Seed begins the random numbers, from 0 to MaxSeed: the same seed gives the same
	// answer.
	Seed int `json:"seed"`
	// Tasks gives at most 10,000 tasks an estimate of their own.
	Tasks []RiskEstimate `json:"tasks"`
	// Top is of how many tasks the answer tells: up to MaxTop, which 0 is.
	Top int `json:"top"`
}

// RiskEstimate is how long what is still to be done of a task takes, in seconds of working
// time: 0 or more, up to a century, and each no less than the one before. It has no effect on
// a task that has ended, takes no work or stays where it is put by hand.
type RiskEstimate struct {
	MostLikely  int64  `json:"mostLikely"`
	Optimistic  int64  `json:"optimistic"`
	Pessimistic int64  `json:"pessimistic"`
	TaskID      string `json:"taskId"`
}

// RiskAnalysis is when a schedule may end. Shares are from 0 to 1.
type RiskAnalysis struct {
	Distribution RiskDistribution      `json:"distribution"`
	Earliest     twinplatform.DateTime `json:"earliest"` // finish of a run; null where nothing has a date
	// Histogram is how many runs ended when, without gaps.
	Histogram []RiskBin             `json:"histogram"`
	Latest    twinplatform.DateTime `json:"latest"`
	Mean      twinplatform.DateTime `json:"mean"` // of the finishes
	// MustFinishByChance is the share of the runs that ended by MustFinishBy of the
	// ProjectScheduling; null where there is none.
	MustFinishByChance *float64         `json:"mustFinishByChance"`
	Percentiles        []RiskPercentile `json:"percentiles"` // of 10, 50, 80 and 90 percent
	// PlannedFinish is when it ends if everything takes as long as planned, PlannedChance
	// the share of the runs that ended by then.
	PlannedChance float64               `json:"plannedChance"`
	PlannedFinish twinplatform.DateTime `json:"plannedFinish"`
	Runs          int                   `json:"runs"`
	Seed          int                   `json:"seed"`
	// StandardDeviation measures how far the finishes of the runs spread, in seconds of
	// time, not of working time.
	StandardDeviation int64 `json:"standardDeviation"`
	// Tasks lists the most critical tasks of those that have not ended, as many as the options ask for. Summaries and
	// hammocks are not among them.
	Tasks []TaskRisk `json:"tasks"`
}

// RiskBin is how many runs ended after From and by To.
type RiskBin struct {
	CumulativeRuns int                   `json:"cumulativeRuns"` // that ended by To
	From           twinplatform.DateTime `json:"from"`
	Runs           int                   `json:"runs"`
	To             twinplatform.DateTime `json:"to"`
}

// RiskPercentile is by when so many percent of the runs had ended.
type RiskPercentile struct {
	Finish  twinplatform.DateTime `json:"finish"`
	Percent float64               `json:"percent"`
}

// TaskRisk is what came of a task. Durations are of what is still to be done, in seconds of
// working time.
type TaskRisk struct {
	// Criticality is the share of the runs in which the task was on the longest path, which
	// drove the finish.
	Criticality   float64                 `json:"criticality"`
	MeanDuration  int64                   `json:"meanDuration"`
	MostLikely    int64                   `json:"mostLikely"`
	Name          string                  `json:"name"`
	Optimistic    int64                   `json:"optimistic"`
	Pessimistic   int64                   `json:"pessimistic"`
	TaskID        string                  `json:"taskId"`
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
}

// check refuses what makes no sense whatever the schedule is.
func (o *RiskOptions) check(c *problem.Checks) {
	if o.Runs < 0 || o.Runs > risk.MaxRuns {
		c.Bad("runs", "There are from 1 to %d runs.", risk.MaxRuns)
	}
	if o.Seed < 0 || o.Seed > MaxSeed {
		c.Bad("seed", "The seed is a whole number from 0 to %d.", MaxSeed)
	}
	if o.Distribution != "" {
		problem.OneOf(c, "distribution", o.Distribution, risk.Distributions())
	}
	if o.OptimisticPercent < 0 || o.OptimisticPercent > 100 {
		c.Bad("optimisticPercent", "The shortest duration is from 1 to 100 percent of the planned one.")
	}
	if o.PessimisticPercent != 0 && (o.PessimisticPercent < 100 || o.PessimisticPercent > risk.MaxPessimistic) {
		c.Bad("pessimisticPercent", "The longest duration is from 100 to %d percent of the planned one.",
			int(risk.MaxPessimistic))
	}
	if o.Top < 0 || o.Top > MaxTop {
		c.Bad("top", "The answer names 1 to %d tasks.", MaxTop)
	}
	if len(o.Tasks) > MaxTop {
		c.Bad("tasks", "At most %d tasks have estimates.", MaxTop)
	}
	for i, t := range o.Tasks {
		c.At("tasks", i)
		if e := (risk.Estimate{
			Optimistic: t.Optimistic, MostLikely: t.MostLikely,
			Pessimistic: t.Pessimistic,
		}); !e.Valid() {
			c.Bad("pessimistic", "The three durations are seconds from 0 to %d, and none is less than the one before.",
				int64(risk.MaxDuration))
		}
	}
}

// estimates returns the estimates by the places of their tasks in the plan.
func (o *RiskOptions) estimates(p *dated.Plan) (map[int]risk.Estimate, error) {
	places := make(map[string]int, len(p.Tasks))
	for i := range p.Tasks {
		places[p.Tasks[i].ID] = i
	}
	var c problem.Checks
	found := make(map[int]risk.Estimate, len(o.Tasks))
	for i, t := range o.Tasks {
		c.At("tasks", i)
		place, ok := places[t.TaskID]
		if !ok {
			c.Bad("taskId", "The schedule has no such task.")
			continue
		}
		if _, twice := found[place]; twice {
			c.Bad("taskId", "The task has another estimate.")
		}
		found[place] = risk.Estimate{Optimistic: t.Optimistic, MostLikely: t.MostLikely, Pessimistic: t.Pessimistic}
	}
	return found, c.Err(model.InvalidRequest)
}

// AnalyzeRisk simulates a schedule whose durations are uncertain, and reports when it may end
// and what delays it (POST …/risk/analyze). Package risk documents what is uncertain and what
// is counted. Nothing of it is stored. It takes as long as runs and tasks are many.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10), MissingRequiredProperty (startDate) or InvalidValue (runs, seed, distribution,
// optimisticPercent, pessimisticPercent, tasks, top); ScheduleNotFound; CircularDependency;
// LimitExceeded, as of CriticalPath.
func (p Plan) AnalyzeRisk(ctx context.Context, o RiskOptions) (a RiskAnalysis, err error) {
	err = p.simulated(ctx, &o, func(plan *dated.Plan, cal model.Clock, r *risk.Result) error {
		a = riskAnalysis(plan, cal, r, cmp.Or(o.Top, MaxTop))
		a.Seed = o.Seed
		return nil
	})
	return a, err
}

// RiskSVG draws when a schedule may end (GET …/risk.svg): the histogram of the finishes, and
// the share of the runs that had ended.
//
// Errors: as AnalyzeRisk.
func (p Plan) RiskSVG(ctx context.Context, o RiskQuery) (c Chart, err error) {
	c = Chart{MediaType: "image/svg+xml", Policy: risk.Policy(), Pages: 1}
	err = p.simulated(ctx, &o.RiskOptions, func(plan *dated.Plan, _ model.Clock, r *risk.Result) error {
		var b bytes.Buffer
		err := risk.SVG(&b, r, risk.Drawing{Title: plan.Name, Bare: o.Bare})
		c.Text = b.Bytes()
		return err
	})
	return c, err
}

// RiskQuery selects what a picture of the risk shows.
type RiskQuery struct {
	RiskOptions
	// Bare leaves the colours out, for pages that have them.
	Bare bool
}

// simulated simulates a schedule and hands over what came of it.
func (p Plan) simulated(ctx context.Context, o *RiskOptions,
	fn func(*dated.Plan, model.Clock, *risk.Result) error,
) error {
	var c problem.Checks
	if o.check(&c); c.Err(model.InvalidRequest) != nil {
		return c.Err(model.InvalidRequest)
	}
	var plan *dated.Plan
	var cal model.Clock
	err := p.look(ctx, model.ScheduleMissing, func(l model.Look) (err error) {
		if err = l.Unscheduled(); err != nil {
			return err
		}
		plan = l.Plan()
		cal, err = l.Clock()
		return err
	})
	if err != nil {
		return err
	}
	options := risk.Options{
		Runs: o.Runs, Seed: uint64(o.Seed), Distribution: o.Distribution,
		Optimistic:  float64(cmp.Or(o.OptimisticPercent, risk.DefaultOptimistic)),
		Pessimistic: float64(cmp.Or(o.PessimisticPercent, risk.DefaultPessimistic)),
	}
	if options.Estimates, err = o.estimates(plan); err != nil {
		return err
	}
	r, err := risk.Simulate(ctx, plan, options)
	if errors.Is(err, risk.ErrRuns) {
		return model.Invalid(problem.BadValue("runs", "A schedule of %d tasks has at most %d runs.", len(plan.Tasks),
			risk.MostRuns(len(plan.Tasks))))
	}
	if err != nil {
		return model.Unschedulable(err)
	}
	// A run is some hundred times cheaper than reading the records of its tasks.
	effort.Add(ctx, effort.Spent{Read: r.Runs * len(plan.Tasks) / 100})
	return fn(plan, cal, r)
}

func riskAnalysis(p *dated.Plan, cal model.Clock, r *risk.Result, top int) RiskAnalysis {
	a := RiskAnalysis{
		Distribution: r.Distribution, Earliest: cal.Global(r.Earliest()), Latest: cal.Global(r.Latest()),
		Mean:          cal.Global(r.Mean),
		PlannedChance: r.Chance(r.Planned), PlannedFinish: cal.Global(r.Planned), Runs: r.Runs,
		StandardDeviation: int64(math.Round(r.Deviation)),
		Histogram:         []RiskBin{}, Percentiles: []RiskPercentile{}, Tasks: []TaskRisk{},
	}
	if must := p.Projects[0].MustFinish; must != 0 {
		a.MustFinishByChance = new(r.Chance(must))
	}
	for _, b := range r.Bins {
		a.Histogram = append(a.Histogram,
			RiskBin{From: cal.Global(b.From), To: cal.Global(b.To), Runs: b.Runs, CumulativeRuns: b.Cumulative})
	}
	for _, percent := range risk.Percentiles() {
		a.Percentiles = append(a.Percentiles,
			RiskPercentile{Percent: percent, Finish: cal.Global(r.Percentile(percent))})
	}
	for _, x := range r.MostCritical(len(r.Tasks)) {
		t := &p.Tasks[x.Place]
		if t.Ended() {
			continue
		}
		if len(a.Tasks) == top {
			break
		}
		a.Tasks = append(a.Tasks, TaskRisk{
			TaskID: t.ID, Name: t.Name, UserDefinedID: twinplatform.NullString(t.Code), Criticality: x.Criticality,
			MeanDuration: int64(math.Round(x.Mean)),
			Optimistic:   x.Estimate.Optimistic, MostLikely: x.Estimate.MostLikely, Pessimistic: x.Estimate.Pessimistic,
		})
	}
	return a
}

// Schemas returns what the checks of the analyses declare of the types of their bodies,
// for the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	schema.Enum(b, risk.Distributions())
	schema.Enum(b, progress.Measures())
	schema.Enum(b, progress.Steps())
	schema.Has[FinishMove](b, schema.Refers("toBaselineId", "baselines"))
	schema.Has[WBSDates](b, schema.Refers("parentId", "tasks"))
}
