package schedules

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func resourceRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/resources", Many: "resources", One: "resource", Plural: "Resources",
		Singular: "a Resource",
	}
	rs := route.Family(n,
		route.Bind(svc.In, schedules.Plan.Resources),
		route.Bind(svc.In, schedules.Plan.Resource),
		route.On(svc.In, schedules.Plan.CreateResource),
		route.On(svc.In, schedules.Plan.UpdateResource),
		route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteResources)),
	)
	rs.Of("resources.get").AsSpecified("S20").AsPreview()
	available := n.Operation("getAvailability", http.MethodGet, n.Each()+"/availability",
		"Get the Availability of a Resource")
	return append(rs,
		route.GetRoute(available, "availability", reflect.TypeFor[schedules.ResourceAvailability](),
			route.GettingIn(route.Bind(svc.In, schedules.Plan.ResourceAvailability))),
		route.CreateManyIn(n, route.On(svc.In, schedules.Plan.CreateResources)),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteResources)),
	)
}

// groupMembers is the body that puts resources into a group.
type groupMembers struct {
	ResourceIDs []string `json:"resourceIds"`
}

func resourceGroupRoutes(svc *schedules.Service) cycle.Routes {
	type query = schedules.ResourceGroupQuery
	n := &route.Resource{
		Path: route.Schedule + "/resource-groups", Many: "resourceGroups", One: "resourceGroup",
		Plural: "Resource Groups", Singular: "a Resource Group",
	}
	members := &route.Resource{
		Path: n.Each() + "/resources", Many: "resources",
		Plural: "Resources of a Resource Group",
	}
	add := n.Operation("addResources", http.MethodPost, members.Path, "Add Resources to a Resource Group")
	take := n.Operation("removeResources", http.MethodDelete, members.Path, "Remove Resources from a Resource Group")
	take.Query = []cycle.Parameter{route.IDList("resourceIds")}
	return append(
		route.Family(n,
			route.Bind(svc.In, schedules.Plan.ResourceGroups),
			route.Bind(svc.In, schedules.Plan.ResourceGroup),
			route.On(svc.In, schedules.Plan.CreateResourceGroup),
			route.On(svc.In, schedules.Plan.UpdateResourceGroup),
			route.Single(n, route.BindDelete(svc.In, schedules.Plan.DeleteResourceGroups)),
			route.Text("name", "List the groups whose name equals or contains this.",
				func(q *query) *string { return &q.Name }),
			route.Text("foremanResourceId", "List the groups in which this resource is the foreman.",
				func(q *query) *string { return &q.ForemanResourceID }),
			route.Text("generalForemanResourceId", "List the groups in which this resource is the general foreman.",
				func(q *query) *string { return &q.GeneralForemanResourceID }),
			route.Text("plannerResourceId", "List the groups in which this resource is the planner.",
				func(q *query) *string { return &q.PlannerResourceID }),
			route.Text("superintendentResourceId", "List the groups in which this resource is the superintendent.",
				func(q *query) *string { return &q.SuperintendentResourceID })),
		route.DeleteManyIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteResourceGroups)),
		// The specification gives this list no response headers; without its
		// tokens it could not be paged by them, so it has no version alone.
		route.ListBelow(members, cycle.Paging{Delta: "$deltaToken", NoETag: true},
			route.BindBelow(svc.In, schedules.Plan.GroupResources)).AsSpecified("S17").
			Named("resourceGroups.listResources").AsPreview(),
		route.Writes(add, route.Batched("resources", route.Many("resources")),
			func(ctx context.Context, x *cycle.Exchange, b groupMembers) (twinplatform.Result[schedules.Resource],
				error,
			) {
				return svc.In(x.Path("scheduleId")).AddResourcesToGroup(ctx, x.Path("resourceGroupId"), b.ResourceIDs,
					x.Preconditions()...)
			}).OnRecord(),
		route.Writes(take, route.Accepted(route.Many("resources")),
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (twinplatform.Result[schedules.Resource],
				error,
			) {
				return svc.In(x.Path("scheduleId")).RemoveResourcesFromGroup(ctx, x.Path("resourceGroupId"),
					x.IDs("resourceIds"), x.Preconditions()...)
			}),
	)
}
