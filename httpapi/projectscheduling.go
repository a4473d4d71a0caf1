package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func projectSchedulingRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/project-scheduling", many: "projectScheduling", one: "projectScheduling", thing: "the Data Date of a Schedule"}
	set := n.operation("update", http.MethodPatch, n.path, "Set "+n.thing)
	return rows{
		getRow(n.operation("get", http.MethodGet, n.path, "Get "+n.thing), n.one, reflect.TypeFor[schedules.ProjectScheduling](),
			reading(svc.In, schedules.Plan.ProjectScheduling)),
		writes(set, told(n.one), func(ctx context.Context, x *exchange, p schedules.ProjectSchedulingPatch) (twinplatform.Result[schedules.ProjectScheduling], error) {
			return svc.In(x.path("scheduleId")).UpdateProjectScheduling(ctx, p, x.preconditions()...)
		}),
	}
}

func taskQueryFilterRows(svc *schedules.Service) rows {
	type query = schedules.TaskQueryFilterQuery
	n := &noun{path: inSchedule + "/task-query-filters", many: "taskQueryFilters", one: "taskQueryFilter", things: "Task Query Filters", thing: "a Task Query Filter"}
	replace := n.operation("update", http.MethodPut, n.each(), "Update "+n.thing)
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.TaskQueryFilters),
			text("name", "List the filters whose name equals or contains this.", func(q *query) *string { return &q.Name }),
			number("version", "List the filters of this version.", func(q *query) **int32 { return &q.Version }),
			text("createdBy", "List the filters that this principal has made.", func(q *query) *string { return &q.CreatedBy })),
		getIn(n, bind(svc.In, schedules.Plan.TaskQueryFilter)),
		createIn(n, bind(svc.In, schedules.Plan.CreateTaskQueryFilter)),
		writes(replace, changed(n.one), func(ctx context.Context, x *exchange, b schedules.NewTaskQueryFilter) (twinplatform.Result[schedules.TaskQueryFilter], error) {
			return svc.In(x.nth(0)).UpdateTaskQueryFilter(ctx, x.nth(1), b, x.preconditions()...)
		}).mayPend(one(n.one)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteTaskQueryFilter)),
	}
}
