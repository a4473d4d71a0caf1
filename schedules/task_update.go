package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// taskChange is a patch with the time at which it was asked for, and the working time in
// which it is made.
type taskChange struct {
	TaskPatch
	Now   twinplatform.DateTime
	times *workingTime
	ids   *TaskStatusIDs
}

// taskUpdate is a patch on its way into the journal.
type taskUpdate struct {
	ID      string                 `json:"id"`
	Patch   TaskPatch              `json:"patch"`
	IfMatch twinplatform.Condition `json:"ifMatch"`
	Now     twinplatform.DateTime  `json:"now"`
}

// UpdateTask changes a task (PATCH). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidValue for each property that has
// no such value or that the task's type or status does not allow;
// ScheduleNotFound; TaskNotFound; InsufficientPermissions;
// ScheduleNotInitialized; VersionMismatch; AlreadyExists (userDefinedId).
func (p Plan) UpdateTask(ctx context.Context, taskID string, patch TaskPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Task], error) {
	var c problem.Checks
	taskKind.CheckPatch(taskID, &taskChange{TaskPatch: patch}, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return familiesOf(p.s).tasks.update.Start(ctx, p.id, model.Direct, []string{taskID}, taskUpdate{
		ID: taskID, Patch: patch, IfMatch: twinplatform.ConditionOf(pre...), Now: p.s.now(),
	})
}

func updateTask(u *records.Update, e *model.Edit[taskUpdate, Task]) error {
	req := &e.Request
	times := workingTimeOf(u, e.Scope)
	rec, err := taskKind.Modify(u, e.Scope, req.ID, req.IfMatch, &taskChange{req.Patch, req.Now, times, &e.At.StatusIDs})
	if err == nil {
		err = times.err
	}
	if err != nil {
		return err
	}
	if summary, given := req.Patch.IsSummary.Get(); rec.Value.Type.hammock() || given && summary != rec.Value.IsWBS { // which follow after that
		rec, err = taskRecords.Get(u, e.Scope, req.ID)
	}
	e.Wrote(rec)
	return err
}

// summarize notes at a task that has become a summary, or is none any more, whether it is one.
func summarize(u *records.Update, s records.Scope, t *Task) error {
	if t.IsSummary {
		return setWBS(u, s, t.ID, true)
	}
	return clearWBS(u, s, t.ID)
}

// followTask carries the change of a task to its parents and to the hammocks that
// it holds.
func followTask(u *records.Update, s records.Scope, t, stored *Task) error {
	if t.ParentID != stored.ParentID {
		if t.ParentID != "" {
			if err := setWBS(u, s, string(t.ParentID), true); err != nil {
				return err
			}
		}
		if err := clearWBS(u, s, string(stored.ParentID)); err != nil {
			return err
		}
	}
	if t.IsSummary != stored.IsSummary {
		if err := summarize(u, s, t); err != nil {
			return err
		}
	}
	var stale plan.Stale
	stale.Task(t.ID)
	return deriveHammocks(u, s, &stale)
}
