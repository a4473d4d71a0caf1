package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// planDiff is the comparison of a whole plan with a schedule.
type planDiff struct {
	*importing.Diff

	s       *exchanges
	w       *importJob
	file    *planner.Plan
	zone    *time.Location
	details synchronizers.SynchronizationDetails
	found   foundChanges
	refusal *twinplatform.Error // of a preview; see guardTasks

	scheduled *planner.Scheduled
	projects  map[string]string // what they are called in names, by their ids: see callProjects
	codes     map[string]string // their codes, by their ids
	updates   map[string]string // what those were called which they update, by their ids
	calendars map[string]*worktime.Calendar
	standard  *worktime.Calendar

	accounts map[string]string             // their names, by their ids
	expenses map[string][]*planner.Expense // by ids of tasks

	calendarIDs, codeIDs, valueIDs, fieldIDs, resourceIDs map[string]string // of records, by ids of the file

	filed map[string]*filedTask // the tasks of the file by their ids
	tasks *importedTasks
	links map[string]linkPut // those that are written

	sweepCalendars   func() error                 // to be called when all else is known
	named, rewritten map[string]bool              // calendars, and ids of records; see calendarUsed
	scheduling       *schedules.ProjectScheduling // where it is written
	defaultCalendar  string
	projectCalendars []string          // those that projects will have themselves
	projectIDs       map[string]string // of projects of the schedule, by ids of the file; nil where it is one
}

// diff finds out what an import writes. It fails where the file cannot be imported, in
// words that its user understands.
func (s *exchanges) diff(tx *records.View, w *importJob, file *planner.Plan) (*planDiff, error) {
	d := &planDiff{
		Diff: &importing.Diff{Tx: tx, Scope: w.Scope, Synchronizer: w.SynchronizerID, NewID: s.Env.NewID},
		s:    s, w: w, file: file, links: make(map[string]linkPut),
	}
	set, err := core.ProjectScheduling(tx, w.Scope)
	if err != nil {
		return nil, err
	}
	if d.zone, err = time.LoadLocation(set.Value.TimeZone); err != nil {
		return nil, err
	}
	if err := d.choose(); err != nil {
		return nil, err
	}
	d.describe()
	if d.scheduled, err = file.Schedule(); err != nil {
		return nil, cannotSchedule(err)
	}
	for _, group := range planner.Grouped(slices.Concat(file.Warnings, d.scheduled.Warnings)) {
		d.Warn("Warning: %s", group)
	}
	d.Sizes = map[string]int{
		tasksKind: len(d.file.Tasks), linksKind: len(d.file.Links),
		assignmentsKind: len(d.file.Assignments),
	}
	d.Room = 2*len(d.file.Tasks) + len(d.file.Links) + len(d.file.Assignments) // and the planned dates of tasks
	if err := d.Load(); err != nil {
		return nil, err
	}
	if err := d.callProjects(&set.Value); err != nil {
		return nil, err
	}
	for _, sort := range []func() error{
		d.compareCalendars, d.compareScheduling, d.compareCodes, d.compareFields, d.compareResources, d.compareTasks,
		d.compareLinks,
		d.compareAssignments, d.compareCodeAssignments, d.compareValues, d.compareBaselines, d.planned,
	} {
		if err := sort(); err != nil {
			return nil, err
		}
	}
	if err := d.lastCalendars(); err != nil {
		return nil, err
	}
	if err := d.calendarsFit(); err != nil {
		return nil, err
	}
	d.left()
	if err := d.guardTasks(); err != nil {
		return nil, err
	}
	for _, gone := range slices.Backward(d.Gone) {
		d.Changes = append(d.Changes, gone...)
	}
	if err := d.LastItems(); err != nil {
		return nil, err
	}
	return d, d.finish()
}

// lastCalendars finds out which calendars are to go, behind all that may name them.
func (d *planDiff) lastCalendars() error {
	if err := d.sweepCalendars(); err != nil {
		return err
	}
	last := len(d.Gone) - 1
	d.Gone = append([][]importing.Change{d.Gone[last]}, d.Gone[:last]...)
	return nil
}

// counting is where the outcomes of a kind of items are counted.
func (d *planDiff) counting(typ string, of func(*synchronizers.SynchronizationCounts) **int) func(importing.Outcome,
	any) {
	return func(o importing.Outcome, v any) {
		n := of([]*synchronizers.SynchronizationCounts{
			importing.Created: &d.details.Created, importing.Updated: &d.details.Updated,
			importing.Deleted: &d.details.Deleted,
		}[o])
		if *n == nil {
			*n = new(int)
		}
		if v != nil {
			**n++
			d.found.add(typ, o, v)
		}
	}
}

