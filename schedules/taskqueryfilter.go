package schedules

import (
	"context"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// TaskQueryFilter is a filter of tasks that a client keeps with the schedule. The platform
// stores it; clients apply it. Filters are made in v10 schedules only.
type TaskQueryFilter struct {
	CreatedBy twinplatform.NullString `json:"createdBy"` // the principal that made it; null for the system
	Deleted   bool                    `json:"deleted"`   // true in deltas alone
	ID        string                  `json:"id"`        // unique in the schedule; never changes
	// IsShared reports that others than its maker are to be offered it. Everyone who reads
	// the schedule reads it all the same.
	IsShared bool   `json:"isShared"`
	Name     string `json:"name"` // 1 to MaxText characters
	TaskConditions
	Version      int32 `json:"version"`      // of the form of the filter, as the client counts it; 0 or more
	WithChildren bool  `json:"withChildren"` // what lies below the tasks is shown with them
}

var filterRecords = records.Collection[TaskQueryFilter]{
	Name:        "task-query-filters",
	ID:          func(v *TaskQueryFilter) string { return v.ID },
	MarkDeleted: func(v *TaskQueryFilter) { v.Deleted = true },
}

var filterMissing = problem.NotFound("TaskQueryFilterNotFound", "taskQueryFilterId", "task query filter")

var filterKind = entity.Kind[TaskQueryFilter, NewTaskQueryFilter, NewTaskQueryFilter]{
	Records: &filterRecords, One: "taskQueryFilter", Many: "taskQueryFilters", Resource: "task query filter",
	Missing: filterMissing, Bad: &InvalidRequest,
	Members: func(v *TaskQueryFilter, n, _ *NewTaskQueryFilter) []entity.Member {
		return append(v.members(&n.TaskConditions),
			entity.Fixed("deleted", &n.Deleted, nil, false),
			entity.ID(&v.ID, &n.ID, nil),
			entity.Text("name", &v.Name, &n.Name, nil).Max(MaxText).Required(),
			entity.Value("isShared", &v.IsShared, &n.IsShared, nil),
			entity.Value("version", &v.Version, &n.Version, nil).Valid(checkVersion, schema.AtLeast(0)),
			entity.Value("withChildren", &v.WithChildren, &n.WithChildren, nil),
		)
	},
	AfterCreate: func(v *TaskQueryFilter, n *NewTaskQueryFilter, _ *problem.Checks) {
		v.CreatedBy = twinplatform.NullString(n.CreatedBy.Or(""))
	},
	AfterUpdate: func(v, stored *TaskQueryFilter, n *NewTaskQueryFilter, c *problem.Checks) {
		problem.AsIs(c, "createdBy", n.CreatedBy, string(stored.CreatedBy))
		*v = TaskQueryFilter{
			CreatedBy: stored.CreatedBy, ID: stored.ID, IsShared: n.IsShared, Name: n.Name, TaskConditions: n.TaskConditions,
			Version: n.Version, WithChildren: n.WithChildren,
		}
	},
}

func checkVersion(c *problem.Checks, name string, version int32) {
	if version < 0 {
		c.Bad(name, "A version is 0 or more.")
	}
}

// TaskQueryFilter returns a task query filter. Errors: TaskQueryFilterNotFound, also for a
// schedule that is missing or not for the caller to see.
func (p Plan) TaskQueryFilter(ctx context.Context, filterID string) (twinplatform.Record[TaskQueryFilter], error) {
	return familiesOf(p.s).filters.Get(ctx, p.id, filterID)
}

// TaskQueryFilterQuery selects the task query filters to list.
type TaskQueryFilterQuery struct {
	twinplatform.ListOptions
	// Name lists the filters whose name equals or contains it, in upper or lower case.
	Name string
	// Version lists the filters of one version. Nil lists those of all.
	Version *int32
	// CreatedBy lists what one principal has made.
	CreatedBy string
}

// TaskQueryFilters lists the task query filters of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) TaskQueryFilters(ctx context.Context, q TaskQueryFilterQuery) (twinplatform.Page[TaskQueryFilter], error) {
	query := records.Query[TaskQueryFilter]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(v *TaskQueryFilter) string { return v.Name })
	if q.Version != nil {
		model.Narrow(&query, "version", strconv.Itoa(int(*q.Version)), func(v *TaskQueryFilter) bool { return v.Version == *q.Version })
	}
	if q.CreatedBy != "" {
		model.Narrow(&query, "createdBy", q.CreatedBy, func(v *TaskQueryFilter) bool { return string(v.CreatedBy) == q.CreatedBy })
	}
	return familiesOf(p.s).filters.List(ctx, p.id, query)
}

// NewTaskQueryFilter asks for a task query filter, or says what one is to be. Null and left
// out are the same in it.
type NewTaskQueryFilter struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name         string `json:"name"`
	IsShared     bool   `json:"isShared"`     // others than its maker are to be offered it
	Version      int32  `json:"version"`      // as the client counts; 0 or more
	WithChildren bool   `json:"withChildren"` // what lies below the tasks is shown with them
	TaskConditions
	CreatedBy twinplatform.Optional[string] `json:"createdBy,omitzero"` // the caller, or the one who made it
	Deleted   twinplatform.Optional[bool]   `json:"deleted,omitzero"`   // nothing is made deleted
}

// CreateTaskQueryFilter keeps a filter of tasks, in the name of the caller. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (name, and operation and values of a
// condition, such as taskName.operation) or InvalidValue (id, name, version, createdBy, and
// the operation and the values of a condition that do not go with the property);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateTaskQueryFilter(ctx context.Context, n NewTaskQueryFilter) (res twinplatform.Result[TaskQueryFilter], err error) {
	var c problem.Checks
	caller, _ := twinplatform.PrincipalFrom(ctx)
	problem.AsIs(&c, "createdBy", n.CreatedBy, caller.ID)
	filterKind.CheckNew(&n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	n.CreatedBy = twinplatform.Set(caller.ID)
	id := filterKind.Identify(&n, p.s.env.NewID)
	return familiesOf(p.s).filters.One.Start(ctx, p.id, model.Direct, []string{id}, n)
}

// UpdateTaskQueryFilter makes a task query filter what is asked for (PUT): what is left out
// is asked no more. It needs PermissionModify.
//
// Errors: as CreateTaskQueryFilter without AlreadyExists; TaskQueryFilterNotFound;
// VersionMismatch.
func (p Plan) UpdateTaskQueryFilter(ctx context.Context, filterID string, n NewTaskQueryFilter, pre ...twinplatform.Precondition) (twinplatform.Result[TaskQueryFilter], error) {
	var c problem.Checks
	if n.ID != "" && n.ID != filterID {
		c.Bad("id", "The id of a task query filter never changes.")
	}
	filterKind.CheckNew(&n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[TaskQueryFilter]{}, err
	}
	return familiesOf(p.s).filters.Update(ctx, p.id, filterID, n, pre)
}

// DeleteTaskQueryFilter deletes a task query filter, as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; TaskQueryFilterNotFound; VersionMismatch.
func (p Plan) DeleteTaskQueryFilter(ctx context.Context, filterID string, pre ...twinplatform.Precondition) (twinplatform.Result[TaskQueryFilter], error) {
	return familiesOf(p.s).filters.Remove(ctx, p.id, []string{filterID}, pre)
}
