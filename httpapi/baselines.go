package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func baselineRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/baselines"
		each = all + "/{baselineId}"
	)
	return []*row{
		listIn(Operation{ID: "baselines.list", Path: all, Summary: "List Baselines", Addition: true}, paging{}, "baselines",
			func(ctx context.Context, scheduleID string, _ *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Baseline], error) {
				return svc.Baselines(ctx, scheduleID, schedules.BaselineQuery{ListOptions: o})
			}),
		getIn(Operation{ID: "baselines.get", Path: each, Summary: "Get a Baseline", Addition: true}, "baseline", svc.Baseline),
		createIn(Operation{ID: "baselines.create", Path: all, Summary: "Create a Baseline", Addition: true}, "baseline",
			func(b schedules.Baseline) string { return b.ID }, svc.CreateBaseline),
		deleteManyIn(Operation{ID: "baselines.deleteMany", Path: all, Summary: "Delete Baselines", Addition: true}, "baselines", "baselineIds", svc.DeleteBaselines),
		deleteOneOf(Operation{ID: "baselines.delete", Path: each, Summary: "Delete a Baseline"}, "baseline", "baselineIds", svc.DeleteBaselines),
		listIn(Operation{ID: "S5", Path: each + "/baseline-tasks", Summary: "List Baseline Tasks"}, paging{}, "baselineTasks",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTask], error) {
				return svc.BaselineTasks(ctx, scheduleID, x.path("baselineId"), schedules.BaselineTaskQuery{ListOptions: o})
			}),
		listIn(Operation{ID: "S2", Path: each + "/baseline-task-links", Summary: "List Baseline Task Links"}, paging{}, "baselineTaskLinks",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTaskLink], error) {
				return svc.BaselineTaskLinks(ctx, scheduleID, x.path("baselineId"), schedules.BaselineTaskLinkQuery{ListOptions: o})
			}),
	}
}
