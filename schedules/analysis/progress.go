package analysis

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/progress"
)

// ProgressMeasure is what of tasks is added up.
type ProgressMeasure = progress.Measure

// ProgressStep is how long periods are.
type ProgressStep = progress.Step

// ProgressQuery selects what of the progress of a schedule is reported. The zero value counts
// tasks, in up to 120 periods, and takes the schedule itself for what is planned.
type ProgressQuery struct {
	BaselineID string // a baseline, for what is planned
	Measure    ProgressMeasure
	Step       ProgressStep
	// Bare leaves the colours of a picture out, for pages that have them.
	Bare bool
	// WithoutPeriods leaves the periods of a histogram in JSON out, for those who want its overallocations.
	WithoutPeriods bool
}

// ProgressCurve is how much of a schedule is planned, done and still possible until when
// (S-curve). Amounts are tasks, seconds of working time or units of resources, by the measure.
type ProgressCurve struct {
	BaselineID twinplatform.NullString `json:"baselineId"`
	DataDate   twinplatform.DateTime   `json:"dataDate"` // until when it is known what was done
	Measure    ProgressMeasure         `json:"measure"`
	// Periods run from the first date of the tasks to the last; there are none where no
	// task has a date.
	Periods   []ProgressPeriod `json:"periods"`
	Step      ProgressStep     `json:"step"`
	TaskCount int              `json:"taskCount"` // summaries and hammocks do not count
}

// ProgressPeriod is what comes together by the end of a period.
type ProgressPeriod struct {
	Actual   *float64              `json:"actual"`   // null behind the data date
	Earliest *float64              `json:"earliest"` // by the early dates; null where the schedule cannot be scheduled
	From     twinplatform.DateTime `json:"from"`
	Latest   *float64              `json:"latest"` // by the late dates, also
	Planned  float64               `json:"planned"`
	To       twinplatform.DateTime `json:"to"`
}

// ResourceHistogram is how much of the resources of a schedule is used when.
type ResourceHistogram struct {
	DataDate  twinplatform.DateTime `json:"dataDate"`
	Resources []ResourceUse         `json:"resources"` // those that tasks use
	Step      ProgressStep          `json:"step"`
}

// ResourceUse is how much tasks use of a resource.
type ResourceUse struct {
	IsRenewable bool `json:"isRenewable"` // it is free again after a task
	// Limit is how many of a renewable resource there are at any one time, and how much of
	// another there is in all: its quantity; null where it has none.
	Limit *float64 `json:"limit"`
	Name  string   `json:"name"`
	// Overallocations are when more of a renewable resource is used than Limit, whatever the periods are: none where
	// there is no Limit.
	Overallocations []ResourceOverallocation `json:"overallocations"`
	Peak            float64                  `json:"peak"` // the most that is used at any one time
	Periods         []ResourceUsePeriod      `json:"periods"`
	ResourceID      string                   `json:"resourceId"`
	Unit            twinplatform.NullString  `json:"unit"` // of the units; null where it is not known
	UserDefinedID   twinplatform.NullString  `json:"userDefinedId"`
}

// ResourceUsePeriod is what is used in a period.
type ResourceUsePeriod struct {
	AtOnce      float64               `json:"atOnce"` // the most at any one time of the period
	From        twinplatform.DateTime `json:"from"`
	IsOverLimit bool                  `json:"isOverLimit"` // more than there is of a renewable resource
	To          twinplatform.DateTime `json:"to"`
	Units       float64               `json:"units"` // spread evenly over the working time of tasks
}

// ResourceOverallocation is a time in which tasks use more of a resource at once than there is of it.
type ResourceOverallocation struct {
	AtOnce float64               `json:"atOnce"` // the most that is used at any one time of it
	From   twinplatform.DateTime `json:"from"`
	// HasMoreTasks reports that more tasks use the resource then than are named.
	HasMoreTasks bool `json:"hasMoreTasks"`
	// Over is by how much AtOnce is beyond the limit.
	Over float64 `json:"over"`
	// Tasks use the resource then, the first to start first: 20 at most.
	Tasks []OverallocatedTask   `json:"tasks"`
	To    twinplatform.DateTime `json:"to"`
}

