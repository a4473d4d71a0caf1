package planner

import (
	"encoding/xml"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// p6xml is an XML of P6 while it is read.
type p6xml struct {
	*reader
	stubs   map[string]bool // activities of projects that are elsewhere
	nodes   []Task          // of the WBS
	baseOf  map[string]string
	current map[string]bool
	topics  map[string]string // of notebooks
	units   map[string]string // in which material is counted
	rates   map[string][]Rate
	steps   map[string][]numberedStep
	notes   map[string][]memo  // of tasks and projects, these with a mark before their ids
	within  bool               // a baseline
	work    map[string]float64 // that was planned for tasks of baselines
}

// readP6XML reads a file that may hold several projects, and calendars, resources and codes
// of all of them next to these. Baselines are projects too, which name the one that they
// are of.
func readP6XML(d *xml.Decoder, t *tokens) (*Plan, error) {
	x := &p6xml{
		reader: newReader(d, t, P6XML), stubs: make(map[string]bool), baseOf: make(map[string]string),
		current: make(map[string]bool),
		topics:  make(map[string]string), units: make(map[string]string), rates: make(map[string][]Rate), steps: make(map[string][]numberedStep),
		notes: make(map[string][]memo), work: make(map[string]float64),
	}
	kinds := x.kinds()
	err := elements(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Project":
			return x.record(e, func(xml.StartElement) error { return x.project(false) })
		case "BaselineProject":
			return x.record(e, func(xml.StartElement) error { return x.project(true) })
		}
		if read := kinds[e.Name.Local]; read != nil {
			return x.record(e, read)
		}
		return x.skip(e)
	})
	if err != nil {
		return nil, err
	}
	return x.Plan, x.finish()
}

// kinds are the elements that are read, of the file and of projects.
func (x *p6xml) kinds() map[string]func(xml.StartElement) error {
	named := func(to map[string]string, name string) func(xml.StartElement) error {
		return func(xml.StartElement) error {
			m, err := x.members(nil)
			to[m["ObjectId"]] = m[name]
			return err
		}
	}
	return map[string]func(xml.StartElement) error{
		"Calendar": x.calendar, "Resource": x.resource, "ResourceRate": x.rate, "Activity": x.task, "WBS": x.node,
		"Relationship":       x.link,
		"ResourceAssignment": x.assignment, "ActivityExpense": x.expense, "CostAccount": x.account, "UDFType": x.userField,
		"ActivityCodeType": x.code("", OfTasks), "ActivityCode": x.codeValue(""),
		"ResourceCodeType": x.code(ofResource, OfResources), "ResourceCode": x.codeValue(ofResource),
		"ProjectCodeType": x.code(ofProject, OfProjects), "ProjectCode": x.codeValue(ofProject),
		"NotebookTopic": named(x.topics, "Name"), "UnitOfMeasure": named(x.units, "Abbreviation"), "ActivityNote": x.note,
		"ProjectNote": x.note, "ActivityStep": x.step, "Currency": x.currency,
	}
}

// currency keeps a currency.
func (x *p6xml) currency(xml.StartElement) error {
	m, err := x.members(nil)
	x.keep("Currency", "ObjectId", m.take("ObjectId"), m)
	return err
}

// item reads what the element at hand holds, with its codes and the values of user
// fields, whose families are not known yet.
func (x *p6xml) item(
	prefix string, own map[string]func(xml.StartElement) error,
) (m members, codes []string, values []Value, err error) {
	all := map[string]func(xml.StartElement) error{
		"Code": func(xml.StartElement) error {
			c, err := x.members(nil)
			codes = append(codes, prefixed(prefix, c["ValueObjectId"]))
			return err
		},
		"UDF": func(xml.StartElement) error {
			u, err := x.members(nil)
			v := Value{FieldID: u.take("TypeObjectId")}
			for _, name := range slices.Sorted(maps.Keys(u)) {
				if strings.HasSuffix(name, "Value") {
					v.Text = u[name]
				}
			}
			values = append(values, v)
			return err
		},
	}
	maps.Copy(all, own)
	m, err = x.members(all)
	return m, codes, values, err
}

