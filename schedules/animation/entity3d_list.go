package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Entity3DQuery selects the 3D entities to list.
type Entity3DQuery struct {
	twinplatform.ListOptions
	// ResourceID lists what shows one resource.
	ResourceID string
}

func (q Entity3DQuery) query(op string) records.Query[Entity3D] {
	query := records.Query[Entity3D]{ListOptions: q.ListOptions, Op: op}
	if q.ResourceID != "" {
		query.Index, query.Equals = shownResource, q.ResourceID
	}
	return query
}

// Entities3D lists the 3D entities of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidParameter
// (scheduleId) for a v10 schedule or InvalidValue (top, continuation,
// delta).
func (p Plan) Entities3D(ctx context.Context, q Entity3DQuery) (twinplatform.Page[Entity3D], error) {
	return callsOf(p).entities3D.List(ctx, p.id, q.query("entities3d"))
}

// Entities3DOfResource lists the 3D entities that show a resource by id (GET
// …/resources/{resourceId}/entities-3d). Of the query it takes the options alone.
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule or InvalidValue (top, continuation, delta).
func (p Plan) Entities3DOfResource(ctx context.Context, resourceID string,
	q Entity3DQuery,
) (twinplatform.Page[Entity3D], error) {
	q.ResourceID = resourceID
	return callsOf(p).entities3D.ListOf(ctx, p.id, model.Resources.Missing, model.Resources.Exists(resourceID),
		q.query("entities3dOfResource"))
}

// Entities3DOfTask lists the 3D entities of a task (GET …/tasks/{taskId}/entities-3d):
// those that show a resource which the task uses, by the id of the resource and then by
// their own. Of the query it takes the options alone. The list has no delta: to follow
// it, follow the assignments of the task and the entities of the schedule.
//
// Errors: TaskNotFound, also for a schedule that is missing or not for the caller to
// see; InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10 schedule or
// InvalidValue (top, continuation, and delta for every delta token).
func (p Plan) Entities3DOfTask(ctx context.Context, taskID string, q Entity3DQuery) (twinplatform.Page[Entity3D],
	error,
) {
	q.ResourceID = ""
	query := q.query("entities3dOfTask")
	query.Index, query.View = shownResource, taskID
	query.Among = func(tx records.Reading, s records.Scope) (used []string, err error) {
		for a, err := range model.Assignments.Find(tx, s, model.AssignedTask, taskID) {
			if err != nil {
				return nil, err
			}
			used = append(used, a.ResourceID)
		}
		return used, nil
	}
	return callsOf(p).entities3D.ListOf(ctx, p.id, model.Tasks.Missing, model.Tasks.Exists(taskID), query)
}

// Shown is the resource that a 3D entity shows, for the history of its statuses; empty
// for none, and records.ErrNotFound where there is no such entity.
func Shown(tx records.Reading, s records.Scope, entity3DID string) (resourceID string, err error) {
	e, err := entity3DRecords.Value(tx, s, entity3DID)
	if err != nil {
		return "", err
	}
	return string(e.ResourceID), nil
}
