package schedules

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Limits of calendars.
const (
	// MaxCalendars is the number of calendars of a schedule.
	MaxCalendars = 1_000
	// MaxDayTypes is the number of day types of a calendar.
	MaxDayTypes = 200
	// MaxTimeBlocks is the number of time blocks of a day.
	MaxTimeBlocks = 48
	// MaxExceptions is the number of exceptions of a calendar. The days that they last
	// have a separate limit, MaxExceptionDays, and all calendars of a schedule have
	// MaxCalendarRuns together.
	MaxExceptions = 4_000
)

// Calendar is when work is done: the hours of each day of a week, and the days that are
// exceptions. Its times are those that clocks show in the time zone of the schedule.
// Calendars are made in v10 schedules only.
type Calendar struct {
	DayTypes []DayType `json:"dayTypes"` // what days there are; MaxDayTypes at most
	Deleted  bool      `json:"deleted"`  // true in deltas alone
	// MaxExceptions at most; of several for a day the last one holds
	Exceptions []CalendarException `json:"exceptions"`
	ID         string              `json:"id"`   // unique in the schedule; never changes
	Name       string              `json:"name"` // 1 to MaxText characters
	// the calendar that holds where this one defines nothing; null for none
	ParentID twinplatform.NullString `json:"parentId"`
	Week     CalendarWeek            `json:"week"` // the day type of each of its days
}

// DayTypeKind is whether work is done on a day.
type DayTypeKind string

// The kinds of day types.
const (
	NonWorkingDay DayTypeKind = "NonWorking" // has no time blocks
	NormalDay     DayTypeKind = "Normal"     // has at least one time block
)

var dayTypeKinds = []DayTypeKind{NonWorkingDay, NormalDay}

// DayType is a kind of day, which the week and the exceptions of its calendar name.
type DayType struct {
	Color       string      `json:"color"`       // in the form #rrggbb; #808080 when made without one
	Description string      `json:"description"` // up to MaxText characters
	ID          string      `json:"id"`          // unique in the calendar; required
	TimeBlocks  []TimeBlock `json:"timeBlocks"`  // in order and apart from one another; MaxTimeBlocks at most
	Type        DayTypeKind `json:"type"`        // required
}

// TimeBlock is a piece of working time of a day. Work through the night is in the blocks
// of both days.
type TimeBlock struct {
	StartTime string `json:"startTime"` // HH:MM, or HH:MM:SS
	EndTime   string `json:"endTime"`   // as StartTime, and later; 24:00 or 00:00 is the end of the day
}

// CalendarWeek names the day types of the days of a week. A day without one is as in the
// parent of the calendar, and off where there is none.
type CalendarWeek struct {
	MondayDayTypeID    twinplatform.NullString `json:"mondayDayTypeId"`
	TuesdayDayTypeID   twinplatform.NullString `json:"tuesdayDayTypeId"`
	WednesdayDayTypeID twinplatform.NullString `json:"wednesdayDayTypeId"`
	ThursdayDayTypeID  twinplatform.NullString `json:"thursdayDayTypeId"`
	FridayDayTypeID    twinplatform.NullString `json:"fridayDayTypeId"`
	SaturdayDayTypeID  twinplatform.NullString `json:"saturdayDayTypeId"`
	SundayDayTypeID    twinplatform.NullString `json:"sundayDayTypeId"`
}

// CalendarException gives days other hours than the week does.
type CalendarException struct {
	// DayTypeID is the day type of these days. Where it is null TimeBlocks says when work
	// is done, and no blocks make them days off.
	DayTypeID  twinplatform.NullString `json:"dayTypeId"`
	EndDate    string                  `json:"endDate"`    // the last day, YYYY-MM-DD; StartDate when left out
	Name       string                  `json:"name"`       // up to MaxText characters
	Recurrence *Recurrence             `json:"recurrence"` // leaves only some of the days; null is all of them
	StartDate  string                  `json:"startDate"`  // the first day, YYYY-MM-DD
	TimeBlocks []TimeBlock             `json:"timeBlocks"` // as those of a day type; empty where DayTypeID names one
}

// RecurrenceFrequency is in what an exception repeats.
type RecurrenceFrequency string

// The frequencies.
const (
	DailyRecurrence   RecurrenceFrequency = "Daily"
	WeeklyRecurrence  RecurrenceFrequency = "Weekly" // on the Weekdays; weeks begin on Sunday
	MonthlyRecurrence RecurrenceFrequency = "Monthly"
	YearlyRecurrence  RecurrenceFrequency = "Yearly" // in its Month
)

var recurrenceFrequencies = []RecurrenceFrequency{
	DailyRecurrence, WeeklyRecurrence, MonthlyRecurrence,
	YearlyRecurrence,
}

