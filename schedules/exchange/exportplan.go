package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// exportedCode is the code of the project in the file of an export.
const exportedCode = "PLAN"

// numbering gives ids the numbers that planning tools want. One that is a number in the
// planner already keeps it.
type numbering struct {
	given map[string]string
	taken map[string]bool
	last  int
}

func newNumbering(known map[string]string) *numbering {
	n := &numbering{given: make(map[string]string), taken: make(map[string]bool)}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		v, err := strconv.ParseInt(known[id], 10, 32)
		if number := strconv.FormatInt(v, 10); err == nil && v > 0 && number == known[id] && !n.taken[number] {
			n.given[id], n.taken[number] = number, true
		}
	}
	return n
}

// of is the number of an id; empty for none.
func (n *numbering) of(id string) string {
	if id == "" || n.given[id] != "" {
		return n.given[id]
	}
	for n.last++; n.taken[strconv.Itoa(n.last)]; n.last++ {
		continue
	}
	n.given[id] = strconv.Itoa(n.last)
	return n.given[id]
}

// planExport makes the plan of a planning tool of a schedule.
type planExport struct {
	*planner.Plan

	network   *rescheduling.Network
	tasks     map[string]*schedules.Task // whole, by their ids
	links     map[string]*schedules.TaskLink
	to        PlannerFormat
	roots     map[string]string // of the tasks that stand for projects, by the numbers of these; nil for none
	builder   *rescheduling.Builder
	calendar  *numbering
	task      *numbering
	resource  *numbering
	endless   map[string]bool // calendars on which work never stops
	warnings  []string
	resources map[string]*schedules.Resource

	coded, expense             *numbering          // of codes, their values and user fields, and of expenses
	accounts                   map[string]string   // by their names
	codeValues                 map[string][]string // of tasks
	taskValues, resourceValues map[string][]planner.Value
	called                     map[string]called // tasks by their ids
}

func (e *planExport) warn(format string, args ...any) {
	e.warnings = append(e.warnings, "Warning: "+fmt.Sprintf(format, args...))
}

// planOf is a schedule as the plan of a planning tool, with what of it is left out: the
// inverse of an import, as far as a schedule keeps what the plan had. The tool is that by
// whose rules the schedule is scheduled.
func (s *exchanges) planOf(v *records.View, sc *model.Schedule, format PlannerFormat) (*planner.Plan, []string, error) {
	e := &planExport{
		to: format, Plan: new(planner.Plan), calendar: newNumbering(nil), resource: newNumbering(nil),
		endless: make(map[string]bool), resources: make(map[string]*schedules.Resource),
	}
	e.coded, e.expense, e.accounts, e.codeValues = newNumbering(nil), newNumbering(nil), make(map[string]string),
		make(map[string][]string)
	e.taskValues, e.resourceValues = make(map[string][]planner.Value), make(map[string][]planner.Value)
	err := s.At(v, sc, func(n *rescheduling.Network) error {
		e.network, e.builder = n, n.Builder(nil)
		return e.fill(v, sc)
	})
	return e.Plan, e.warnings, err
}

// read reads the tasks and links whole, of which the network keeps what scheduling asks.
func (e *planExport) read(v *records.View) error {
	e.tasks, e.links = make(map[string]*schedules.Task, len(e.network.Tasks)),
		make(map[string]*schedules.TaskLink, len(e.network.Links))
	if err := rescheduling.ReadAll(v, e.network.Scope, core.Tasks, e.tasks); err != nil {
		return err
	}
	return rescheduling.ReadAll(v, e.network.Scope, core.TaskLinks, e.links)
}

