package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ResourceAssignment returns a resource assignment. Errors:
// ResourceAssignmentNotFound, also for a schedule that is missing or not for the
// caller to see.
func (p Plan) ResourceAssignment(ctx context.Context, assignmentID string) (twinplatform.Record[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Get(ctx, p.id, assignmentID)
}

// ResourceAssignmentQuery says which resource assignments to list.
type ResourceAssignmentQuery struct {
	twinplatform.ListOptions
	// TaskID lists what one task uses.
	TaskID string
	// ResourceID lists where one resource is used.
	ResourceID string
}

func (q ResourceAssignmentQuery) query(op string) records.Query[ResourceAssignment] {
	query := records.Query[ResourceAssignment]{ListOptions: q.ListOptions, Op: op}
	query.In(assignedTask, q.TaskID)
	query.In(assignedResource, q.ResourceID)
	if q.TaskID != "" && q.ResourceID != "" {
		model.Narrow(&query, "resourceId", q.ResourceID, func(a *ResourceAssignment) bool { return a.ResourceID == q.ResourceID })
	}
	return query
}

// ResourceAssignments lists the resource assignments of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceAssignments(ctx context.Context, q ResourceAssignmentQuery) (twinplatform.Page[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.List(ctx, p.id, q.query("resourceAssignments"))
}

// ResourceAssignmentsOfTask lists what a task uses, by the id of the assignment.
// Of the query it takes the options and ResourceID.
//
// Errors: TaskNotFound, also for a schedule that is missing or not for the caller
// to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) ResourceAssignmentsOfTask(ctx context.Context, taskID string, q ResourceAssignmentQuery) (twinplatform.Page[ResourceAssignment], error) {
	q.TaskID = taskID
	return familiesOf(p.s).assignments.ListOf(ctx, p.id, taskMissing, model.Exists(&taskRecords, taskID), q.query("resourceAssignmentsOfTask"))
}

// ResourceAssignmentsOfResource lists where a resource is used, by the id of the
// assignment. Of the query it takes the options and TaskID.
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidValue (top, continuation,
// delta).
func (p Plan) ResourceAssignmentsOfResource(ctx context.Context, resourceID string, q ResourceAssignmentQuery) (twinplatform.Page[ResourceAssignment], error) {
	q.ResourceID = resourceID
	return familiesOf(p.s).assignments.ListOf(ctx, p.id, resourceMissing, model.Exists(&resourceRecords, resourceID), q.query("resourceAssignmentsOfResource"))
}
