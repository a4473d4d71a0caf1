package schedules

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// resourceAssignmentChanges is the body of a change to several resource
// assignments.
type resourceAssignmentChanges struct {
	ResourceAssignments []schedules.ResourceAssignmentChange `json:"resourceAssignments"`
}

func resourceAssignmentRoutes(svc *schedules.Service) cycle.Routes {
	type query = schedules.ResourceAssignmentQuery
	n := &route.Resource{
		Path: route.Schedule + "/tasks/resource-assignments", Many: "resourceAssignments", One: "resourceAssignment",
		Plural: "Resource Assignments", Singular: "a Resource Assignment",
	}
	ofTask := &route.Resource{
		Path: route.Schedule + "/tasks/{taskId}/resource-assignments", Many: n.Many,
		Plural: "Resource Assignments of a Task",
	}
	ofResource := &route.Resource{
		Path: route.Schedule + "/resources/{resourceId}/resource-assignments", Many: n.Many,
		Plural: "Resource Assignments of a Resource",
	}
	byTask := route.Text("taskId", "List what this task uses.", func(q *query) *string { return &q.TaskID })
	byResource := route.Text("resourceId", "List where this resource is used.",
		func(q *query) *string { return &q.ResourceID })
	single := cycle.Routes{
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.ResourceAssignment)),
		route.UpdateIn(n, route.On(svc.In, schedules.Plan.UpdateResourceAssignment)),
		route.DeleteIn(n, route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteResourceAssignments))),
	}
	for _, r := range single {
		r.Apart = "resource-assignments"
	}
	return append(single,
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.ResourceAssignments), byTask, byResource),
		route.AcceptIn(n, route.On(svc.In, schedules.Plan.CreateResourceAssignment)),
		route.CreateManyIn(n, route.On(svc.In, schedules.Plan.CreateResourceAssignments)),
		route.Writes(n.Operation("updateMany", http.MethodPatch, n.Path, "Update Resource Assignments"),
			route.Batched(n.Many, route.Many(n.Many)),
			func(ctx context.Context, x *cycle.Exchange,
				b resourceAssignmentChanges,
			) (twinplatform.Result[schedules.ResourceAssignment], error) {
				return svc.In(x.Path("scheduleId")).UpdateResourceAssignments(ctx, b.ResourceAssignments,
					x.Preconditions()...)
			}),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteResourceAssignments)),
		route.ListBelow(ofTask, cycle.DeltaDollar, route.BindBelow(svc.In, schedules.Plan.ResourceAssignmentsOfTask),
			byResource).Named("resourceAssignments.listOfTask"),
		route.ListBelow(ofResource, cycle.Paging{},
			route.BindBelow(svc.In, schedules.Plan.ResourceAssignmentsOfResource),
			byTask).Named("resourceAssignments.listOfResource"),
	)
}