// Weekday is a day of the week.
type Weekday string

// weekdays are the days of the week, as package time counts them.
var weekdays = []Weekday{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

// WeekdayPosition is which of the weekdays of a month a day is.
type WeekdayPosition string

// weekdayPositions are those that there are, in their order.
var weekdayPositions = []WeekdayPosition{"First", "Second", "Third", "Fourth", "Last"}

// Recurrence is which days of its range an exception holds for. A month or year has the
// Day, or the Position of the Weekdays: the last of Monday to Friday is the last working
// day of a month.
type Recurrence struct {
	Frequency RecurrenceFrequency `json:"frequency"` // required
	// every so many days, weeks, months or years from the first day on; 1 when left out
	Interval int32           `json:"interval"`
	Weekdays []Weekday       `json:"weekdays,omitempty"`
	Position WeekdayPosition `json:"position,omitempty"`
	Day      int32           `json:"day,omitempty"`   // of the month, 1 to 31; a month without it has none
	Month    int32           `json:"month,omitempty"` // of the year, 1 to 12
}

var calendarRecords = records.Collection[Calendar]{
	Name:        "calendars",
	ID:          func(v *Calendar) string { return v.ID },
	MarkDeleted: func(v *Calendar) { v.Deleted = true },
	Indexes:     []records.Index[Calendar]{{Name: "parent", Value: (*Calendar).parent}},
}

var calendarMissing = problem.NotFound("CalendarNotFound", "calendarId", "calendar")

var calendarKind = entity.Kind[Calendar, NewCalendar, CalendarPatch]{
	Records: &calendarRecords, One: "calendar", Many: "calendars", Resource: "calendar",
	Missing: calendarMissing, Bad: &InvalidRequest,
	Members: func(v *Calendar, n *NewCalendar, p *CalendarPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Ref("parentId", &v.ParentID, &n.ParentID, &p.ParentID,
				&calendarRecords).Deep(MaxDepth).Keeps("used"),
			entity.Value("dayTypes", &v.DayTypes, &n.DayTypes, &p.DayTypes).Valid(checkDayTypes,
				schema.List(0, MaxDayTypes, schema.Value{})),
			entity.Value("exceptions", &v.Exceptions, &n.Exceptions, &p.Exceptions).Valid(checkExceptions),
			entity.Value("week", &v.Week, &n.Week, &p.Week),
		}
	},
	AfterCreate: func(v *Calendar, _ *NewCalendar, c *problem.Checks) { v.complete(c) },
	AfterUpdate: func(v, _ *Calendar, _ *CalendarPatch, c *problem.Checks) { v.complete(c) },
	Validate:    calendarFits,
	Needs: func(s records.Scope, _ *Calendar) []records.Need {
		return projectSchedulingRecords.Needs(s, projectSchedulingID)
	},
	Used: calendarIsSet,
}

func (v *Calendar) parent() string { return string(v.ParentID) }

// complete fills in what was left out, and checks what its parts have to do with one
// another.
func (v *Calendar) complete(c *problem.Checks) {
	v.DayTypes = append([]DayType{}, v.DayTypes...)
	for i := range v.DayTypes {
		d := &v.DayTypes[i]
		d.TimeBlocks = append([]TimeBlock{}, d.TimeBlocks...)
		if d.Color == "" {
			d.Color = "#808080"
		}
	}
	v.Exceptions = append([]CalendarException{}, v.Exceptions...)
	for i := range v.Exceptions {
		x := &v.Exceptions[i]
		x.TimeBlocks = append([]TimeBlock{}, x.TimeBlocks...)
		if x.EndDate == "" {
			x.EndDate = x.StartDate
		}
		if r := x.Recurrence; r != nil {
			own := *r
			own.Interval, own.Weekdays = max(own.Interval, 1), slices.Clone(r.Weekdays)
			x.Recurrence = &own
		}
	}
	v.checkNames(c)
}

// Calendar returns a calendar. Errors: CalendarNotFound, also for a schedule that is
// missing or not for the caller to see.
func (p Plan) Calendar(ctx context.Context, calendarID string) (twinplatform.Record[Calendar], error) {
	return familiesOf(p.s).calendars.Get(ctx, p.id, calendarID)
}

// CalendarQuery selects the calendars to list.
type CalendarQuery struct {
	twinplatform.ListOptions
}

// Calendars lists the calendars of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Calendars(ctx context.Context, q CalendarQuery) (twinplatform.Page[Calendar], error) {
	return familiesOf(p.s).calendars.List(ctx, p.id, records.Query[Calendar]{ListOptions: q.ListOptions})
}

