package schedules

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxProjects is how many projects a schedule names at most, and MaxProjectText how long their
// names are, in characters.
const (
	MaxProjects    = 100
	MaxProjectText = 200
)

// Project is one of several in a schedule, such as those of a file of Primavera P6. Tasks name
// it by their ProjectID.
//
// The first one is that of the schedule itself, also of tasks that name none: what it is
// scheduled by are the members of the ProjectScheduling, and it has no others. All others have
// their own, and share the rules that are not theirs.
type Project struct {
	// CalendarID is the calendar of its tasks that name none; that of the schedule where it is
	// left out.
	CalendarID twinplatform.NullString `json:"calendarId,omitzero"`
	Code       string                  `json:"code,omitzero"` // as planners know it; up to MaxProjectText characters
	// CriticalFloat is the total float up to which its tasks are critical, in seconds of working
	// time.
	CriticalFloat    int32            `json:"criticalFloat,omitzero"`
	CriticalPathType CriticalPathType `json:"criticalPathType,omitzero"` // TotalFloat where it is left out
	// DataDate is the day up to which its progress is recorded; its start where it is left out.
	DataDate twinplatform.DateTime `json:"dataDate,omitzero"`
	// by which the planner knows it in whichever file; up to MaxProjectText characters
	ExternalID           string `json:"externalId,omitzero"`
	ID                   string `json:"id"` // unique in the schedule; required
	IgnoreExpectedFinish bool   `json:"ignoreExpectedFinish,omitzero"`
	IgnoreExternalDates  bool   `json:"ignoreExternalDates,omitzero"`
	// MustFinishBy is when it is to end; left out: when its last task does.
	MustFinishBy twinplatform.DateTime `json:"mustFinishBy,omitzero"`
	Name         string                `json:"name,omitzero"` // up to MaxProjectText characters
	// StartDate is before when none of its tasks is scheduled; that of the schedule where it is
	// left out.
	StartDate twinplatform.DateTime `json:"startDate,omitzero"`
}

// called is the project without what it is scheduled by.
func (x *Project) called() Project {
	return Project{Code: x.Code, ExternalID: x.ExternalID, ID: x.ID, Name: x.Name}
}

// of is how the tasks of a project are scheduled, by the settings and by what is its own.
func (x *Project) of(set *ProjectScheduling) *ProjectScheduling {
	own := *set
	own.CalendarID, own.StartDate = cmp.Or(x.CalendarID, set.CalendarID), cmp.Or(x.StartDate, set.StartDate)
	own.DataDate, own.MustFinishBy = cmp.Or(x.DataDate, own.StartDate), x.MustFinishBy
	own.CriticalFloat, own.CriticalPathType = x.CriticalFloat, cmp.Or(x.CriticalPathType, CriticalByFloat)
	own.IgnoreExpectedFinish, own.IgnoreExternalDates = x.IgnoreExpectedFinish, x.IgnoreExternalDates
	return &own
}

// otherProjects is how the tasks of the projects behind the first one are scheduled, by the
// ids of these. It is nil where there are none.
func (p *ProjectScheduling) otherProjects() map[string]*ProjectScheduling {
	if len(p.Projects) < 2 {
		return nil
	}
	others := make(map[string]*ProjectScheduling, len(p.Projects)-1)
	for i := range p.Projects[1:] {
		x := &p.Projects[i+1]
		others[x.ID] = x.of(p)
	}
	return others
}

