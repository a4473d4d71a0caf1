package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func statusCategoryRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/resource-status-categories"
		each = all + "/{resourceStatusCategoryId}"
		key  = "resourceStatusCategory"
	)
	return []*row{
		listIn(Operation{ID: "resourceStatusCategories.list", Path: all, Summary: "List Resource Status Categories", Addition: true}, paging{}, "resourceStatusCategories",
			func(ctx context.Context, scheduleID string, _ *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusCategory], error) {
				return svc.ResourceStatusCategories(ctx, scheduleID, schedules.ResourceStatusCategoryQuery{ListOptions: o})
			}),
		getIn(Operation{ID: "resourceStatusCategories.get", Path: each, Summary: "Get a Resource Status Category", Addition: true}, key, svc.ResourceStatusCategory),
		createIn(Operation{ID: "resourceStatusCategories.create", Path: all, Summary: "Create a Resource Status Category", Addition: true}, key,
			func(c schedules.ResourceStatusCategory) string { return c.ID }, svc.CreateResourceStatusCategory),
		changeIn(Operation{ID: "resourceStatusCategories.update", Path: each, Summary: "Update a Resource Status Category", Addition: true}, key,
			svc.UpdateResourceStatusCategory),
		deleteIn(Operation{ID: "resourceStatusCategories.delete", Path: each, Summary: "Delete a Resource Status Category"}, key, svc.DeleteResourceStatusCategory),
		listIn(Operation{ID: "S7", Path: each + "/resource-status-sets", Summary: "List Resource Status Sets of a Category"}, paging{}, "resourceStatusSets",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusSet], error) {
				return svc.ResourceStatusSetsOf(ctx, scheduleID, x.path("resourceStatusCategoryId"), schedules.ResourceStatusSetQuery{ListOptions: o})
			}),
	}
}
