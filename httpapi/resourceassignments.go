package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// resourceAssignmentChanges is the body of a change to several resource
// assignments.
type resourceAssignmentChanges struct {
	ResourceAssignments []schedules.ResourceAssignmentChange `json:"resourceAssignments"`
}

func resourceAssignmentRows(svc *schedules.Service) rows {
	type query = schedules.ResourceAssignmentQuery
	n := &noun{
		path: inSchedule + "/tasks/resource-assignments", many: "resourceAssignments", one: "resourceAssignment",
		things: "Resource Assignments", thing: "a Resource Assignment",
	}
	ofTask := &noun{path: inSchedule + "/tasks/{taskId}/resource-assignments", many: n.many, things: "Resource Assignments of a Task"}
	ofResource := &noun{path: inSchedule + "/resources/{resourceId}/resource-assignments", many: n.many, things: "Resource Assignments of a Resource"}
	byTask := text("taskId", "List what this task uses.", func(q *query) *string { return &q.TaskID })
	byResource := text("resourceId", "List where this resource is used.", func(q *query) *string { return &q.ResourceID })
	single := rows{
		getIn(n, bind(svc.In, schedules.Plan.ResourceAssignment)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateResourceAssignment)),
		deleteIn(n, single(n, bindDelete(svc.In, schedules.Plan.DeleteResourceAssignments))),
	}
	for _, r := range single {
		r.apart = "resource-assignments"
	}
	return append(single,
		listIn(n, paging{}, bind(svc.In, schedules.Plan.ResourceAssignments), byTask, byResource),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateResourceAssignment)),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateResourceAssignments)),
		writes(n.operation("updateMany", http.MethodPatch, n.path, "Update Resource Assignments"), batched(n.many, many(n.many)),
			func(ctx context.Context, x *exchange, b resourceAssignmentChanges) (twinplatform.Result[schedules.ResourceAssignment], error) {
				return svc.In(x.path("scheduleId")).UpdateResourceAssignments(ctx, b.ResourceAssignments, x.preconditions()...)
			}),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteResourceAssignments)),
		listBelow(ofTask, deltaDollar, bindBelow(svc.In, schedules.Plan.ResourceAssignmentsOfTask), byResource).named("resourceAssignments.listOfTask"),
		listBelow(ofResource, paging{}, bindBelow(svc.In, schedules.Plan.ResourceAssignmentsOfResource), byTask).named("resourceAssignments.listOfResource"),
	)
}
