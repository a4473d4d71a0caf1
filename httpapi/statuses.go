package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func statusCategoryRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/resource-status-categories", many: "resourceStatusCategories", one: "resourceStatusCategory",
		things: "Resource Status Categories", thing: "a Resource Status Category",
	}
	sets := &noun{path: n.each() + "/resource-status-sets", many: "resourceStatusSets", things: "Resource Status Sets of a Category"}
	return append(
		family(n,
			bind(svc.In, schedules.Plan.ResourceStatusCategories),
			bind(svc.In, schedules.Plan.ResourceStatusCategory),
			bind(svc.In, schedules.Plan.CreateResourceStatusCategory),
			bindUpdate(svc.In, schedules.Plan.UpdateResourceStatusCategory),
			bindDelete(svc.In, schedules.Plan.DeleteResourceStatusCategory)),
		listBelow(sets, paging{}, bindBelow(svc.In, schedules.Plan.ResourceStatusSetsOf)).spec("S7").named("resourceStatusCategories.listSets"),
	)
}

func statusSetRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/resource-status-sets", many: "resourceStatusSets", one: "resourceStatusSet",
		things: "Resource Status Sets", thing: "a Resource Status Set",
	}
	items := &noun{path: n.each() + "/resource-status-items", many: "resourceStatusItems", things: "Resource Status Items of a Status Set"}
	return append(
		family(n,
			bind(svc.In, schedules.Plan.ResourceStatusSets),
			bind(svc.In, schedules.Plan.ResourceStatusSet),
			bind(svc.In, schedules.Plan.CreateResourceStatusSet),
			bindUpdate(svc.In, schedules.Plan.UpdateResourceStatusSet),
			bindDelete(svc.In, schedules.Plan.DeleteResourceStatusSet)),
		listBelow(items, deltaDollar, bindBelow(svc.In, schedules.Plan.ResourceStatusItemsOf)).spec("S3").named("resourceStatusSets.listItems").preview(),
	)
}

func statusItemRows(svc *schedules.Service) rows {
	n := &noun{
		path: inSchedule + "/resource-status-items", many: "resourceStatusItems", one: "resourceStatusItem",
		things: "Resource Status Items", thing: "a Resource Status Item",
	}
	return family(n,
		bind(svc.In, schedules.Plan.ResourceStatusItems),
		bind(svc.In, schedules.Plan.ResourceStatusItem),
		bind(svc.In, schedules.Plan.CreateResourceStatusItem),
		bindUpdate(svc.In, schedules.Plan.UpdateResourceStatusItem),
		bindDelete(svc.In, schedules.Plan.DeleteResourceStatusItem),
		text("name", "List the items whose name equals or contains this.", func(q *schedules.ResourceStatusItemQuery) *string { return &q.Name }),
		text("statusSetId", "List the items of this status set.", func(q *schedules.ResourceStatusItemQuery) *string { return &q.StatusSetID }))
}
