package console

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// How people type a value that the API has otherwise.
const (
	asMoment = "moment" // a time, by the clocks of the schedule
	asDays   = "days"   // seconds of working time, in days, hours or minutes
	asLines  = "lines"  // a text of several lines
	asPerson = "person" // an id of a member of the twin
	asTask   = "task"   // an id of a task, by its code or its name, where there are too many to choose from
)

// peopleField is a member of a record as people edit it. Those that a table does not name are behind More fields.
type peopleField struct {
	member, label, as string
	note              string
	initial           string   // of a record that is made
	suggested         []string // values that it may have, among others
}

// issueFields are those of issues and of other forms.
var issueFields = []peopleField{
	{member: "twinId", label: "Twin"},
	{member: "formId", label: "Kind of form"},
	{member: "subject", label: "Subject"},
	{member: "description", label: "Description", as: asLines},
	{
		member: "status", label: "Status",
		suggested: []string{"Draft", "Open", "In Progress", "In Review", "Approved", "Rejected", "Closed"},
	},
	{member: "assignee", label: "Assignee"},
	{member: "dueDate", label: "Due"},
	{member: "properties", label: "Values of the form"},
}

// peopleForms are the fields that people edit, in their order, by the lists of the records.
var peopleForms = map[string][]peopleField{
	"/schedules/{}/tasks": {
		{member: "name", label: "Name"},
		{member: "userDefinedId", label: "Code"},
		{member: "type", label: "Kind of task", initial: "Work"},
		{member: "parentId", label: "Part of", note: "The WBS task above this one."},
		{
			member: "plannedStart", label: "Planned start",
			note: "Rescheduling moves it by its links and constraints. To hold it, use Move on the page of the task.",
		},
		{member: "plannedDuration", label: "Duration", as: asDays},
		{member: "calendarId", label: "Calendar", note: "If none is chosen, the calendar of the schedule applies."},
		{member: "status", label: "Status"},
		{member: "percentComplete", label: "Percent complete"},
		{member: "actualStart", label: "Actual start"},
		{member: "actualFinish", label: "Actual finish"},
		{member: "remainingDuration", label: "Remaining duration", as: asDays},
		{member: "constraintType", label: "Constraint"},
		{member: "constraintEarlyDate", label: "Date of the constraint, or its earliest one"},
		{member: "constraintLateDate", label: "Latest date of the constraint"},
		{member: "deadline", label: "Deadline"},
		{member: "comment", label: "Comment", as: asLines},
	},
	"/schedules/{}/task-links": {
		{member: "predecessorId", label: "Predecessor"},
		{member: "successorId", label: "Successor"},
		{member: "type", label: "Link", initial: "FinishToStart"},
		{member: "lag", label: "Lag", as: asDays, note: "Below zero the tasks overlap."},
		{member: "calendarId", label: "Calendar of the lag"},
	},
	"/schedules/{}/resources": {
		{member: "name", label: "Name"},
		{member: "userDefinedId", label: "Code"},
		{member: "type", label: "Kind of resource", initial: "Human"},
		{member: "quantity", label: "How many there are"},
		{member: "unitName", label: "Unit"},
		{member: "calendarId", label: "Calendar"},
		{member: "parentId", label: "Part of"},
		{member: "email", label: "Email"},
		{member: "description", label: "Description", as: asLines},
	},
	"/schedules/{}/tasks/resource-assignments": {
		{member: "taskId", label: "Task"},
		{member: "resourceId", label: "Resource"},
		{member: "plannedUtilization", label: "Planned"},
		{member: "actualUtilization", label: "Used"},
		{member: "remainingUtilization", label: "Remaining"},
		{member: "appearanceProfileId", label: "Appearance profile"},
	},
	"/schedules/{}/calendars": {
		{member: "name", label: "Name"},
		{member: "parentId", label: "Based on", note: "Days without a kind here are as in that calendar."},
		{member: "dayTypes", label: "Kinds of days"},
		{member: "week", label: "Week"},
		{member: "exceptions", label: "Holidays and other exceptions"},
	},
	"/schedules/{}/user-fields": {
		{member: "name", label: "Name"},
		{member: "category", label: "Of", initial: "Task"},
		{member: "type", label: "Kind of value", initial: "String"},
		{member: "color", label: "Colour"},
	},
	"/schedules/{}/resource-groups": {
		{member: "name", label: "Name"},
		{member: "userDefinedId", label: "Code"},
		{member: "description", label: "Description", as: asLines},
	},
	"/schedules": {{member: "twinId", label: "Twin"}, {member: "name", label: "Name"}},
	"/issues":    issueFields,
	"/forms":     issueFields,
	"/forms/formDefinitions": {
		{member: "twinId", label: "Twin"},
		{member: "displayName", label: "Name"},
		{member: "type", label: "Kind of forms", suggested: []string{"Issue", "RFI"}},
		{member: "status", label: "Status"},
		{member: "discipline", label: "Discipline"},
	},
	"/twins": {
		{member: "displayName", label: "Name"},
		{member: "number", label: "Number"},
		{member: "class", label: "Class", initial: "Endeavor"},
		{member: "subClass", label: "Kind", initial: "Project"},
		{member: "parentId", label: "Part of"},
		{member: "status", label: "Status"},
		{member: "geographicLocation", label: "Place"},
		{member: "ianaTimeZone", label: "Time zone"},
	},
	"/models": {
		{member: "twinId", label: "Twin"},
		{member: "displayName", label: "Name"},
		{member: "description", label: "Description", as: asLines},
	},
	"/reality-management/reality-data": {
		{member: "twinId", label: "Twin"},
		{member: "displayName", label: "Name"},
		{member: "type", label: "Kind of data"},
		{member: "description", label: "Description", as: asLines},
		{member: "tags", label: "Tags", note: "One in a line."},
	},
	"/access-control/twins/{}/roles": {
		{member: "displayName", label: "Name"},
		{member: "description", label: "Description", as: asLines},
		{member: "permissions", label: "Permissions"},
	},
}

