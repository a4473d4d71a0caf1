package codes

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// CodeValueAssignment records that a task has a value of a code. It has no id: a task has
// a value once.
type CodeValueAssignment struct {
	CodeValueID string `json:"codeValueId"` // of a code of category Activity or Cost
	Deleted     bool   `json:"deleted"`     // true in deltas alone
	TaskID      string `json:"taskId"`      // what has the value
}

// Names of the indexes of assignments of code values.
const (
	codedTask         = "task"
	assignedCodeValue = model.TasksOfValue
)

var codeValueAssignmentRecords = records.Collection[CodeValueAssignment]{
	Name:        model.CodedTasks.Name,
	ID:          func(v *CodeValueAssignment) string { return records.Join(v.TaskID, v.CodeValueID) },
	MarkDeleted: func(v *CodeValueAssignment) { v.Deleted = true },
	Indexes: []records.Index[CodeValueAssignment]{
		{Name: codedTask, Value: func(v *CodeValueAssignment) string { return v.TaskID }},
		{Name: assignedCodeValue, Value: func(v *CodeValueAssignment) string { return v.CodeValueID }},
	},
}

var codeValueAssignmentKind = entity.Kind[CodeValueAssignment, NewCodeValueAssignment, entity.None]{
	Records: &codeValueAssignmentRecords, One: "codeValueAssignment", Many: "codeValueAssignments",
	Resource: "code value assignment",
	Missing:  problem.NotFound("CodeValueAssignmentNotFound", "codeValueId", "code value assignment"),
	Bad:      &model.InvalidRequest,
	Members: func(v *CodeValueAssignment, n *NewCodeValueAssignment, _ *entity.None) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, nil, false),
			entity.Ref("taskId", &v.TaskID, &n.TaskID, nil, model.Tasks).Max(model.MaxText).Required().Owns(),
			entity.Ref("codeValueId", &v.CodeValueID, &n.CodeValueID, nil,
				&codeValueRecords).Max(model.MaxText).Required().Owns(),
		}
	},
	Validate: codeValueAssignmentFits,
	Taken: func(v *CodeValueAssignment) error {
		return problem.Conflict("AlreadyExists", "codeValueId",
			"The task '"+v.TaskID+"' has the code value '"+v.CodeValueID+"' already.")
	},
}

// codeValueAssignmentFits checks that the value is one for tasks.
func codeValueAssignmentFits(tx records.Reading, s records.Scope, v, _ *CodeValueAssignment, c *problem.Checks) error {
	value, err := codeValueRecords.Lookup(tx, s, v.CodeValueID)
	if err != nil || value == nil {
		return err
	}
	code, err := codeRecords.Lookup(tx, s, value.CodeID)
	if err == nil && code != nil && code.Category != ActivityCode && code.Category != CostCode {
		c.Bad("codeValueId", "The code value is one of a code of category %s, which tasks do not have.", code.Category)
	}
	return err
}

// codeValueRemoval names the assignment that is deleted.
type codeValueRemoval struct {
	TaskID      string `json:"taskId"`
	CodeValueID string `json:"codeValueId"`
}

// CodeValueAssignmentQuery selects the assignments of code values to list.
type CodeValueAssignmentQuery struct {
	twinplatform.ListOptions
	// TaskID lists what one task has, CodeValueID what has one value.
	TaskID, CodeValueID string
}

// CodeValueAssignments lists which tasks of a schedule have which values of codes, by task
// and value (GET …/tasks/code-value-assignments).
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) CodeValueAssignments(ctx context.Context,
	q CodeValueAssignmentQuery,
) (twinplatform.Page[CodeValueAssignment], error) {
	query := records.Query[CodeValueAssignment]{ListOptions: q.ListOptions}
	switch {
	case q.TaskID != "":
		query.Index, query.Equals = codedTask, q.TaskID
		if q.CodeValueID != "" {
			model.Narrow(&query, "codeValueId", q.CodeValueID,
				func(v *CodeValueAssignment) bool { return v.CodeValueID == q.CodeValueID })
		}
	case q.CodeValueID != "":
		query.Index, query.Equals = assignedCodeValue, q.CodeValueID
	}
	return p.calls.assignments.List(ctx, p.id, query)
}