// OverallocatedTask is a task that uses a resource of which there is not enough.
type OverallocatedTask struct {
	Name          string                  `json:"name"`
	TaskID        string                  `json:"taskId"`
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
}

// ProgressLine is how far each task is ahead of what was planned, or behind.
type ProgressLine struct {
	BaselineID twinplatform.NullString `json:"baselineId"`
	DataDate   twinplatform.DateTime   `json:"dataDate"`
	Tasks      []TaskStanding          `json:"tasks"` // MaxTop at most; none without a data date or anything done
}

// TaskStanding is how far a task is.
type TaskStanding struct {
	// Ahead is the working time by which the task is ahead, in seconds; below zero it is
	// behind.
	Ahead int64 `json:"ahead"`
	// At is the time until which, as planned, as much was to be done as was.
	At            twinplatform.DateTime   `json:"at"`
	Done          float64                 `json:"done"` // share of the duration, from 0 to 1
	Name          string                  `json:"name"`
	PlannedFinish twinplatform.DateTime   `json:"plannedFinish"`
	PlannedStart  twinplatform.DateTime   `json:"plannedStart"`
	TaskID        string                  `json:"taskId"`
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
}

// ProgressCurve reports how far a schedule is (GET …/progress-curve.json), see package
// progress.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10) or InvalidValue (measure, step); ScheduleNotFound; BaselineNotFound; LimitExceeded, as
// of CriticalPath.
func (p Plan) ProgressCurve(ctx context.Context, q ProgressQuery) (c ProgressCurve, err error) {
	err = p.curved(ctx, &q, func(curve *progress.Curve, cal model.Clock) error {
		c = ProgressCurve{
			BaselineID: twinplatform.NullString(q.BaselineID), DataDate: cal.Global(curve.DataDate),
			Measure: curve.Measure, Step: curve.Step,
			TaskCount: curve.Tasks, Periods: []ProgressPeriod{},
		}
		for _, x := range curve.Points {
			c.Periods = append(c.Periods, ProgressPeriod{
				From: cal.Global(x.From), To: cal.Global(x.To), Planned: x.Planned, Actual: x.Actual,
				Earliest: x.Earliest, Latest: x.Latest,
			})
		}
		return nil
	})
	return c, err
}

// ProgressCurveSVG draws it (GET …/progress-curve.svg).
//
// Errors: as ProgressCurve.
func (p Plan) ProgressCurveSVG(ctx context.Context, q ProgressQuery) (c Chart, err error) {
	err = p.curved(ctx, &q, func(curve *progress.Curve, _ model.Clock) (err error) {
		c, err = picture(func(w io.Writer) error { return progress.CurveSVG(w, curve, progress.Drawing{Bare: q.Bare}) })
		return err
	})
	return c, err
}

// ProgressCurveCSV is the curve in lines of fields below their names (GET
// …/progress-curve.csv). Times are local to the time zone of the schedule.
//
// Errors: as ProgressCurve.
func (p Plan) ProgressCurveCSV(ctx context.Context, q ProgressQuery) (text []byte, err error) {
	err = p.curved(ctx, &q, func(curve *progress.Curve, _ model.Clock) (err error) {
		text, err = lines(func(w io.Writer) error { return progress.CurveCSV(w, curve) })
		return err
	})
	return text, err
}

