package planner

import (
	"cmp"
	"encoding/xml"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdi is a plan of Microsoft Project while it is read.
type mspdi struct {
	*reader
	others
	project    members
	userFields map[string]int // their places
	codes      map[string]bool
	baselines  map[string][]BaselineTask // by their numbers
	phases     phases                    // of the assignment at hand
	phased     map[string][]span         // when there is work, by task
	found      bool                      // the list of tasks
	rows       int                       // of tasks

	// below is what the element at hand has of other elements, by their names; own reads
	// them.
	below map[string][]members
	own   map[string]func(xml.StartElement) error
}

// readMSPDI reads the lists of a plan as they come. What is directly in the root is the
// project itself, which is complete only when all else has been read.
func readMSPDI(d *xml.Decoder, t *tokens, root xml.StartElement) (*Plan, error) {
	m := &mspdi{
		others: others{spanned: make(map[string]bool), claimed: make(map[string]bool)},
		reader: newReader(d, t, MSPDI), project: make(members), userFields: make(map[string]int),
		codes:     make(map[string]bool),
		baselines: make(map[string][]BaselineTask), phased: make(map[string][]span), below: make(map[string][]members),
		own: make(map[string]func(xml.StartElement) error),
	}
	for _, name := range []string{
		"PredecessorLink", "Baseline", "ExtendedAttribute", "OutlineCode", "Rate", "AvailabilityPeriod",
	} {
		m.own[name] = func(xml.StartElement) error {
			below, err := m.members(nil)
			m.below[name] = append(m.below[name], below)
			return err
		}
	}
	for _, name := range placeholders {
		m.own[name] = func(e xml.StartElement) error {
			text, err := m.text(e)
			m.below[name] = append(m.below[name], members{name: text})
			return err
		}
	}
	m.own["TimephasedData"] = m.timephased
	for list, name := range map[string]string{"Rates": "Rate", "AvailabilityPeriods": "AvailabilityPeriod"} {
		m.own[list] = func(xml.StartElement) error { return m.each(name, m.own[name]) }
	}
	err := elements(d, func(e xml.StartElement) error {
		m.name(e)
		switch e.Name.Local {
		case "Calendars":
			return m.each("Calendar", m.calendar)
		case "Tasks":
			m.found = true
			return m.each("Task", m.task)
		case "Resources":
			return m.each("Resource", m.resource)
		case "Assignments":
			return m.each("Assignment", m.assignment)
		case "ExtendedAttributes":
			return m.each("ExtendedAttribute", m.userField)
		case "OutlineCodes":
			return m.each("OutlineCode", m.code)
		}
		text, err := m.text(e)
		if text != "" && len(m.project) < maxFields {
			m.project[e.Name.Local] = text
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !m.found {
		return nil, foreignProject(root, m.elementNames())
	}
	m.finish()
	return m.understood(m.rows)
}

// item reads what the element at hand holds, with its values of user fields and its
// values of codes.
func (m *mspdi) item(kind string) (x members, f fields, codes []string, values []Value, err error) {
	clear(m.below)
	if x, err = m.members(m.own); err != nil {
		return x, f, nil, nil, err
	}
	f = m.fields(kind, x["UID"], x)
	for _, a := range m.below["ExtendedAttribute"] {
		if v, ok := m.value(&f, a); ok {
			values = append(values, v)
		}
	}
	for _, c := range m.below["OutlineCode"] {
		if value := c["ValueID"]; value != "" {
			codes = append(codes, c["FieldID"]+"-"+value)
		} else {
			m.warn(f.what(), "Its value of the outline code %s is left out: it names no value of a table.",
				c["FieldID"])
		}
	}
	return x, f, codes, values, nil
}

// uid is an id as it is written: -1 and 0 of calendars are none.
func uid(s string) string {
	if s == "-1" {
		return ""
	}
	return s
}

// finish makes the project of what stood in the root, and puts in order what could not be
// judged before all of the file was read: baselines, milestones and references.
func (m *mspdi) finish() {
	x := m.project
	title, name := x.take("Title"), x["Name"]
	p := Project{
		ID: "1", Name: first(title, name), ExternalID: x.take("GUID"), CalendarID: uid(x.take("CalendarUID")),
		Lag: cpm.LagOfSuccessor,
	}
	f, kept := m.fields("project", "", x), m.fields("project", "", held(x))
	// The slack of a critical task is in days of the project's own length.
	perDay, slack := 480.0, 0.0
	kept.number(&perDay, "MinutesPerDay")
	f.number(&slack, "CriticalSlackLimit")
	if days := slack * perDay * worktime.Minute; math.Abs(days) > maxHours*worktime.Hour {
		m.warn("project", "Its critical slack of %v days is left out: it is too long.", slack)
	} else {
		p.Critical = int64(math.Round(days))
	}
	f.time(&p.Start, "StartDate")
	f.time(&p.DataDate, "StatusDate")
	current := p.DataDate
	if current == 0 {
		kept.time(&current, "CurrentDate")
	}
	if forward, said := kept.truth("ScheduleFromStart"); said && !forward {
		m.warn("project", "It is scheduled from its finish; here it is from its start.")
	}
	m.keep("Project", "UID", p.ID, x)
	m.Projects = append(m.Projects, p)
	for _, number := range slices.SortedFunc(
		maps.Keys(m.baselines), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) },
	) {
		m.Baselines = append(
			m.Baselines,
			Baseline{
				ID: number, Name: "Baseline " + number, ProjectID: p.ID, Current: number == "0",
				Tasks: m.baselines[number],
			},
		)
	}
	m.leave()
	m.milestones()
	m.clean()
	m.complete(current)
	m.splits()
	m.fixedCosts()
	m.cleanBaselines()
	m.prune(map[string]map[string]bool{
		"Task":       ids(m.Tasks, func(t *Task) string { return t.ID }),
		"Resource":   ids(m.Resources, func(r *Resource) string { return r.ID }),
		"Assignment": ids(m.Assignments, func(a *Assignment) string { return a.ID }),
	})
}

// cleanBaselines leaves out what baselines have of tasks that the plan has not.
func (m *mspdi) cleanBaselines() {
	tasks := index(m.Tasks, func(t *Task) string { return t.ID })
	for i := range m.Baselines {
		b := &m.Baselines[i]
		b.Tasks = keep(b.Tasks, func(t *BaselineTask) bool { _, ok := tasks[t.ID]; return ok })
	}
	m.Baselines = nothing(keep(m.Baselines, func(b *Baseline) bool { return len(b.Tasks) > 0 }))
}

// fixedCosts finds how much of the fixed costs of tasks was spent, which is what their
// assignments and the tasks below them leave of what was spent on them.
func (m *mspdi) fixedCosts() {
	if len(m.Expenses) == 0 {
		return
	}
	other := make(map[string]Costs)
	for i := range m.Assignments {
		other[m.Assignments[i].TaskID] = other[m.Assignments[i].TaskID].plus(m.Assignments[i].Costs)
	}
	own := make(map[string]Costs, len(m.Tasks))
	for i := range m.Tasks {
		t := &m.Tasks[i]
		own[t.ID], other[t.ParentID] = t.Costs, other[t.ParentID].plus(t.Costs)
	}
	for i := range m.Expenses {
		e := &m.Expenses[i]
		spent := math.Round(100*(own[e.TaskID].Actual-other[e.TaskID].Actual)) / 100
		left := math.Round(100*(e.Costs.Planned-spent)) / 100
		rest := own[e.TaskID].Remaining - other[e.TaskID].Remaining
		if spent < 0 || left < 0 || math.Abs(rest-left) >= 0.005 { // which the file does not say
			spent, left = 0, e.Costs.Planned
		}
		e.Costs.Actual, e.Costs.Remaining = spent, left
	}
}

// milestones makes start milestones of those that no link puts behind the end of
// another task.
func (m *mspdi) milestones() {
	ends := make(map[string]bool)
	for _, l := range m.Links {
		if l.Type == cpm.FinishToStart || l.Type == cpm.FinishToFinish {
			ends[l.SuccessorID] = true
		}
	}
	for i := range m.Tasks {
		if t := &m.Tasks[i]; t.Kind == cpm.FinishMilestone && !ends[t.ID] {
			t.Kind = cpm.StartMilestone
		}
	}
}

// placeholders are what a manual task has instead of dates and a duration.
var placeholders = []string{"StartText", "FinishText", "DurationText"}

// placeholder finds out whether a task has text for what is not known of it yet, which is
// kept with the rest.
func (m *mspdi) placeholder(t *Task, x members) {
	for _, name := range placeholders {
		for _, text := range m.below[name] {
			t.Placeholder = t.Manual
			if text[name] != "" {
				x[name] = text[name]
			}
		}
	}
}

// task reads a task. It lies below the last task before it whose outline level is lower.
func (m *mspdi) task(xml.StartElement) error {
	x, f, codes, values, err := m.item("task")
	if err != nil {
		return err
	}
	if f.holds("IsNull") || x["UID"] == "0" { // a blank line, and the project itself
		return nil
	}
	m.rows++
	level := 1
	f.whole(&level, math.MinInt32, math.MaxInt32, "OutlineLevel")
	t := Task{
		ID: x.take("UID"), Code: first(x.take("WBS"), x["ID"]),
		ProjectID:  "1",
		CalendarID: uid(x.take("CalendarUID")), CodeValueIDs: codes, Values: values,
	}
	kept := m.fields("task", t.ID, held(x))
	active, external := true, kept.holds("ExternalTask")
	f.flag(&active, "Active")
	t.Inactive, t.ResourceCalendars = !active, !f.holds("IgnoreResourceCalendar")
	t.Elapsed = timeFormats.of(&kept, "DurationFormat").elapsed
	t.readTexts(inMSPDI, x.take)
	t.ParentID = m.parent(level, t.ID)
	m.leaves(t.ID, x)
	t.Manual = f.holds("Manual") || external
	f.span(&t.Duration, "Duration")
	t.Remaining = t.Duration
	f.span(&t.Remaining, "RemainingDuration")
	t.Planned = t.Duration
	m.kind(&t, &f, x)
	if external {
		m.warn("task "+t.ID, "It is of another file: it stays where this one has it.")
	}
	m.placeholder(&t, x)
	f.time(&t.ActualStart, "ActualStart")
	f.time(&t.ActualFinish, "ActualFinish")
	f.time(&t.Suspend, "Stop")
	f.time(&t.Resume, "Resume")
	f.time(&t.Deadline, "Deadline")
	f.constrained(&t, mspdiConstraintTypes, "ConstraintType", "ConstraintDate")
	f.number(&t.Percent, "PercentComplete")
	f.number(&t.Physical, "PhysicalPercentComplete")
	f.priority(&t.Priority, "Priority")
	var fixed float64
	if f.cents(&fixed, "FixedCost"); fixed != 0 {
		m.Expenses = append(m.Expenses, Expense{ID: t.ID, TaskID: t.ID, Name: FixedCost, Costs: Costs{Planned: fixed}})
	}
	f.cents(&t.Costs.Planned, "Cost")
	f.cents(&t.Costs.Actual, "ActualCost")
	f.cents(&t.Costs.Remaining, "RemainingCost")
	if n, ok := m.note("task "+t.ID, "", x.take("Notes")); ok {
		t.Notes = []Note{n}
	}
	f.mspdiDates(&t.File)
	m.linksOf(t.ID)
	for _, b := range m.below["Baseline"] {
		m.baseline(&t, b)
	}
	for _, name := range []string{"ActualDuration", "OutlineNumber", "IsNull"} { // others say it, too
		delete(x, name)
	}
	m.keep("Task", "UID", t.ID, x)
	m.Tasks = appended(m.Tasks, t)
	return nil
}

// kind is what a task is by its members.
func (m *mspdi) kind(t *Task, f *fields, x members) {
	kept := m.fields("task", t.ID, held(x))
	milestone := kept.holds("Milestone")
	switch {
	case f.holds("Summary"):
		t.Kind, t.Manual, t.ResourceCalendars = cpm.Summary, false, false
	case milestone && t.Duration == 0:
		t.Kind, t.Elapsed, t.ResourceCalendars = cpm.FinishMilestone, false, false
	}
	// A task of some duration may be shown as a milestone; only that is worth keeping as it
	// is.
	if !milestone || t.Kind == cpm.FinishMilestone {
		delete(x, "Milestone")
	}
}

// mspdiDates reads what Microsoft Project has computed. Slack is in tenths of a minute,
// and left out where there is none.
func (f *fields) mspdiDates(d *Dates) {
	f.time(&d.Start, "Start")
	f.time(&d.Finish, "Finish")
	f.time(&d.EarlyStart, "EarlyStart")
	f.time(&d.EarlyFinish, "EarlyFinish")
	f.time(&d.LateStart, "LateStart")
	f.time(&d.LateFinish, "LateFinish")
	// A slack of zero is left out by the tool; without late dates nothing was computed.
	slack := func(to **int64, name string) {
		var v int64
		if f.scaled(&v, 6, []string{name}) || d.LateFinish != 0 {
			*to = &v
		}
	}
	slack(&d.TotalFloat, "TotalSlack")
	slack(&d.FreeFloat, "FreeSlack")
	f.known(&d.Critical, "Critical")
}

// linksOf reads the links to a task. There is one between two tasks; more than that get
// numbers.
func (m *mspdi) linksOf(successor string) {
	numbers := make(map[string]int)
	for _, x := range m.below["PredecessorLink"] {
		id := x["PredecessorUID"] + "-" + successor
		if numbers[id]++; numbers[id] > 1 {
			id += "-" + strconv.Itoa(numbers[id])
		}
		m.link(id, successor, x)
	}
}

// maxPercent is the largest lag in percent.
const maxPercent = 10_000

// link reads a link. Its lag is in tenths of a minute, whatever unit it is shown in,
// and in percent where that is one.
func (m *mspdi) link(id, successor string, x members) {
	f := m.fields("link", id, held(x))
	if f.holds("CrossProject") {
		m.warn("link "+id, "It is left out: it leads to another file.")
		return
	}
	l := Link{ID: id, PredecessorID: x["PredecessorUID"], SuccessorID: successor, Type: mspdiLinkTypes.of(&f, "Type")}
	format := timeFormats.of(&f, "LagFormat")
	if l.Elapsed, l.Percent = format.elapsed, format.percent; l.Percent {
		var percent float64
		if f.number(&percent, "LinkLag"); math.Abs(percent) > maxPercent {
			m.warn("link "+id, "Its lag of %v percent is left out: it is too long.", percent)
			percent = 0
		}
		l.Lag = int64(math.Round(percent))
	} else {
		f.tenths(&l.Lag, "LinkLag")
	}
	m.Links = appended(m.Links, l)
}

// baseline reads what a task was once planned as.
func (m *mspdi) baseline(t *Task, x members) {
	number := first(x["Number"], "0")
	if n, err := strconv.Atoi(number); err != nil || n < 0 || n > 10 {
		m.warn("task "+t.ID, "Its baseline %s is left out: there are those from 0 to 10.", number)
		return
	}
	b := BaselineTask{ID: t.ID, TaskID: t.ID, ExternalID: t.ExternalID, Code: t.Code, Name: t.Name}
	f := m.fields("baseline "+number+" of task", t.ID, held(x))
	f.time(&b.Start, "Start")
	f.time(&b.Finish, "Finish")
	f.span(&b.Duration, "Duration")
	f.work(&b.Work, "Work")
	f.cents(&b.Cost, "Cost")
	m.baselines[number] = append(m.baselines[number], b)
}
