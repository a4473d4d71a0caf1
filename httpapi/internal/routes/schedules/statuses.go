package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func statusCategoryRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/resource-status-categories", Many: "resourceStatusCategories", One: "resourceStatusCategory",
		Things: "Resource Status Categories", Thing: "a Resource Status Category",
	}
	sets := &route.Resource{Path: n.Each() + "/resource-status-sets", Many: "resourceStatusSets", Things: "Resource Status Sets of a Category"}
	return append(
		route.Family(n,
			route.Bind(svc.In, schedules.Plan.ResourceStatusCategories),
			route.Bind(svc.In, schedules.Plan.ResourceStatusCategory),
			route.Bind(svc.In, schedules.Plan.CreateResourceStatusCategory),
			route.BindUpdate(svc.In, schedules.Plan.UpdateResourceStatusCategory),
			route.BindDelete(svc.In, schedules.Plan.DeleteResourceStatusCategory)),
		route.ListBelow(sets, cycle.Paging{}, route.BindBelow(svc.In, schedules.Plan.ResourceStatusSetsOf)).AsSpecified("S7").Named("resourceStatusCategories.listSets"),
	)
}

func statusSetRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/resource-status-sets", Many: "resourceStatusSets", One: "resourceStatusSet",
		Things: "Resource Status Sets", Thing: "a Resource Status Set",
	}
	items := &route.Resource{Path: n.Each() + "/resource-status-items", Many: "resourceStatusItems", Things: "Resource Status Items of a Status Set"}
	return append(
		route.Family(n,
			route.Bind(svc.In, schedules.Plan.ResourceStatusSets),
			route.Bind(svc.In, schedules.Plan.ResourceStatusSet),
			route.Bind(svc.In, schedules.Plan.CreateResourceStatusSet),
			route.BindUpdate(svc.In, schedules.Plan.UpdateResourceStatusSet),
			route.BindDelete(svc.In, schedules.Plan.DeleteResourceStatusSet)),
		route.ListBelow(items, cycle.DeltaDollar, route.BindBelow(svc.In, schedules.Plan.ResourceStatusItemsOf)).AsSpecified("S3").Named("resourceStatusSets.listItems").AsPreview(),
	)
}

func statusItemRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/resource-status-items", Many: "resourceStatusItems", One: "resourceStatusItem",
		Things: "Resource Status Items", Thing: "a Resource Status Item",
	}
	return route.Family(n,
		route.Bind(svc.In, schedules.Plan.ResourceStatusItems),
		route.Bind(svc.In, schedules.Plan.ResourceStatusItem),
		route.Bind(svc.In, schedules.Plan.CreateResourceStatusItem),
		route.BindUpdate(svc.In, schedules.Plan.UpdateResourceStatusItem),
		route.BindDelete(svc.In, schedules.Plan.DeleteResourceStatusItem),
		route.Text("name", "List the items whose name equals or contains this.", func(q *schedules.ResourceStatusItemQuery) *string { return &q.Name }),
		route.Text("statusSetId", "List the items of this status set.", func(q *schedules.ResourceStatusItemQuery) *string { return &q.StatusSetID }))
}
