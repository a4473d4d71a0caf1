package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func statusHistoryRoutes(svc *schedules.Service) cycle.Routes {
	type query = schedules.StatusHistoryQuery
	n := &route.Resource{
		Path: route.Schedule + "/resources/status-history", Many: "statusHistoryItems", One: "statusHistoryItem",
		Things: "the recorded Statuses of the Resources of a Schedule", Thing: "a recorded Status of a Resource",
	}
	of := &route.Resource{Path: route.Schedule + "/resources/{resourceId}/status-history", Many: n.Many, Things: "the recorded Statuses of a Resource"}
	ofEntity := &route.Resource{
		Path: route.Schedule + "/entities-3d/{entity3dId}/status-history", Many: n.Many,
		Things: "the recorded Statuses that a 3D Entity shows",
	}
	categories := route.Texts("statusCategoryIds", "List the statuses of these categories, separated by commas.", func(q *query) *[]string { return &q.StatusCategoryIDs })
	latest := route.Flag("latestOnly", "True lists the current status of each resource in each category alone.", func(q *query) *bool { return &q.LatestOnly })
	single := cycle.Routes{
		route.GetIn(n, route.Bind(svc.In, schedules.Plan.StatusHistoryItem)),
		route.UpdateIn(n, route.BindUpdate(svc.In, schedules.Plan.UpdateStatusHistoryItem)),
		route.DeleteIn(n, route.BindDelete(svc.In, schedules.Plan.DeleteStatusHistoryItem)),
	}
	for _, r := range single {
		r.Apart = "status-history"
	}
	return append(single,
		route.ListIn(n, cycle.Paging{}, route.Bind(svc.In, schedules.Plan.StatusHistoryItems),
			route.Text("resourceId", "List the statuses of this resource.", func(q *query) *string { return &q.ResourceID }), categories, latest),
		route.AcceptIn(n, route.Bind(svc.In, schedules.Plan.CreateStatusHistoryItem)).Says("Record a Status of a Resource"),
		route.ListBelow(of, cycle.Paging{}, route.BindBelow(svc.In, schedules.Plan.StatusHistoryItemsOf), categories, latest).Named("statusHistoryItems.listOfResource"),
		route.ListBelow(ofEntity, cycle.Paging{}, route.BindBelow(svc.In, schedules.Plan.StatusHistoryItemsOfEntity3D), categories, latest).Named("statusHistoryItems.listOfEntity3d"),
	)
}
