package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
)

func statusCategoryRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) statuses.Plan { return statuses.In(svc.In(scheduleID)) }
	n := &route.Resource{
		Path: route.Schedule + "/resource-status-categories", Many: "resourceStatusCategories",
		One:    "resourceStatusCategory",
		Plural: "Resource Status Categories", Singular: "a Resource Status Category",
	}
	sets := &route.Resource{
		Path: n.Each() + "/resource-status-sets", Many: "resourceStatusSets",
		Plural: "Resource Status Sets of a Category",
	}
	return append(
		route.Family(n,
			route.Bind(in, statuses.Plan.ResourceStatusCategories),
			route.Bind(in, statuses.Plan.ResourceStatusCategory),
			route.On(in, statuses.Plan.CreateResourceStatusCategory),
			route.On(in, statuses.Plan.UpdateResourceStatusCategory),
			route.BindDelete(in, statuses.Plan.DeleteResourceStatusCategory)),
		route.ListBelow(sets, cycle.Paging{},
			route.BindBelow(in, statuses.Plan.ResourceStatusSetsOf)).AsSpecified("S7").
			Named("resourceStatusCategories.listSets"),
	)
}

func statusSetRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) statuses.Plan { return statuses.In(svc.In(scheduleID)) }
	n := &route.Resource{
		Path: route.Schedule + "/resource-status-sets", Many: "resourceStatusSets", One: "resourceStatusSet",
		Plural: "Resource Status Sets", Singular: "a Resource Status Set",
	}
	items := &route.Resource{
		Path: n.Each() + "/resource-status-items", Many: "resourceStatusItems",
		Plural: "Resource Status Items of a Status Set",
	}
	return append(
		route.Family(n,
			route.Bind(in, statuses.Plan.ResourceStatusSets),
			route.Bind(in, statuses.Plan.ResourceStatusSet),
			route.On(in, statuses.Plan.CreateResourceStatusSet),
			route.On(in, statuses.Plan.UpdateResourceStatusSet),
			route.BindDelete(in, statuses.Plan.DeleteResourceStatusSet)),
		route.ListBelow(items, cycle.DeltaDollar,
			route.BindBelow(in, statuses.Plan.ResourceStatusItemsOf)).AsSpecified("S3").
			Named("resourceStatusSets.listItems").AsPreview(),
	)
}

func statusItemRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) statuses.Plan { return statuses.In(svc.In(scheduleID)) }
	n := &route.Resource{
		Path: route.Schedule + "/resource-status-items", Many: "resourceStatusItems", One: "resourceStatusItem",
		Plural: "Resource Status Items", Singular: "a Resource Status Item",
	}
	return route.Family(n,
		route.Bind(in, statuses.Plan.ResourceStatusItems),
		route.Bind(in, statuses.Plan.ResourceStatusItem),
		route.On(in, statuses.Plan.CreateResourceStatusItem),
		route.On(in, statuses.Plan.UpdateResourceStatusItem),
		route.BindDelete(in, statuses.Plan.DeleteResourceStatusItem),
		route.Text("name", "List the items whose name equals or contains this.",
			func(q *statuses.ResourceStatusItemQuery) *string { return &q.Name }),
		route.Text("statusSetId", "List the items of this status set.",
			func(q *statuses.ResourceStatusItemQuery) *string { return &q.StatusSetID }))
}
