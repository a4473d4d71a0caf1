package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func resourceRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/resources", many: "resources", one: "resource", things: "Resources", thing: "a Resource"}
	rs := family(n,
		bind(svc.In, schedules.Plan.Resources),
		bind(svc.In, schedules.Plan.Resource),
		bind(svc.In, schedules.Plan.CreateResource),
		bindUpdate(svc.In, schedules.Plan.UpdateResource),
		single(n, bindDelete(svc.In, schedules.Plan.DeleteResources)),
	)
	rs.of("resources.get").spec("S20").preview()
	available := n.operation("getAvailability", http.MethodGet, n.each()+"/availability", "Get the Availability of a Resource")
	return append(rs,
		getRow(available, "availability", reflect.TypeFor[schedules.ResourceAvailability](),
			gettingIn(bind(svc.In, schedules.Plan.ResourceAvailability))),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateResources)),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteResources)),
	)
}

// groupMembers is the body that puts resources into a group.
type groupMembers struct {
	ResourceIDs []string `json:"resourceIds"`
}

func resourceGroupRows(svc *schedules.Service) rows {
	type query = schedules.ResourceGroupQuery
	n := &noun{path: inSchedule + "/resource-groups", many: "resourceGroups", one: "resourceGroup", things: "Resource Groups", thing: "a Resource Group"}
	members := &noun{path: n.each() + "/resources", many: "resources", things: "Resources of a Resource Group"}
	add := n.operation("addResources", http.MethodPost, members.path, "Add Resources to a Resource Group")
	take := n.operation("removeResources", http.MethodDelete, members.path, "Remove Resources from a Resource Group")
	take.Query = []Parameter{idList("resourceIds")}
	return append(
		family(n,
			bind(svc.In, schedules.Plan.ResourceGroups),
			bind(svc.In, schedules.Plan.ResourceGroup),
			bind(svc.In, schedules.Plan.CreateResourceGroup),
			bindUpdate(svc.In, schedules.Plan.UpdateResourceGroup),
			single(n, bindDelete(svc.In, schedules.Plan.DeleteResourceGroups)),
			text("name", "List the groups whose name equals or contains this.", func(q *query) *string { return &q.Name }),
			text("foremanResourceId", "List the groups in which this resource is the foreman.", func(q *query) *string { return &q.ForemanResourceID }),
			text("generalForemanResourceId", "List the groups in which this resource is the general foreman.", func(q *query) *string { return &q.GeneralForemanResourceID }),
			text("plannerResourceId", "List the groups in which this resource is the planner.", func(q *query) *string { return &q.PlannerResourceID }),
			text("superintendentResourceId", "List the groups in which this resource is the superintendent.", func(q *query) *string { return &q.SuperintendentResourceID })),
		deleteManyIn(n, bindDelete(svc.In, schedules.Plan.DeleteResourceGroups)),
		// The specification gives this list no response headers; without its
		// tokens it could not be paged by them, so it has no version alone.
		listBelow(members, paging{delta: "$deltaToken", noETag: true}, bindBelow(svc.In, schedules.Plan.GroupResources)).spec("S17").named("resourceGroups.listResources").preview(),
		writes(add, batched("resources", many("resources")), func(ctx context.Context, x *exchange, b groupMembers) (twinplatform.Result[schedules.Resource], error) {
			return svc.In(x.path("scheduleId")).AddResourcesToGroup(ctx, x.path("resourceGroupId"), b.ResourceIDs, x.preconditions()...)
		}).onRecord(),
		writes(take, accepted(many("resources")), func(ctx context.Context, x *exchange, _ nothing) (twinplatform.Result[schedules.Resource], error) {
			return svc.In(x.path("scheduleId")).RemoveResourcesFromGroup(ctx, x.path("resourceGroupId"), x.ids("resourceIds"), x.preconditions()...)
		}),
	)
}
