package platform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func (e *exporter) schedules(ctx context.Context, twinID string) {
	for _, sc := range values(e, twinplatform.All(ctx, e.Schedules.Schedules,
		schedules.ScheduleQuery{TwinID: twinID})) {
		var plan Schedule
		e.recast(sc, &plan)
		plan.PlanRevision = twinplatform.Optional[int64]{} // which is counted where it is seeded
		plan.TaskStatusIDs = sc.TaskStatusIDs
		if sc.State != schedules.Ready {
			plan.State = sc.State
		}
		e.failed(plan.Export(ctx, e.Schedules.In(plan.ID)))
		e.world.Schedules = append(e.world.Schedules, plan)
	}
}