// NewCodeValueAssignment gives a task a value of a code. Null and left out are the same in
// it.
type NewCodeValueAssignment struct {
	// TaskID and CodeValueID are required. The value is one of a code of category
	// ActivityCode or CostCode.
	TaskID      string                      `json:"taskId"`
	CodeValueID string                      `json:"codeValueId"`
	Deleted     twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateCodeValueAssignment gives a task a value of a code (POST
// …/tasks/code-value-assignments). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (taskId, codeValueId) or InvalidValue
// (taskId, codeValueId, also for a value of a code of another category);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; AlreadyExists for a
// value that the task has.
func (p Plan) CreateCodeValueAssignment(ctx context.Context,
	n NewCodeValueAssignment,
) (res twinplatform.Result[CodeValueAssignment], err error) {
	var c problem.Checks
	codeValueAssignmentKind.CheckNew(&n, &c)
	if err := c.Err(model.InvalidRequest); err != nil {
		return res, err
	}
	return p.calls.assignments.One.Start(ctx, p.id, model.Tracked, []string{n.TaskID}, n)
}

// CreateCodeValueAssignments gives tasks up to 1,000 values of codes, all or none (POST
// …/tasks/code-value-assignments/batch).
//
// Errors: as CreateCodeValueAssignment, with targets such as batch[3].taskId.
func (p Plan) CreateCodeValueAssignments(ctx context.Context,
	batch []NewCodeValueAssignment,
) (res twinplatform.Result[CodeValueAssignment], err error) {
	if err := model.CheckBatch("batch", len(batch)); err != nil {
		return res, err
	}
	var c problem.Checks
	tasks := make([]string, len(batch))
	for i, n := range batch {
		c.At("batch", i)
		codeValueAssignmentKind.CheckNew(&batch[i], &c)
		tasks[i] = n.TaskID
	}
	if err := c.Err(model.InvalidRequest); err != nil {
		return res, err
	}
	return p.calls.assignments.Many.Start(ctx, p.id, model.Direct, tasks, batch)
}

// DeleteCodeValueAssignment takes a value of a code from a task (DELETE
// …/tasks/{taskId}/code-value-assignments/{codeValueId}). It needs PermissionModify and is
// never left to the background.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that
// is not of type v10; ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// TaskNotFound; CodeValueNotFound; CodeValueAssignmentNotFound for a value that the task does
// not have; VersionMismatch.
func (p Plan) DeleteCodeValueAssignment(ctx context.Context, taskID, codeValueID string,
	pre ...twinplatform.Precondition,
) error {
	_, err := p.calls.unassign.Start(ctx, p.id, model.AtOnce, []string{taskID},
		codeValueRemoval{TaskID: taskID, CodeValueID: codeValueID}, pre...)
	return err
}

func removeCodeValueAssignment(u *records.Update, e *model.Edit[codeValueRemoval, CodeValueAssignment]) error {
	if has, err := model.Tasks.Has(u, e.Scope, e.Request.TaskID); !has || err != nil {
		return model.Tasks.Missing.Unless(has, err)
	}
	if _, err := codeValueRecords.Value(u, e.Scope, e.Request.CodeValueID); err != nil {
		return codeValueMissing.Or(err)
	}
	id := records.Join(e.Request.TaskID, e.Request.CodeValueID)
	err := codeValueAssignmentRecords.Check(u, e.Scope, id, e.Condition)
	if err == nil {
		err = codeValueAssignmentRecords.Delete(u, e.Scope, id)
	}
	return codeValueAssignmentKind.Missing.Or(err)
}
