package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func statusCategoryRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/resource-status-categories", many: "resourceStatusCategories", one: "resourceStatusCategory",
		things: "Resource Status Categories", thing: "a Resource Status Category",
	}
	sets := &noun{path: n.each() + "/resource-status-sets", many: "resourceStatusSets", things: "Resource Status Sets of a Category"}
	return append(
		family(n, svc.ResourceStatusCategories, svc.ResourceStatusCategory, svc.CreateResourceStatusCategory,
			svc.UpdateResourceStatusCategory, svc.DeleteResourceStatusCategory),
		listBelow(sets, paging{}, svc.ResourceStatusSetsOf).spec("S7").called("resourceStatusCategories.listSets"),
	)
}

func statusSetRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/resource-status-sets", many: "resourceStatusSets", one: "resourceStatusSet",
		things: "Resource Status Sets", thing: "a Resource Status Set",
	}
	items := &noun{path: n.each() + "/resource-status-items", many: "resourceStatusItems", things: "Resource Status Items of a Status Set"}
	return append(
		family(n, svc.ResourceStatusSets, svc.ResourceStatusSet, svc.CreateResourceStatusSet,
			svc.UpdateResourceStatusSet, svc.DeleteResourceStatusSet),
		listBelow(items, deltaDollar, svc.ResourceStatusItemsOf).spec("S3").called("resourceStatusSets.listItems").preview(),
	)
}

func statusItemRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/resource-status-items", many: "resourceStatusItems", one: "resourceStatusItem",
		things: "Resource Status Items", thing: "a Resource Status Item",
	}
	return family(n, svc.ResourceStatusItems, svc.ResourceStatusItem, svc.CreateResourceStatusItem,
		svc.UpdateResourceStatusItem, svc.DeleteResourceStatusItem,
		text("name", "List the items whose name equals or contains this.", func(q *schedules.ResourceStatusItemQuery) *string { return &q.Name }),
		text("statusSetId", "List the items of this status set.", func(q *schedules.ResourceStatusItemQuery) *string { return &q.StatusSetID }))
}