func (e *planExport) fill(v *records.View, sc *model.Schedule) error {
	if err := e.read(v); err != nil {
		return err
	}
	switch {
	case e.network.Settings.Profile == schedules.ProfileMicrosoftProject:
		e.Format = planner.MSPDI
	case e.to == FormatP6XML: // of which no task stands for the project, whatever it is called
		e.Format = planner.P6XML
	default:
		e.Format = planner.XER
	}
	known := make(map[string]string)
	if e.Format == planner.MSPDI {
		for id, t := range e.tasks {
			known[id] = t.UserDefinedID
		}
	}
	e.task = newNumbering(known)
	if err := e.addCalendars(v); err != nil {
		return err
	}
	if err := e.readCalled(v); err != nil {
		return err
	}
	e.addProjects(sc)
	e.addProjectNotes()
	if e.to == FormatXER { // where a project is what its tasks lie below
		e.roots = make(map[string]string)
		for _, p := range e.Projects {
			e.roots[p.ID] = e.task.of(projectNode(p.ID))
			e.Tasks = append(e.Tasks, planner.Task{
				ID: e.roots[p.ID], Code: p.Code, Name: p.Name, ProjectID: p.ID,
				Kind: cpm.Summary,
			})
		}
	}
	if err := e.addCodes(v); err != nil {
		return err
	}
	if err := e.addFields(v); err != nil {
		return err
	}
	for _, number := range e.network.Downwards() {
		e.addTask(e.tasks[e.network.Tasks[number].TaskID()])
	}
	for number, id := range rescheduling.Sorted(e.links) {
		e.addLink(number, e.links[id])
	}
	e.addResources()
	e.addComputed()
	e.spanSummaries()
	if err := e.addAssignments(v); err != nil {
		return err
	}
	e.sumUp()
	return e.addBaselines(v)
}

// elapsedTime is the id of the calendar of a schedule without one.
const elapsedTime = "\x00elapsed"

func (e *planExport) addCalendars(v *records.View) error {
	all := make(map[string]*schedules.Calendar)
	if err := rescheduling.ReadAll(v, e.network.Scope, core.Calendars, all); err != nil {
		return err
	}
	if err := rescheduling.ReadAll(v, e.network.Scope, core.Resources, e.resources); err != nil {
		return err
	}
	if !e.usedCalendars(all)[schedules.StandardCalendar] { // every schedule begins with it
		delete(all, schedules.StandardCalendar)
	}
	ordered := make([]*schedules.Calendar, 0, len(all))
	for _, id := range rescheduling.Sorted(all) {
		ordered = append(ordered, all[id])
	}
	for _, c := range importing.ParentsFirst(ordered,
		func(c **schedules.Calendar) (string, string) { return (*c).ID, core.ParentOfCalendar((*c)) }) {
		d := core.Definition(c)
		e.Calendars = append(e.Calendars, planner.Calendar{
			ID: e.calendar.of(c.ID), Name: c.Name, BaseID: e.calendar.of(core.ParentOfCalendar(c)), Week: d.Week,
			Exceptions: d.Exceptions,
		})
		e.endless[c.ID] = len(d.Exceptions) == 0 && core.ParentOfCalendar(c) == "" && allDay(d.Week)
	}
	if e.network.Settings.CalendarID == "" {
		e.Calendars = append(e.Calendars,
			planner.Calendar{
				ID: e.calendar.of(elapsedTime), Name: "24 hours",
				Week: worktime.EveryDay(worktime.AllDay),
			})
	}
	return nil
}

// allDay reports whether work never stops in a week.
func allDay(w worktime.Week) bool {
	for _, hours := range w {
		if !slices.Equal(hours, worktime.AllDay) {
			return false
		}
	}
	return len(w) == 7
}

// addProjects adds those of the schedule, or the one that it is.
func (e *planExport) addProjects(sc *model.Schedule) {
	set, local := &e.network.Settings, e.network.Calendars.Local
	p := e.project(set, 0)
	p.Name = sc.Name
	for _, t := range e.tasks {
		if at := local(cmp.Or(t.PlannedStart, t.PlannedFinish)); set.StartDate.IsZero() && at != 0 &&
			(p.Start == 0 || at < p.Start) {
			p.Start = at
		}
	}
	if e.to != FormatMSPDI { // Microsoft Project has none
		p.Code = exportedCode
	}
	e.callProject(&p, set.Code, set.ExternalID)
	e.Projects = []planner.Project{p}
	for i := range set.Projects {
		x := &set.Projects[i]
		if i > 0 {
			e.Projects = append(e.Projects, e.project(e.network.Calendars.Projects[x.ID], i))
		}
		e.Projects[i].Code, e.Projects[i].Name, e.Projects[i].ExternalID = x.Code, x.Name, x.ExternalID
	}
}

