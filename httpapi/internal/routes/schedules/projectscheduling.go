package schedules

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func projectSchedulingRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/project-scheduling", Many: "projectScheduling",
		One: "projectScheduling", Singular: "the Data Date of a Schedule",
	}
	set := n.Operation("update", http.MethodPatch, n.Path, "Set "+n.Singular)
	return cycle.Routes{
		route.GetRoute(n.Operation("get", http.MethodGet, n.Path, "Get "+n.Singular), n.One,
			reflect.TypeFor[schedules.ProjectScheduling](),
			route.Reading(svc.In, schedules.Plan.ProjectScheduling)),
		route.Writes(set, route.WithOperation(n.One),
			func(ctx context.Context, x *cycle.Exchange,
				p schedules.ProjectSchedulingPatch,
			) (twinplatform.Result[schedules.ProjectScheduling], error) {
				return svc.In(x.Path("scheduleId")).UpdateProjectScheduling(ctx, p, x.Preconditions()...)
			}),
	}
}

func taskQueryFilterRoutes(svc *schedules.Service) cycle.Routes {
	type query = schedules.TaskQueryFilterQuery
	n := &route.Resource{
		Path: route.Schedule + "/task-query-filters", Many: "taskQueryFilters", One: "taskQueryFilter",
		Plural: "Task Query Filters", Singular: "a Task Query Filter",
	}
	replace := n.Operation("update", http.MethodPut, n.Each(), "Update "+n.Singular)
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.TaskQueryFilters),
			route.Text("name", "List the filters whose name equals or contains this.",
				func(q *query) *string { return &q.Name }),
			route.Number("version", "List the filters of this version.", func(q *query) **int32 { return &q.Version }),
			route.Text("createdBy", "List the filters that this principal has made.",
				func(q *query) *string { return &q.CreatedBy })),
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.TaskQueryFilter)),
		route.CreateIn(n, route.On(svc.In, schedules.Plan.CreateTaskQueryFilter)),
		route.Writes(replace, route.Changed(n.One),
			func(ctx context.Context, x *cycle.Exchange,
				b schedules.NewTaskQueryFilter,
			) (twinplatform.Result[schedules.TaskQueryFilter], error) {
				return svc.In(x.Nth(0)).UpdateTaskQueryFilter(ctx, x.Nth(1), b, x.Preconditions()...)
			}).MayPend(route.AcceptedReply(route.One(n.One))),
		route.DeleteIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteTaskQueryFilter)),
	}
}
