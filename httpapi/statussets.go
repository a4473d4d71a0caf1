package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func statusSetRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/resource-status-sets"
		each = all + "/{resourceStatusSetId}"
		key  = "resourceStatusSet"
	)
	return []*row{
		listIn(Operation{ID: "resourceStatusSets.list", Path: all, Summary: "List Resource Status Sets", Addition: true}, paging{}, "resourceStatusSets",
			func(ctx context.Context, scheduleID string, _ *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusSet], error) {
				return svc.ResourceStatusSets(ctx, scheduleID, schedules.ResourceStatusSetQuery{ListOptions: o})
			}),
		getIn(Operation{ID: "resourceStatusSets.get", Path: each, Summary: "Get a Resource Status Set", Addition: true}, key, svc.ResourceStatusSet),
		createIn(Operation{ID: "resourceStatusSets.create", Path: all, Summary: "Create a Resource Status Set", Addition: true}, key,
			func(s schedules.ResourceStatusSet) string { return s.ID }, svc.CreateResourceStatusSet),
		changeIn(Operation{ID: "resourceStatusSets.update", Path: each, Summary: "Update a Resource Status Set", Addition: true}, key,
			svc.UpdateResourceStatusSet),
		deleteIn(Operation{ID: "resourceStatusSets.delete", Path: each, Summary: "Delete a Resource Status Set"}, key, svc.DeleteResourceStatusSet),
		listIn(Operation{ID: "S3", Path: each + "/resource-status-items", Summary: "List Resource Status Items of a Status Set", Preview: true}, deltaDollar, "resourceStatusItems",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceStatusItem], error) {
				return svc.ResourceStatusItemsOf(ctx, scheduleID, x.path("resourceStatusSetId"), schedules.ResourceStatusItemQuery{ListOptions: o})
			}),
	}
}
