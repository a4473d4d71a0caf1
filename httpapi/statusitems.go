package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func statusItemRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/resource-status-items"
		each = all + "/{resourceStatusItemId}"
		key  = "resourceStatusItem"
	)
	return []*row{
		listIn(Operation{
			ID: "resourceStatusItems.list", Path: all, Summary: "List Resource Status Items", Addition: true,
			Query: []Parameter{
				{Name: "name", Description: "List the items whose name equals or contains this."},
				{Name: "statusSetId", Description: "List the items of this status set."},
			},
		}, paging{}, "resourceStatusItems",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusItem], error) {
				return svc.ResourceStatusItems(ctx, scheduleID, schedules.ResourceStatusItemQuery{
					ListOptions: o, Name: x.query("name"), StatusSetID: x.query("statusSetId"),
				})
			}),
		getIn(Operation{ID: "resourceStatusItems.get", Path: each, Summary: "Get a Resource Status Item", Addition: true}, key, svc.ResourceStatusItem),
		createIn(Operation{ID: "resourceStatusItems.create", Path: all, Summary: "Create a Resource Status Item", Addition: true}, key,
			func(i schedules.ResourceStatusItem) string { return i.ID }, svc.CreateResourceStatusItem),
		changeIn(Operation{ID: "resourceStatusItems.update", Path: each, Summary: "Update a Resource Status Item", Addition: true}, key,
			svc.UpdateResourceStatusItem),
		deleteIn(Operation{ID: "resourceStatusItems.delete", Path: each, Summary: "Delete a Resource Status Item"}, key, svc.DeleteResourceStatusItem),
	}
}
