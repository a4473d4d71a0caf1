package schedules

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func importRoutes(svc *schedules.Service) cycle.Routes {
	return append(
		importsOf("planner", "a planner file", "plannerImports", svc,
			func(n, again *route.Resource) (*cycle.Route, *cycle.Route) {
				return route.AcceptIn(n, route.On(svc.In, schedules.Plan.ImportPlanner)),
					route.AcceptIn(again, route.On(svc.In, schedules.Plan.SynchronizePlanner))
			}),
		importsOf("microsoft-project", "a Microsoft Project file", "microsoftProjectImports", svc,
			func(n, again *route.Resource) (*cycle.Route, *cycle.Route) {
				return route.AcceptIn(n, route.On(svc.In, schedules.Plan.ImportMicrosoftProject)),
					route.AcceptIn(again, route.On(svc.In, schedules.Plan.SynchronizeMicrosoftProject))
			})...)
}

// importsOf are the routes of imports from the files of a tool.
func importsOf(tool, file, name string, svc *schedules.Service, routesOf func(n, again *route.Resource) (*cycle.Route, *cycle.Route)) cycle.Routes {
	n := &route.Resource{Path: route.Schedule + "/imports/" + tool, One: "synchronizer", Name: name}
	again := &route.Resource{Path: n.Path + "/synchronize", One: n.One, Name: name}
	first, next := routesOf(n, again)
	synchronizers := &route.Resource{Path: n.Path + "/synchronizers", One: n.One, Singular: "a Synchronizer of " + file + " import", Name: name}
	tasks := &route.Resource{Path: synchronizers.Each() + "/tasks", Many: "plannedTasks", Plural: "what " + file + " has of the dates of tasks"}
	listed := route.ListBelow(tasks, cycle.Paging{}, route.BindBelow(svc.In, schedules.Plan.PlannedTasks),
		route.Flag("differing", "List the tasks alone of which the file has other dates or another float than the schedule as it is now.", func(q *schedules.PlannedTaskQuery) *bool { return &q.Differing })).
		Named(name + ".listTasks").Paid(cycle.ByWork) // of scheduling the plan
	out := cycle.Routes{first.Summarized("Import " + file), next.Named(name + ".synchronize").Summarized("Synchronize with " + file), listed}
	if tool != "planner" { // of which the specification has the synchronizer
		out = append(out, route.GetIn(synchronizers, route.Bind(svc.In, schedules.Plan.MicrosoftProjectSynchronizer)).Named(name+".getSynchronizer").Summarized("Get a Synchronizer of "+file+" import"))
	}
	return out
}
