package scheduling

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SchedulingAnalysisQuery selects the analyses to list.
type SchedulingAnalysisQuery struct {
	twinplatform.ListOptions
}

// SchedulingAnalyses lists what the last rescheduling has found of each task, by task id
// (GET …/tasks/scheduling-analyses), or the last import if that is later. The list of a
// schedule that had neither is empty. What is found of the plan as it is now, Simulate says.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top, continuation,
// delta).
func (p Plan) SchedulingAnalyses(ctx context.Context,
	q SchedulingAnalysisQuery,
) (twinplatform.Page[schedules.SchedulingAnalysis], error) {
	return model.List(ctx, p.plans.DB, p.plans.Read, p.id, model.ScheduleMissing, core.Analyses,
		records.Query[schedules.SchedulingAnalysis]{ListOptions: q.ListOptions, Op: "schedulingAnalyses"}, nil)
}

// BaselineSchedulingAnalysisQuery selects the analyses of a baseline to list.
type BaselineSchedulingAnalysisQuery struct {
	twinplatform.ListOptions
}

// BaselineSchedulingAnalyses lists what was found of the tasks of a baseline when it was
// made, by task id (GET …/baseline-tasks/scheduling-analyses). That of a schedule that had
// not been rescheduled by then is empty.
//
// Errors: as BaselineTasks.
func (p Plan) BaselineSchedulingAnalyses(ctx context.Context, baselineID string,
	q BaselineSchedulingAnalysisQuery,
) (twinplatform.Page[schedules.BaselineSchedulingAnalysis], error) {
	return model.ListRows(ctx, p.plans.Read, p.id, core.RowsBy(baselineID), core.BaselineAnalyses,
		records.Query[schedules.BaselineSchedulingAnalysis]{
			ListOptions: q.ListOptions, Op: "baselineSchedulingAnalyses",
		})
}