// cannotSchedule reports why a plan has no dates.
func cannotSchedule(err error) error {
	if cycle, ok := errors.AsType[*cpm.CycleError](err); ok {
		return badFile("The links of the file form a cycle: %s.", model.InShort(cycle.Tasks))
	}
	return badFile("The file cannot be scheduled: %s.", err)
}

// choose leaves out what is not of the projects that are asked for.
func (d *planDiff) choose() error {
	if len(d.w.Projects) == 0 {
		return nil
	}
	chosen := make(map[string]bool)
	for i := range d.w.Projects {
		want := &d.w.Projects[i]
		at := want.in(d.file)
		if at < 0 {
			return badFile("The file has no project '%s'.", want.ID)
		}
		chosen[d.file.Projects[at].ID] = true
	}
	file := *d.file
	file.Projects = importing.Filtered(file.Projects, func(p *planner.Project) bool { return chosen[p.ID] })
	tasks := make(map[string]bool)
	file.Tasks = importing.Filtered(file.Tasks, func(t *planner.Task) bool {
		tasks[t.ID] = chosen[t.ProjectID]
		return chosen[t.ProjectID]
	})
	file.Links = importing.Filtered(file.Links, func(l *planner.Link) bool {
		whole := tasks[l.PredecessorID] && tasks[l.SuccessorID]
		if !whole && (tasks[l.PredecessorID] || tasks[l.SuccessorID]) {
			d.Warn("Warning: The link (ID=%s) leads to a project that is not imported; it was ignored.", l.ID)
		}
		return whole
	})
	file.Assignments = importing.Filtered(file.Assignments, func(a *planner.Assignment) bool { return tasks[a.TaskID] })
	file.Expenses = importing.Filtered(file.Expenses, func(e *planner.Expense) bool { return tasks[e.TaskID] })
	file.Baselines = importing.Filtered(file.Baselines,
		func(b *planner.Baseline) bool { return b.ProjectID == "" || chosen[b.ProjectID] })
	file.Codes = importing.Filtered(file.Codes,
		func(c *planner.Code) bool { return c.ProjectID == "" || chosen[c.ProjectID] })
	codes := make(map[string]bool)
	for _, c := range file.Codes {
		codes[c.ID] = true
	}
	file.CodeValues = importing.Filtered(file.CodeValues, func(v *planner.CodeValue) bool { return codes[v.CodeID] })
	d.file = &file
	return nil
}

// in is the place of the project in a file, negative where it is not there.
func (want *ImportedProject) in(file *planner.Plan) int {
	at := slices.IndexFunc(file.Projects, func(p planner.Project) bool { return p.ID == want.ID || p.Code == want.ID })
	if at < 0 && want.UserDefinedID != "" { // ids differ from database to database
		at = slices.IndexFunc(file.Projects, func(p planner.Project) bool { return p.Code == want.UserDefinedID })
	}
	return at
}

// callProjects finds out which projects of earlier files those of the file update. Their tasks and
// codes keep the names that they had by the first of these.
func (d *planDiff) callProjects(set *schedules.ProjectScheduling) error {
	stored, err := synchronizers.Records.Lookup(d.Tx, d.Scope, d.w.SynchronizerID)
	if err != nil {
		return err
	}
	imported := slices.ContainsFunc(d.ItemsOf(tasksKind).All,
		func(i *importing.Item) bool { return i.SynchronizerID == d.w.SynchronizerID })
	had, file := hadProjects(stored, imported, set), make([]importing.Project, len(d.file.Projects))
	now := make([]string, len(file))
	for i := range file {
		p := &d.file.Projects[i]
		now[i] = cmp.Or(p.Code, p.Name, p.ID)
		file[i] = importing.Project{Called: now[i], ExternalID: p.ExternalID, Own: true, Said: dated.None}
	}
	for i := range d.w.Projects {
		want := &d.w.Projects[i]
		if want.ScheduleProjectID == "" {
			continue
		}
		at := slices.IndexFunc(had, func(p importing.Project) bool {
			return p.Called == codeOf(set, want.ScheduleProjectID)
		})
		if at < 0 {
			return model.Invalid(problem.BadValue("projects", "The schedule has no project '%s'.",
				want.ScheduleProjectID))
		}
		file[want.in(d.file)].Said = at
	}
	before := slices.Clone(now)
	d.projects, d.codes, d.updates = make(map[string]string), make(map[string]string), make(map[string]string)
	for i, at := range importing.SameProjects(file, had) {
		if at != dated.None {
			before[i] = had[at].Called
			d.updates[d.file.Projects[i].ID] = before[i]
		}
	}
	labels, err := d.CallProjects(now, before)
	for i := range d.file.Projects {
		p := &d.file.Projects[i]
		d.projects[p.ID], d.codes[p.ID] = labels[i], p.Code
	}
	return err
}

