package planner

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// p6Writer is what writing takes in the formats of P6, which hold the same data.
type p6Writer struct {
	*writer
	to Format
	// The numbers that items have in the file, by their ids.
	projects, nodes, tasks, links, calendars, resources, assignments *numbers
	codes, values, fields, accounts, expenses                        *numbers
	topics, units                                                    map[string]string
	day                                                              string // the calendar that works day and night
	projectOf                                                        map[string]string
	durations                                                        map[string]int64
	costs                                                            map[string]Costs
	money                                                            currency
	length                                                           map[string]string // of values of codes
	typeOf                                                           *leftRows         // of tasks of Microsoft Project
}

// same reports whether the plan is from the format that is written.
func (x *p6Writer) same() bool { return x.Format == x.to }

// number gives ids numbers, where they are none, and finds what rows have of other rows.
func (x *p6Writer) number() {
	var projects, nodes, tasks, links []string
	for i := range x.Projects {
		projects = append(projects, x.Projects[i].ID)
	}
	for i := range x.Tasks {
		if t := &x.Tasks[i]; t.Kind == cpm.Summary {
			nodes = append(nodes, strings.TrimPrefix(t.ID, "wbs-"))
		} else {
			tasks = append(tasks, t.ID)
		}
	}
	for i := range x.Links {
		links = append(links, x.Links[i].ID)
	}
	for i := range x.Baselines {
		b := &x.Baselines[i]
		projects = append(projects, x.baselineID(b, b.ID))
		for at := range b.Tasks {
			tasks = append(tasks, x.baselineID(b, b.Tasks[at].ID))
		}
		for at := range b.Links {
			links = append(links, x.baselineID(b, b.Links[at].ID))
		}
	}
	same := x.same()
	x.projects, x.nodes = newNumbers(same, projects...), newNumbers(same, nodes...)
	x.tasks, x.links = newNumbers(same, tasks...), newNumbers(same, links...)
	x.numberRest()
	x.projectOf, x.durations = make(map[string]string, len(x.Tasks)), make(map[string]int64, len(x.Tasks))
	for i := range x.Tasks {
		t := &x.Tasks[i]
		x.projectOf[t.ID], x.durations[t.ID] = t.ProjectID, t.Duration
	}
	x.costs, _ = x.Plan.costs()
	x.money, x.length, x.typeOf = x.currencyOf(), x.lengths(), x.rest()["Task"]
	if slices.ContainsFunc(x.Tasks, func(t Task) bool { return t.Elapsed }) {
		x.day = x.calendars.next()
	}
}

// numberRest gives numbers to what is in no baseline.
func (x *p6Writer) numberRest() {
	x.calendars = x.numbered(x.to, len(x.Calendars), func(i int) string { return x.Calendars[i].ID })
	x.resources = x.numbered(x.to, len(x.Resources), func(i int) string { return x.Resources[i].ID })
	x.assignments = x.numbered(x.to, len(x.Assignments), func(i int) string { return x.Assignments[i].ID })
	x.codes = x.numbered(x.to, len(x.Codes), func(i int) string { return bare(x.Codes[i].ID) })
	x.values = x.numbered(x.to, len(x.CodeValues), func(i int) string { return bare(x.CodeValues[i].ID) })
	x.fields = x.numbered(x.to, len(x.UserFields), func(i int) string { return x.UserFields[i].ID })
	x.accounts = x.numbered(x.to, len(x.Accounts), func(i int) string { return x.Accounts[i].ID })
	x.expenses = x.numbered(x.to, len(x.Expenses), func(i int) string { return x.Expenses[i].ID })
}

// baselineID is an id of a baseline, or of what is in it. Those of Microsoft Project are
// no other than those of the plan.
func (x *p6Writer) baselineID(b *Baseline, id string) string {
	if x.Format == MSPDI {
		return "baseline-" + b.ID + "-" + id
	}
	return id
}

// bare is the id of a code without what distinguishes it from those of other items.
func bare(id string) string {
	return strings.TrimPrefix(strings.TrimPrefix(id, ofResource), ofProject)
}

// node is the number of a node.
func (x *p6Writer) node(id string) string { return x.nodes.of(strings.TrimPrefix(id, "wbs-")) }

// taskID is the id of a task as it is read from the file.
func (x *p6Writer) taskID(t *Task) string {
	if t.Kind == cpm.Summary {
		return nodeID(x.node(t.ID))
	}
	return x.tasks.of(t.ID)
}