// project reads a project with what is in it. One of which the file has no more than
// the name is elsewhere.
func (x *p6xml) project(baseline bool) error {
	tasks, nodes, own := len(x.Tasks), len(x.nodes), x.kinds()
	x.within = baseline
	defer func() { x.within = false }()
	var options members
	own["ScheduleOptions"] = func(xml.StartElement) (err error) {
		options, err = x.members(nil)
		return err
	}
	m, codes, values, err := x.item(ofProject, own)
	if err != nil {
		return err
	}
	maps.Copy(m, options)
	p := Project{
		ID: m.take("ObjectId"), Code: m.take("Id"), ExternalID: m.take("GUID"),
		CalendarID: m.take("ActivityDefaultCalendarObjectId"),
		Lag:        cpm.LagOfPredecessor, CodeValueIDs: codes, Values: values,
	}
	p.Name = first(m.take("Name"), p.Code)
	start, data := m.take("PlannedStartDate"), m.take("DataDate")
	// P6 writes the other end of external links as activities of a project of which it
	// knows nothing else, not even its status.
	if start == "" && data == "" && m["Status"] == "" {
		for _, t := range x.Tasks[tasks:] {
			x.stubs[t.ID] = true
		}
		x.Tasks, x.nodes = x.Tasks[:tasks], x.nodes[:nodes]
		x.warn("project "+p.ID, "It is left out: the file holds no more of it than what others refer to.")
		return nil
	}
	var f fields
	f.time(&p.Start, start)
	f.time(&p.DataDate, data)
	f.time(&p.MustFinish, m.take("MustFinishByDate"))
	f.hours(&p.Critical, m.take("CriticalActivityFloatLimit"))
	p.LongestPath = m.take("CriticalActivityPathType") == "Longest Path"
	p.scheduledBy(m)
	x.floatBy(&p, p6Floats, m.take("ComputeTotalFloatType"))
	if current := m.take("CurrentBaselineProjectObjectId"); current != "" {
		x.current[current] = true
	}
	if of := m.take("OriginalProjectObjectId"); baseline {
		x.baseOf[p.ID] = of
	}
	if p.ID == "" {
		p.ID = projectOf(x.Tasks[tasks:], x.nodes[nodes:])
		x.nameless(p.ID)
	}
	x.keep("Project", "ObjectId", p.ID, m)
	x.Projects = append(x.Projects, p)
	return f.of("project", p.ID)
}

// projectOf is the project that the first of some tasks names.
func projectOf(lists ...[]Task) string {
	for _, list := range lists {
		for i := range list {
			if id := list[i].ProjectID; id != "" {
				return id
			}
		}
	}
	return ""
}

// identify gives the one project of a file an id where it has none: what its tasks call it.
// Tasks that name no project are of it.
func (x *p6xml) identify() {
	var p *Project
	for i := range x.Projects {
		switch one := &x.Projects[i]; {
		case one.ID != "" && x.baseOf[one.ID] != "":
		case p != nil:
			return
		default:
			p = one
		}
	}
	if p == nil {
		return
	}
	if p.ID == "" {
		p.ID = first(projectOf(x.Tasks), p.Code, "1")
		x.nameless(p.ID)
	}
	for i := range x.Tasks {
		t := &x.Tasks[i]
		t.ProjectID = first(t.ProjectID, p.ID)
	}
}

// nameless warns of a project to which the file gives no id, once it has one.
func (x *p6xml) nameless(id string) {
	if id != "" {
		x.warn("project "+id, "The file has no id of it: it is called as its tasks call it, or by its code.")
	}
}

// scheduledBy is how a project is scheduled, where the file has it.
func (p *Project) scheduledBy(m members) {
	switch m["OutOfSequenceScheduleType"] {
	case "Progress Override":
		p.Progress = cpm.ProgressOverride
	case "Actual Dates":
		p.Progress = cpm.ActualDates
	}
	switch m["RelationshipLagCalendar"] {
	case "Successor Activity Calendar":
		p.Lag = cpm.LagOfSuccessor
	case "Project Default Calendar":
		p.Lag = cpm.LagOfProject
	case "24 Hour Calendar":
		p.Lag = cpm.LagElapsed
	}
	p.OpenEndsCritical = m["MakeOpenEndedActivitiesCritical"] == "1"
	p.Together = m["CalculateFloatBasedOnFinishDate"] == "0"
	p.IgnoreExpected = m["UseExpectedFinishDates"] == "0"
	p.IgnoreExternal = m["IgnoreOtherProjectRelationships"] == "1"
	for _, name := range []string{
		"OutOfSequenceScheduleType", "RelationshipLagCalendar", "MakeOpenEndedActivitiesCritical",
		"CalculateFloatBasedOnFinishDate",
		"UseExpectedFinishDates", "IgnoreOtherProjectRelationships",
	} {
		delete(m, name)
	}
}

