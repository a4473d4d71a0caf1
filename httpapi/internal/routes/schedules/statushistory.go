package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
)

func statusHistoryRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) statuses.Plan { return statuses.In(svc.In(scheduleID)) }
	type query = statuses.StatusHistoryQuery
	n := &route.Resource{
		Path: route.Schedule + "/resources/status-history", Many: "statusHistoryItems", One: "statusHistoryItem",
		Plural: "the recorded Statuses of the Resources of a Schedule", Singular: "a recorded Status of a Resource",
	}
	of := &route.Resource{
		Path: route.Schedule + "/resources/{resourceId}/status-history", Many: n.Many,
		Plural: "the recorded Statuses of a Resource",
	}
	ofEntity := &route.Resource{
		Path: route.Schedule + "/entities-3d/{entity3dId}/status-history", Many: n.Many,
		Plural: "the recorded Statuses that a 3D Entity shows",
	}
	categories := route.Texts("statusCategoryIds", "List the statuses of these categories, separated by commas.",
		func(q *query) *[]string { return &q.StatusCategoryIDs })
	latest := route.Flag("latestOnly", "True lists the current status of each resource in each category alone.",
		func(q *query) *bool { return &q.LatestOnly })
	single := cycle.Routes{
		route.GetIn(n, route.Bind(in, statuses.Plan.StatusHistoryItem)),
		route.UpdateIn(n, route.On(in, statuses.Plan.UpdateStatusHistoryItem)),
		route.DeleteIn(n, route.BindDelete(in, statuses.Plan.DeleteStatusHistoryItem)),
	}
	for _, r := range single {
		r.Apart = "status-history"
	}
	return append(single,
		route.ListIn(n, cycle.Paging{}, route.Bind(in, statuses.Plan.StatusHistoryItems),
			route.Text("resourceId", "List the statuses of this resource.",
				func(q *query) *string { return &q.ResourceID }), categories, latest),
		route.AcceptIn(n, route.On(in,
			statuses.Plan.CreateStatusHistoryItem)).Summarized("Record a Status of a Resource"),
		route.ListBelow(of, cycle.Paging{}, route.BindBelow(in, statuses.Plan.StatusHistoryItemsOf), categories,
			latest).Named("statusHistoryItems.listOfResource"),
		route.ListBelow(ofEntity, cycle.Paging{}, route.BindBelow(in, statuses.Plan.StatusHistoryItemsOfEntity3D),
			categories, latest).Named("statusHistoryItems.listOfEntity3d"),
	)
}
