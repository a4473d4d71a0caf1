package planner

import (
	"cmp"
	"encoding/xml"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// p6xmlWriter writes a plan as an XML of P6.
type p6xmlWriter struct {
	*p6Writer
	left map[string]*leftRows
	// roots are the projects of nodes that are these, in a plan from an XER, and rootOf the
	// numbers of the nodes by the projects.
	roots, rootOf map[string]string
	current       map[string]string // the numbers of baselines with which P6 compares, by project
	// assigned are the tasks at which resources work.
	assigned map[string]bool
	in       inProjects
	next     map[string]int // numbers of what has no id
	// codeOf and fieldOf are the places of values of codes, and of user fields, by their ids.
	codeOf, fieldOf map[string]int
}

// inProjects are the places of items in the lists of the plan, by project. What is of none
// that the plan has is of "".
type inProjects struct{ tasks, links, assignments, expenses map[string][]int }

// p6Namespace names the schema of P6 20.12, the version whose files most programs read.
const p6Namespace = "http://xmlns.oracle.com/Primavera/P6Professional/V20.12/API/BusinessObjects"

// write writes what all projects share, then each project with what is in it, and the
// baselines behind them.
func (x *p6xmlWriter) write() {
	x.prepare()
	x.print(
		xml.Header, `<APIBusinessObjects xmlns="`, p6Namespace,
		`" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`, "\n",
	)
	x.writeShared()
	for i := range x.Projects {
		x.writeProject(&x.Projects[i])
	}
	x.writeWithin("")
	for i := range x.Baselines {
		x.writeBaseline(&x.Baselines[i])
	}
	x.print("</APIBusinessObjects>\n")
	if !x.same() {
		for i := range x.Tables {
			x.lose("table", x.Tables[i].Name, "Columns that have no place there were dropped.")
		}
	}
}

// prepare gives ids numbers, and finds what is in which project. The node that an XER has
// for a project is the project itself here.
func (x *p6xmlWriter) prepare() {
	x.left, x.next, x.assigned = x.rest(), make(map[string]int), make(map[string]bool)
	x.number()
	x.codeOf = index(x.CodeValues, func(c *CodeValue) string { return c.ID })
	x.fieldOf = index(x.UserFields, func(f *UserField) string { return f.ID })
	x.findRoots()
	x.current = make(map[string]string)
	for i := range x.Baselines {
		if b := &x.Baselines[i]; b.Current {
			x.current[b.ProjectID] = x.projects.of(x.baselineID(b, b.ID))
		}
	}
	known := ids(x.Projects, func(p *Project) string { return p.ID })
	of := func(project string) string {
		if !known[project] {
			return ""
		}
		return project
	}
	x.in = inProjects{
		make(map[string][]int), make(map[string][]int), make(map[string][]int), make(map[string][]int),
	}
	for i := range x.Tasks {
		add(x.in.tasks, of(x.Tasks[i].ProjectID), i)
	}
	for i := range x.Links {
		add(x.in.links, of(x.projectOf[x.Links[i].SuccessorID]), i)
	}
	for i := range x.Assignments {
		x.assigned[x.Assignments[i].TaskID] = true
		add(x.in.assignments, of(x.projectOf[x.Assignments[i].TaskID]), i)
	}
	for i := range x.Expenses {
		add(x.in.expenses, of(x.projectOf[x.Expenses[i].TaskID]), i)
	}
}

// findRoots finds the node that each project is, or gives it a number for one. A node with a
// summary of all that is below it stays one, or there would be nothing that this spans.
func (x *p6xmlWriter) findRoots() {
	x.roots, x.rootOf = make(map[string]string), make(map[string]string)
	if x.same() {
		return
	}
	var nodes map[string]string
	if x.Format == XER {
		nodes = x.projectNodes()
	}
	spanned := make(map[string]bool)
	for i := range x.Tasks {
		if t := &x.Tasks[i]; t.WBSSummary {
			spanned[t.ParentID] = true
		}
	}
	for i := range x.Projects {
		id := x.Projects[i].ID
		node := nodes[id]
		if x.rootOf[id] = x.node(node); node == "" {
			x.rootOf[id] = x.nodes.next()
		} else if !spanned[node] {
			x.roots[node] = id
		}
	}
}

// object writes an element: what is given of it and what is left of the id, by name, as P6
// has them, and behind that what a function writes.
func (x *p6xmlWriter) object(element, kind, id string, v values, below func()) {
	x.print("<", element, ">")
	table := strings.TrimPrefix(element, "Baseline")
	own := func(v values) {
		for _, member := range slices.Sorted(maps.Keys(v)) {
			if v[member] != "" {
				x.element(member, v[member])
			}
		}
	}
	all, options := make(values, len(v)), make(values)
	if left := x.left[table]; left != nil && x.same() {
		for i, text := range left.of(id) {
			all[left.fields[i]] = strings.ReplaceAll(text, "\x7f\x7f", "\n")
		}
	}
	for member, text := range v {
		all[member] = x.text(kind, id, text)
	}
	if table == "Project" {
		for _, member := range p6Options {
			options[member] = all[member]
			delete(all, member)
		}
	}
	own(all)
	if table == "Project" && slices.ContainsFunc(p6Options, func(member string) bool { return options[member] != "" }) {
		x.print("<ScheduleOptions>")
		own(options)
		x.print("</ScheduleOptions>")
	}
	if below != nil {
		below()
	}
	x.print("</", element, ">\n")
}

// p6Options are the members of a project that P6 has in a separate element, next to those
// that both have.
var p6Options = strings.Fields(`
	CalculateFloatBasedOnFinishDate ComputeTotalFloatType CriticalActivityFloatThreshold
	ExternalProjectPriorityLimit IgnoreOtherProjectRelationships IncludeExternalResAss LevelAllResources
	LevelWithinFloat MakeOpenEndedActivitiesCritical MaximumMultipleFloatPaths MinFloatToPreserve
	MultipleFloatPathsEnabled MultipleFloatPathsEndingActivityObjectId MultipleFloatPathsUseTotalFloat
	OutOfSequenceScheduleType OverAllocationPercentage PreserveMinimumFloat PreserveScheduledEarlyAndLateDates
	PriorityList RelationshipLagCalendar StartToStartLagCalculationType UseExpectedFinishDates`)

// nextOf is a number for an item that has none in a plan.
func (x *p6xmlWriter) nextOf(element string) string {
	x.next[element]++
	return strconv.Itoa(x.next[element])
}

// hours are seconds as hours.
func (x *p6xmlWriter) hours(seconds int64) string { return decimal(float64(seconds) / worktime.Hour) }

// amount is a number, nothing for none.
func amount(n float64) string {
	if n == 0 {
		return ""
	}
	return decimal(n)
}

// costs puts amounts where activities, assignments and expenses have them.
func (v values) costs(c Costs) {
	v["PlannedCost"], v["ActualCost"], v["RemainingCost"] = amount(c.Planned), amount(c.Actual), amount(c.Remaining)
}

// The words by what they mean.
var (
	p6ConstraintNames = inverse(p6Constraints)
	p6LinkNames       = inverse(p6Links)
	p6ResourceNames   = inverse(p6Resources)
	p6PercentNames    = inverse(p6Percents)
	p6FamilyNames     = inverse(p6Families)
	p6States          = map[Status]string{Planned: "Not Started", Started: "In Progress", Finished: "Completed"}
	// p6Types are the types of tasks by how an XER calls them.
	p6Types = map[string]string{
		"TT_Task": "Task Dependent", "TT_Rsrc": "Resource Dependent", "TT_Mile": "Start Milestone",
		"TT_FinMile": "Finish Milestone", "TT_LOE": "Level of Effort", "TT_WBS": "WBS Summary",
	}
)

// p6CodeElements are what codes and their values are called, by what they are for.
var p6CodeElements = map[Subject][2]string{
	OfTasks: {"ActivityCodeType", "ActivityCode"}, OfResources: {"ResourceCodeType", "ResourceCode"},
	OfProjects: {"ProjectCodeType", "ProjectCode"},
}

// writeShared writes what is in no project.
func (x *p6xmlWriter) writeShared() {
	x.writeCurrencies()
	for _, topic := range x.numberTopics() {
		x.object("NotebookTopic", "topic", topic, values{
			"ObjectId": x.topics[topic], "Name": topic, "SequenceNumber": x.topics[topic],
			"AvailableForEPS": bit(true), "AvailableForProject": bit(true), "AvailableForWBS": bit(true),
			"AvailableForActivity": bit(true),
		}, nil)
	}
	x.writeUnits()
	x.writeFields()
	for i := range x.Accounts {
		a := &x.Accounts[i]
		x.object("CostAccount", "account", a.ID, values{
			"ObjectId": x.accounts.of(a.ID), "ParentObjectId": x.accounts.of(a.ParentID), "Id": a.Code, "Name": a.Name,
			"Description": marked(a.Description),
		}, nil)
	}
	x.writeCodes("")
	x.writeCalendars("")
	if x.day != "" {
		c := &Calendar{Week: worktime.EveryDay(worktime.AllDay)}
		v := x.askedOf(c, false)
		v["Name"], v["ObjectId"] = "24 Hours", x.day
		x.object("Calendar", "calendar", "", v,
			func() { x.writeWeek(c.Week, func(h worktime.Hours) { x.workTimes("", h) }) })
	}
	for i := range x.Resources {
		x.writeResource(&x.Resources[i])
	}
	for i := range x.Resources {
		x.writeRates(&x.Resources[i])
	}
}

// writeUnits writes what material is counted in.
func (x *p6xmlWriter) writeUnits() {
	for _, unit := range x.numberUnits() {
		x.object("UnitOfMeasure", "unit", unit, values{"ObjectId": x.units[unit], "Abbreviation": unit, "Name": unit},
			nil)
	}
}

// writeFields writes the definitions of user fields.
func (x *p6xmlWriter) writeFields() {
	for i := range x.UserFields {
		f := &x.UserFields[i]
		if p6FamilyNames[f.Family] == "" {
			x.lose("user field", f.ID, "It is of text: P6 has no fields of its type.")
		}
		subject := map[Subject]string{OfTasks: "Activity", OfResources: "Resource", OfProjects: "Project"}[f.Of]
		if f.Nodes {
			subject = "WBS"
		}
		x.object("UDFType", "user field", f.ID, values{
			"ObjectId": x.fields.of(f.ID), "Title": f.Name, "SubjectArea": subject,
			"DataType": cmp.Or(p6FamilyNames[f.Family], "Text"),
		}, nil)
	}
}

// within is the project within which something stands that one project has for itself, nothing for
// what stands next to the projects.
func (x *p6xmlWriter) within(project string) string {
	if x.projects.of(project) == "" {
		return ""
	}
	return project
}

// writeCodes writes the codes of a project, or those of all, and their values.
func (x *p6xmlWriter) writeCodes(project string) {
	in := make(map[string]bool)
	for i := range x.Codes {
		c := &x.Codes[i]
		if of := x.within(c.ProjectID); c.Scope == OneProject && of != project ||
			c.Scope != OneProject && project != "" {
			continue
		}
		in[c.ID] = true
		v := values{
			"Length":   x.length[c.ID],
			"ObjectId": x.codes.of(bare(c.ID)), "Name": c.Name, "ProjectObjectId": x.projects.of(c.ProjectID),
		}
		switch {
		case c.Scope == EPSCode || c.Scope == OneProject:
			v["Scope"] = string(c.Scope)
		case c.Of == OfTasks:
			v["Scope"] = "Global"
		}
		x.object(p6CodeElements[c.Of][0], "code", c.ID, v, nil)
	}
	of := x.subjectOf()
	for i := range x.CodeValues {
		c := &x.CodeValues[i]
		if !in[c.CodeID] {
			continue
		}
		x.object(p6CodeElements[of[c.CodeID]][1], "code value", c.ID, values{
			"ObjectId": x.values.of(bare(c.ID)), "CodeTypeObjectId": x.codes.of(bare(c.CodeID)),
			"ParentObjectId": x.values.of(bare(c.ParentID)), "CodeValue": c.Name, "Description": c.Description,
			"Color": c.Color,
		}, nil)
	}
}

// writeCoded writes which values of codes an item has.
func (x *p6xmlWriter) writeCoded(all []string) {
	for _, id := range all {
		at, ok := x.codeOf[id]
		if !ok {
			continue
		}
		x.print("<Code>")
		x.element("TypeObjectId", x.codes.of(bare(x.CodeValues[at].CodeID)))
		x.element("ValueObjectId", x.values.of(bare(id)))
		x.print("</Code>")
	}
}

// p6Values are the members with the values of user fields, by the families of these.
var p6Values = map[FieldFamily]string{
	IndicatorField: "IndicatorValue", IntegerField: "IntegerValue", NumberField: "DoubleValue", CostField: "CostValue",
	StartField: "StartDateValue", FinishField: "FinishDateValue", CodeField: "CodeValue",
}

// writeValues writes the values that an item has of user fields.
func (x *p6xmlWriter) writeValues(kind, id string, node bool, all []Value) {
	for _, v := range all {
		at, ok := x.fieldOf[v.FieldID]
		if !ok {
			continue
		}
		f := &x.UserFields[at]
		if f.Nodes != node && !x.same() {
			x.lose(kind, id, "A value of a user field is left out: P6 has others for nodes of the WBS.")
			continue
		}
		x.print("<UDF>")
		x.element("TypeObjectId", x.fields.of(f.ID))
		if text := x.text(kind, id, f.String(v)); text != "" {
			x.element(cmp.Or(p6Values[f.Family], "TextValue"), text)
		}
		x.print("</UDF>")
	}
}

var (
	// p6Progress has the words of P6 for how progress counts in scheduling.
	p6Progress = map[cpm.Progress]string{
		cpm.RetainedLogic: "Retained Logic", cpm.ProgressOverride: "Progress Override", cpm.ActualDates: "Actual Dates",
	}
	// p6Lags has the words of P6 for the calendar of lags. P6 uses the predecessor's where
	// a plan leaves the choice to the tool.
	p6Lags = map[cpm.LagCalendar]string{
		cpm.LagByProfile: "Predecessor Activity Calendar", cpm.LagOfPredecessor: "Predecessor Activity Calendar",
		cpm.LagOfSuccessor: "Successor Activity Calendar", cpm.LagOfProject: "Project Default Calendar",
		cpm.LagElapsed: "24 Hour Calendar",
	}
)

// leftOf is what is left of a member of an element of an id in a plan from this format.
func (x *p6xmlWriter) leftOf(table, id, member string) string {
	if !x.same() {
		return ""
	}
	return x.left[table].member(id, member)
}

// state is what distinguishes a project without dates from one that is elsewhere.
func (x *p6xmlWriter) state(id string, dates ...worktime.Time) string {
	status := x.leftOf("Project", id, "Status")
	if status == "" && (!x.same() || cmp.Or(dates...) == 0) {
		return "Active"
	}
	return status
}

// writeProject writes a project with what is in it.
func (x *p6xmlWriter) writeProject(p *Project) {
	path := "Critical Float"
	if p.LongestPath {
		path = "Longest Path"
	}
	v := values{
		"ObjectId": x.projects.of(p.ID), "Id": p.Code, "Name": p.Name, "GUID": p.ExternalID,
		"ActivityDefaultCalendarObjectId": x.calendars.of(p.CalendarID), "PlannedStartDate": instant(p.Start),
		"DataDate": instant(p.DataDate), "MustFinishByDate": instant(p.MustFinish),
		"CriticalActivityFloatLimit": x.hours(p.Critical), "CriticalActivityPathType": path,
		"CurrentBaselineProjectObjectId": x.current[p.ID], "Status": x.state(p.ID, p.Start, p.DataDate),
		"OutOfSequenceScheduleType": p6Progress[p.Progress], "RelationshipLagCalendar": p6Lags[p.Lag],
		"MakeOpenEndedActivitiesCritical": bit(p.OpenEndsCritical), "CalculateFloatBasedOnFinishDate": bit(!p.Together),
		"UseExpectedFinishDates": bit(!p.IgnoreExpected), "IgnoreOtherProjectRelationships": bit(p.IgnoreExternal),
		"ComputeTotalFloatType": p6FloatNames[p.Float],
	}
	if !x.same() {
		v["Id"], v["WBSObjectId"] = cmp.Or(p.Code, p.Name), x.rootOf[p.ID]
	}
	x.object("Project", "project", p.ID, v, func() {
		x.writeCoded(p.CodeValueIDs)
		x.writeValues("project", p.ID, false, p.Values)
		x.print("\n")
		x.writeCodes(p.ID)
		x.writeCalendars(p.ID)
		for _, n := range p.Notes {
			x.writeNote("ProjectNote", "project", p.ID, values{"ProjectObjectId": x.projects.of(p.ID)}, n)
		}
		x.writeWithin(p.ID)
	})
}

// writeWithin writes what is in a project.
func (x *p6xmlWriter) writeWithin(project string) {
	for _, i := range x.in.tasks[project] {
		if t := &x.Tasks[i]; t.Kind == cpm.Summary {
			x.writeNode(t)
		}
	}
	for _, i := range x.in.tasks[project] {
		if t := &x.Tasks[i]; t.Kind != cpm.Summary {
			x.writeTask(i)
		}
	}
	for _, i := range x.in.links[project] {
		x.writeLink(&x.Links[i])
	}
	for _, i := range x.in.assignments[project] {
		x.writeAssignment(&x.Assignments[i])
	}
	for _, i := range x.in.expenses[project] {
		x.writeExpense(&x.Expenses[i])
	}
	for _, i := range x.in.tasks[project] {
		t := &x.Tasks[i]
		if fixed, ok := x.fixedCost(t); ok && x.Format == MSPDI {
			x.writeCost(t.ID, x.tasks.of(t.ID), "Fixed cost", fixed)
		}
		x.writeNotes(t)
		x.writeSteps(t)
	}
}

// writeNotes writes the notes of a task. Those of the node that a project is are the
// project's.
func (x *p6xmlWriter) writeNotes(t *Task) {
	for _, n := range t.Notes {
		switch project, root := x.roots[t.ID]; {
		case root:
			x.writeNote("ProjectNote", "task", t.ID, values{"ProjectObjectId": x.projects.of(project)}, n)
		case t.Kind == cpm.Summary:
			x.writeNote(
				"ProjectNote", "task", t.ID,
				values{"ProjectObjectId": x.projects.of(t.ProjectID), "WBSObjectId": x.node(t.ID)}, n,
			)
		default:
			x.writeNote("ActivityNote", "task", t.ID, values{"ActivityObjectId": x.tasks.of(t.ID)}, n)
		}
	}
}

func (x *p6xmlWriter) writeNote(element, kind, id string, v values, n Note) {
	v["ObjectId"], v["NotebookTopicObjectId"], v["Note"] = x.nextOf(element), x.topics[topicOf(n)], marked(n.Text)
	x.object(element, kind, id, v, nil)
}

// writeNode writes a node of the WBS.
func (x *p6xmlWriter) writeNode(n *Task) {
	x.nodeLoses(n)
	if _, root := x.roots[n.ID]; root {
		if len(n.Values) > 0 {
			x.lose("task", n.ID, "Its values of user fields are left out: it is the project, of which no node stands "+
				"here.")
		}
		return
	}
	parent := x.node(n.ParentID)
	if _, root := x.roots[n.ParentID]; root {
		parent = ""
	}
	x.object("WBS", "task", strings.TrimPrefix(n.ID, "wbs-"), values{
		"ObjectId": x.node(n.ID), "ParentObjectId": parent, "ProjectObjectId": x.projects.of(n.ProjectID),
		"GUID": n.ExternalID, "Code": n.Code, "Name": n.Name,
	}, func() { x.writeValues("task", n.ID, true, n.Values) })
}

// writeTask writes the activity at a place.
func (x *p6xmlWriter) writeTask(place int) {
	t := &x.Tasks[place]
	start, finish := x.planned(place)
	parent, remaining := x.node(t.ParentID), t.Remaining
	if _, root := x.roots[t.ParentID]; root {
		parent = ""
	}
	if t.Status() == Planned {
		remaining = t.Duration
	}
	d := &t.File
	v := values{
		"ObjectId": x.tasks.of(t.ID), "Id": t.Code, "ProjectObjectId": x.projects.of(t.ProjectID),
		"WBSObjectId": parent, "CalendarObjectId": x.calendarOf(t),
		"Type": p6Types[x.kind(t, x.assigned[t.ID])], "Status": p6States[t.Status()],
		"PercentCompleteType": cmp.Or(p6PercentNames[t.PercentOf], "Duration"), "LevelingPriority": x.priority(t),
		"PlannedDuration": x.hours(t.Planned), "RemainingDuration": x.hours(remaining),
		"PhysicalPercentComplete": share(t.Physical), "PercentComplete": share(t.Percent),
		"ActualStartDate": instant(t.ActualStart), "ActualFinishDate": instant(t.ActualFinish),
		"SuspendDate": instant(t.Suspend), "ResumeDate": instant(t.Resume),
		"ExpectedFinishDate":     instant(t.ExpectedFinish),
		"ExternalEarlyStartDate": instant(t.ExternalStart), "ExternalLateFinishDate": instant(t.ExternalFinish),
		"RemainingEarlyStartDate": instant(d.EarlyStart), "RemainingEarlyFinishDate": instant(d.EarlyFinish),
		"RemainingLateStartDate": instant(d.LateStart), "RemainingLateFinishDate": instant(d.LateFinish),
		"PlannedStartDate": instant(start), "PlannedFinishDate": instant(finish),
		"DurationType": cmp.Or(x.leftOf("Activity", t.ID, "DurationType"), p6DurationTypes[x.durationType(t)]),
		"StartDate":    instant(d.Start), "FinishDate": instant(d.Finish),
	}
	t.writeTexts(inP6XML, v)
	for i, c := range t.Constraints[:min(len(t.Constraints), 2)] {
		which := []string{"Primary", "Secondary"}[i]
		v[which+"ConstraintType"], v[which+"ConstraintDate"] = p6ConstraintNames[c.Type], instant(c.Date)
	}
	for member, float := range map[string]*int64{"TotalFloat": d.TotalFloat, "FreeFloat": d.FreeFloat} {
		if float != nil {
			v[member] = x.hours(*float)
		}
	}
	for member, is := range map[string]*bool{"IsCritical": d.Critical, "IsLongestPath": d.DrivingPath} {
		if is != nil {
			v[member] = bit(*is)
		}
	}
	// What has only ended began then, whenever it is shown to begin.
	if t.ActualStart == t.ActualFinish && d.Start != t.ActualStart {
		v["ActualStartDate"] = ""
	}
	if v["ActualStartDate"] != "" && d.Start != t.ActualStart || t.ActualFinish != 0 && d.Finish != t.ActualFinish {
		x.lose("task", t.ID, "It is shown where it has begun and ended.")
	}
	x.taskLoses(t)
	x.object("Activity", "task", t.ID, v, func() {
		x.writeCoded(t.CodeValueIDs)
		x.writeValues("task", t.ID, false, t.Values)
	})
}

// share is a number of percents as a share of one.
func share(percent float64) string { return decimal(percent / 100) }

// writeLink writes a relationship. P6 links activities alone.
func (x *p6xmlWriter) writeLink(l *Link) {
	from, to := x.tasks.of(l.PredecessorID), x.tasks.of(l.SuccessorID)
	if from == "" || to == "" {
		x.lose("link", l.ID, "It is left out: P6 has no links of nodes of the WBS.")
		return
	}
	if l.Percent {
		x.lose("link", l.ID, "Its lag is so many hours, and no share of a duration.")
	}
	if l.Elapsed {
		x.lose("link", l.ID, "Its lag is one of working time.")
	}
	v := x.relationship(x.links.of(l.ID), from, to, l.Type, x.lag(l, x.durations))
	if !x.same() {
		v["PredecessorProjectObjectId"] = x.projects.of(x.projectOf[l.PredecessorID])
		v["SuccessorProjectObjectId"] = x.projects.of(x.projectOf[l.SuccessorID])
	}
	x.object("Relationship", "link", l.ID, v, nil)
}

// relationship is one between activities of those numbers.
func (x *p6xmlWriter) relationship(id, from, to string, typ cpm.LinkType, lag int64) values {
	return values{
		"ObjectId": id, "PredecessorActivityObjectId": from, "SuccessorActivityObjectId": to, "Type": p6LinkNames[typ],
		"Lag": x.hours(lag),
	}
}
