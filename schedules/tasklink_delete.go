package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// DeleteTaskLinks deletes up to 1,000 task links, all or none. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskLinkIds); ScheduleNotFound; TaskLinkNotFound; InsufficientPermissions;
// ScheduleNotInitialized; VersionMismatch.
func (p Plan) DeleteTaskLinks(ctx context.Context, taskLinkIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[TaskLink], error) {
	if err := model.CheckBatch("taskLinkIds", len(taskLinkIDs)); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	return familiesOf(p.s).taskLinks.delete.Start(ctx, p.id, model.Tracked, taskLinkIDs, taskLinkIDs, pre...)
}

func deleteTaskLinks(u *records.Update, e *model.Edit[[]string, TaskLink]) error {
	if err := records.Long(u, len(e.Request)); err != nil {
		return err
	}
	var stale plan.Stale
	for _, id := range model.Unique(e.Request) {
		l, err := taskLinkRecords.Value(u, e.Scope, id)
		if err == nil {
			err = taskLinkRecords.Check(u, e.Scope, id, e.Condition)
		}
		if err != nil {
			return noneOf("TaskLinkNotFound", "taskLinkIds", "task link", id).Or(err)
		}
		stale.Link(l.PredecessorID, l.SuccessorID)
		if err := taskLinkRecords.Delete(u, e.Scope, id); err != nil {
			return err
		}
	}
	return deriveHammocks(u, e.Scope, &stale)
}