// hadProjects are the projects that a schedule has had of files: those of a synchronizer which has
// imported tasks, and those by which the schedule is scheduled.
func hadProjects(y *synchronizers.Synchronizer, imported bool,
	set *schedules.ProjectScheduling,
) (had []importing.Project) {
	externals := map[string]string{string(set.Code): string(set.ExternalID)}
	others := []string{string(set.Code)}
	for i := range set.Projects {
		externals[set.Projects[i].Code] = set.Projects[i].ExternalID
		others = append(others, set.Projects[i].Code)
	}
	add := func(called string, own bool) {
		if called != "" && !slices.ContainsFunc(had, func(p importing.Project) bool { return p.Called == called }) {
			had = append(had, importing.Project{
				Called: called, ExternalID: externals[called], Own: own,
				Said: dated.None,
			})
		}
	}
	if y != nil && imported {
		for i := range y.Projects {
			called := y.Projects[i].UserDefinedID
			if called == "" && len(y.Projects) == 1 {
				called = y.ProjectName
			}
			add(cmp.Or(called, y.Projects[i].ID), true)
		}
	}
	for _, code := range others {
		add(code, false)
	}
	return had
}

// codeOf is the code of a project of the schedule that is named by its id, or what it is named by.
func codeOf(p *schedules.ProjectScheduling, id string) string {
	for i := range p.Projects {
		if p.Projects[i].ID == id && p.Projects[i].Code != "" {
			return p.Projects[i].Code
		}
	}
	return id
}

// describe notes what is looked up of the file again and again.
func (d *planDiff) describe() {
	d.costly()
	d.standard, _ = worktime.New(planner.Standard) // it is sound
	definitions := make(map[string]*worktime.Definition)
	for _, c := range d.file.Calendars {
		definitions[c.ID] = &worktime.Definition{Week: c.Week, Exceptions: c.Exceptions}
	}
	for _, c := range d.file.Calendars {
		definitions[c.ID].Base = definitions[c.BaseID]
	}
	d.calendars = make(map[string]*worktime.Calendar)
	for id, definition := range definitions {
		if made, err := worktime.New(*definition); err == nil {
			d.calendars[id] = made
		}
	}
	if len(d.file.Projects) > 0 && d.calendars[d.file.Projects[0].CalendarID] != nil {
		d.standard = d.calendars[d.file.Projects[0].CalendarID]
	}
}

// calendarOf is the calendar of a task of the file.
func (d *planDiff) calendarOf(t *planner.Task) *worktime.Calendar {
	switch c := d.calendars[t.CalendarID]; {
	case t.Elapsed:
		return worktime.Continuous
	case c != nil:
		return c
	}
	for _, p := range d.file.Projects {
		if p.ID == t.ProjectID && d.calendars[p.CalendarID] != nil {
			return d.calendars[p.CalendarID]
		}
	}
	return d.standard
}

// at is an instant of the file, which knows no zone.
func (d *planDiff) at(t worktime.Time) twinplatform.DateTime {
	if t == 0 {
		return twinplatform.DateTime{}
	}
	return twinplatform.At(t.In(d.zone))
}

// text is a text as the schedule holds it.
func (d *planDiff) text(what, s string, most int) string {
	short, cut := importing.Cut(strings.ToValidUTF8(s, "�"), most)
	if cut {
		d.Warn("Warning: The text of %s has more than %d characters; the rest was ignored.", what, most)
	}
	return short
}

// textOf is the text of one of many, which is named by its id where the text is cut.
func (d *planDiff) textOf(what, id, s string, most int) string {
	if len(s) > most {
		what = fmt.Sprintf("%s (ID=%s)", what, id)
	}
	return d.text(what, s, most)
}

