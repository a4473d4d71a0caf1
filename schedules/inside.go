package schedules

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Inside is what the packages that schedule and exchange plans get of this one: its records, and what follows from
// one of them for another. It is of use to packages below schedules alone, which have the key.
func Inside(model.Key) *inside { return &core }

// Calendars are the calendars of a schedule by which its plan is computed, for the packages that [Inside] is for.
type Calendars = calendars

// inside has no state of its own: its methods are functions of this package.
type inside struct {
	Analyses    *records.Collection[SchedulingAnalysis]
	Assignments *records.Collection[ResourceAssignment]
	Baselines   *records.Collection[Baseline]
	Calendars   *records.Collection[Calendar]
	Resources   *records.Collection[Resource]
	Settings    *records.Collection[ProjectScheduling]
	TaskLinks   *records.Collection[TaskLink]
	Tasks       *records.Collection[Task]

	// Imported are the types of records that imports write, by their names.
	Imported map[string]model.Imported
	// Backfills is how many there are; see Backfill.
	Backfills int

	// Names of an index, and the id of the one record of Settings.
	AssignedResource, OfCalendar, SettingsID string

	ConstraintTypes, SecondConstraintTypes []ConstraintType
	LagCalendars                           map[LagCalendar]cpm.LagCalendar
	Profiles                               map[SchedulingProfile]cpm.Profile
	ProgressModes                          map[ProgressMode]cpm.Progress
	TaskLinkTypes                          []TaskLinkType
	TaskStatuses                           []TaskStatus
	TaskTypes                              []TaskType
	TotalFloatTypes                        map[TotalFloatType]cpm.FloatType
	WeekdayPositions                       []WeekdayPosition
	Weekdays                               []Weekday
	FirstDate                              twinplatform.DateTime // that JSON carries
}

var core = inside{
	Analyses: &analysisRecords, Assignments: &assignmentRecords, Baselines: &baselineRecords,
	Calendars: &calendarRecords, Resources: &resourceRecords, Settings: &projectSchedulingRecords,
	TaskLinks: &taskLinkRecords, Tasks: &taskRecords,

	Imported: importSorts, Backfills: len(backfills),

	AssignedResource: assignedResource, OfCalendar: ofCalendar, SettingsID: projectSchedulingID,

	ConstraintTypes: constraintTypes, SecondConstraintTypes: secondConstraintTypes, LagCalendars: lagCalendars,
	Profiles: profiles, ProgressModes: progressModes, TaskLinkTypes: taskLinkTypes, TaskStatuses: taskStatuses,
	TaskTypes: taskTypes, TotalFloatTypes: totalFloatTypes, WeekdayPositions: weekdayPositions, Weekdays: weekdays,
	FirstDate: firstDate,
}

// Records with an id and what a request leaves out.

func (*inside) BlankAssignment(id string) *ResourceAssignment { return assignmentKind.Blank(id) }
func (*inside) BlankCalendar(id string) *Calendar             { return calendarKind.Blank(id) }
func (*inside) BlankResource(id string) *Resource             { return resourceKind.Blank(id) }
func (*inside) BlankTask(id string) *Task                     { return taskKind.Blank(id) }
func (*inside) BlankTaskLink(id string) *TaskLink             { return taskLinkKind.Blank(id) }

// Baselines and their rows.

func (*inside) BaselineTasks(rows string) *records.Collection[BaselineTask] {
	return baselineTasks(rows)
}

func (*inside) BaselineTaskLinks(rows string) *records.Collection[BaselineTaskLink] {
	return baselineTaskLinks(rows)
}

func (*inside) BaselineAnalyses(rows string) *records.Collection[BaselineSchedulingAnalysis] {
	return baselineAnalyses(rows)
}

// RowsBy reads under what the rows of the baseline with an id are kept.
func (*inside) RowsBy(baselineID string) func(*records.View, records.Scope) (string, error) {
	return rowsBy(baselineID)
}

// RowsOf is under what the rows of a baseline are kept.
func (*inside) RowsOf(b *Baseline) string { return b.rows }

// ParentOfRow is the task that one was below, empty where there was none.
func (*inside) ParentOfRow(t *BaselineTask) string { return t.parent }

// RowWas reports whether the task of a row had others below it, and whether it was inactive, when the baseline was made.
func (*inside) RowWas(t *BaselineTask) (wbs, inactive bool) { return t.wbs, t.inactive }

// OwnDatesOfRow are the dates of a row without those that it has of what was below its task.
func (*inside) OwnDatesOfRow(t *BaselineTask) (start, finish twinplatform.DateTime) {
	start, finish = t.StartDate, t.FinishDate
	if t.lacks > 0 {
		finish = twinplatform.DateTime{}
	}
	if t.lacks > 1 {
		start = twinplatform.DateTime{}
	}
	return start, finish
}