// calendarOf is the number of the calendar of a task. One of another format that names none
// is on that of its project.
func (x *p6Writer) calendarOf(t *Task) string {
	if t.Elapsed {
		return x.day
	}
	number := x.calendars.of(t.CalendarID)
	if number != "" || x.same() {
		return number
	}
	if p := x.project(t.ProjectID); p != nil {
		return x.calendars.of(p.CalendarID)
	}
	return ""
}

// nodeLoses names what a node of the WBS cannot have.
func (x *p6Writer) nodeLoses(n *Task) {
	if n.File != (Dates{}) {
		x.lose("task", n.ID, "Its dates are left out: P6 computes those of a node of the WBS.")
	}
	if len(n.Constraints) > 0 || n.Deadline != 0 {
		x.lose("task", n.ID, "Its constraints and its deadline are left out: a node of the WBS has none.")
	}
	if len(n.CodeValueIDs) > 0 {
		x.lose("task", n.ID, "Its values of codes are left out: a node of the WBS has none.")
	}
}

// kind is the type of a task as an XER calls it.
func (x *p6Writer) kind(t *Task, assigned bool) string {
	switch t.Kind {
	case cpm.StartMilestone:
		return "TT_Mile"
	case cpm.FinishMilestone:
		return "TT_FinMile"
	case cpm.ShortHammock:
		x.lose("task", t.ID, "It is a level of effort, which spans all that it is linked to.")
		return "TT_LOE"
	case cpm.LongHammock:
		if t.WBSSummary {
			return "TT_WBS"
		}
		return "TT_LOE"
	}
	if t.ResourceCalendars && (x.same() || assigned) {
		return "TT_Rsrc"
	}
	return "TT_Task"
}

// taskLoses names what a task of P6 cannot have.
func (x *p6Writer) taskLoses(t *Task) {
	for _, l := range []struct {
		lost bool
		text string
	}{
		{t.Deadline != 0, "Its deadline is left out: P6 has none."},
		{len(t.Splits) > 0, "Its splits are left out: P6 interrupts a task once it has begun, and not by plan."},
		{t.Manual, "It is scheduled by its links: P6 keeps no task where it is put."},
		{t.Inactive, "It counts: P6 has no inactive tasks."},
		{t.Elapsed, "It is on a calendar that works day and night."},
		{len(t.Constraints) > 2, "It keeps the first two of its constraints."},
		{t.Status() != Planned && t.Duration != t.Planned, "Its duration is the planned one."},
	} {
		if l.lost {
			x.lose("task", t.ID, l.text)
		}
	}
}

// fixedCost is what a task of Microsoft Project costs besides its resources, if it does.
func (x *p6Writer) fixedCost(t *Task) (Costs, bool) {
	sum := x.costs[t.ID]
	fixed := Costs{t.Costs.Planned - sum.Planned, t.Costs.Actual - sum.Actual, t.Costs.Remaining - sum.Remaining}
	return fixed, t.Kind != cpm.Summary &&
		math.Abs(fixed.Planned)+math.Abs(fixed.Actual)+math.Abs(fixed.Remaining) >= 0.005
}

// noted calls a function for each note of the projects and the tasks.
func (x *p6Writer) noted(project func(*Project, Note), task func(*Task, Note)) {
	for i := range x.Projects {
		for _, n := range x.Projects[i].Notes {
			project(&x.Projects[i], n)
		}
	}
	for i := range x.Tasks {
		for _, n := range x.Tasks[i].Notes {
			task(&x.Tasks[i], n)
		}
	}
}

// numberTopics gives a number to each name under which there are notes, and returns these.
func (x *p6Writer) numberTopics() (topics []string) {
	x.noted(
		func(_ *Project, n Note) { topics = append(topics, topicOf(n)) },
		func(_ *Task, n Note) { topics = append(topics, topicOf(n)) },
	)
	slices.Sort(topics)
	topics = slices.Compact(topics)
	x.topics = make(map[string]string, len(topics))
	for i, topic := range topics {
		x.topics[topic] = strconv.Itoa(i + 1)
	}
	return topics
}

// numberUnits gives a number to each unit in which resources are counted, and returns these.
func (x *p6Writer) numberUnits() []string {
	x.units = make(map[string]string)
	for i := range x.Resources {
		x.units[x.Resources[i].Unit] = ""
	}
	delete(x.units, "")
	all := slices.Sorted(maps.Keys(x.units))
	for i, unit := range all {
		x.units[unit] = strconv.Itoa(i + 1)
	}
	return all
}