// nameFor is the name of one of many as the schedule holds it.
func (d *planDiff) nameFor(what, id, s string, most int) string {
	name, changed := importing.Plain(s)
	if changed {
		d.Warn("Warning: The name of %s (ID=%s) has characters that change how it is read; they were replaced.", what,
			id)
	}
	return d.textOf(what, id, name, most)
}

// left warns of what the schedule has no record for.
func (d *planDiff) left() {
	if d.w.Modes.Costs != importing.Skip {
		d.costsUnheld()
	}
	d.tablesLeft()
	coded := 0
	for i := range d.file.Resources {
		coded += len(d.file.Resources[i].CodeValueIDs)
	}
	if d.w.Modes.ResourceCodeAssignments != importing.Skip && coded > 0 {
		d.Warn("Warning: %d assignments of codes to resources were ignored: a schedule keeps those of tasks alone.",
			coded)
	}
	for _, p := range d.file.Projects {
		if len(p.Values)+len(p.CodeValueIDs) > 0 {
			d.Warn("Warning: User field values and codes of the project (ID=%s) were ignored: a schedule keeps those "+
				"of tasks and resources.", cmp.Or(p.Code, p.ID))
		}
	}
}

// namedAtOnce is how many members of a table one warning names.
const namedAtOnce = 100

// tablesLeft warns of the tables and members of the file that nothing of the plan is made of.
func (d *planDiff) tablesLeft() {
	for i := range d.file.Tables {
		t := &d.file.Tables[i]
		members := importing.MembersLeft(t)
		for from := 0; from < len(members); from += namedAtOnce {
			some := members[from:min(from+namedAtOnce, len(members))]
			d.Warn("Warning: %s of the file has members that a schedule does not keep; they were ignored, in "+
				"brackets of how many: %s.", t.Name, strings.Join(some, ", "))
		}
	}
}

// finish adds what is about the import as a whole.
func (d *planDiff) finish() error {
	stored, err := synchronizers.Records.Lookup(d.Tx, d.Scope, d.w.SynchronizerID)
	if err != nil {
		return err
	}
	for _, message := range d.Warnings {
		d.details.Warnings = append(d.details.Warnings, synchronizers.SynchronizationWarning{Message: message})
	}
	if d.Unlisted > 0 {
		d.details.Warnings = append(d.details.Warnings,
			synchronizers.SynchronizationWarning{Message: fmt.Sprintf("Warning: There are %d more warnings.",
				d.Unlisted)})
	}
	name := d.s.projectNames(d.file)
	y := synchronizers.Synchronizer{ID: d.w.SynchronizerID, SynchronizerName: name}
	if stored != nil {
		y = *stored
	}
	y.ProjectName, y.ProjectPath = name, d.w.FilePath
	y.Projects = nil
	for i, p := range d.file.Projects {
		if i < schedules.MaxBatch {
			id, _ := importing.Cut(cmp.Or(p.ID, p.Code), schedules.MaxText)
			code, _ := importing.Cut(p.Code, schedules.MaxText)
			y.Projects = append(y.Projects, synchronizers.PlannerProject{ID: id, UserDefinedID: code})
		}
	}
	y.SynchronizationTime, y.SynchronizationType, y.SynchronizationDetails = d.s.Now(), d.w.Type, d.details
	y.Complete(y.SynchronizationTime)
	return d.Write(synchronizers.Records.Table(), &y, false)
}

// projectNames are the names of the projects of a file.
func (s *exchanges) projectNames(file *planner.Plan) string {
	var names []string
	for _, p := range file.Projects {
		if name := cmp.Or(p.Name, p.Code); name != "" {
			names = append(names, name)
		}
	}
	name, _ := importing.Plain(strings.ToValidUTF8(strings.Join(names, ", "), "�"))
	name, _ = importing.Cut(name, schedules.MaxText)
	return cmp.Or(name, "Plan")
}

