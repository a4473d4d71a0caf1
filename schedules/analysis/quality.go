package analysis

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/quality"
)

// QualityPoint is one of the fourteen points of DCMA, which package quality names.
type QualityPoint = quality.Point

// QualityOptions say how strictly a schedule is judged. The zero value is by the
// thresholds of DCMA.
type QualityOptions struct {
	// BaselineID is a baseline; empty is the current one: that of each project, and of several
	// the last that was made. Where none is, MissedTasks, BaselineExecutionIndex and, without a
	// MustFinishBy, CriticalPathLengthIndex are not applicable.
	BaselineID string `json:"baselineId"`
	// Points chooses the points that are judged; empty chooses all.
	Points []quality.Point `json:"points"`
	// Thresholds replace those of DCMA, by the names of the points: shares in percent,
	// indexes and the critical path test as ratios.
	Thresholds map[quality.Point]float64 `json:"thresholds"`
	// HighFloatDays and HighDurationDays are working days; 44 when 0.
	HighDurationDays int `json:"highDurationDays"`
	HighFloatDays    int `json:"highFloatDays"`
	// DelayDays is by how many working days the critical path test makes a task longer;
	// 600 when 0.
	DelayDays int `json:"delayDays"`
	// IncludeMilestones counts milestones as tasks.
	IncludeMilestones bool `json:"includeMilestones"`
}

func (o *QualityOptions) options() quality.Options {
	return quality.Options{
		Thresholds: o.Thresholds, HighFloat: o.HighFloatDays, HighDuration: o.HighDurationDays, Delay: o.DelayDays,
		Milestones: o.IncludeMilestones, Only: o.Points,
	}
}

// noneCurrent is why a schedule is judged without a baseline that has some.
const noneCurrent = "None of the baselines of the plan is current, and none was named."

// QualityResult is what came of judging one point.
type QualityResult struct {
	Checked  int           `json:"checked"`  // how many tasks or links were looked at
	IsAtMost bool          `json:"isAtMost"` // the value is to be the threshold at most; else at least
	Number   int           `json:"number"`   // from 1 to 14
	Point    quality.Point `json:"point"`
	// Reason is why the point is not applicable.
	Reason    twinplatform.NullString `json:"reason"`
	State     quality.State           `json:"state"`
	Threshold float64                 `json:"threshold"`
	Unit      quality.Unit            `json:"unit"`
	Value     float64                 `json:"value"` // in Unit; 0 where the point is not applicable
	// ViolationCount is how many tasks or links count against the plan, also where the
	// point is passed.
	ViolationCount int `json:"violationCount"`
}

// QualityViolation is a task or a task link that fails a point.
type QualityViolation struct {
	Detail     string                  `json:"detail"` // says in words what is wrong
	Name       string                  `json:"name"`   // of the task; for a link the codes of its tasks
	Point      quality.Point           `json:"point"`
	TaskID     twinplatform.NullString `json:"taskId"`
	TaskLinkID twinplatform.NullString `json:"taskLinkId"`
}

// AnalyzeQuality judges a schedule by the fourteen points of DCMA (POST
// …/quality/dcma/analyze): whether it is sound enough for its dates to mean something.
// QualityViolations lists the violations of each point.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10) or InvalidValue (points, thresholds, highFloatDays, highDurationDays, delayDays);
// ScheduleNotFound; BaselineNotFound; LimitExceeded, as of CriticalPath.
func (p Plan) AnalyzeQuality(ctx context.Context, o QualityOptions) (all []QualityResult, err error) {
	found, err := p.judged(ctx, &o)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		all = append(all, QualityResult{
			Point: r.Point, Number: r.Number, State: r.State, Reason: twinplatform.NullString(r.Reason), Value: r.Value,
			Unit:      r.Unit,
			Threshold: r.Threshold, IsAtMost: !r.AtLeast, Checked: r.Checked, ViolationCount: len(r.Violations),
		})
	}
	return all, nil
}

// QualityViolationQuery selects the violations to list.
type QualityViolationQuery struct {
	// ListOptions: Top alone counts.
	twinplatform.ListOptions
	QualityOptions
	// Skip leaves out so many violations from the beginning.
	Skip int
}

// QualityViolations lists the violations of the points, point by point and in the order
// of the plan (GET …/quality/dcma/violations). The list is paged by number: Page.Next is
// the Skip of the page behind it.
//
// Errors: as AnalyzeQuality, and InvalidValue (top, skip).
func (p Plan) QualityViolations(ctx context.Context, q QualityViolationQuery) (page twinplatform.Page[QualityViolation],
	err error,
) {
	top, err := window(q.Top, q.Skip, "violations to skip")
	if err != nil {
		return page, err
	}
	found, err := p.judged(ctx, &q.QualityOptions)
	if err != nil {
		return page, err
	}
	return numbered(violations(found), top, q.Skip)
}

// violations lists the violations of all points in the order of the points.
func violations(found []quality.Result) (all []QualityViolation) {
	for _, r := range found {
		for _, x := range r.Violations {
			all = append(all, QualityViolation{
				Point: r.Point, TaskID: twinplatform.NullString(x.TaskID),
				TaskLinkID: twinplatform.NullString(x.LinkID), Name: x.Name, Detail: x.Detail,
			})
		}
	}
	return all
}

// judged is what came of each point.
func (p Plan) judged(ctx context.Context, o *QualityOptions) ([]quality.Result, error) {
	var plan *dated.Plan
	options := o.options()
	err := p.look(ctx, model.ScheduleMissing, func(l model.Look) (err error) {
		plan = l.Plan()
		var baseline *dated.Plan
		if o.BaselineID != "" {
			baseline, err = l.Baseline(o.BaselineID)
		} else {
			var any bool
			if baseline, any, err = l.CurrentBaseline(); any {
				options.WithoutBaseline = noneCurrent
			}
		}
		if err == nil && baseline != nil {
			plan.SetBaseline(baseline)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	found, err := quality.Analyze(plan, options)
	if errors.Is(err, quality.ErrOptions) {
		return nil, model.Invalid(problem.BadValue("points",
			"There is no such point, or its threshold is not a valid number."))
	}
	return found, model.Unschedulable(err)
}
