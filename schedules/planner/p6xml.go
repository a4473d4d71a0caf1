package planner

import (
	"cmp"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
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
	found   bool               // a project
	rows    int                // of tasks
	work    map[string]float64 // that was planned for tasks of baselines
}

// readP6XML reads a file that may hold several projects, and calendars, resources and codes
// of all of them next to these. Baselines are projects too, which name the one that they
// are of.
func readP6XML(d *xml.Decoder, t *tokens) (*Plan, error) {
	x := &p6xml{
		reader: newReader(d, t, P6XML), stubs: make(map[string]bool), baseOf: make(map[string]string),
		current: make(map[string]bool),
		topics:  make(map[string]string), units: make(map[string]string), rates: make(map[string][]Rate),
		steps: make(map[string][]numberedStep),
		notes: make(map[string][]memo), work: make(map[string]float64),
	}
	kinds := x.kinds()
	err := elements(d, func(e xml.StartElement) error {
		x.name(e)
		switch e.Name.Local {
		case "Project":
			x.found = true
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
	if !x.found {
		return nil, noPlan("it has no Project, which the activities of a plan are in; it has " + x.elementNames())
	}
	x.finish()
	return x.understood(x.rows)
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
		"ResourceAssignment": x.assignment, "ActivityExpense": x.expense, "CostAccount": x.account,
		"UDFType":          x.userField,
		"ActivityCodeType": x.code("", OfTasks), "ActivityCode": x.codeValue(""),
		"ResourceCodeType": x.code(ofResource, OfResources), "ResourceCode": x.codeValue(ofResource),
		"ProjectCodeType": x.code(ofProject, OfProjects), "ProjectCode": x.codeValue(ofProject),
		"NotebookTopic": named(x.topics, "Name"), "UnitOfMeasure": named(x.units, "Abbreviation"),
		"ActivityNote": x.note,
		"ProjectNote":  x.note, "ActivityStep": x.step, "Currency": x.currency,
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
		// The element names a value of a code by its id. The definition may come later in
		// the file.
		"Code": func(xml.StartElement) error {
			c, err := x.members(nil)
			codes = append(codes, prefixed(prefix, c["ValueObjectId"]))
			return err
		},
		"UDF": func(xml.StartElement) error {
			u, err := x.members(nil)
			v := Value{FieldID: u.take("TypeObjectId")}
			// P6 calls the member after the type of the field, such as DoubleValue or
			// TextValue.
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
	// A project without a name is known by its code.
	p.Name = first(m.take("Name"), p.Code)
	start, data := m.take("PlannedStartDate"), m.take("DataDate")
	// P6 writes the other end of external links as activities of a project of which it
	// knows nothing else, not even its status.
	if start == "" && data == "" && m["Status"] == "" {
		for _, t := range x.Tasks[tasks:] {
			x.stubs[t.ID] = true
		}
		x.rows -= len(x.Tasks) - tasks
		x.Tasks, x.nodes = x.Tasks[:tasks], x.nodes[:nodes]
		x.warn("project "+p.ID, "It is left out: the file holds no more of it than what others refer to.")
		return nil
	}
	f := x.fields("project", p.ID, m)
	f.alone(start).time(&p.Start, "PlannedStartDate")
	f.alone(data).time(&p.DataDate, "DataDate")
	f.time(&p.MustFinish, "MustFinishByDate")
	f.hours(&p.Critical, "CriticalActivityFloatLimit")
	p.LongestPath = pathTypes.of(&f, "CriticalActivityPathType")
	p.scheduledBy(&f)
	p.Float = floatTypes.of(&f, "ComputeTotalFloatType")
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
	return nil
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
func (p *Project) scheduledBy(f *fields) {
	p.Progress = progressModes.of(f, "OutOfSequenceScheduleType")
	p.Lag = lagCalendars.of(f, "RelationshipLagCalendar")
	f.flag(&p.OpenEndsCritical, "MakeOpenEndedActivitiesCritical")
	apart, expected := true, true
	f.flag(&apart, "CalculateFloatBasedOnFinishDate")
	f.flag(&expected, "UseExpectedFinishDates")
	p.Together, p.IgnoreExpected = !apart, !expected
	f.flag(&p.IgnoreExternal, "IgnoreOtherProjectRelationships")
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

// task reads an activity. A status of Not Started counts for more than actual dates.
func (x *p6xml) task(xml.StartElement) error {
	x.rows++
	m, codes, values, err := x.item("", nil)
	if err != nil {
		return err
	}
	t := Task{
		ID: m.take("ObjectId"), Code: m.take("Id"), ProjectID: m.take("ProjectObjectId"),
		ParentID: nodeID(m.take("WBSObjectId")), CalendarID: m.take("CalendarObjectId"),
		CodeValueIDs: codes, Values: values,
	}
	t.readTexts(inP6XML, m.take)
	f := x.fields("task", t.ID, m)
	t.is(taskTypes.of(&f, "Type"))
	t.PercentOf = percentTypes.of(&f, "PercentCompleteType")
	t.Priority = given(priorities.of(&f, "LevelingPriority"))
	f.hours(&t.Planned, "PlannedDuration")
	f.hours(&t.Remaining, "RemainingDuration")
	f.share(&t.Physical, "PhysicalPercentComplete")
	f.share(&t.Percent, "PercentComplete")
	var start, finish worktime.Time
	f.time(&start, "ActualStartDate")
	f.time(&finish, "ActualFinishDate")
	t.progress(statuses.of(&f, "Status"), start, finish)
	f.constrained(&t, constraintTypes, "PrimaryConstraintType", "PrimaryConstraintDate")
	f.constrained(&t, constraintTypes, "SecondaryConstraintType", "SecondaryConstraintDate")
	f.time(&t.Suspend, "SuspendDate")
	f.time(&t.Resume, "ResumeDate")
	f.time(&t.ExpectedFinish, "ExpectedFinishDate")
	f.time(&t.ExternalStart, "ExternalEarlyStartDate")
	f.time(&t.ExternalFinish, "ExternalLateFinishDate")
	f.p6Dates(&t.File, start, finish)
	if units := 0.0; x.within {
		kept := x.fields("task", t.ID, held(m))
		kept.sum(&units, "PlannedLaborUnits", "PlannedNonLaborUnits")
		x.work[t.ID] = units
	}
	x.keep("Activity", "ObjectId", t.ID, m)
	x.Tasks = appended(x.Tasks, t)
	return nil
}

// p6Dates reads what P6 has computed of a task that began and ended so.
func (f *fields) p6Dates(d *Dates, start, finish worktime.Time) {
	f.time(&d.EarlyStart, "EarlyStartDate", "RemainingEarlyStartDate")
	f.time(&d.EarlyFinish, "EarlyFinishDate", "RemainingEarlyFinishDate")
	f.time(&d.LateStart, "LateStartDate", "RemainingLateStartDate")
	f.time(&d.LateFinish, "LateFinishDate", "RemainingLateFinishDate")
	f.time(&d.PlannedStart, "PlannedStartDate")
	f.time(&d.PlannedFinish, "PlannedFinishDate")
	f.time(&d.Start, "StartDate")
	f.time(&d.Finish, "FinishDate")
	d.Start, d.Finish = cmp.Or(start, d.Start), cmp.Or(finish, d.Finish)
	f.float(&d.TotalFloat, "TotalFloat")
	f.float(&d.FreeFloat, "FreeFloat")
	f.known(&d.Critical, "IsCritical")
	f.known(&d.DrivingPath, "IsLongestPath")
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
	}
	f := x.fields("link", l.ID, m)
	l.Type = linkTypes.of(&f, "Type")
	f.hours(&l.Lag, "Lag")
	x.keep("Relationship", "ObjectId", l.ID, m)
	x.Links = appended(x.Links, l)
	return nil
}

// code returns how codes are read whose ids begin with a prefix.
func (x *p6xml) code(prefix string, of Subject) func(xml.StartElement) error {
	return func(xml.StartElement) error {
		m, err := x.members(nil)
		f := x.fields("code", m["ObjectId"], m)
		x.Codes = append(x.Codes, Code{
			ID: prefixed(prefix, m["ObjectId"]), Name: m["Name"], Of: of, ProjectID: m["ProjectObjectId"],
			Scope: codeScopes.of(&f, "Scope"),
		})
		return err
	}
}

// codeValue returns how values of codes are read whose ids begin with a prefix: codes of
// tasks, resources and projects are numbered each by themselves.
func (x *p6xml) codeValue(prefix string) func(xml.StartElement) error {
	return func(xml.StartElement) error {
		m, err := x.members(nil)
		f := x.fields("code value", m["ObjectId"], m)
		x.CodeValues = append(x.CodeValues, CodeValue{
			ID: prefixed(prefix, m["ObjectId"]), CodeID: prefixed(prefix, m["CodeTypeObjectId"]),
			ParentID: prefixed(prefix, m["ParentObjectId"]),
			Name:     m["CodeValue"], Description: m["Description"], Color: f.color("Color"),
		})
		return err
	}
}

// userField reads the definition of a user field. Subjects that have no record here make it
// be left out with its values, when all are known.
func (x *p6xml) userField(xml.StartElement) error {
	m, err := x.members(nil)
	f := x.fields("user field", m["ObjectId"], m)
	of := subjects.of(&f, "SubjectArea")
	x.UserFields = append(x.UserFields, UserField{
		ID: m["ObjectId"], Name: m["Title"], Of: of.of, Family: families.of(&f, "DataType"), Nodes: of.nodes,
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
func (x *p6xml) finish() {
	x.Links = keep(x.Links, func(l *Link) bool {
		if x.stubs[l.PredecessorID] || x.stubs[l.SuccessorID] {
			x.warn("link "+l.ID, "It is left out: it leads to a project that the file does not hold.")
			return false
		}
		return true
	})
	x.Tasks = slices.Insert(x.Tasks, 0, x.nodes...)
	x.identify()
	fields := index(x.UserFields, func(f *UserField) string { return f.ID })
	typed := func(what string, values []Value) []Value {
		return nothing(keep(values, func(v *Value) bool {
			at, ok := fields[v.FieldID]
			if ok && x.UserFields[at].Of == "" {
				return false // clean reports the field
			}
			if !ok {
				x.warn(what, "Its value of user field %s is left out: the file has no such field.", v.FieldID)
				return false
			}
			f := x.fields(what, "", alone(v.Text))
			*v = f.value(&x.UserFields[at])
			return true
		}))
	}
	for i := range x.Projects {
		p := &x.Projects[i]
		p.Values, p.Notes = typed("project "+p.ID, p.Values), x.notesOf("project "+p.ID, ofProject+p.ID)
	}
	for i := range x.Tasks {
		t := &x.Tasks[i]
		t.Values, t.Notes, t.Steps = typed("task "+t.ID, t.Values), x.notesOf("task "+t.ID, t.ID),
			stepsOf(x.steps[t.ID])
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
