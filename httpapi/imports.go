package httpapi

import "github.com/seed-933f9a09/twinplatform/schedules"

func importRows(svc *schedules.Service) rows {
	return append(
		importsOf("planner", "a planner file", "plannerImports", svc,
			func(n, again *noun) (*row, *row) {
				return acceptIn(n, bind(svc.In, schedules.Plan.ImportPlanner)),
					acceptIn(again, bind(svc.In, schedules.Plan.SynchronizePlanner))
			}),
		importsOf("microsoft-project", "a Microsoft Project file", "microsoftProjectImports", svc,
			func(n, again *noun) (*row, *row) {
				return acceptIn(n, bind(svc.In, schedules.Plan.ImportMicrosoftProject)),
					acceptIn(again, bind(svc.In, schedules.Plan.SynchronizeMicrosoftProject))
			})...)
}

// importsOf are the rows of imports from the files of a tool.
func importsOf(tool, file, name string, svc *schedules.Service, rowsOf func(n, again *noun) (*row, *row)) rows {
	n := &noun{path: inSchedule + "/imports/" + tool, one: "synchronizer", name: name}
	again := &noun{path: n.path + "/synchronize", one: n.one, name: name}
	first, next := rowsOf(n, again)
	synchronizers := &noun{path: n.path + "/synchronizers", one: n.one, thing: "a Synchronizer of " + file + " import", name: name}
	tasks := &noun{path: synchronizers.each() + "/tasks", many: "plannedTasks", things: "what " + file + " says of the dates of tasks"}
	listed := listBelow(tasks, paging{}, bindBelow(svc.In, schedules.Plan.PlannedTasks),
		flag("differing", "List the tasks alone of which the file has other dates or another float than follow from its logic.", func(q *schedules.PlannedTaskQuery) *bool { return &q.Differing })).
		named(name + ".listTasks")
	out := rows{first.says("Import " + file), next.named(name + ".synchronize").says("Synchronize with " + file), listed}
	if tool != "planner" { // of which the specification has the synchronizer
		out = append(out, getIn(synchronizers, bind(svc.In, schedules.Plan.MicrosoftProjectSynchronizer)).named(name+".getSynchronizer").says("Get a Synchronizer of "+file+" import"))
	}
	return out
}