// Calendars and working time.

func (*inside) CalendarsFit(tx records.Reading, s records.Scope, as []*Calendar, without []string) (int64, bool,
	error,
) {
	return calendarsFit(tx, s, as, without)
}

func (*inside) CalendarsOfProjects(p *ProjectScheduling) []string { return p.projectCalendars() }

func (*inside) Definition(v *Calendar) *worktime.Definition { return v.definition() }

func (*inside) ParentOfCalendar(v *Calendar) string { return v.parent() }

func (*inside) ReadCalendars(tx records.Reading, s records.Scope, ids iter.Seq[string]) (*Calendars, error) {
	return readCalendars(tx, s, ids)
}

func (*inside) ReadClock(tx records.Reading, s records.Scope) (*Calendars, error) {
	return readClock(tx, s)
}

func (*inside) Works(chain []*Calendar) bool { return works(chain) }

// Placing gives a task the dates that a function sets, in its working time, within one transaction.
func (*inside) Placing(tx records.Reading, s records.Scope) func(t *Task, dates func(*Task)) error {
	return workingTimeOf(tx, s).place
}

// Resources.

func (*inside) ParentOfResource(r *Resource) string { return r.parent() }

func (*inside) Slowest(work []*worktime.Calendar, from worktime.Time, t *Task) *worktime.Calendar {
	return slowest(work, from, t)
}

func (*inside) Together(own *worktime.Calendar, work []*worktime.Calendar, spent *int64) *worktime.Calendar {
	return together(own, work, spent)
}

func (*inside) UnitOf(r *Resource) string { return r.unit() }

func (*inside) Worker(a *ResourceAssignment, tx records.Reading, s records.Scope, set *ProjectScheduling) (*Resource,
	error,
) {
	return a.worker(tx, s, set)
}

func (*inside) WorkKey(t *Task, ids []string) string { return workKey(t, ids) }

// Schedules and settings.

func (*inside) Expects(p *ProjectScheduling) bool { return p.expects() }

func (*inside) InAccount(accountID string) records.Scope { return inAccount(accountID) }

func (*inside) Modify(u *records.Update, at *model.Schedule, change func(*Schedule)) error {
	return modify(u, at, change)
}

func (*inside) ProjectScheduling(tx records.Reading, s records.Scope) (twinplatform.Record[ProjectScheduling],
	error,
) {
	return projectScheduling(tx, s)
}

func (*inside) SameSettings(p, o *ProjectScheduling) bool { return p.same(o) }

// Tasks.

func (*inside) Backfill(u *records.Update, s records.Scope, nth int, after string, step *records.Step) (string, bool,
	error,
) {
	return backfill(u, s, nth, after, step)
}

func (*inside) ByResources(t *Task) bool { return t.byResources() }

// DeclareAround declares the links of tasks, with the tasks that they tie.
func (*inside) DeclareAround(u *records.Update, s records.Scope, ids []string) error {
	return declareAround(u, s, ids)
}

// DeclareWorkers declares who works when on tasks.
func (*inside) DeclareWorkers(tx records.Reading, s records.Scope, ids []string) error {
	return declareWorkers(tx, s, ids)
}

func (*inside) DeriveHammocks(u *records.Update, s records.Scope, stale *plan.Stale) error {
	return deriveHammocks(u, s, stale)
}

func (*inside) DeriveRemaining(t *Task) { t.deriveRemaining() }

func (*inside) Derive(t *Task) { t.derive() }

func (*inside) FollowHammocks(u *records.Update, s records.Scope, ids []string) error {
	return followHammocks(u, s, ids)
}

func (*inside) IsHammock(t TaskType) bool { return t.hammock() }

func (*inside) IsKeyDate(t TaskType) bool { return t.keyDate() }

// KindOf is what a task of a type is in a network.
func (*inside) KindOf(t TaskType) cpm.Kind { return t.network() }

func (*inside) LeftOf(duration int64, percent int32) int32 { return leftOf(duration, percent) }

func (*inside) ParentOfTask(t *Task) string { return t.parent() }

func (*inside) Paused(t *Task) int64 { return t.paused() }

func (*inside) Pauses(t *Task) []cpm.Split { return t.pauses() }

func (*inside) Resumes(t *Task, set *ProjectScheduling, on working) bool { return t.resumes(set, on) }

func (*inside) StatusIDOf(ids *TaskStatusIDs, s TaskStatus) string { return statusIDOf(ids, s) }
