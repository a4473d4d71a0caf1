package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// DeleteTasks deletes up to 1,000 tasks (S13) as a long-running operation, with
// all tasks below them, their links, resource assignments and user field values. A large
// deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; TaskNotFound, and then nothing is deleted.
func (s *Service) DeleteTasks(ctx context.Context, scheduleID string, taskIDs []string) (twinplatform.Result[Task], error) {
	return s.tasks.remove(ctx, scheduleID, taskIDs...)
}

func deleteTasks(u *records.Update, e *edit[entity.Deletion, Task]) (progress, error) {
	if !e.Request.Begun() {
		if err := taskKind.Have(u, e.scope, e.Request.IDs); err != nil {
			return progress{}, err
		}
	}
	var stale plan.Stale
	r := entity.Remover{
		Budget: entity.RecordsPerStep,
		Below:  readPlan(u, e.scope).Children,
		Remove: func(id string, budget *entity.Budget) (bool, error) {
			return deleteTask(u, e.scope, id, budget, &stale)
		},
	}
	whole, err := r.Run(&e.Request)
	if err != nil {
		return progress{}, err
	}
	if err := deriveHammocks(u, e.scope, &stale); err != nil {
		return progress{}, err
	}
	return stepOf(&e.Request, whole, nil)
}

// deleteTask deletes a task without children, with its links, assignments and
// values, and reports false when the budget of records ended before that.
func deleteTask(u *records.Update, s records.Scope, id string, budget *entity.Budget, stale *plan.Stale) (whole bool, err error) {
	t, err := taskRecords.Value(u, s, id)
	if missingRecord(err) {
		return true, nil // it went with its parent
	}
	if err != nil {
		return false, err
	}
	for l, err := range plan.Around(readPlan(u, s), id) {
		if err != nil {
			return false, err
		}
		if *budget--; *budget < 0 {
			return false, nil
		}
		stale.Link(l.Predecessor, l.Successor)
		if err := taskLinkRecords.Delete(u, s, l.ID); err != nil {
			return false, err
		}
	}
	if whole, err := removeAssignments(u, s, assignedTask, id, budget); !whole || err != nil {
		return false, err
	}
	if whole, err := removeValues(u, s, taskValues, id, budget); !whole || err != nil {
		return false, err
	}
	// The tombstone holds the texts of the task, of which a transaction takes
	// no more than so many bytes.
	budget.Spend(len(t.Name) + len(t.Comment) + len(t.URL) + len(t.UserDefinedID))
	if err := taskRecords.Delete(u, s, id); err != nil {
		return false, err
	}
	return true, clearWBS(u, s, string(t.ParentID))
}

// clearWBS notes at a former parent, if there is one, that it has no children
// left.
func clearWBS(u *records.Update, s records.Scope, parentID string) error {
	if parentID == "" {
		return nil
	}
	for range taskRecords.IDs(u, s, "parent", parentID) {
		return nil
	}
	return setWBS(u, s, parentID, false)
}
