package planner

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdi is a plan of Microsoft Project while it is read.
type mspdi struct {
	*reader
	others
	project members
	fields  map[string]int
	codes   map[string]bool
	rows    map[string][]BaselineTask // of the baselines, by their numbers
	phases  phases                    // of the assignment at hand
	phased  map[string][]span         // when there is work, by task

	// below is what the element at hand has of other elements, by their names; own reads
	// them.
	below map[string][]members
	own   map[string]func(xml.StartElement) error
}

// readMSPDI reads the lists of a plan as they come. What is directly in the root is the
// project itself, which is complete only when all else has been read.
func readMSPDI(d *xml.Decoder, t *tokens) (*Plan, error) {
	m := &mspdi{
		reader: newReader(d, t, MSPDI), project: make(members), fields: make(map[string]int), codes: make(map[string]bool),
		others: others{spanned: make(map[string]bool), claimed: make(map[string]bool)},
		rows:   make(map[string][]BaselineTask), phased: make(map[string][]span), below: make(map[string][]members),
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
		switch e.Name.Local {
		case "Calendars":
			return m.each("Calendar", m.calendar)
		case "Tasks":
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
	return m.Plan, m.finish()
}

// item reads what the element at hand holds, with its values of user fields and its
// values of codes.
func (m *mspdi) item(what string) (x members, f fields, codes []string, values []Value, err error) {
	clear(m.below)
	if x, err = m.members(m.own); err != nil {
		return x, f, nil, nil, err
	}
	for _, a := range m.below["ExtendedAttribute"] {
		if v, ok := m.value(&f, a); ok {
			values = append(values, v)
		}
	}
	for _, c := range m.below["OutlineCode"] {
		if value := c["ValueID"]; value != "" {
			codes = append(codes, c["FieldID"]+"-"+value)
		} else {
			m.warn(what, "Its value of the outline code "+c["FieldID"]+" is left out: it names no value of a table.")
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
func (m *mspdi) finish() error {
	x := m.project
	title, name := x.take("Title"), x["Name"]
	p := Project{
		ID: "1", Name: first(title, name), ExternalID: x.take("GUID"), CalendarID: uid(x.take("CalendarUID")),
		Lag: cpm.LagOfSuccessor,
	}
	var f fields
	// The slack of a critical task is in days of the project's own length.
	perDay, slack := 480.0, 0.0
	f.number(&perDay, x["MinutesPerDay"])
	f.number(&slack, x.take("CriticalSlackLimit"))
	p.Critical = int64(math.Round(slack * perDay * worktime.Minute))
	if p.Critical < -maxHours*worktime.Hour || p.Critical > maxHours*worktime.Hour {
		f.failed(fmt.Errorf("a critical slack of %v days", slack))
	}
	f.time(&p.Start, x.take("StartDate"))
	f.time(&p.DataDate, x.take("StatusDate"))
	current := p.DataDate
	if current == 0 {
		f.time(&current, x["CurrentDate"])
	}
	if x["ScheduleFromStart"] == "0" {
		m.warn("project", "It is scheduled from its finish; here it is from its start.")
	}
	m.keep("Project", "UID", p.ID, x)
	m.Projects = append(m.Projects, p)
	for _, number := range slices.SortedFunc(
		maps.Keys(m.rows), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) },
	) {
		m.Baselines = append(
			m.Baselines,
			Baseline{ID: number, Name: "Baseline " + number, ProjectID: p.ID, Current: number == "0", Tasks: m.rows[number]},
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
	return f.of("project", p.Name)
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

// mspdiConstraints are the constraints by their numbers.
var mspdiConstraints = map[string]cpm.ConstraintType{
	"1": cpm.AsLateAsPossible, "2": cpm.MandatoryStart, "3": cpm.MandatoryFinish, "4": cpm.StartNoEarlier,
	"5": cpm.StartNoLater,
	"6": cpm.FinishNoEarlier, "7": cpm.FinishNoLater,
}

// task reads a task. It lies below the last task before it whose outline level is lower.
func (m *mspdi) task(xml.StartElement) error {
	x, f, codes, values, err := m.item("task")
	if err != nil {
		return err
	}
	if x["IsNull"] == "1" || x["UID"] == "0" { // a blank line, and the project itself
		return nil
	}
	t := Task{
		ID: x.take("UID"), Code: first(x.take("WBS"), x["ID"]),
		ProjectID:  "1",
		CalendarID: uid(x.take("CalendarUID")), Inactive: x.take("Active") == "0",
		ResourceCalendars: x.take("IgnoreResourceCalendar") != "1",
		Elapsed:           elapsed(x["DurationFormat"]), CodeValueIDs: codes, Values: values,
	}
	t.readTexts(inMSPDI, x.take)
	t.ParentID = m.parent(t.ID, x.take("OutlineLevel"))
	m.leaves(t.ID, x)
	t.Manual = x.take("Manual") == "1" || x["ExternalTask"] == "1"
	f.span(&t.Duration, x.take("Duration"))
	t.Remaining = t.Duration
	f.span(&t.Remaining, x.take("RemainingDuration"))
	t.Planned = t.Duration
	m.kind(&t, x)
	m.placeholder(&t, x)
	f.time(&t.ActualStart, x.take("ActualStart"))
	f.time(&t.ActualFinish, x.take("ActualFinish"))
	f.time(&t.Suspend, x.take("Stop"))
	f.time(&t.Resume, x.take("Resume"))
	f.time(&t.Deadline, x.take("Deadline"))
	f.constrained(&t, mspdiConstraints[x.take("ConstraintType")], x.take("ConstraintDate"))
	f.number(&t.Percent, x.take("PercentComplete"))
	f.number(&t.Physical, x.take("PhysicalPercentComplete"))
	f.priority(&t.Priority, x.take("Priority"))
	var fixed float64
	if f.cents(&fixed, x.take("FixedCost")); fixed != 0 {
		m.Expenses = append(m.Expenses, Expense{ID: t.ID, TaskID: t.ID, Name: FixedCost, Costs: Costs{Planned: fixed}})
	}
	f.cents(&t.Costs.Planned, x.take("Cost"))
	f.cents(&t.Costs.Actual, x.take("ActualCost"))
	f.cents(&t.Costs.Remaining, x.take("RemainingCost"))
	if n, ok := m.note("task "+t.ID, "", x.take("Notes")); ok {
		t.Notes = []Note{n}
	}
	f.mspdiDates(&t.File, x)
	m.linksOf(&f, t.ID)
	for _, b := range m.below["Baseline"] {
		m.baseline(&f, &t, b)
	}
	for _, name := range []string{"ActualDuration", "OutlineNumber", "IsNull"} { // others say it, too
		delete(x, name)
	}
	m.keep("Task", "UID", t.ID, x)
	m.Tasks = appended(m.Tasks, t)
	return f.of("task", t.ID)
}

// kind is what a task is by its members.
func (m *mspdi) kind(t *Task, x members) {
	summary := x.take("Summary") == "1"
	switch {
	case summary:
		t.Kind, t.Manual, t.ResourceCalendars = cpm.Summary, false, false
	case x["Milestone"] == "1" && t.Duration == 0:
		t.Kind, t.Elapsed, t.ResourceCalendars = cpm.FinishMilestone, false, false
	}
	// A task of some duration may be shown as a milestone; only that is worth keeping as it
	// is.
	if x["Milestone"] != "1" || t.Kind == cpm.FinishMilestone {
		delete(x, "Milestone")
	}
	if x["ExternalTask"] == "1" {
		m.warn("task "+t.ID, "It is of another file: it stays where this one has it.")
	}
}

// mspdiDates reads what Microsoft Project has computed. Slack is in tenths of a minute,
// and left out where there is none.
func (f *fields) mspdiDates(d *Dates, x members) {
	f.time(&d.Start, x.take("Start"))
	f.time(&d.Finish, x.take("Finish"))
	f.time(&d.EarlyStart, x.take("EarlyStart"))
	f.time(&d.EarlyFinish, x.take("EarlyFinish"))
	f.time(&d.LateStart, x.take("LateStart"))
	f.time(&d.LateFinish, x.take("LateFinish"))
	total, free := x.take("TotalSlack"), x.take("FreeSlack")
	// A slack of zero is left out by the tool; without late dates nothing was computed.
	if total != "" || d.LateFinish != 0 {
		d.TotalFloat = new(int64)
		f.tenths(d.TotalFloat, total)
	}
	if free != "" || d.LateFinish != 0 {
		d.FreeFloat = new(int64)
		f.tenths(d.FreeFloat, free)
	}
	if s := x.take("Critical"); s != "" {
		critical := s == "1"
		d.Critical = &critical
	}
}

// tenths reads tenths of a minute as seconds.
func (f *fields) tenths(seconds *int64, s string) {
	var n float64
	if f.number(&n, s); math.Abs(n) > maxHours*600 {
		f.failed(fmt.Errorf("%q tenths of a minute are too many", s))
		return
	}
	*seconds = int64(math.Round(n * 6))
}

// cents reads an amount that is given in hundredths.
func (f *fields) cents(n *float64, s string) {
	if s == "" {
		return
	}
	f.number(n, s)
	// Moving the decimal point of the text keeps cents exact, which a division would not.
	if v, err := strconv.ParseFloat(decimal(*n)+"e-2", 64); err == nil {
		*n = v
	}
}

// mspdiLinks are the types of links by their numbers.
var mspdiLinks = map[string]cpm.LinkType{
	"0": cpm.FinishToFinish, "1": cpm.FinishToStart, "2": cpm.StartToFinish, "3": cpm.StartToStart,
}

// linksOf reads the links to a task. There is one between two tasks; more than that get
// numbers.
func (m *mspdi) linksOf(f *fields, successor string) {
	numbers := make(map[string]int)
	for _, x := range m.below["PredecessorLink"] {
		id := x["PredecessorUID"] + "-" + successor
		if numbers[id]++; numbers[id] > 1 {
			id += "-" + strconv.Itoa(numbers[id])
		}
		m.link(f, id, successor, x)
	}
}

// maxPercent is the largest lag in percent.
const maxPercent = 10_000

// link reads a link. Its lag is in tenths of a minute, whatever unit it is shown in,
// and in percent where that is one.
func (m *mspdi) link(f *fields, id, successor string, x members) {
	if x["CrossProject"] == "1" {
		m.warn("link "+id, "It is left out: it leads to another file.")
		return
	}
	l := Link{ID: id, PredecessorID: x["PredecessorUID"], SuccessorID: successor, Type: mspdiLinks[first(x["Type"], "1")]}
	// Percent of the predecessor's duration; 32 marks an estimate and changes no unit.
	format, _ := strconv.Atoi(x["LagFormat"]) // none is in days
	switch format &^ 32 {                     // an estimate
	case 19, 20:
		var percent float64
		if f.number(&percent, x["LinkLag"]); math.Abs(percent) > maxPercent {
			f.failed(fmt.Errorf("a lag of %v percent", percent))
		}
		l.Lag, l.Percent = int64(math.Round(percent)), true
	default:
		f.tenths(&l.Lag, x["LinkLag"])
	}
	l.Elapsed = elapsed(x["LagFormat"])
	m.Links = appended(m.Links, l)
}

// elapsed reports whether a format is that of a time that continues day and night.
func elapsed(format string) bool {
	n, _ := strconv.Atoi(format)
	switch n &^ 32 {
	case 4, 6, 8, 10, 12, 20:
		return true
	}
	return false
}

// baseline reads what a task was once planned as.
func (m *mspdi) baseline(f *fields, t *Task, x members) {
	number := first(x["Number"], "0")
	if n, err := strconv.Atoi(number); err != nil || n < 0 || n > 10 {
		m.warn("task "+t.ID, "Its baseline "+number+" is left out: there are those from 0 to 10.")
		return
	}
	b := BaselineTask{ID: t.ID, TaskID: t.ID, ExternalID: t.ExternalID, Code: t.Code, Name: t.Name}
	f.time(&b.Start, x["Start"])
	f.time(&b.Finish, x["Finish"])
	f.span(&b.Duration, x["Duration"])
	f.work(&b.Work, x["Work"])
	f.cents(&b.Cost, x["Cost"])
	m.rows[number] = append(m.rows[number], b)
}

// work reads a span of time as hours.
func (f *fields) work(hours *float64, s string) {
	var seconds int64
	f.span(&seconds, s)
	*hours = float64(seconds) / worktime.Hour
}

// iso is a span of time in ISO 8601 as Microsoft Project and others write it.
var iso = regexp.MustCompile(
	`^(-?)P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$`,
)

// span reads a span of time as seconds.
func (f *fields) span(seconds *int64, s string) {
	if s == "" {
		return
	}
	parts := iso.FindStringSubmatch(s)
	if parts == nil {
		f.failed(fmt.Errorf("%q is no span of time", s))
		return
	}
	var n float64
	for i, unit := range []float64{
		365 * worktime.Day, 30 * worktime.Day, worktime.Day, worktime.Hour, worktime.Minute, 1,
	} {
		var v float64
		f.number(&v, parts[2+i])
		n += v * unit
	}
	if n > maxHours*worktime.Hour {
		f.failed(fmt.Errorf("%q is too long", s))
		return
	}
	if *seconds = int64(math.Round(n)); parts[1] != "" {
		*seconds = -*seconds
	}
}
