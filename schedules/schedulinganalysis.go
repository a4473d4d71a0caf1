package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SchedulingAnalysis is what the last rescheduling of the schedule, or the last import
// into it, has found of a task.
// Floats are in seconds of working time on the calendar of the task.
type SchedulingAnalysis struct {
	Deleted bool `json:"deleted"` // true in deltas alone
	// DownstreamFreeFloat is by how much the task can slip before it moves another one;
	// null where it has none, as a hammock.
	DownstreamFreeFloat *int64 `json:"downstreamFreeFloat"`
	// DownstreamTotalFloat is by how much it can slip before the schedule ends later. It
	// is negative where the task is late already, and null where it has none.
	DownstreamTotalFloat *int64                `json:"downstreamTotalFloat"`
	EarlyFinish          twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart           twinplatform.DateTime `json:"earlyStart"`
	// IsCritical is as CriticalPathType of the ProjectScheduling says.
	IsCritical bool `json:"isCritical"`
	// IsOnLongestPath reports that links that drive lead from the task to the finish of
	// the schedule.
	IsOnLongestPath bool                  `json:"isOnLongestPath"`
	LateFinish      twinplatform.DateTime `json:"lateFinish"` // null for a hammock
	LateStart       twinplatform.DateTime `json:"lateStart"`  // null for a hammock
	TaskID          string                `json:"taskId"`     // the task that it is of
}

var analysisRecords = records.Collection[SchedulingAnalysis]{
	Name:        "scheduling-analyses",
	ID:          func(a *SchedulingAnalysis) string { return a.TaskID },
	MarkDeleted: func(a *SchedulingAnalysis) { a.Deleted = true },
}

// SchedulingAnalysisQuery selects the analyses to list.
type SchedulingAnalysisQuery struct {
	twinplatform.ListOptions
}

// SchedulingAnalyses lists what the last rescheduling has found of each task, by task id
// (GET …/tasks/scheduling-analyses), or the last import if that is later. The list of a
// schedule that had neither is empty. What is found of the plan as it is now, [Plan.Simulate] says.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top, continuation,
// delta).
func (p Plan) SchedulingAnalyses(ctx context.Context, q SchedulingAnalysisQuery) (twinplatform.Page[SchedulingAnalysis], error) {
	return model.List(ctx, p.s.db, p.s.area().Read, p.id, scheduleMissing, &analysisRecords,
		records.Query[SchedulingAnalysis]{ListOptions: q.ListOptions, Op: "schedulingAnalyses"}, nil)
}

// BaselineSchedulingAnalysis is a SchedulingAnalysis as it was when a baseline was made.
type BaselineSchedulingAnalysis struct {
	BaselineID           string                `json:"baselineId"`           // the baseline it is a row of
	Deleted              bool                  `json:"deleted"`              // false: rows go with their baseline
	DownstreamFreeFloat  *int64                `json:"downstreamFreeFloat"`  // in seconds of working time
	DownstreamTotalFloat *int64                `json:"downstreamTotalFloat"` // in seconds of working time
	EarlyFinish          twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart           twinplatform.DateTime `json:"earlyStart"`
	IsCritical           bool                  `json:"isCritical"`      // when added
	IsOnLongestPath      bool                  `json:"isOnLongestPath"` // when added
	LateFinish           twinplatform.DateTime `json:"lateFinish"`
	LateStart            twinplatform.DateTime `json:"lateStart"`
	TaskID               string                `json:"taskId"` // the task it was made of, also when that is gone
}

// baseline is the analysis as a baseline keeps it.
func (a *SchedulingAnalysis) baseline(baselineID string) *BaselineSchedulingAnalysis {
	return &BaselineSchedulingAnalysis{
		BaselineID: baselineID, TaskID: a.TaskID, IsCritical: a.IsCritical, IsOnLongestPath: a.IsOnLongestPath,
		DownstreamTotalFloat: a.DownstreamTotalFloat, DownstreamFreeFloat: a.DownstreamFreeFloat,
		EarlyStart: a.EarlyStart, EarlyFinish: a.EarlyFinish, LateStart: a.LateStart, LateFinish: a.LateFinish,
	}
}

// baselineAnalyses are the analyses of one snapshot.
func baselineAnalyses(rows string) *records.Collection[BaselineSchedulingAnalysis] {
	return &records.Collection[BaselineSchedulingAnalysis]{
		Name:        "baseline-scheduling-analyses",
		ID:          func(a *BaselineSchedulingAnalysis) string { return records.Join(rows, a.TaskID) },
		MarkDeleted: func(a *BaselineSchedulingAnalysis) { a.Deleted = true },
	}
}

// BaselineSchedulingAnalysisQuery selects the analyses of a baseline to list.
type BaselineSchedulingAnalysisQuery struct {
	twinplatform.ListOptions
}

// BaselineSchedulingAnalyses lists what was found of the tasks of a baseline when it was
// made, by task id (GET …/baseline-tasks/scheduling-analyses). That of a schedule that had
// not been rescheduled by then, or from before baselines kept analyses, is empty.
//
// Errors: as BaselineTasks.
func (p Plan) BaselineSchedulingAnalyses(ctx context.Context, baselineID string, q BaselineSchedulingAnalysisQuery) (twinplatform.Page[BaselineSchedulingAnalysis], error) {
	return listRows(ctx, p.s, p.id, baselineID, baselineAnalyses, records.Query[BaselineSchedulingAnalysis]{ListOptions: q.ListOptions, Op: "baselineSchedulingAnalyses"})
}
