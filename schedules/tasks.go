package schedules

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// taskKinds are the sorts of change to tasks.
type taskKinds struct {
	createOne  kind[[]NewTask, Task]
	createMany kind[[]NewTask, Task]
	update     kind[taskUpdate, Task]
	remove     kind[entity.Deletion, Task]
}

func defineTaskKinds(s *Service) taskKinds {
	return taskKinds{
		createOne:  change(s, "task.create", addTasks("")),
		createMany: change(s, "tasks.create", addTasks("batch")),
		update:     change(s, "task.update", updateTask),
		remove:     changeInSteps(s, "tasks.delete", removeTasks),
	}
}

// Task returns a task. Errors: TaskNotFound, also for a schedule that is missing
// or not for the caller to see.
func (s *Service) Task(ctx context.Context, scheduleID, taskID string) (twinplatform.Record[Task], error) {
	return get(ctx, s, scheduleID, taskMissing, &taskRecords, taskID)
}

// TaskQuery says which tasks to list.
type TaskQuery struct {
	twinplatform.ListOptions
}

// Tasks lists the tasks of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) Tasks(ctx context.Context, scheduleID string, q TaskQuery) (twinplatform.Page[Task], error) {
	return list(ctx, s, scheduleID, scheduleMissing, &taskRecords,
		records.Query[Task]{ListOptions: q.ListOptions, Op: "tasks"}, nil)
}

// DeleteTasks deletes up to 1,000 tasks (S13) as a long-running operation, with
// all tasks below them, their links and their user field values. A large
// deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; TaskNotFound, and then nothing is deleted.
func (s *Service) DeleteTasks(ctx context.Context, scheduleID string, taskIDs []string) (twinplatform.Result[Task], error) {
	if err := checkBatch("taskIds", len(taskIDs)); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return s.tasks.remove.start(ctx, scheduleID, tracked, taskIDs, entity.Deletion{IDs: taskIDs})
}

func removeTasks(u *records.Update, e *edit[entity.Deletion, Task]) (progress, error) {
	if !e.Request.Begun() {
		for _, id := range e.Request.IDs {
			has, err := taskRecords.Has(u, e.scope, id)
			if err != nil {
				return progress{}, err
			}
			if !has {
				return progress{}, noneOf("TaskNotFound", "taskIds", "task", id).Err()
			}
		}
	}
	var stale plan.Stale
	r := entity.Remover{
		Budget: entity.RecordsPerStep,
		Below:  func(id string) iter.Seq[string] { return taskRecords.IDs(u, e.scope, "parent", id) },
		Remove: func(id string, budget *entity.Budget) (bool, error) {
			return removeTask(u, e.scope, id, budget, &stale)
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

// removeTask deletes a task without children, with its links and values, and
// reports false when the budget of records ended before that.
func removeTask(u *records.Update, s records.Scope, id string, budget *entity.Budget, stale *plan.Stale) (whole bool, err error) {
	t, err := taskRecords.Value(u, s, id)
	if missingRecord(err) {
		return true, nil // it went with its parent
	}
	if err != nil {
		return false, err
	}
	for _, index := range []string{"predecessor", "successor"} {
		for l, err := range taskLinkRecords.Find(u, s, index, id) {
			if err != nil {
				return false, err
			}
			if *budget--; *budget < 0 {
				return false, nil
			}
			stale.Link(l.PredecessorID, l.SuccessorID)
			if err := taskLinkRecords.Delete(u, s, l.ID); err != nil {
				return false, err
			}
		}
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