// ResourceHistogram reports how much of the resources of a schedule is used when (GET
// …/resource-histogram.json), see package progress. Of the query Step and WithoutPeriods count.
//
// Errors: as ProgressCurve.
func (p Plan) ResourceHistogram(ctx context.Context, q ProgressQuery) (h ResourceHistogram, err error) {
	err = p.usedOf(ctx, &q, func(plan *dated.Plan, of *progress.Histogram, cal model.Clock) error {
		h = ResourceHistogram{DataDate: cal.Global(of.DataDate), Step: of.Step, Resources: []ResourceUse{}}
		for _, r := range of.Resources {
			u := ResourceUse{
				ResourceID: r.Resource.ID, Name: r.Resource.Name, IsRenewable: r.Resource.Renewable,
				UserDefinedID: twinplatform.NullString(r.Resource.Code), Unit: twinplatform.NullString(r.Resource.Unit),
				Limit: r.Resource.Limit, Peak: r.Peak, Periods: []ResourceUsePeriod{},
				Overallocations: []ResourceOverallocation{},
			}
			for _, x := range r.Overallocations {
				u.Overallocations = append(u.Overallocations, overallocation(plan, cal, &x))
			}
			if q.WithoutPeriods {
				r.Periods = nil
			}
			for _, x := range r.Periods {
				u.Periods = append(u.Periods, ResourceUsePeriod{
					From: cal.Global(x.From), To: cal.Global(x.To),
					Units: x.Units, AtOnce: x.AtOnce, IsOverLimit: x.Over,
				})
			}
			h.Resources = append(h.Resources, u)
		}
		return nil
	})
	return h, err
}

// ResourceHistogramSVG draws it (GET …/resource-histogram.svg).
//
// Errors: as ProgressCurve.
func (p Plan) ResourceHistogramSVG(ctx context.Context, q ProgressQuery) (c Chart, err error) {
	err = p.used(ctx, &q, func(h *progress.Histogram, _ model.Clock) (err error) {
		c, err = picture(func(w io.Writer) error { return progress.HistogramSVG(w, h, progress.Drawing{Bare: q.Bare}) })
		return err
	})
	return c, err
}

// ResourceHistogramCSV is the histogram in lines of fields below their names (GET
// …/resource-histogram.csv).
//
// Errors: as ProgressCurve.
func (p Plan) ResourceHistogramCSV(ctx context.Context, q ProgressQuery) (text []byte, err error) {
	err = p.used(ctx, &q, func(h *progress.Histogram, _ model.Clock) (err error) {
		text, err = lines(func(w io.Writer) error { return progress.HistogramCSV(w, h) })
		return err
	})
	return text, err
}

// ProgressLine reports how far each task is ahead or behind (GET …/progress-line.json), see
// package progress. Measure and Step do not count.
//
// Errors: as ProgressCurve.
func (p Plan) ProgressLine(ctx context.Context, q ProgressQuery) (l ProgressLine, err error) {
	err = p.progressed(ctx, &q, func(plan *dated.Plan, cal model.Clock) error {
		of := progress.LineOf(plan)
		l = ProgressLine{
			BaselineID: twinplatform.NullString(q.BaselineID), DataDate: cal.Global(of.DataDate),
			Tasks: []TaskStanding{},
		}
		for _, s := range of.Tasks[:min(len(of.Tasks), MaxTop)] {
			t := &plan.Tasks[s.Place]
			l.Tasks = append(l.Tasks, TaskStanding{
				TaskID: t.ID, Name: t.Name, UserDefinedID: twinplatform.NullString(t.Code),
				PlannedStart: cal.Global(s.Planned.Start), PlannedFinish: cal.Global(s.Planned.Finish),
				Done: s.Done, At: cal.Global(s.At), Ahead: s.Ahead,
			})
		}
		return nil
	})
	return l, err
}

// ProgressLineSVG draws it (GET …/progress-line.svg).
//
// Errors: as ProgressCurve.
func (p Plan) ProgressLineSVG(ctx context.Context, q ProgressQuery) (c Chart, err error) {
	err = p.progressed(ctx, &q, func(plan *dated.Plan, _ model.Clock) (err error) {
		c, err = picture(func(w io.Writer) error {
			return progress.LineSVG(w, progress.LineOf(plan), plan, progress.Drawing{Bare: q.Bare})
		})
		return err
	})
	return c, err
}