// p6Kinds are the kinds of tasks by their words.
var p6Kinds = map[string]cpm.Kind{
	"Start Milestone": cpm.StartMilestone, "Finish Milestone": cpm.FinishMilestone, "Level of Effort": cpm.LongHammock,
	"WBS Summary": cpm.LongHammock,
}

// p6Constraints are the constraints by their words.
var p6Constraints = map[string]cpm.ConstraintType{
	"Start On": cpm.StartOn, "Start On or After": cpm.StartNoEarlier, "Start On or Before": cpm.StartNoLater,
	"Finish On":          cpm.FinishOn,
	"Finish On or After": cpm.FinishNoEarlier, "Finish On or Before": cpm.FinishNoLater,
	"Mandatory Start":  cpm.MandatoryStart,
	"Mandatory Finish": cpm.MandatoryFinish, "As Late As Possible": cpm.AsLateAsPossible,
}

// node reads a node of the WBS.
func (x *p6xml) node(xml.StartElement) error {
	code := "" // it has no values of codes
	m, _, values, err := x.item("", map[string]func(xml.StartElement) error{
		"Code": func(e xml.StartElement) (err error) {
			code, err = x.text(e)
			return err
		},
	})
	t := Task{
		ID: nodeID(m.take("ObjectId")), ExternalID: m.take("GUID"), Code: code, Name: m.take("Name"),
		ProjectID: m.take("ProjectObjectId"),
		ParentID:  nodeID(m.take("ParentObjectId")), Kind: cpm.Summary, Values: values,
	}
	x.keep("WBS", "ObjectId", strings.TrimPrefix(t.ID, "wbs-"), m)
	x.nodes = append(x.nodes, t)
	return err
}

// p6Percents are of what a percent complete is, by their words.
var p6Percents = map[string]PercentType{"Units": OfUnits, "Physical": OfPhysical}

// task reads an activity. A status of Not Started counts for more than actual dates.
func (x *p6xml) task(xml.StartElement) error {
	m, codes, values, err := x.item("", nil)
	if err != nil {
		return err
	}
	kind := m.take("Type")
	t := Task{
		ID: m.take("ObjectId"), Code: m.take("Id"), ProjectID: m.take("ProjectObjectId"),
		ParentID: nodeID(m.take("WBSObjectId")), Kind: p6Kinds[kind], CalendarID: m.take("CalendarObjectId"),
		WBSSummary:        kind == "WBS Summary",
		ResourceCalendars: kind == "Resource Dependent", PercentOf: p6Percents[m.take("PercentCompleteType")],
		Priority:     p6Priority(m.take("LevelingPriority")),
		CodeValueIDs: codes, Values: values,
	}
	t.readTexts(inP6XML, m.take)
	var f fields
	f.hours(&t.Planned, m.take("PlannedDuration"))
	f.hours(&t.Remaining, m.take("RemainingDuration"))
	f.share(&t.Physical, m.take("PhysicalPercentComplete"))
	f.share(&t.Percent, m.take("PercentComplete"))
	start, finish := m.take("ActualStartDate"), m.take("ActualFinishDate")
	f.progress(&t, strings.ReplaceAll(m.take("Status"), "Not Started", "NotStart"), start, finish)
	f.constrained(&t, p6Constraints[m.take("PrimaryConstraintType")], m.take("PrimaryConstraintDate"))
	f.constrained(&t, p6Constraints[m.take("SecondaryConstraintType")], m.take("SecondaryConstraintDate"))
	f.time(&t.Suspend, m.take("SuspendDate"))
	f.time(&t.Resume, m.take("ResumeDate"))
	f.time(&t.ExpectedFinish, m.take("ExpectedFinishDate"))
	f.time(&t.ExternalStart, m.take("ExternalEarlyStartDate"))
	f.time(&t.ExternalFinish, m.take("ExternalLateFinishDate"))
	f.p6Dates(&t.File, start, finish, m)
	if units := 0.0; x.within {
		f.sum(&units, m["PlannedLaborUnits"], m["PlannedNonLaborUnits"])
		x.work[t.ID] = units
	}
	x.keep("Activity", "ObjectId", t.ID, m)
	x.Tasks = appended(x.Tasks, t)
	return f.of("task", t.ID)
}

// share reads a share of one as percents.
func (f *fields) share(percent *float64, s string) {
	var n float64
	f.number(&n, s)
	*percent = math.Round(n*1e8) / 1e6
}