// forPeople makes the fields those that people edit: in the order of the table of the records, and by what they type.
// A schedule whose clocks and calendars count is that of the path.
func (e *edit) forPeople(r *request) {
	r.SetPathValue("schedule", pathID(e.in["scheduleId"]))
	e.units = &editUnits{request: r}
	var table []peopleField
	if e.of != nil {
		table = peopleForms[e.of.list]
	}
	e.tabled = len(table) > 0
	e.fields = e.units.adapt(e.fields)
	at := func(f editField) int {
		i := slices.IndexFunc(table, func(p peopleField) bool { return p.member == f.name })
		if i < 0 {
			return len(table)
		}
		return i
	}
	slices.SortStableFunc(e.fields, func(a, b editField) int { return cmp.Compare(at(a), at(b)) })
	for i := range e.fields {
		f := &e.fields[i]
		if n := at(*f); n < len(table) {
			p := &table[n]
			f.label, f.description, f.first = p.label, p.note, true
			f.as, f.initial, f.suggested = cmp.Or(p.as, f.as), p.initial, p.suggested
		}
		if f.name == "assignee" || f.name == "assignees" {
			for k := range f.fields {
				if f.fields[k].name == "id" {
					f.fields[k].as, f.fields[k].label = asPerson, "Person"
				}
			}
		}
	}
}

// byCalendar is by which calendar durations of a record are typed: its own, and of a link else that of the predecessor.
func (e *edit) byCalendar(member func(name string) string) (calendar string) {
	calendar = member("calendarId")
	if e.of != nil && e.of.list == "/schedules/{}/task-links" && calendar == "" {
		calendar = e.units.linkedTask(member("predecessorId")).text("calendarId")
	}
	return calendar
}

// becomes is a member of the record as it is sent, or else as it is.
func (e *edit) becomes(name string) string {
	for i := range e.entries {
		if one := &e.entries[i]; one.name == name && e.sent[name] {
			v, _ := one.value()
			text, _ := v.(string)
			return text
		}
	}
	return e.current.text(name)
}

// longLists are the fields for tasks of which there are too many to choose from: they are typed.
func (e *edit) longLists(r *request) {
	for i := range e.fields {
		f := &e.fields[i]
		tasks := strings.HasSuffix(r.refers(&e.operation, f.name, f.refers), "/tasks/{taskId}")
		if tasks && f.kind == textKind && e.choicesOf(r, f) == nil {
			f.as = asTask
			f.description = strings.TrimSpace("Type the code or the name of a task. " + f.description)
		}
	}
}

