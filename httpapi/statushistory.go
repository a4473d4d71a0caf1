package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func statusHistoryRows(svc *schedules.Service) rows {
	type query = schedules.StatusHistoryQuery
	n := &noun{
		path: inSchedule + "/resources/status-history", many: "statusHistoryItems", one: "statusHistoryItem",
		things: "the recorded Statuses of the Resources of a Schedule", thing: "a recorded Status of a Resource",
	}
	of := &noun{path: inSchedule + "/resources/{resourceId}/status-history", many: n.many, things: "the recorded Statuses of a Resource"}
	ofEntity := &noun{
		path: inSchedule + "/entities-3d/{entity3dId}/status-history", many: n.many,
		things: "the recorded Statuses that a 3D Entity shows",
	}
	categories := texts("statusCategoryIds", "List the statuses of these categories, separated by commas.", func(q *query) *[]string { return &q.StatusCategoryIDs })
	latest := flag("latestOnly", "True lists the current status of each resource in each category alone.", func(q *query) *bool { return &q.LatestOnly })
	single := rows{
		getIn(n, bind(svc.In, schedules.Plan.StatusHistoryItem)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateStatusHistoryItem)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteStatusHistoryItem)),
	}
	for _, r := range single {
		r.apart = "status-history"
	}
	return append(single,
		listIn(n, paging{}, bind(svc.In, schedules.Plan.StatusHistoryItems),
			text("resourceId", "List the statuses of this resource.", func(q *query) *string { return &q.ResourceID }), categories, latest),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateStatusHistoryItem)).says("Record a Status of a Resource"),
		listBelow(of, paging{}, bindBelow(svc.In, schedules.Plan.StatusHistoryItemsOf), categories, latest).named("statusHistoryItems.listOfResource"),
		listBelow(ofEntity, paging{}, bindBelow(svc.In, schedules.Plan.StatusHistoryItemsOfEntity3D), categories, latest).named("statusHistoryItems.listOfEntity3d"),
	)
}
