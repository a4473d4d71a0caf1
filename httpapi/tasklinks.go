package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// taskLinkPatches is the body of a change to several task links.
type taskLinkPatches struct {
	TaskLinks []schedules.TaskLinkPatch `json:"taskLinks"`
}

func taskLinkRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/task-links"
		each = all + "/{taskLinkId}"
	)
	return []*row{
		listIn(Operation{
			ID: "taskLinks.list", Path: all, Summary: "List Task Links", Addition: true,
			Query: []Parameter{
				{Name: "predecessorId", Description: "List the links from this task downstream."},
				{Name: "successorId", Description: "List the links to this task from upstream."},
			},
		}, paging{}, "taskLinks",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.TaskLink], error) {
				return svc.TaskLinks(ctx, scheduleID, schedules.TaskLinkQuery{
					ListOptions: o, PredecessorID: x.query("predecessorId"), SuccessorID: x.query("successorId"),
				})
			}),
		getIn(Operation{ID: "taskLinks.get", Path: each, Summary: "Get a Task Link", Addition: true}, "taskLink", svc.TaskLink),
		createManyIn(Operation{ID: "taskLinks.createMany", Path: all + "/batch", Summary: "Create Task Links", Addition: true}, "taskLinks", svc.CreateTaskLinks),
		batch(Operation{ID: "taskLinks.updateMany", Method: http.MethodPatch, Path: all, Summary: "Update Task Links", Addition: true}, "taskLinks", many("taskLinks"),
			func(ctx context.Context, x *exchange, b taskLinkPatches) (twinplatform.Result[schedules.TaskLink], error) {
				return svc.UpdateTaskLinks(ctx, x.path("scheduleId"), b.TaskLinks)
			}),
		deleteManyIn(Operation{ID: "taskLinks.deleteMany", Path: all, Summary: "Delete Task Links", Addition: true}, "taskLinks", "taskLinkIds", svc.DeleteTaskLinks),
		deleteOneOf(Operation{ID: "taskLinks.delete", Path: each, Summary: "Delete a Task Link"}, "taskLink", "taskLinkIds", svc.DeleteTaskLinks),
	}
}
