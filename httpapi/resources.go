package httpapi

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func resourceRows(svc *schedules.Service) []*row {
	const (
		all  = inSchedule + "/resources"
		each = all + "/{resourceId}"
	)
	return []*row{
		listIn(Operation{ID: "resources.list", Path: all, Summary: "List Resources", Addition: true}, paging{}, "resources",
			func(ctx context.Context, scheduleID string, _ *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
				return svc.Resources(ctx, scheduleID, schedules.ResourceQuery{ListOptions: o})
			}),
		getIn(Operation{ID: "S20", Path: each, Summary: "Get a Resource", Preview: true}, "resource", svc.Resource),
		createIn(Operation{ID: "resources.create", Path: all, Summary: "Create a Resource", Addition: true}, "resource",
			func(r schedules.Resource) string { return r.ID }, svc.CreateResource),
		createManyIn(Operation{ID: "resources.createMany", Path: all + "/batch", Summary: "Create Resources", Addition: true}, "resources", svc.CreateResources),
		changeIn(Operation{ID: "resources.update", Path: each, Summary: "Update a Resource", Addition: true}, "resource", svc.UpdateResource),
		deleteManyIn(Operation{ID: "resources.deleteMany", Path: all, Summary: "Delete Resources", Addition: true}, "resources", "resourceIds", svc.DeleteResources),
		deleteOneOf(Operation{ID: "resources.delete", Path: each, Summary: "Delete a Resource"}, "resource", "resourceIds", svc.DeleteResources),
	}
}