// p6Dates reads what P6 has computed of a task that began and ended so.
func (f *fields) p6Dates(d *Dates, start, finish string, m members) {
	f.time(&d.EarlyStart, first(m.take("EarlyStartDate"), m.take("RemainingEarlyStartDate")))
	f.time(&d.EarlyFinish, first(m.take("EarlyFinishDate"), m.take("RemainingEarlyFinishDate")))
	f.time(&d.LateStart, first(m.take("LateStartDate"), m.take("RemainingLateStartDate")))
	f.time(&d.LateFinish, first(m.take("LateFinishDate"), m.take("RemainingLateFinishDate")))
	f.time(&d.PlannedStart, m.take("PlannedStartDate"))
	f.time(&d.PlannedFinish, m.take("PlannedFinishDate"))
	f.time(&d.Start, first(start, m.take("StartDate")))
	f.time(&d.Finish, first(finish, m.take("FinishDate")))
	f.float(&d.TotalFloat, m.take("TotalFloat"))
	f.float(&d.FreeFloat, m.take("FreeFloat"))
	flag := func(to **bool, name string) {
		if s := m.take(name); s != "" {
			is := s == "1" || s == "true"
			*to = &is
		}
	}
	flag(&d.Critical, "IsCritical")
	flag(&d.DrivingPath, "IsLongestPath")
}

// p6Links are the types of links by their words.
var p6Links = map[string]cpm.LinkType{
	"Finish to Start": cpm.FinishToStart, "Start to Start": cpm.StartToStart, "Finish to Finish": cpm.FinishToFinish,
	"Start to Finish": cpm.StartToFinish,
}

// link reads a relationship. One that leads into a project that is elsewhere is left out
// once all projects are known.
func (x *p6xml) link(xml.StartElement) error {
	m, err := x.members(nil)
	if err != nil {
		return err
	}
	l := Link{
		ID: m.take("ObjectId"), PredecessorID: m.take("PredecessorActivityObjectId"),
		SuccessorID: m.take("SuccessorActivityObjectId"),
		Type:        p6Links[m.take("Type")],
	}
	var f fields
	f.hours(&l.Lag, m.take("Lag"))
	x.keep("Relationship", "ObjectId", l.ID, m)
	x.Links = appended(x.Links, l)
	return f.of("link", l.ID)
}

// code returns how codes are read whose ids begin with a prefix.
func (x *p6xml) code(prefix string, of Subject) func(xml.StartElement) error {
	return func(xml.StartElement) error {
		m, err := x.members(nil)
		c := Code{ID: prefixed(prefix, m["ObjectId"]), Name: m["Name"], Of: of, ProjectID: m["ProjectObjectId"]}
		switch m["Scope"] {
		case "EPS":
			c.Scope = EPSCode
		case "Project":
			c.Scope = OneProject
		}
		x.Codes = append(x.Codes, c)
		return err
	}
}

// codeValue returns how values of codes are read whose ids begin with a prefix: codes of
// tasks, resources and projects are numbered each by themselves.
func (x *p6xml) codeValue(prefix string) func(xml.StartElement) error {
	return func(xml.StartElement) error {
		m, err := x.members(nil)
		x.CodeValues = append(x.CodeValues, CodeValue{
			ID: prefixed(prefix, m["ObjectId"]), CodeID: prefixed(prefix, m["CodeTypeObjectId"]),
			ParentID: prefixed(prefix, m["ParentObjectId"]),
			Name:     m["CodeValue"], Description: m["Description"], Color: color(m["Color"]),
		})
		return err
	}
}

// p6Families are the families of user fields by their words.
var p6Families = map[string]FieldFamily{
	"Text": TextField, "Indicator": IndicatorField, "Integer": IntegerField, "Double": NumberField, "Cost": CostField,
	"Start Date":  StartField,
	"Finish Date": FinishField, "Code": CodeField,
}

// p6Subjects are what user fields are for, by their words.
var p6Subjects = map[string]Subject{"Activity": OfTasks, "WBS": OfTasks, "Resource": OfResources, "Project": OfProjects}

// userField reads the definition of a user field. Subjects that have no record here make it
// be left out with its values, when all are known.
func (x *p6xml) userField(xml.StartElement) error {
	m, err := x.members(nil)
	x.UserFields = append(x.UserFields, UserField{
		ID: m["ObjectId"], Name: m["Title"], Of: p6Subjects[m["SubjectArea"]], Family: p6Families[m["DataType"]],
		Nodes: m["SubjectArea"] == "WBS",
	})
	return err
}