// projectCalendars are the ids of the calendars that projects have themselves.
func (p *ProjectScheduling) projectCalendars() []string {
	named := make(map[string]bool)
	for i := range p.Projects {
		if id := string(p.Projects[i].CalendarID); id != "" {
			named[id] = true
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// same reports whether two settings say the same.
func (p *ProjectScheduling) same(o *ProjectScheduling) bool { return reflect.DeepEqual(p, o) }

// setOf is how a task is scheduled.
func (c *calendars) SetOf(t *Task) *ProjectScheduling { return c.SetIn(t.ProjectID) }

// setIn is by what the tasks of a project are scheduled.
func (c *calendars) SetIn(projectID twinplatform.NullString) *ProjectScheduling {
	if own := c.Projects[string(projectID)]; own != nil {
		return own
	}
	return c.set
}

// ownOf is the calendar of a task, or that of its project; nil is that of the schedule.
func (c *calendars) OwnOf(t *Task) *worktime.Calendar {
	if own := c.Of(string(t.CalendarID)); own != nil || c.Projects[string(t.ProjectID)] == nil {
		return own
	}
	return c.Of(string(c.SetOf(t).CalendarID))
}

// checkOwnProjects checks the projects of a patch.
func checkOwnProjects(c *problem.Checks, all []Project) {
	if len(all) > MaxProjects {
		c.Bad("projects", "At most %d items can be given at once.", MaxProjects)
		return
	}
	known := make(map[string]bool, len(all))
	for i := range all {
		x := &all[i]
		c.At("projects", i)
		c.Need("id", x.ID, MaxID)
		c.ID("id", x.ID)
		c.AtMost("code", x.Code, MaxProjectText)
		c.AtMost("externalId", x.ExternalID, MaxProjectText)
		c.AtMost("name", x.Name, MaxProjectText)
		c.Date("dataDate", x.DataDate)
		c.Date("mustFinishBy", x.MustFinishBy)
		c.Date("startDate", x.StartDate)
		if x.CriticalPathType != "" {
			problem.OneOf(c, "criticalPathType", x.CriticalPathType, criticalPathTypes)
		}
		if known[x.ID] {
			c.Bad("id", "Another project has the id '%s'.", x.ID)
		}
		if known[x.ID] = true; i == 0 && *x != x.called() {
			c.Bad("", "The first project is scheduled by the members of the schedule, and has none of its own.")
		}
	}
	c.At("", 0)
}

// projectsFit checks projects that are to be those of a schedule: their calendars are there,
// and no task names one that is gone.
func projectsFit(tx records.Reading, s records.Scope, c *problem.Checks, next, was []Project) error {
	stay, named := make(map[string]bool, len(next)), make(map[twinplatform.NullString]bool)
	for i := range was {
		named[was[i].CalendarID] = true
	}
	for i := range next {
		stay[next[i].ID] = true
		if id := next[i].CalendarID; !named[id] {
			c.At("projects", i)
			if err := model.Names(tx, s, calendarRecords.Table(), c, "calendarId", "calendar", string(id)); err != nil {
				return err
			}
		}
	}
	c.At("", 0)
	for i := range was {
		if stay[was[i].ID] {
			continue
		}
		for task := range taskRecords.IDs(tx, s, ofProject, was[i].ID) {
			c.Bad("projects", "The project '%s' is that of the task '%s'.", was[i].ID, task)
			break
		}
	}
	return nil
}

// ofProject finds the tasks of a project.
const ofProject = "project"

// namesProject checks that the schedule has a project that a new or changed task names.
func namesProject(tx records.Reading, s records.Scope, c *problem.Checks, id, was twinplatform.NullString) error {
	if id == was || id == "" {
		return nil
	}
	set, err := projectScheduling(tx, s)
	if err == nil && !slices.ContainsFunc(set.Value.Projects, func(x Project) bool { return x.ID == string(id) }) {
		c.Bad("projectId", "The schedule has no project with the id '%s'.", id)
	}
	return err
}

// describeProjects declares the limits of the projects of a body.
func describeProjects(b *schema.Book) {
	text := schema.AtMost(MaxProjectText)
	b.Has(reflect.TypeFor[ProjectSchedulingPatch](),
		schema.May("projects", schema.List(0, MaxProjects, schema.Value{})),
		schema.May("notes", schema.List(0, MaxProjectNotes, schema.Value{})), schema.May("code", text),
		schema.May("externalId", text))
	b.Has(reflect.TypeFor[Project](), schema.NeedText("id", MaxID), schema.May("code", text),
		schema.May("externalId", text), schema.May("name", text))
}

// DataDateType is where the data date of a schedule comes from.
type DataDateType string

// ManualDataDate is a data date that someone sets. It is the only type that there is.
const ManualDataDate DataDateType = "Manual"

var dataDateTypes = []DataDateType{ManualDataDate}

// ProjectScheduling says as of when, in which working time and by which rules a schedule
// is scheduled. Every schedule has one.
type ProjectScheduling struct {
	// CalendarID is the calendar of all that names none. Where it is null durations and
	// lags are elapsed time.
	CalendarID twinplatform.NullString `json:"calendarId"`
	// Code is what the planner calls the project that the schedule is, such as the project id of P6,
	// and ExternalID by what its tool knows it. They are left out where there is none.
	Code       twinplatform.NullString `json:"code,omitzero"`       // up to MaxProjectText characters
	ExternalID twinplatform.NullString `json:"externalId,omitzero"` // up to MaxProjectText characters
	// CriticalFloat is the total float up to which a task is critical, in seconds of
	// working time: 0 until it is set.
	CriticalFloat    int32            `json:"criticalFloat"`
	CriticalPathType CriticalPathType `json:"criticalPathType"` // TotalFloat until it is set
	// DataDate is the day up to which progress is recorded; null until it is set.
	DataDate     twinplatform.DateTime `json:"dataDate"`
	DataDateType DataDateType          `json:"dataDateType"`
	// FloatToLastProject reports that the floats of all projects are to the finish of the last
	// of them, and not each to its own. It is left out where it is false.
	FloatToLastProject bool `json:"floatToLastProject,omitzero"`
	// IgnoreExpectedFinish and IgnoreExternalDates say that the expected finishes of tasks, and
	// what other plans leave to them, do not count. They are left out where they are false.
	IgnoreExpectedFinish bool `json:"ignoreExpectedFinish,omitzero"`
	IgnoreExternalDates  bool `json:"ignoreExternalDates,omitzero"`
	// IsAutomatic reports that the schedule is rescheduled after each change of its
	// tasks, its links, its calendars and of these settings. It is false until it is set.
	IsAutomatic bool        `json:"isAutomatic"`
	LagCalendar LagCalendar `json:"lagCalendar"` // Profile until it is set
	// MustFinishBy is when the schedule is to end, which counts for late dates and floats;
	// null: when its last task does.
	MustFinishBy twinplatform.DateTime `json:"mustFinishBy"`
	// Notes are those about the projects, MaxProjectNotes at most, and left out where there are none.
	Notes []ProjectNote `json:"notes,omitempty"`
	// OpenEndsCritical reports that every task is critical that nothing succeeds.
	OpenEndsCritical bool              `json:"openEndsCritical"`
	Profile          SchedulingProfile `json:"profile"`      // P6 until it is set
	ProgressMode     ProgressMode      `json:"progressMode"` // RetainedLogic until it is set
	// Projects are those of a schedule that holds several, MaxProjects at most, and left out
	// where it is one.
	Projects []Project `json:"projects,omitzero"`
	// StartDate is before when nothing is scheduled, except that Microsoft Project's rules let constraints
	// to no earlier than a date begin tasks there; null: the first date of a task.
	StartDate twinplatform.DateTime `json:"startDate"`
	// TimeZone is the IANA time zone whose clocks calendars go by.
	TimeZone string `json:"timeZone"`
	// TotalFloatType is to which end of a long hammock its total float is by the rules of P6. It is
	// left out where it is FinishFloat.
	TotalFloatType TotalFloatType `json:"totalFloatType,omitzero"`
}

// Patch is what makes settings that were never set these. It is empty for those.
func (p *ProjectScheduling) Patch() (patch ProjectSchedulingPatch) {
	setUnless(&patch.CalendarID, string(p.CalendarID), "")
	setUnless(&patch.Code, string(p.Code), "")
	setUnless(&patch.ExternalID, string(p.ExternalID), "")
	if len(p.Notes) > 0 {
		patch.Notes = twinplatform.Set(p.Notes)
	}
	setUnless(&patch.CriticalFloat, p.CriticalFloat, unscheduled.CriticalFloat)
	setUnless(&patch.CriticalPathType, p.CriticalPathType, unscheduled.CriticalPathType)
	setUnless(&patch.DataDate, p.DataDate, unscheduled.DataDate)
	setUnless(&patch.FloatToLastProject, p.FloatToLastProject, false)
	setUnless(&patch.IgnoreExpectedFinish, p.IgnoreExpectedFinish, false)
	setUnless(&patch.IgnoreExternalDates, p.IgnoreExternalDates, false)
	setUnless(&patch.IsAutomatic, p.IsAutomatic, unscheduled.IsAutomatic)
	setUnless(&patch.LagCalendar, p.LagCalendar, unscheduled.LagCalendar)
	setUnless(&patch.MustFinishBy, p.MustFinishBy, unscheduled.MustFinishBy)
	setUnless(&patch.OpenEndsCritical, p.OpenEndsCritical, unscheduled.OpenEndsCritical)
	setUnless(&patch.Profile, p.Profile, unscheduled.Profile)
	setUnless(&patch.ProgressMode, p.ProgressMode, unscheduled.ProgressMode)
	if len(p.Projects) > 0 {
		patch.Projects = twinplatform.Set(p.Projects)
	}
	setUnless(&patch.StartDate, p.StartDate, unscheduled.StartDate)
	setUnless(&patch.TimeZone, p.TimeZone, unscheduled.TimeZone)
	setUnless(&patch.TotalFloatType, p.TotalFloatType, "")
	return patch
}

func setUnless[V comparable](to *twinplatform.Optional[V], v, initial V) {
	if v != initial {
		*to = twinplatform.Set(v)
	}
}

// projectSchedulingID is the id of the one record.
const projectSchedulingID = "project-scheduling"

var projectSchedulingRecords = records.Collection[ProjectScheduling]{
	Name:        "project-scheduling",
	ID:          func(*ProjectScheduling) string { return projectSchedulingID },
	MarkDeleted: func(*ProjectScheduling) {},
}

// unscheduled is what holds until something is set.
var unscheduled = ProjectScheduling{
	CriticalPathType: CriticalByFloat, DataDateType: ManualDataDate, LagCalendar: LagByProfile, Profile: ProfileP6,
	ProgressMode: RetainedLogic,
	TimeZone:     utc,
}

// utc is the time zone of a schedule until another is set.
const utc = "UTC"

// ProjectScheduling returns as of when a schedule is scheduled (GET …/project-scheduling).
//
// Errors: ScheduleNotFound.
func (p Plan) ProjectScheduling(ctx context.Context) (rec twinplatform.Record[ProjectScheduling], err error) {
	err = p.s.read(ctx, p.id, scheduleMissing, func(v *records.View, sc *Schedule) error {
		rec, err = projectScheduling(v, sc.scope())
		return err
	})
	return rec, err
}

// projectScheduling is the record, or what holds without one.
func projectScheduling(tx records.Reading, s records.Scope) (twinplatform.Record[ProjectScheduling], error) {
	rec, err := projectSchedulingRecords.Get(tx, s, projectSchedulingID)
	if missingRecord(err) {
		return records.Initial(tx, s, unscheduled)
	}
	return rec, err
}

// ProjectSchedulingPatch changes as of when, in which working time and by which rules a
// schedule is scheduled: what is left out stays, and null makes a member what it was
// before it was set, unless its comment documents something else.
type ProjectSchedulingPatch struct {
	DataDate twinplatform.Optional[twinplatform.DateTime] `json:"dataDate,omitzero"` // null clears it
	Type     twinplatform.Optional[DataDateType]          `json:"type,omitzero"`     // null makes it Manual
	// DataDateType is Type, as it is read.
	DataDateType twinplatform.Optional[DataDateType] `json:"dataDateType,omitzero"`
	// a calendar of the schedule; null makes time elapsed time
	CalendarID twinplatform.Optional[string] `json:"calendarId,omitzero"`
	// an IANA time zone; null makes it UTC
	TimeZone twinplatform.Optional[string] `json:"timeZone,omitzero"`
	// up to MaxProjectText characters; null clears it
	Code twinplatform.Optional[string] `json:"code,omitzero"`
	// up to MaxProjectText characters; null clears it
	ExternalID twinplatform.Optional[string] `json:"externalId,omitzero"`
	// seconds of working time
	CriticalFloat        twinplatform.Optional[int32]                 `json:"criticalFloat,omitzero"`
	CriticalPathType     twinplatform.Optional[CriticalPathType]      `json:"criticalPathType,omitzero"`
	FloatToLastProject   twinplatform.Optional[bool]                  `json:"floatToLastProject,omitzero"`
	IgnoreExpectedFinish twinplatform.Optional[bool]                  `json:"ignoreExpectedFinish,omitzero"`
	IgnoreExternalDates  twinplatform.Optional[bool]                  `json:"ignoreExternalDates,omitzero"`
	IsAutomatic          twinplatform.Optional[bool]                  `json:"isAutomatic,omitzero"`
	LagCalendar          twinplatform.Optional[LagCalendar]           `json:"lagCalendar,omitzero"`
	MustFinishBy         twinplatform.Optional[twinplatform.DateTime] `json:"mustFinishBy,omitzero"`
	OpenEndsCritical     twinplatform.Optional[bool]                  `json:"openEndsCritical,omitzero"`
	Profile              twinplatform.Optional[SchedulingProfile]     `json:"profile,omitzero"`
	ProgressMode         twinplatform.Optional[ProgressMode]          `json:"progressMode,omitzero"`
	// given whole, MaxProjectNotes at most; null clears them
	Notes twinplatform.Optional[[]ProjectNote] `json:"notes,omitzero"`
	// Projects take the place of all that there are; null makes the schedule one.
	Projects  twinplatform.Optional[[]Project]             `json:"projects,omitzero"`
	StartDate twinplatform.Optional[twinplatform.DateTime] `json:"startDate,omitzero"`
	// TotalFloatType is FinishFloat once it is null.
	TotalFloatType twinplatform.Optional[TotalFloatType] `json:"totalFloatType,omitzero"`
}

func (p *ProjectSchedulingPatch) check(c *problem.Checks) {
	for _, d := range []struct {
		name string
		date twinplatform.Optional[twinplatform.DateTime]
	}{{"dataDate", p.DataDate}, {"mustFinishBy", p.MustFinishBy}, {"startDate", p.StartDate}} {
		if date, given := d.date.Get(); given {
			c.Date(d.name, date)
		}
	}
	problem.OneOf(c, "type", p.Type.Or(ManualDataDate), dataDateTypes)
	problem.OneOf(c, "dataDateType", p.DataDateType.Or(ManualDataDate), dataDateTypes)
	problem.OneOf(c, "criticalPathType", p.CriticalPathType.Or(CriticalByFloat), criticalPathTypes)
	problem.OneOf(c, "lagCalendar", p.LagCalendar.Or(LagByProfile), lagCalendarNames)
	problem.OneOf(c, "profile", p.Profile.Or(ProfileP6), profileNames)
	problem.OneOf(c, "progressMode", p.ProgressMode.Or(RetainedLogic), progressModeNames)
	problem.OneOf(c, "totalFloatType", p.TotalFloatType.Or(FinishFloat), totalFloatTypeNames)
	if zone, given := p.TimeZone.Get(); given {
		checkZone(c, "timeZone", zone)
	}
	c.AtMost("code", p.Code.Or(""), MaxProjectText)
	c.AtMost("externalId", p.ExternalID.Or(""), MaxProjectText)
	checkProjectNotes(c, "notes", p.Notes.Or(nil))
	checkOwnProjects(c, p.Projects.Or(nil))
}

// schedulingChange is what the journal keeps of a change, with what follows.
type schedulingChange struct {
	Patch   ProjectSchedulingPatch `json:"patch"`
	IfMatch twinplatform.Condition `json:"ifMatch"`
	Renewal renewal                `json:"renewal,omitzero"`
}

// UpdateProjectScheduling changes as of when, in which working time and by which rules a
// schedule is scheduled (PATCH …/project-scheduling), as a long-running operation. Another
// calendar, time zone, data date or profile renews the finishes and durations that follow
// from it, in steps where tasks are many; planned starts change in an automatic schedule alone. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule that is
// not of type v10 or InvalidValue (the member that has no such value);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; VersionMismatch.
func (p Plan) UpdateProjectScheduling(ctx context.Context, patch ProjectSchedulingPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ProjectScheduling], error) {
	var c problem.Checks
	patch.check(&c)
	change, next := familiesOf(p.s).scheduling, unscheduled
	if patch.IsAutomatic.Or(false) && change.Follows == nil {
		c.Bad("isAutomatic", "is true, and nothing reschedules: schedules.New was called without scheduling.Feature.")
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[ProjectScheduling]{}, err
	}
	if patch.apply(&next); next.same(&unscheduled) {
		change = change.Everywhere() // what a schedule of another type shows is taken back
	}
	return change.Start(ctx, p.id, model.Tracked, nil,
		schedulingChange{Patch: patch, IfMatch: twinplatform.ConditionOf(pre...)})
}

// apply changes what the patch holds.
func (p *ProjectSchedulingPatch) apply(set *ProjectScheduling) {
	p.DataDate.Apply(&set.DataDate)
	p.MustFinishBy.Apply(&set.MustFinishBy)
	p.StartDate.Apply(&set.StartDate)
	p.CriticalFloat.Apply(&set.CriticalFloat)
	p.FloatToLastProject.Apply(&set.FloatToLastProject)
	p.IgnoreExpectedFinish.Apply(&set.IgnoreExpectedFinish)
	p.IgnoreExternalDates.Apply(&set.IgnoreExternalDates)
	p.IsAutomatic.Apply(&set.IsAutomatic)
	p.OpenEndsCritical.Apply(&set.OpenEndsCritical)
	if p.TotalFloatType.Apply(&set.TotalFloatType); set.TotalFloatType == FinishFloat {
		set.TotalFloatType = ""
	}
	if p.Projects.Apply(&set.Projects); len(set.Projects) == 0 {
		set.Projects = nil
	}
	if p.Notes.Apply(&set.Notes); len(set.Notes) == 0 {
		set.Notes = nil
	}
	if p.Code.Present() {
		set.Code = twinplatform.NullString(p.Code.Or(""))
	}
	if p.ExternalID.Present() {
		set.ExternalID = twinplatform.NullString(p.ExternalID.Or(""))
	}
	orInitial(p.CriticalPathType, &set.CriticalPathType, unscheduled.CriticalPathType)
	orInitial(p.LagCalendar, &set.LagCalendar, unscheduled.LagCalendar)
	orInitial(p.Profile, &set.Profile, unscheduled.Profile)
	orInitial(p.ProgressMode, &set.ProgressMode, unscheduled.ProgressMode)
	if p.CalendarID.Present() {
		set.CalendarID = twinplatform.NullString(p.CalendarID.Or(""))
	}
	if p.TimeZone.Present() {
		set.TimeZone = p.TimeZone.Or(utc)
	}
}

// orInitial applies a member that null makes what it was at first.
func orInitial[E ~string](o twinplatform.Optional[E], to *E, initial E) {
	o.Apply(to)
	if *to == "" {
		*to = initial
	}
}
