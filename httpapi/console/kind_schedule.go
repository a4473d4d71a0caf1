package console

// scheduleKinds are schedules and what is in them. Schedules and tasks have pages of their
// own; the others are browsed.
var scheduleKinds = []kind{
	{
		area: "schedules", list: "/schedules", member: "schedules", title: "Schedules", one: "/schedules/{}",
		record: "schedule", name: "name", twin: "twinId", columns: "name id type", page: true,
		none: "There are no schedules.",
		below: []below{
			{"Tasks", "/schedules/{}/tasks"},
			{"Links", "/schedules/{}/task-links"},
			{"Calendars", "/schedules/{}/calendars"},
			{"Resources", "/schedules/{}/resources"},
		},
	},
	{
		area: "schedules", list: "/schedules/{}/tasks", member: "tasks", title: "Tasks", one: "/schedules/{}/tasks/{}",
		record: "task", name: "name", columns: "name userDefinedId type status plannedStart plannedFinish", page: true,
		none: "There are no tasks.",
		below: []below{
			{"Predecessors", "/schedules/{}/task-links?successorId={}"},
			{"Successors", "/schedules/{}/task-links?predecessorId={}"},
		},
	},
	{
		area: "schedules", list: "/schedules/{}/task-links", member: "taskLinks", title: "Links",
		one: "/schedules/{}/task-links/{}", record: "taskLink", columns: "id predecessorId successorId type lag",
		none: "There are no links.",
	},
	{
		area: "schedules", list: "/schedules/{}/calendars", member: "calendars", title: "Calendars",
		one: "/schedules/{}/calendars/{}", record: "calendar", name: "name", columns: "name id parentId",
		none: "There are no calendars: work is done from Monday to Friday, eight hours a day.",
	},
	{
		area: "schedules", list: "/schedules/{}/resources", member: "resources", title: "Resources",
		one: "/schedules/{}/resources/{}", record: "resource", name: "name", columns: "name id type",
		none: "There are no resources.",
	},
}

// kindOf is the kind with a list.
func kindOf(list string) *kind {
	for i := range kinds {
		if kinds[i].list == list {
			return &kinds[i]
		}
	}
	return &kind{}
}
