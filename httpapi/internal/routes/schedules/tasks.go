package schedules

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func taskRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/tasks", Many: "tasks", One: "task", Plural: "Tasks",
		Singular: "a Task",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.Tasks),
			route.Text("parentId", "List the tasks right below this one.",
				func(q *schedules.TaskQuery) *string { return &q.ParentID }),
			route.Text("status", "List the tasks that have come so far: Planned, Started or Finished.",
				func(q *schedules.TaskQuery) *schedules.TaskStatus { return &q.Status }),
			route.Text("type", "List the tasks of this type.",
				func(q *schedules.TaskQuery) *schedules.TaskType { return &q.Type }),
			route.Text("name", "List the tasks whose name equals or contains this.",
				func(q *schedules.TaskQuery) *string { return &q.Name }),
			route.Instant("from", "List the tasks that are planned to be under way at this time or later.",
				func(q *schedules.TaskQuery) *twinplatform.DateTime { return &q.From }),
			route.Instant("to", "List the tasks that are planned to begin before this time.",
				func(q *schedules.TaskQuery) *twinplatform.DateTime { return &q.To })),
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.Task)),
		route.AcceptIn(n, route.On(svc.In, schedules.Plan.CreateTask)).AsSpecified("S11"),
		route.CreateManyIn(n, route.On(svc.In, schedules.Plan.CreateTasks)),
		route.UpdateIn(n, route.On(svc.In, schedules.Plan.UpdateTask)),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteTasks)).AsSpecified("S13"),
		route.DeleteIn(n, route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteTasks))),
	}
}

// taskLinkPatches is the body of a change to several task links.
type taskLinkPatches struct {
	TaskLinks []schedules.TaskLinkPatch `json:"taskLinks"`
}

func taskLinkRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/task-links", Many: "taskLinks", One: "taskLink", Plural: "Task Links",
		Singular: "a Task Link",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.TaskLinks),
			route.Text("predecessorId", "List the links from this task downstream.",
				func(q *schedules.TaskLinkQuery) *string { return &q.PredecessorID }),
			route.Text("successorId", "List the links to this task from upstream.",
				func(q *schedules.TaskLinkQuery) *string { return &q.SuccessorID })),
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.TaskLink)),
		route.CreateManyIn(n, route.On(svc.In, schedules.Plan.CreateTaskLinks)),
		route.Writes(n.Operation("updateMany", http.MethodPatch, n.Path, "Update Task Links"),
			route.Batched(n.Many, route.Many(n.Many)),
			func(ctx context.Context, x *cycle.Exchange, b taskLinkPatches) (twinplatform.Result[schedules.TaskLink],
				error,
			) {
				return svc.In(x.Path("scheduleId")).UpdateTaskLinks(ctx, b.TaskLinks, x.Preconditions()...)
			}),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteTaskLinks)),
		route.DeleteIn(n, route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteTaskLinks))),
	}
}