// project is the one at a place as those by what its tasks are scheduled say.
func (e *planExport) project(set *schedules.ProjectScheduling, i int) planner.Project {
	local := e.network.Calendars.Local
	return planner.Project{
		ID: strconv.Itoa(i + 1), CalendarID: e.calendar.of(cmp.Or(string(set.CalendarID), elapsedTime)),
		Start:    local(set.StartDate),
		DataDate: local(set.DataDate), MustFinish: local(set.MustFinishBy), Critical: int64(set.CriticalFloat),
		Lag: core.LagCalendars[set.LagCalendar], Progress: core.ProgressModes[set.ProgressMode],
		OpenEndsCritical: set.OpenEndsCritical, Together: set.FloatToLastProject,
		Float:       core.TotalFloatTypes[set.TotalFloatType],
		LongestPath: set.CriticalPathType == schedules.CriticalLongest, IgnoreExpected: set.IgnoreExpectedFinish,
		IgnoreExternal: set.IgnoreExternalDates,
	}
}

// projectOf is the number in the file of the project of a task.
func (e *planExport) projectOf(t *schedules.Task) string {
	return e.Projects[e.builder.Projects[string(t.ProjectID)]].ID
}

// parentOf is what a task lies below in the file, where all that lies below a task is of its
// project.
func (e *planExport) parentOf(t *schedules.Task) string {
	project := e.projectOf(t)
	above := e.tasks[core.ParentOfTask(t)]
	if above == nil {
		return e.roots[project]
	}
	if e.projectOf(above) != project {
		e.warn("Task (ID=%s) lies below one of another project; in the file it lies at the top of its own.",
			cmp.Or(t.UserDefinedID, t.ID))
		return e.roots[project]
	}
	return e.task.of(core.ParentOfTask(t))
}

func (e *planExport) addTask(t *schedules.Task) {
	local := e.network.Calendars.Local
	out := planner.Task{
		ID: e.task.of(t.ID), Code: t.UserDefinedID, Name: t.Name, ProjectID: e.projectOf(t), ParentID: e.parentOf(t),
		Kind:       core.KindOf(t.Type),
		CalendarID: e.calendar.of(string(t.CalendarID)), ActualStart: local(t.ActualStart),
		ActualFinish: local(t.ActualFinish),
		Constraints:  e.builder.Constraints(t), ExpectedFinish: local(t.ExpectedFinish),
		Percent:  float64(t.PercentComplete),
		Physical: t.PhysicalPercentComplete, Suspend: local(t.SuspendDate), Resume: local(t.ResumeDate),
		Deadline:      local(t.Deadline),
		ExternalStart: local(t.ExternalEarlyStart), ExternalFinish: local(t.ExternalLateFinish), Inactive: t.IsInactive,
		Placeholder:       t.IsPlaceholder,
		ResourceCalendars: t.UsesResourceCalendars,
	}
	if t.IsWBS {
		out.Kind = cpm.Summary
	}
	for of, typ := range percentTypes {
		if typ == t.PercentCompleteType {
			out.PercentOf = of
		}
	}
	if t.PlannedDuration != nil {
		out.Duration = int64(*t.PlannedDuration)
	}
	out.Planned, out.Remaining = out.Duration, out.Duration
	switch {
	case t.Status == schedules.Finished:
		out.ActualStart, out.ActualFinish = cmp.Or(out.ActualStart, out.ActualFinish), cmp.Or(out.ActualFinish,
			out.ActualStart)
		out.Remaining = 0
	case t.Status == schedules.Started && t.RemainingDuration != nil:
		out.Remaining = int64(*t.RemainingDuration)
	}
	start, finish := local(t.PlannedStart), local(t.PlannedFinish)
	out.File = planner.Dates{Start: cmp.Or(start, finish), Finish: cmp.Or(finish, start)}
	if t.Status != schedules.Planned || e.Format != planner.MSPDI && !t.IsWBS {
		out.File.PlannedStart, out.File.PlannedFinish = out.File.Start, out.File.Finish
	}
	if t.Status != schedules.Planned {
		out.File.Start, out.File.Finish = cmp.Or(out.ActualStart, out.File.Start), cmp.Or(out.ActualFinish,
			out.File.Finish)
	}
	if t.ConstraintType == schedules.CannotReschedule {
		date := local(t.ConstraintEarlyDate)
		if date != 0 {
			out.Constraints = []cpm.Constraint{{Type: cpm.MandatoryStart, Date: date}}
		}
		out.Manual = date == 0 || e.to == FormatMSPDI
	}
	addNotes(t, &out)
	e.call(t, &out)
	out.CodeValueIDs, out.Values = e.codeValues[t.ID], e.taskValues[t.ID]
	e.addExpenses(t, &out)
	e.Tasks = append(e.Tasks, out)
}