// note reads a note of an activity, a node of the WBS or a project.
func (x *p6xml) note(xml.StartElement) error {
	m, err := x.members(nil)
	of := first(m["ActivityObjectId"], nodeID(m["WBSObjectId"]), prefixed(ofProject, m["ProjectObjectId"]))
	add(x.notes, of, memo{m["NotebookTopicObjectId"], first(m["Note"], m["RawTextNote"])})
	return err
}

// notesOf are notes with their topics.
func (x *p6xml) notesOf(what, of string) (all []Note) {
	for _, m := range x.notes[of] {
		if n, ok := x.Plan.note(what, untopic(x.topics[m.topic]), m.text); ok {
			all = append(all, n)
		}
	}
	return all
}

// finish puts together what was read.
func (x *p6xml) finish() error {
	x.Links = keep(x.Links, func(l *Link) bool {
		if x.stubs[l.PredecessorID] || x.stubs[l.SuccessorID] {
			x.warn("link "+l.ID, "It is left out: it leads to a project that the file does not hold.")
			return false
		}
		return true
	})
	x.Tasks = append(x.nodes, x.Tasks...)
	x.identify()
	var f fields
	fields := index(x.UserFields, func(f *UserField) string { return f.ID })
	typed := func(what string, values []Value) []Value {
		return nothing(keep(values, func(v *Value) bool {
			at, ok := fields[v.FieldID]
			if ok && x.UserFields[at].Of == "" {
				return false // clean reports the field
			}
			if !ok {
				x.warn(what, "Its value of user field "+v.FieldID+" is left out: the file has no such field.")
				return false
			}
			*v = f.value(&x.UserFields[at], v.Text)
			return true
		}))
	}
	for i := range x.Projects {
		p := &x.Projects[i]
		p.Values, p.Notes = typed("project "+p.ID, p.Values), x.notesOf("project "+p.ID, ofProject+p.ID)
	}
	for i := range x.Tasks {
		t := &x.Tasks[i]
		t.Values, t.Notes, t.Steps = typed("task "+t.ID, t.Values), x.notesOf("task "+t.ID, t.ID), stepsOf(x.steps[t.ID])
	}
	for i := range x.Resources {
		r := &x.Resources[i]
		r.Values, r.Unit = typed("resource "+r.ID, r.Values), x.units[r.Unit]
		r.Rates = x.rates[r.ID]
		sortRates(r.Rates)
	}
	x.leave()
	x.splitBaselines(x.baseOf, x.current, x.work)
	x.clean()
	percents := make(map[string]float64, len(x.Tasks)) // as the file has them
	for i := range x.Tasks {
		percents[x.Tasks[i].ID] = x.Tasks[i].Percent
	}
	x.sumUp()
	for i := range x.Tasks {
		x.Tasks[i].Percent = percents[x.Tasks[i].ID]
	}
	x.prune()
	return f.of("value of user field", "")
}

// prune leaves out what is left of items that are left out.
func (x *p6xml) prune() {
	projects := ids(x.Projects, func(p *Project) string { return p.ID })
	nodes, tasks := make(map[string]bool), make(map[string]bool)
	for i := range x.Tasks {
		if t := &x.Tasks[i]; t.Kind == cpm.Summary {
			nodes[strings.TrimPrefix(t.ID, "wbs-")] = true
		} else {
			tasks[t.ID] = true
		}
	}
	links := ids(x.Links, func(l *Link) string { return l.ID })
	for i := range x.Baselines {
		b := &x.Baselines[i]
		projects[b.ID] = true
		maps.Copy(tasks, ids(b.Tasks, func(t *BaselineTask) string { return t.ID }))
		maps.Copy(links, ids(b.Links, func(l *Link) string { return l.ID }))
	}
	x.Plan.prune(map[string]map[string]bool{
		"Project": projects, "WBS": nodes, "Activity": tasks, "Relationship": links,
		"Resource":           ids(x.Resources, func(r *Resource) string { return r.ID }),
		"ResourceAssignment": ids(x.Assignments, func(a *Assignment) string { return a.ID }),
		"ActivityExpense":    ids(x.Expenses, func(e *Expense) string { return e.ID }),
	})
	x.Tables = nothing(slices.DeleteFunc(x.Tables, func(t Table) bool { return len(t.Rows) == 0 }))
}
