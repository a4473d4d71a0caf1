package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// TaskPatch changes a task: what is left out stays, null clears.
type TaskPatch struct {
	// ID may be given as it is.
	ID twinplatform.Optional[string] `json:"id,omitzero"`
	// TaskAsRead may be given as it is, or as it will be.
	TaskAsRead

	Name     twinplatform.Optional[string]   `json:"name,omitzero"`     // not empty, up to MaxText characters
	Type     twinplatform.Optional[TaskType] `json:"type,omitzero"`     // clears the dates that the new type lacks
	ParentID twinplatform.Optional[string]   `json:"parentId,omitzero"` // null moves it to the top
	// Status moves the task. Started sets the actual start, Finished the actual
	// finish too, to the present where the patch does not give them; moving
	// back clears them.
	Status twinplatform.Optional[TaskStatus] `json:"status,omitzero"`
	// StatusID says the status in another way.
	StatusID     twinplatform.Optional[string]                `json:"statusId,omitzero"`
	ActualStart  twinplatform.Optional[twinplatform.DateTime] `json:"actualStart,omitzero"`  // from Started on
	ActualFinish twinplatform.Optional[twinplatform.DateTime] `json:"actualFinish,omitzero"` // once Finished; not before ActualStart
	// PercentComplete is 0 to 100 and can be set while the task is Started.
	PercentComplete twinplatform.Optional[int32]                 `json:"percentComplete,omitzero"`
	PlannedStart    twinplatform.Optional[twinplatform.DateTime] `json:"plannedStart,omitzero"` // not for a FinishKeyDate and hammocks
	// PlannedFinish is for FinishKeyDate alone.
	PlannedFinish twinplatform.Optional[twinplatform.DateTime] `json:"plannedFinish,omitzero"`
	// PlannedDuration, in seconds, can be changed while the task is Planned.
	PlannedDuration     twinplatform.Optional[int32]                 `json:"plannedDuration,omitzero"`
	ConstraintType      twinplatform.Optional[ConstraintType]        `json:"constraintType,omitzero"`      // null makes it NoConstraint
	ConstraintEarlyDate twinplatform.Optional[twinplatform.DateTime] `json:"constraintEarlyDate,omitzero"` // null clears it
	ConstraintLateDate  twinplatform.Optional[twinplatform.DateTime] `json:"constraintLateDate,omitzero"`  // null clears it
	ExpectedFinish      twinplatform.Optional[twinplatform.DateTime] `json:"expectedFinish,omitzero"`      // null clears it
	// Quantities are 0 or more.
	PhysicalQuantity       twinplatform.Optional[float64]          `json:"physicalQuantity,omitzero"`       // to be done, in PhysicalQuantityUnit
	ActualPhysicalQuantity twinplatform.Optional[float64]          `json:"actualPhysicalQuantity,omitzero"` // done so far, in PhysicalQuantityUnit
	PhysicalQuantityUnit   twinplatform.Optional[ResourceUnitType] `json:"physicalQuantityUnit,omitzero"`   // null makes it Unknown
	EstimatedRate          twinplatform.Optional[float64]          `json:"estimatedRate,omitzero"`          // 0 or more
	// Comment has at most 1,000 characters.
	Comment       twinplatform.Optional[string] `json:"comment,omitzero"`
	URL           twinplatform.Optional[string] `json:"url,omitzero"`           // up to MaxText characters; null clears it
	UserDefinedID twinplatform.Optional[string] `json:"userDefinedId,omitzero"` // that of no other task; null clears it
}

// taskChange is a patch with the time at which it was asked for.
type taskChange struct {
	TaskPatch
	Now twinplatform.DateTime
}

// taskUpdate is a patch on its way into the journal.
type taskUpdate struct {
	ID      string                `json:"id"`
	Patch   TaskPatch             `json:"patch"`
	IfMatch string                `json:"ifMatch"`
	Now     twinplatform.DateTime `json:"now"`
}

// UpdateTask changes a task (PATCH). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidValue for each property that has
// no such value or that the task's type or status does not allow;
// ScheduleNotFound; TaskNotFound; InsufficientPermissions;
// ScheduleNotInitialized; VersionMismatch; AlreadyExists (userDefinedId).
func (s *Service) UpdateTask(ctx context.Context, scheduleID, taskID string, p TaskPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Task], error) {
	var c refuse.Checks
	taskKind.CheckPatch(taskID, taskChange{TaskPatch: p}, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return s.tasks.update.start(ctx, scheduleID, direct, []string{taskID}, taskUpdate{
		ID: taskID, Patch: p, IfMatch: twinplatform.IfMatchHeader(pre...), Now: s.now(),
	})
}

func updateTask(u *records.Update, e *edit[taskUpdate, Task]) error {
	req := &e.Request
	rec, err := taskKind.Modify(u, e.scope, req.ID, req.IfMatch, taskChange{req.Patch, req.Now})
	if err != nil {
		return err
	}
	if rec.Value.Type.hammock() { // whose dates were derived after that
		rec, err = taskRecords.Get(u, e.scope, req.ID)
	}
	e.wrote(rec)
	return err
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
	var stale plan.Stale
	stale.Task(t.ID)
	return deriveHammocks(u, s, &stale)
}
