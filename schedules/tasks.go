package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// taskKinds are the sorts of change to tasks.
type taskKinds struct {
	createOne  kind[[]NewTask, Task]
	createMany kind[[]NewTask, Task]
	update     kind[taskUpdate, Task]
	remove     kind[taskRemoval, Task]
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
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue ($top,
// $continuationToken, deltaToken).
func (s *Service) Tasks(ctx context.Context, scheduleID string, q TaskQuery) (twinplatform.Page[Task], error) {
	return list(ctx, s, scheduleID, scheduleMissing, &taskRecords,
		records.Query[Task]{ListOptions: q.ListOptions, Op: "tasks"}, deltaToken, nil)
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
	return s.tasks.remove.start(ctx, scheduleID, tracked, taskIDs, taskRemoval{IDs: taskIDs})
}

// taskRemoval is what is left to delete.
type taskRemoval struct {
	IDs     []string `json:"ids"`
	Begun   bool     `json:"begun"`
	Deleted int      `json:"deleted"` // tasks so far
}

// recordsPerStep is how many records one step of a large change writes; with
// its indexes and its place in the order of changes, a record takes up to eight
// of the writes that a transaction has.
const recordsPerStep = 1_000

func removeTasks(u *records.Update, e *edit[taskRemoval, Task]) (progress progress, err error) {
	if !e.Request.Begun {
		for _, id := range e.Request.IDs {
			has, err := taskRecords.Has(u, e.scope, id)
			if err != nil {
				return progress, err
			}
			if !has {
				return progress, notFound("TaskNotFound", "taskIds", "task '"+id+"'").err()
			}
		}
	}
	r := remover{u: u, s: e.scope, budget: recordsPerStep, stack: e.Request.IDs, touched: newTouched()}
	more, err := r.run()
	if err != nil {
		return progress, err
	}
	if err := r.touched.refresh(u, e.scope); err != nil {
		return progress, err
	}
	deleted := e.Request.Deleted + r.tasks
	e.Request = taskRemoval{IDs: r.stack, Begun: true, Deleted: deleted}
	if more {
		return progressOf(deleted, deleted+len(r.stack)), nil
	}
	return done, nil
}

// remover deletes tasks with what belongs to them, children first.
type remover struct {
	u       *records.Update
	s       records.Scope
	budget  int      // records that may still be deleted in this step
	stack   []string // tasks still to be deleted, the next one last
	tasks   int      // deleted
	touched *touched
}

func (r *remover) run() (more bool, err error) {
	r.stack = reversed(r.stack)
	for len(r.stack) > 0 {
		if r.budget <= 0 {
			r.stack = reversed(r.stack)
			return true, nil
		}
		id := r.stack[len(r.stack)-1]
		t, err := taskRecords.Value(r.u, r.s, id)
		if missingRecord(err) {
			r.stack = r.stack[:len(r.stack)-1] // went with its parent
			continue
		}
		if err != nil {
			return false, err
		}
		children, err := r.children(id)
		if err != nil {
			return false, err
		}
		if len(children) > 0 {
			r.stack = append(r.stack, children...)
			continue
		}
		whole, err := r.remove(t)
		if err != nil {
			return false, err
		}
		if whole {
			r.stack = r.stack[:len(r.stack)-1]
		}
	}
	return false, nil
}

// children are as many of a task's children as one step may delete.
func (r *remover) children(id string) (ids []string, err error) {
	for child := range taskRecords.IDs(r.u, r.s, "parent", id) {
		if ids = append(ids, child); len(ids) == recordsPerStep {
			break
		}
	}
	return ids, nil
}

// remove deletes a task without children, and reports false when the step's
// budget ended before that.
func (r *remover) remove(t *Task) (whole bool, err error) {
	for _, index := range []string{"predecessor", "successor"} {
		for l, err := range taskLinkRecords.Find(r.u, r.s, index, t.ID) {
			if err != nil {
				return false, err
			}
			if r.budget--; r.budget < 0 {
				return false, nil
			}
			r.touched.link(l)
			if err := taskLinkRecords.Delete(r.u, r.s, l.ID); err != nil {
				return false, err
			}
		}
	}
	if whole, err := removeValues(r.u, r.s, taskValues, t.ID, &r.budget); !whole || err != nil {
		return false, err
	}
	r.budget--
	r.tasks++
	if err := taskRecords.Delete(r.u, r.s, t.ID); err != nil {
		return false, err
	}
	return true, orphan(r.u, r.s, string(t.ParentID))
}

// orphan notes at a former parent, if there is one, that it has no children
// left.
func orphan(u *records.Update, s records.Scope, parentID string) error {
	if parentID == "" {
		return nil
	}
	for range taskRecords.IDs(u, s, "parent", parentID) {
		return nil
	}
	return setWBS(u, s, parentID, false)
}