// NewCalendar asks for a calendar. Null and left out are the same in it.
type NewCalendar struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name       string              `json:"name"`
	ParentID   string              `json:"parentId"` // a calendar of the same schedule
	DayTypes   []DayType           `json:"dayTypes"`
	Week       CalendarWeek        `json:"week"`       // names day types of DayTypes
	Exceptions []CalendarException `json:"exceptions"` // name day types of DayTypes

	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateCalendar makes a calendar as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (name) or InvalidValue (id, name,
// parentId, week, and what is within dayTypes, week and exceptions, such as
// dayTypes[1].timeBlocks[0].startTime), also for more than the limits of calendars, for
// one whose week has no working time and for one that would be its own ancestor;
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateCalendar(ctx context.Context, n NewCalendar) (twinplatform.Result[Calendar], error) {
	return familiesOf(p.s).calendars.Create(ctx, p.id, n)
}

// CalendarPatch changes a calendar: what is left out stays. A list or the week is given
// whole.
type CalendarPatch struct {
	AsRead

	// not empty, up to MaxText characters
	Name       twinplatform.Optional[string]              `json:"name,omitzero"`
	ParentID   twinplatform.Optional[string]              `json:"parentId,omitzero"`   // null for none
	DayTypes   twinplatform.Optional[[]DayType]           `json:"dayTypes,omitzero"`   // null clears them
	Week       twinplatform.Optional[CalendarWeek]        `json:"week,omitzero"`       // null clears it
	Exceptions twinplatform.Optional[[]CalendarException] `json:"exceptions,omitzero"` // null clears them
}

// UpdateCalendar changes a calendar (PATCH), and renews the finishes and durations that
// follow from it and from those below it, in steps where tasks are many. It needs
// PermissionModify.
//
// Errors: as CreateCalendar but AlreadyExists; CalendarNotFound; VersionMismatch.
func (p Plan) UpdateCalendar(ctx context.Context, calendarID string, patch CalendarPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Calendar], error) {
	var c problem.Checks
	calendarKind.CheckPatch(calendarID, &patch, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Calendar]{}, err
	}
	return familiesOf(p.s).calendars.update.Start(ctx, p.id, model.Direct, []string{calendarID}, calendarUpdate{
		ID: calendarID, Patch: patch, IfMatch: twinplatform.ConditionOf(pre...),
	})
}

// DeleteCalendar deletes a calendar that nothing names, as a long-running operation. It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; CalendarNotFound; CalendarInUse, which says by what: the
// schedule, whose default it is, a project, another calendar, a task, a task link or a resource;
// VersionMismatch.
func (p Plan) DeleteCalendar(ctx context.Context, calendarID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Calendar], error) {
	return familiesOf(p.s).calendars.Remove(ctx, p.id, []string{calendarID}, pre)
}

// ofCalendar finds what names a calendar.
const ofCalendar = "calendar"

// calendarIsSet refuses to delete a calendar that the settings of the schedule name.
func calendarIsSet(tx records.Reading, s records.Scope, id string) error {
	used := func(by string) error {
		return problem.Conflict("CalendarInUse", "calendarId", "The calendar '"+id+"' is used by "+by+".")
	}
	set, err := projectScheduling(tx, s)
	if err != nil {
		return err
	}
	if string(set.Value.CalendarID) == id {
		return used("the schedule, whose default it is")
	}
	for _, x := range set.Value.Projects {
		if string(x.CalendarID) == id {
			return used("the project '" + x.ID + "'")
		}
	}
	return nil
}

// namesCalendar checks that the schedule has a calendar that something new or changed
// names. One that was named before stays.
func namesCalendar(tx records.Reading, s records.Scope, c *problem.Checks, id, was twinplatform.NullString) error {
	if id == was {
		return nil
	}
	return model.Names(tx, s, calendarRecords.Table(), c, "calendarId", "calendar", string(id))
}

// StandardCalendar is the id of the calendar that a v10 schedule begins with, as its
// default: Monday to Friday, 09:00 to 17:00.
const StandardCalendar = "standard"

// standardCalendar is what a schedule begins with.
func standardCalendar() *Calendar {
	v := Calendar{
		ID: StandardCalendar, Name: "Standard",
		DayTypes: []DayType{
			{
				ID: "working", Type: NormalDay, Description: "Working day",
				TimeBlocks: []TimeBlock{{StartTime: "09:00", EndTime: "17:00"}},
			},
			{ID: "off", Type: NonWorkingDay, Description: "Day off"},
		},
		Week: CalendarWeek{"working", "working", "working", "working", "working", "off", "off"},
	}
	v.complete(&problem.Checks{})
	return &v
}