// choicesOf are the records that a member may name, which are looked up once.
func (e *edit) choicesOf(r *request, f *editField) [][2]string {
	member := f.name + " " + f.refers + " " + f.as
	choices, known := e.choices[member]
	if !known {
		if e.choices == nil {
			e.choices = make(map[string][][2]string)
		}
		choices = r.choicesOf(e, f)
		e.choices[member] = choices
	}
	return choices
}

// pathID is an id as it is, which is escaped in a path.
func pathID(escaped string) string { return lastOf("/" + escaped) }

// editUnits are by what people type times, durations and tasks.
type editUnits struct {
	*request

	calendar string
}

// adapt are fields whose times are typed by the clocks of the schedule, and whatever is in them too.
func (u *editUnits) adapt(fields []editField) []editField {
	fields = slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		f.units = u
		if f.kind == timeKind {
			f.as = asMoment
		}
		f.fields = u.adapt(f.fields)
	}
	return fields
}

// shown is a value of the API as people type it.
func (u *editUnits) shown(as string, v any) (text string, ok bool) {
	if u == nil {
		return "", false
	}
	switch s, _ := v.(string); {
	case as == asMoment && s != "":
		return cmp.Or(u.picked(s), s), true
	case as == asDays:
		n, isNumber := v.(json.Number)
		seconds, err := n.Int64()
		return u.duration(seconds), isNumber && err == nil
	case as == asTask && s != "":
		t := u.linkedTask(s)
		called := cmp.Or(t.text("userDefinedId"), t.text("name"), s)
		if id, one := u.taskID(called); !one || id != s { // that would be no task, or another one
			called = s
		}
		return called, true
	}
	return "", false
}

// wants are what is right where something else was typed.
var wants = map[string]string{
	asMoment: wrongMoment,
	asDays:   "Type a duration, such as 2 d, 16 h or 30 min.",
	asTask:   "No task, or more than one, has this as its code or its name.",
}

// wanted are the same by the kinds of fields.
var wanted = map[string]string{
	numberKind: "Type a number, such as 12 or 12.5.",
	jsonKind:   "This is not JSON. Type it as in the example of the documentation.",
}

// value is what was typed as the API has it.
func (u *editUnits) value(as, text string) (v any, ok bool) {
	switch as {
	case asMoment:
		if t, ok := u.pickedTime(text); ok {
			return t.UTC().Format(time.RFC3339), true
		}
		_, err := time.Parse(time.RFC3339Nano, text)
		return text, err == nil
	case asDays:
		seconds, ok := u.inSeconds(text)
		return json.Number(strconv.FormatInt(seconds, 10)), ok
	default:
		return u.taskID(text)
	}
}

// durationUnits are those of working time besides days, with their seconds.
var durationUnits = []struct {
	name    string
	seconds float64
}{{"h", 3600}, {"min", 60}, {"s", 1}}

// duration is working time in the largest unit in which it has two decimals at most.
func (u *editUnits) duration(seconds int64) string {
	exact := func(of float64) (string, bool) {
		n := math.Round(100*float64(seconds)/of) / 100
		return strconv.FormatFloat(n, 'f', -1, 64), int64(math.Round(n*of)) == seconds
	}
	if text, ok := exact(float64(u.workday(u.calendar))); ok {
		return text + " d"
	}
	for _, unit := range durationUnits {
		if text, ok := exact(unit.seconds); ok {
			return text + " " + unit.name
		}
	}
	return strconv.FormatInt(seconds, 10) + " s"
}

// inSeconds reads working time with its unit. One without a unit is in days.
func (u *editUnits) inSeconds(text string) (seconds int64, ok bool) {
	for _, unit := range durationUnits {
		if number, is := strings.CutSuffix(text, unit.name); is {
			n, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(number), ",", ".", 1), 64)
			return int64(math.Round(n * unit.seconds)), err == nil && math.Abs(n*unit.seconds) < 1e10
		}
	}
	return u.seconds(text, u.calendar)
}

// taskID is the id of the task of the schedule that alone has a code, a name or an id.
func (u *editUnits) taskID(text string) (id string, ok bool) {
	if u.linkedTask(text) != nil {
		return text, true
	}
	found, err := u.tasksWith(text, "")
	if err != nil || found.more || len(found.exact) != 1 {
		return "", false
	}
	return found.exact[0].text("taskId"), true
}