// projectContent is what the file has of several projects, and finds out their ids; nil where the
// schedule is one. The first of the file becomes that of the schedule itself, and those that the
// file does not have stay behind those that it has.
func (d *planDiff) projectContent(now *schedules.ProjectScheduling) *importing.Part[schedules.ProjectScheduling] {
	if len(d.file.Projects) < 2 && len(now.Projects) == 0 {
		return nil
	}
	d.projectIDs = make(map[string]string)
	taken := make(map[string]bool)
	for i := range now.Projects {
		taken[now.Projects[i].ID] = true
	}
	filed := make([]schedules.Project, 0, len(d.file.Projects))
	known := make(map[string]bool) // those of the schedule that the file has
	for i := range d.file.Projects {
		x, p := d.project(i), &d.file.Projects[i]
		x.ID = sameProject(now.Projects, &x, d.updates[p.ID], known)
		if x.ID == "" && len(taken) >= schedules.MaxProjects {
			d.Warn("Warning: The schedule has %d projects, and the project (ID=%s) is scheduled as the first one.",
				schedules.MaxProjects, cmp.Or(p.Code, p.ID))
			continue
		}
		if x.ID == "" {
			x.ID = d.projectID(x.Code, taken)
		}
		taken[x.ID], known[x.ID] = true, true
		d.projectIDs[p.ID] = x.ID
		filed = append(filed, x)
	}
	content := &filedProjects{Projects: filed}
	for i := range now.Projects {
		if x := now.Projects[i]; !known[x.ID] {
			if i == 0 { // it is not the schedule's own any more
				x = ownProject(now)
			}
			content.others = append(content.others, x)
		}
	}
	part := importing.Always[*schedules.ProjectScheduling](d.w.Modes.Tasks, content)
	return &part
}

// filedProjects are those of a file with several, before the others of the schedule.
type filedProjects struct {
	Projects []schedules.Project

	others []schedules.Project
}

// Compared implements importing.Content.
func (c *filedProjects) Compared(*importing.Facts) any { return c.Projects }

// Set implements importing.Content.
func (c *filedProjects) Set(v *schedules.ProjectScheduling) {
	v.Projects = slices.Concat(c.Projects, c.others)
}

// project is the one at a place in the file, without an id.
func (d *planDiff) project(i int) schedules.Project {
	p := &d.file.Projects[i]
	text := func(s string) string { return d.textOf("project", cmp.Or(p.Code, p.ID), s, schedules.MaxProjectText) }
	name := d.nameFor("project", cmp.Or(p.Code, p.ID), p.Name, schedules.MaxProjectText)
	x := schedules.Project{Code: text(p.Code), ExternalID: text(p.ExternalID), Name: name}
	if i == 0 {
		return x
	}
	x.CalendarID = twinplatform.NullString(d.calendarIDs[p.CalendarID])
	x.StartDate, x.DataDate, x.MustFinishBy = d.at(p.Start), d.at(p.DataDate), d.at(p.MustFinish)
	x.CriticalFloat = int32(min(max(p.Critical, math.MinInt32), math.MaxInt32))
	if p.LongestPath {
		x.CriticalPathType = schedules.CriticalLongest
	}
	x.IgnoreExpectedFinish, x.IgnoreExternalDates = p.IgnoreExpected, p.IgnoreExternal
	return x
}

// sameProject is the id of the project of a schedule that one of a file is, unless another one
// is that: by the code of that which it updates, by the id that its planner gave it, or else by its
// code or its name.
func sameProject(all []schedules.Project, x *schedules.Project, updates string, known map[string]bool) string {
	same := []func(o *schedules.Project) bool{
		func(o *schedules.Project) bool { return updates != "" && o.Code == updates },
		func(o *schedules.Project) bool { return x.ExternalID != "" && o.ExternalID == x.ExternalID },
		func(o *schedules.Project) bool { return x.Code != "" && o.Code == x.Code },
		func(o *schedules.Project) bool { return x.Code+o.Code == "" && o.Name == x.Name },
	}
	for _, by := range same {
		for i := range all {
			if o := &all[i]; !known[o.ID] && by(o) {
				return o.ID
			}
		}
	}
	return ""
}

// projectID is the id of a new project: its code, where that is one and no one else's.
func (d *planDiff) projectID(code string, taken map[string]bool) string {
	var c problem.Checks
	if c.ID("id", code); code == "" || taken[code] || c.Err(schedules.InvalidRequest) != nil {
		return d.s.Env.NewID()
	}
	return code
}

// ownProject is the first of the projects of a schedule with what it was scheduled by.
func ownProject(set *schedules.ProjectScheduling) schedules.Project {
	x := set.Projects[0]
	x.CalendarID, x.StartDate, x.DataDate, x.MustFinishBy = set.CalendarID, set.StartDate, set.DataDate,
		set.MustFinishBy
	x.CriticalFloat, x.IgnoreExpectedFinish, x.IgnoreExternalDates = set.CriticalFloat, set.IgnoreExpectedFinish,
		set.IgnoreExternalDates
	if set.CriticalPathType != schedules.CriticalByFloat {
		x.CriticalPathType = set.CriticalPathType
	}
	return x
}