func (e *planExport) addLink(number int, l *schedules.TaskLink) {
	out := planner.Link{
		ID: strconv.Itoa(number + 1), PredecessorID: e.task.of(l.PredecessorID), SuccessorID: e.task.of(l.SuccessorID),
		Type: rescheduling.LinkTypeIn(l.Type), Lag: int64(l.Lag),
	}
	switch id := string(l.CalendarID); {
	case e.endless[id]:
		out.Elapsed = true
	case id != "":
		e.warn("The calendar of the link (ID=%s) was ignored: in the file its lag is in that of its tasks.", l.ID)
	}
	e.Links = append(e.Links, out)
}

func (e *planExport) addResources() {
	ordered := make([]*schedules.Resource, 0, len(e.resources))
	for _, id := range rescheduling.Sorted(e.resources) {
		ordered = append(ordered, e.resources[id])
	}
	types := make(map[schedules.ResourceType]planner.ResourceType)
	for tool, typ := range resourceTypesOf {
		types[typ] = tool
	}
	for _, r := range importing.ParentsFirst(ordered,
		func(r **schedules.Resource) (string, string) { return (*r).ID, core.ParentOfResource((*r)) }) {
		out := planner.Resource{
			ID: e.resource.of(r.ID), ExternalID: string(r.ExternalID), Code: string(r.UserDefinedID), Name: r.Name,
			Type: types[r.Type], CalendarID: e.calendar.of(string(r.CalendarID)),
			ParentID: e.resource.of(core.ParentOfResource(r)), Email: r.Email, Unit: core.UnitOf(r),
		}
		if out.Type == "" {
			out.Type = planner.Equipment
			e.warn("Resource (ID=%s) is of the type %s, which planners do not have; in the file it is Equipment.", r.ID,
				r.Type)
		}
		out.Rates, out.Values = e.rates(r), e.resourceValues[r.ID]
		if r.Description != "" {
			out.Notes = []planner.Note{{Text: r.Description}}
		}
		e.Resources = append(e.Resources, out)
	}
}

func (e *planExport) addAssignments(v *records.View) error {
	number, tasks := 0, e.taskPlaces()
	for a, err := range core.Assignments.From(v, e.network.Scope, "") {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		number++
		out := planner.Assignment{
			ID: strconv.Itoa(number), ExternalID: string(a.ExternalID), TaskID: e.task.of(a.TaskID),
			ResourceID: e.resource.of(a.ResourceID),
			Units:      a.PlannedUtilization.ResourceUnits, ActualUnits: a.ActualUtilization.ResourceUnits,
			RemainingUnits: a.RemainingUtilization.ResourceUnits,
			UnitsPerTime:   a.PlannedUtilization.ResourceCount, Delay: int64(a.Delay),
			AccountID:    e.account(a.CostAccount),
			ActualStart:  e.network.Calendars.Local(a.ActualStart),
			ActualFinish: e.network.Calendars.Local(a.ActualFinish),
			Costs:        planner.Costs{Planned: a.PlannedCost, Actual: a.ActualCost, Remaining: a.RemainingCost},
		}
		if at, ok := tasks[out.TaskID]; ok {
			e.dateAssignment(a, &out, e.Tasks[at].File)
		}
		e.Assignments = append(e.Assignments, out)
	}
	return nil
}