// ProgressLineCSV is the progress line in lines of fields below their names (GET
// …/progress-line.csv).
//
// Errors: as ProgressCurve.
func (p Plan) ProgressLineCSV(ctx context.Context, q ProgressQuery) (text []byte, err error) {
	err = p.progressed(ctx, &q, func(plan *dated.Plan, _ model.Clock) (err error) {
		text, err = lines(func(w io.Writer) error { return progress.LineCSV(w, progress.LineOf(plan), plan) })
		return err
	})
	return text, err
}

func lines(write func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := write(&b)
	return b.Bytes(), err
}

func picture(draw func(io.Writer) error) (c Chart, err error) {
	c = Chart{MediaType: "image/svg+xml", Policy: progress.Policy(), Pages: 1}
	c.Text, err = lines(draw)
	return c, err
}

func (p Plan) curved(ctx context.Context, q *ProgressQuery, fn func(*progress.Curve, model.Clock) error) error {
	return p.progressed(ctx, q, func(plan *dated.Plan, cal model.Clock) error {
		c, err := progress.CurveOf(plan, progress.Options{Measure: q.Measure, Step: q.Step})
		if err != nil {
			return stepTooShort(err)
		}
		return fn(c, cal)
	})
}

// overallocation is one of a plan.
func overallocation(p *dated.Plan, cal model.Clock, x *progress.Overallocation) ResourceOverallocation {
	o := ResourceOverallocation{
		From: cal.Global(x.From), To: cal.Global(x.To), AtOnce: x.AtOnce, Over: x.Over, HasMoreTasks: x.More,
		Tasks: make([]OverallocatedTask, len(x.Tasks)),
	}
	for i, place := range x.Tasks {
		t := &p.Tasks[place]
		o.Tasks[i] = OverallocatedTask{
			TaskID: t.ID, Name: t.Name, UserDefinedID: twinplatform.NullString(t.Code),
		}
	}
	return o
}

func (p Plan) used(ctx context.Context, q *ProgressQuery, fn func(*progress.Histogram, model.Clock) error) error {
	return p.usedOf(ctx, q, func(_ *dated.Plan, h *progress.Histogram, cal model.Clock) error { return fn(h, cal) })
}

func (p Plan) usedOf(ctx context.Context, q *ProgressQuery,
	fn func(*dated.Plan, *progress.Histogram, model.Clock) error,
) error {
	return p.progressed(ctx, q, func(plan *dated.Plan, cal model.Clock) error {
		h, err := progress.HistogramOf(plan, progress.Options{Step: q.Step})
		if err != nil {
			return stepTooShort(err)
		}
		return fn(plan, h, cal)
	})
}

func stepTooShort(err error) error {
	if errors.Is(err, progress.ErrStep) {
		return model.Invalid(problem.BadValue("step", "The schedule would have more than %d such periods.",
			progress.MaxPeriods))
	}
	return err
}

// progressed hands over the plan that a query asks for.
func (p Plan) progressed(ctx context.Context, q *ProgressQuery, fn func(*dated.Plan, model.Clock) error) error {
	var c problem.Checks
	if q.Measure != "" {
		problem.OneOf(&c, "measure", q.Measure, progress.Measures())
	}
	if q.Step != "" {
		problem.OneOf(&c, "step", q.Step, progress.Steps())
	}
	if err := c.Err(model.InvalidRequest); err != nil {
		return err
	}
	var plan *dated.Plan
	var cal model.Clock
	err := p.look(ctx, model.ScheduleMissing, func(l model.Look) (err error) {
		plan = l.Plan()
		if cal, err = l.Clock(); err != nil {
			return err
		}
		if err := l.Resources(); err != nil || q.BaselineID == "" {
			return err
		}
		baseline, err := l.Baseline(q.BaselineID)
		if err == nil {
			plan.SetBaseline(baseline)
		}
		return err
	})
	if err != nil {
		return err
	}
	return fn(plan, cal)
}
