package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// groupMembers is the body that puts resources into a group.
type groupMembers struct {
	ResourceIDs []string `json:"resourceIds"`
}

func resourceGroupRows(svc *schedules.Service) []*row {
	const (
		all     = inSchedule + "/resource-groups"
		each    = all + "/{resourceGroupId}"
		members = each + "/resources"
	)
	return []*row{
		listIn(Operation{
			ID: "resourceGroups.list", Path: all, Summary: "List Resource Groups", Addition: true,
			Query: []Parameter{
				{Name: "name", Description: "List the groups whose name equals or contains this."},
				{Name: "foremanResourceId", Description: "List the groups in which this resource is the foreman."},
				{Name: "generalForemanResourceId", Description: "List the groups in which this resource is the general foreman."},
				{Name: "plannerResourceId", Description: "List the groups in which this resource is the planner."},
				{Name: "superintendentResourceId", Description: "List the groups in which this resource is the superintendent."},
			},
		}, paging{}, "resourceGroups",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceGroup], error) {
				return svc.ResourceGroups(ctx, scheduleID, schedules.ResourceGroupQuery{
					ListOptions: o, Name: x.query("name"),
					ForemanResourceID: x.query("foremanResourceId"), GeneralForemanResourceID: x.query("generalForemanResourceId"),
					PlannerResourceID: x.query("plannerResourceId"), SuperintendentResourceID: x.query("superintendentResourceId"),
				})
			}),
		getIn(Operation{ID: "resourceGroups.get", Path: each, Summary: "Get a Resource Group", Addition: true}, "resourceGroup", svc.ResourceGroup),
		createIn(Operation{ID: "resourceGroups.create", Path: all, Summary: "Create a Resource Group", Addition: true}, "resourceGroup",
			func(g schedules.ResourceGroup) string { return g.ID }, svc.CreateResourceGroup),
		changeIn(Operation{ID: "resourceGroups.update", Path: each, Summary: "Update a Resource Group", Addition: true}, "resourceGroup", svc.UpdateResourceGroup),
		deleteManyIn(Operation{ID: "resourceGroups.deleteMany", Path: all, Summary: "Delete Resource Groups", Addition: true}, "resourceGroups", "resourceGroupIds", svc.DeleteResourceGroups),
		deleteOneOf(Operation{ID: "resourceGroups.delete", Path: each, Summary: "Delete a Resource Group"}, "resourceGroup", "resourceGroupIds", svc.DeleteResourceGroups),
		// The specification gives this list no response headers; without its
		// tokens it could not be paged by them, so it has no version alone.
		listIn(Operation{ID: "S17", Path: members, Summary: "List Resources of a Resource Group", Preview: true}, paging{delta: "$deltaToken", noETag: true}, "resources",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
				return svc.GroupResources(ctx, scheduleID, x.path("resourceGroupId"), schedules.ResourceQuery{ListOptions: o})
			}),
		batch(Operation{ID: "resourceGroups.addResources", Method: http.MethodPost, Path: members, Summary: "Add Resources to a Resource Group", Addition: true}, "resources", many("resources"),
			func(ctx context.Context, x *exchange, b groupMembers) (twinplatform.Result[schedules.Resource], error) {
				return svc.AddResourcesToGroup(ctx, x.path("scheduleId"), x.path("resourceGroupId"), b.ResourceIDs)
			}),
		remove(Operation{
			ID: "resourceGroups.removeResources", Method: http.MethodDelete, Path: members, Summary: "Remove Resources from a Resource Group", Addition: true,
			Query: []Parameter{idList("resourceIds")},
		}, many("resources"),
			func(ctx context.Context, x *exchange) (twinplatform.Result[schedules.Resource], error) {
				return svc.RemoveResourcesFromGroup(ctx, x.path("scheduleId"), x.path("resourceGroupId"), x.ids("resourceIds"))
			}),
	}
}
