package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func taskRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/tasks"
		each = all + "/{taskId}"
	)
	return []*row{
		listIn(Operation{ID: "tasks.list", Path: all, Summary: "List Tasks", Addition: true}, paging{}, "tasks",
			func(ctx context.Context, scheduleID string, _ *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Task], error) {
				return svc.Tasks(ctx, scheduleID, schedules.TaskQuery{ListOptions: o})
			}),
		getIn(Operation{ID: "tasks.get", Path: each, Summary: "Get a Task", Addition: true}, "task", svc.Task),
		accept(Operation{ID: "S11", Method: http.MethodPost, Path: all, Summary: "Create a Task"}, one("task"),
			func(ctx context.Context, x *exchange, n schedules.NewTask) (twinplatform.Result[schedules.Task], error) {
				return svc.CreateTask(ctx, x.path("scheduleId"), n)
			}),
		createManyIn(Operation{ID: "tasks.createMany", Path: all + "/batch", Summary: "Create Tasks", Addition: true}, "tasks", svc.CreateTasks),
		changeIn(Operation{ID: "tasks.update", Path: each, Summary: "Update a Task", Addition: true}, "task", svc.UpdateTask),
		deleteManyIn(Operation{ID: "S13", Path: all, Summary: "Delete Tasks"}, "tasks", "taskIds", svc.DeleteTasks),
		deleteOneOf(Operation{ID: "tasks.delete", Path: each, Summary: "Delete a Task"}, "task", "taskIds", svc.DeleteTasks),
	}
}
