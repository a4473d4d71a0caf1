package schedules

import (
	"context"
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// DeleteTasks deletes up to 1,000 tasks (S13) as a long-running operation, with
// all tasks below them, their links, resource assignments, animation bindings, user
// field values and code values. A large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; TaskNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteTasks(ctx context.Context, taskIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Task], error) {
	return familiesOf(p.s).tasks.Remove(ctx, p.id, taskIDs, pre)
}

func deleteTasks(u *records.Update, e *model.Edit[entity.Deletion, Task]) (progress, error) {
	if !e.Request.Begun() {
		e.Request.Condition = e.Condition
		if err := taskKind.Check(u, e.Scope, &e.Request); err != nil {
			return progress{}, err
		}
	}
	d := taskDeletion{u: u, scope: e.Scope, parents: make(map[string]bool)}
	r := entity.Remover{Step: records.NewStep(u), Below: readPlan(u, e.Scope).Children, Remove: d.remove}
	if err := taskKind.DeclareRemoval(u, e.Scope, r.Step.Ahead(e.Request.IDs)); err != nil {
		return progress{}, err
	}
	whole, err := r.Run(&e.Request)
	if err != nil {
		return progress{}, err
	}
	if err := d.propagate(); err != nil {
		return progress{}, err
	}
	return model.StepOf(&e.Request, whole, nil)
}

// taskDeletion is one step of the deletion of tasks.
type taskDeletion struct {
	u       *records.Update
	scope   records.Scope
	stale   plan.Stale
	parents map[string]bool // tasks that have lost a child
}

// removeOf removes what is of a task besides its links, and reports false when the step
// ended before that.
func (d *taskDeletion) removeOf(id string, step *records.Step) (whole bool, err error) {
	if err := analysisRecords.Delete(d.u, d.scope, id); err != nil && !missingRecord(err) {
		return false, err
	}
	if whole, err := cascade(model.Tasks, d.u, d.scope, id, step); !whole || err != nil {
		return false, err
	}
	return removeAssignments(d.u, d.scope, assignedTask, id, step)
}

// remove deletes a task without children, with its links, bindings, assignments and values, and
// reports false when the step ended before that.
func (d *taskDeletion) remove(id string, step *records.Step) (whole bool, err error) {
	t, err := taskRecords.Value(d.u, d.scope, id)
	if missingRecord(err) {
		return true, nil // it went with its parent
	}
	if err != nil {
		return false, err
	}
	for l, err := range plan.Around(readPlan(d.u, d.scope), id) {
		if err != nil {
			return false, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return false, err
		}
		d.stale.Link(l.Predecessor, l.Successor)
		if err := taskLinkRecords.Delete(d.u, d.scope, l.ID); err != nil {
			return false, err
		}
	}
	if whole, err := d.removeOf(id, step); !whole || err != nil {
		return false, err
	}
	// The tombstone holds the texts of the task, of which a transaction takes
	// no more than so many bytes.
	step.Spend(len(t.Name) + len(t.Comment) + len(t.URL) + len(t.UserDefinedID) + t.noteBytes())
	if t.ParentID != "" {
		d.parents[string(t.ParentID)] = true
	}
	delete(d.parents, id)
	return true, taskRecords.Delete(d.u, d.scope, id)
}

// propagate carries the deletions to the parents and the hammocks that are left.
func (d *taskDeletion) propagate() error {
	parents := slices.Sorted(maps.Keys(d.parents))
	records.Declare(d.u, append(taskRecords.Needs(d.scope, parents...), taskRecords.NeedsIndexed(d.scope, "parent", parents...)...)...)
	for _, id := range parents {
		if err := clearWBS(d.u, d.scope, id); err != nil {
			return err
		}
	}
	return deriveHammocks(d.u, d.scope, &d.stale)
}

// clearWBS notes at a former parent, if there is one, that it has no children
// left, if that is so.
func clearWBS(u *records.Update, s records.Scope, parentID string) error {
	if parentID == "" {
		return nil
	}
	for range taskRecords.IDs(u, s, "parent", parentID) {
		return nil
	}
	return setWBS(u, s, parentID, false)
}
