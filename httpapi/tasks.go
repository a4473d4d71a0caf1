package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func taskRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/tasks", many: "tasks", one: "task", things: "Tasks", thing: "a Task"}
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.Tasks),
			text("parentId", "List the tasks right below this one.", func(q *schedules.TaskQuery) *string { return &q.ParentID }),
			text("status", "List the tasks that have come so far: Planned, Started or Finished.", func(q *schedules.TaskQuery) *schedules.TaskStatus { return &q.Status }),
			text("type", "List the tasks of this type.", func(q *schedules.TaskQuery) *schedules.TaskType { return &q.Type }),
			text("name", "List the tasks whose name equals or contains this.", func(q *schedules.TaskQuery) *string { return &q.Name }),
			instant("from", "List the tasks that are planned to be under way at this time or later.", func(q *schedules.TaskQuery) *twinplatform.DateTime { return &q.From }),
			instant("to", "List the tasks that are planned to begin before this time.", func(q *schedules.TaskQuery) *twinplatform.DateTime { return &q.To })),
		getIn(n, bind(svc.In, schedules.Plan.Task)),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateTask)).spec("S11"),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateTasks)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateTask)),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteTasks)).spec("S13"),
		deleteIn(n, single(n, bindDelete(svc.In, schedules.Plan.DeleteTasks))),
	}
}

// taskLinkPatches is the body of a change to several task links.
type taskLinkPatches struct {
	TaskLinks []schedules.TaskLinkPatch `json:"taskLinks"`
}

func taskLinkRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/task-links", many: "taskLinks", one: "taskLink", things: "Task Links", thing: "a Task Link"}
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.TaskLinks),
			text("predecessorId", "List the links from this task downstream.", func(q *schedules.TaskLinkQuery) *string { return &q.PredecessorID }),
			text("successorId", "List the links to this task from upstream.", func(q *schedules.TaskLinkQuery) *string { return &q.SuccessorID })),
		getIn(n, bind(svc.In, schedules.Plan.TaskLink)),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateTaskLinks)),
		writes(n.operation("updateMany", http.MethodPatch, n.path, "Update Task Links"), batched(n.many, many(n.many)),
			func(ctx context.Context, x *exchange, b taskLinkPatches) (twinplatform.Result[schedules.TaskLink], error) {
				return svc.In(x.path("scheduleId")).UpdateTaskLinks(ctx, b.TaskLinks, x.preconditions()...)
			}),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteTaskLinks)),
		deleteIn(n, single(n, bindDelete(svc.In, schedules.Plan.DeleteTaskLinks))),
	}
}
