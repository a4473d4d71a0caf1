package schedules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var noCalendar = refusal{kind: twinplatform.NotFound, code: "CalendarNotFound", target: "calendarId"}

// standard is a v10 schedule as clients make it.
func standard(t *testing.T) *plan {
	t.Helper()
	p := newPlan(t, memory.New(), schedules.Config{})
	p.id = "standard plan"
	if _, err := p.svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: p.id, Name: "Plan", TwinID: "twin"}); err != nil {
		t.Fatal(err)
	}
	return p
}

// blocks are time blocks such as "08:00-12:00 13:00-17:00".
func blocks(s string) (out []schedules.TimeBlock) {
	for f := range strings.FieldsSeq(s) {
		from, to, _ := strings.Cut(f, "-")
		out = append(out, schedules.TimeBlock{StartTime: from, EndTime: to})
	}
	return out
}

// everyDay names one day type for the whole week.
func everyDay(id twinplatform.NullString) schedules.CalendarWeek {
	return schedules.CalendarWeek{
		MondayDayTypeID: id, TuesdayDayTypeID: id, WednesdayDayTypeID: id, ThursdayDayTypeID: id,
		FridayDayTypeID: id, SaturdayDayTypeID: id, SundayDayTypeID: id,
	}
}

// weekday names one day type for Monday to Friday, and another for the weekend.
func weekdays(id, weekend twinplatform.NullString) schedules.CalendarWeek {
	w := everyDay(id)
	w.SaturdayDayTypeID, w.SundayDayTypeID = weekend, weekend
	return w
}

// working is a calendar on whose days work is done from Monday to Friday.
func working(id, hours string) schedules.NewCalendar {
	return schedules.NewCalendar{
		ID: id, Name: id, DayTypes: []schedules.DayType{{ID: "work", Type: schedules.NormalDay, TimeBlocks: blocks(hours)}},
		Week: weekdays("work", ""),
	}
}

func (p *plan) calendar(n schedules.NewCalendar) schedules.Calendar {
	p.Helper()
	res, err := p.in().CreateCalendar(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

// scheduling sets the default calendar and the time zone.
func (p *plan) scheduling(calendarID, zone string) {
	p.Helper()
	patch := schedules.ProjectSchedulingPatch{CalendarID: twinplatform.Null[string](), TimeZone: twinplatform.Set(zone)}
	if calendarID != "" {
		patch.CalendarID = twinplatform.Set(calendarID)
	}
	_, err := p.in().UpdateProjectScheduling(p.ctx, patch)
	if err != nil {
		p.Fatal(err)
	}
}

// calendars are one with everything that one can have, below one that has holidays.
func (p *plan) calendars() {
	p.Helper()
	holidays := working("holidays", "08:00-16:00")
	holidays.Exceptions = []schedules.CalendarException{
		{
			Name: "Christmas", StartDate: "2026-12-25", EndDate: "2030-12-31",
			Recurrence: &schedules.Recurrence{Frequency: schedules.YearlyRecurrence, Month: 12, Day: 25},
		},
	}
	p.calendar(holidays)
	p.calendar(schedules.NewCalendar{
		ID: "site", Name: "Site", ParentID: "holidays",
		DayTypes: []schedules.DayType{
			{ID: "long", Type: schedules.NormalDay, Color: "#a0b1c2", Description: "Long day", TimeBlocks: blocks("07:00-12:00 13:00-18:00")},
			{ID: "night", Type: schedules.NormalDay, TimeBlocks: blocks("00:00-03:00 22:30-24:00")},
			{ID: "off", Type: schedules.NonWorkingDay},
		},
		Week: schedules.CalendarWeek{MondayDayTypeID: "long", FridayDayTypeID: "off", SundayDayTypeID: "night"},
		Exceptions: []schedules.CalendarException{
			{StartDate: "2026-05-01"},
			{Name: "Night shifts", StartDate: "2026-06-01", EndDate: "2026-06-05", DayTypeID: "night"},
			{
				Name: "Last working day", StartDate: "2026-01-01", EndDate: "2026-12-31", TimeBlocks: blocks("08:00-12:00"),
				Recurrence: &schedules.Recurrence{
					Frequency: schedules.MonthlyRecurrence, Interval: 3, Position: "Last", Weekdays: []schedules.Weekday{"Monday", "Friday"},
				},
			},
		},
	})
}

// covers: Calendars and working time
// covers: operations calendars.get calendars.create
func TestCalendarOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.calendars()
		rec, err := p.in().Calendar(p.ctx, "site")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "calendar", string(rec.JSON), `{"dayTypes":[`+
			`{"color":"#a0b1c2","description":"Long day","id":"long","timeBlocks":[{"startTime":"07:00","endTime":"12:00"},{"startTime":"13:00","endTime":"18:00"}],"type":"Normal"},`+
			`{"color":"#808080","description":"","id":"night","timeBlocks":[{"startTime":"00:00","endTime":"03:00"},{"startTime":"22:30","endTime":"24:00"}],"type":"Normal"},`+
			`{"color":"#808080","description":"","id":"off","timeBlocks":[],"type":"NonWorking"}],"deleted":false,"exceptions":[`+
			`{"dayTypeId":null,"endDate":"2026-05-01","name":"","recurrence":null,"startDate":"2026-05-01","timeBlocks":[]},`+
			`{"dayTypeId":"night","endDate":"2026-06-05","name":"Night shifts","recurrence":null,"startDate":"2026-06-01","timeBlocks":[]},`+
			`{"dayTypeId":null,"endDate":"2026-12-31","name":"Last working day","recurrence":{"frequency":"Monthly","interval":3,"weekdays":["Monday","Friday"],"position":"Last"},`+
			`"startDate":"2026-01-01","timeBlocks":[{"startTime":"08:00","endTime":"12:00"}]}],`+
			`"id":"site","name":"Site","parentId":"holidays","week":{"mondayDayTypeId":"long","tuesdayDayTypeId":null,"wednesdayDayTypeId":null,`+
			`"thursdayDayTypeId":null,"fridayDayTypeId":"off","saturdayDayTypeId":null,"sundayDayTypeId":"night"}}`)
		again, err := p.in().UpdateCalendar(p.ctx, "site", schedules.CalendarPatch{
			Name: twinplatform.Set(rec.Value.Name), ParentID: twinplatform.Set(string(rec.Value.ParentID)), DayTypes: twinplatform.Set(rec.Value.DayTypes),
			Week: twinplatform.Set(rec.Value.Week), Exceptions: twinplatform.Set(rec.Value.Exceptions),
		})
		if err != nil || again.Records[0].ETag != rec.ETag {
			p.Errorf("sent back as it was read it changes: %v, %v", again, err)
		}
	})
}

// covers: Calendars and working time: error CalendarNotFound
// covers: operations calendars.list calendars.update calendars.delete
func TestCalendarsAreListedChangedAndFollowed(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.calendars()
		list := func(o twinplatform.ListOptions) (string, string) {
			all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Calendar], error) {
				return p.in().Calendars(p.ctx, schedules.CalendarQuery{ListOptions: o})
			})
			return idList(all, func(v schedules.Calendar) (string, bool) { return v.ID, v.Deleted }), delta
		}
		said, delta := list(twinplatform.ListOptions{Top: 1})
		expect(p, "calendars", said, "holidays site")
		if _, err := p.in().UpdateCalendar(p.ctx, "site", schedules.CalendarPatch{
			ParentID: twinplatform.Null[string](), Exceptions: twinplatform.Null[[]schedules.CalendarException](), Name: twinplatform.Set("Yard"),
		}); err != nil {
			p.Fatal(err)
		}
		if _, err := p.in().DeleteCalendar(p.ctx, "holidays"); err != nil {
			p.Fatal(err)
		}
		said, _ = list(twinplatform.ListOptions{Delta: delta})
		expect(p, "changes", said, "site -holidays")
		rec, err := p.in().Calendar(p.ctx, "site")
		if err != nil || rec.Value.Name != "Yard" || rec.Value.ParentID != "" || len(rec.Value.Exceptions) != 0 || len(rec.Value.DayTypes) != 3 {
			p.Errorf("%+v, %v", rec.Value, err)
		}
		_, err = p.in().Calendar(p.ctx, "holidays")
		noCalendar.check(p, err)
		_, err = p.in().UpdateCalendar(p.ctx, "holidays", schedules.CalendarPatch{})
		noCalendar.check(p, err)
		_, err = p.in().DeleteCalendar(p.ctx, "holidays")
		noCalendar.check(p, err)
	})
}

// covers: Calendars and working time: rule a schedule begins with Monday to Friday, nine to five
// covers: Calendars and working time
func TestScheduleBeginsWithTheStandardCalendar(t *testing.T) {
	t.Parallel()
	p := standard(t)
	set, err := p.in().ProjectScheduling(p.ctx)
	if err != nil {
		t.Fatal(err)
	}
	expect(p, "project scheduling", string(set.JSON),
		`{"calendarId":"standard","criticalFloat":0,"criticalPathType":"TotalFloat","dataDate":null,"dataDateType":"Manual",`+
			`"isAutomatic":false,"lagCalendar":"Profile","mustFinishBy":null,"openEndsCritical":false,"profile":"P6","progressMode":"RetainedLogic","startDate":null,"timeZone":"UTC"}`)
	rec, err := p.in().Calendar(p.ctx, schedules.StandardCalendar)
	if err != nil {
		t.Fatal(err)
	}
	day := blocks("09:00-17:00")
	want := schedules.Calendar{
		ID: "standard", Name: "Standard", Week: weekdays("working", "off"), Exceptions: []schedules.CalendarException{},
		DayTypes: []schedules.DayType{
			{ID: "working", Type: schedules.NormalDay, Description: "Working day", Color: "#808080", TimeBlocks: day},
			{ID: "off", Type: schedules.NonWorkingDay, Description: "Day off", Color: "#808080", TimeBlocks: []schedules.TimeBlock{}},
		},
	}
	if diff := cmp.Diff(want, rec.Value); diff != "" {
		t.Error(diff)
	}
	for _, other := range []schedules.NewSchedule{
		{ID: "v6.5", Name: "Old", TwinID: "twin", Type: schedules.V65}, {ID: "elapsed", Name: "Elapsed", TwinID: "twin", Elapsed: true},
	} {
		if _, err := p.svc.CreateSchedule(p.ctx, other); err != nil {
			t.Fatal(err)
		}
		set, err := p.svc.In(other.ID).ProjectScheduling(p.ctx)
		if err != nil || set.Value.CalendarID != "" || set.Value.TimeZone != "UTC" {
			t.Errorf("%s: %+v, %v", other.ID, set.Value, err)
		}
		page, err := p.svc.In(other.ID).Calendars(p.ctx, schedules.CalendarQuery{})
		if err != nil || page.Len() != 0 {
			t.Errorf("%s: %d calendars, %v", other.ID, page.Len(), err)
		}
	}
}

// covers: Calendars and working time: rule a calendar has working time, also those below it
func TestCalendarThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	work := func(change func(n *schedules.NewCalendar)) schedules.NewCalendar {
		n := working("new", "08:00-16:00")
		change(&n)
		return n
	}
	hours := func(s string) schedules.NewCalendar {
		return work(func(n *schedules.NewCalendar) { n.DayTypes[0].TimeBlocks = blocks(s) })
	}
	except := func(x ...schedules.CalendarException) schedules.NewCalendar {
		return work(func(n *schedules.NewCalendar) { n.Exceptions = x })
	}
	repeat := func(r schedules.Recurrence) schedules.NewCalendar {
		return except(schedules.CalendarException{StartDate: "2026-01-01", EndDate: "2027-01-01", Recurrence: &r})
	}
	long := strings.Repeat("x", schedules.MaxText+1)
	for name, test := range map[string]struct {
		n    schedules.NewCalendar
		want refusal
	}{
		"no name":             {work(func(n *schedules.NewCalendar) { n.Name = " " }), invalid("MissingRequiredProperty name")},
		"a long name":         {work(func(n *schedules.NewCalendar) { n.Name = long }), invalid("InvalidValue name")},
		"an id with a slash":  {work(func(n *schedules.NewCalendar) { n.ID = "a/b" }), invalid("InvalidValue id")},
		"an id that is taken": {work(func(n *schedules.NewCalendar) { n.ID = "site" }), idTaken},
		"a parent that is not there": {
			work(func(n *schedules.NewCalendar) { n.ParentID = "nobody" }),
			invalid("InvalidValue parentId").saying("nobody"),
		},
		"no working time": {schedules.NewCalendar{Name: "new"}, invalid("InvalidValue week").saying("working time")},
		"days off only": {
			work(func(n *schedules.NewCalendar) { n.Week = weekdays("", "") }),
			invalid("InvalidValue week").saying("working time"),
		},
		"a parent and days off": {
			schedules.NewCalendar{
				Name: "new", ParentID: "holidays",
				DayTypes: []schedules.DayType{{ID: "off", Type: schedules.NonWorkingDay}}, Week: everyDay("off"),
			},
			invalid("InvalidValue week").saying("working time"),
		},
		"a day type that is no one's": {
			work(func(n *schedules.NewCalendar) { n.Week.SundayDayTypeID = "long" }),
			invalid("InvalidValue week.sundayDayTypeId").saying("long"),
		},
		"an exception of no one's": {
			except(schedules.CalendarException{StartDate: "2026-01-01", DayTypeID: "long"}),
			invalid("InvalidValue exceptions[0].dayTypeId").saying("long"),
		},
		"a day type without an id": {work(func(n *schedules.NewCalendar) {
			n.DayTypes = append(n.DayTypes, schedules.DayType{Type: schedules.NonWorkingDay})
		}), invalid("MissingRequiredProperty dayTypes[1].id")},
		"a day type twice": {
			work(func(n *schedules.NewCalendar) { n.DayTypes = append(n.DayTypes, n.DayTypes[0]) }),
			invalid("InvalidValue dayTypes[1].id").saying("twice"),
		},
		"a day type without a type": {
			work(func(n *schedules.NewCalendar) { n.DayTypes[0].Type = "" }),
			invalid("MissingRequiredProperty dayTypes[0].type"),
		},
		"a day type of another type": {
			work(func(n *schedules.NewCalendar) { n.DayTypes[0].Type = "Long" }),
			invalid("InvalidValue dayTypes[0].type").saying("NonWorking"),
		},
		"work on a day off": {
			work(func(n *schedules.NewCalendar) { n.DayTypes[0].Type = schedules.NonWorkingDay }),
			invalid("InvalidValue dayTypes[0].timeBlocks"),
		},
		"a color that is none": {
			work(func(n *schedules.NewCalendar) { n.DayTypes[0].Color = "red" }),
			invalid("InvalidValue dayTypes[0].color"),
		},
		"a long description": {
			work(func(n *schedules.NewCalendar) { n.DayTypes[0].Description = long }),
			invalid("InvalidValue dayTypes[0].description"),
		},
		"many day types": {work(func(n *schedules.NewCalendar) {
			n.DayTypes = make([]schedules.DayType,
				schedules.MaxDayTypes+1)
		}), invalid("InvalidValue dayTypes", "InvalidValue week.mondayDayTypeId",
			"InvalidValue week.tuesdayDayTypeId", "InvalidValue week.wednesdayDayTypeId", "InvalidValue week.thursdayDayTypeId",
			"InvalidValue week.fridayDayTypeId", "InvalidValue week")},
		"a day without hours": {hours(""), invalid("InvalidValue dayTypes[0].timeBlocks", "InvalidValue week")},
		"many hours": {
			hours(strings.Repeat("08:00-16:00 ", schedules.MaxTimeBlocks+1)),
			invalid("InvalidValue dayTypes[0].timeBlocks"),
		},
		"a time of one digit":   {hours("8:00-16:00"), invalid("InvalidValue dayTypes[0].timeBlocks[0].startTime").saying("HH:MM")},
		"a time that is a word": {hours("08:00-noon!"), invalid("InvalidValue dayTypes[0].timeBlocks[0].endTime").saying("HH:MM")},
		"a minute too many":     {hours("08:60-16:00"), invalid("InvalidValue dayTypes[0].timeBlocks[0].startTime")},
		"a second too many":     {hours("08:00-16:00:60"), invalid("InvalidValue dayTypes[0].timeBlocks[0].endTime")},
		"behind midnight":       {hours("08:00-24:01"), invalid("InvalidValue dayTypes[0].timeBlocks[0].endTime")},
		"from midnight on":      {hours("24:00-24:00"), invalid("InvalidValue dayTypes[0].timeBlocks[0].startTime")},
		"through the night":     {hours("22:00-06:00"), invalid("InvalidValue dayTypes[0].timeBlocks[0].endTime").saying("night")},
		"hours that overlap": {
			hours("08:00-12:00 11:00-16:00"),
			invalid("InvalidValue dayTypes[0].timeBlocks[1].startTime").saying("overlap"),
		},
		"hours out of order": {
			hours("13:00-17:00 08:00-12:00"),
			invalid("InvalidValue dayTypes[0].timeBlocks[1].startTime").saying("order"),
		},
		"an exception of no day": {except(schedules.CalendarException{}), invalid("InvalidValue exceptions[0].startDate")},
		"a day that is none": {
			except(schedules.CalendarException{StartDate: "2026-02-29"}),
			invalid("InvalidValue exceptions[0].startDate"),
		},
		"a day of no year": {
			except(schedules.CalendarException{StartDate: "0000-01-01"}),
			invalid("InvalidValue exceptions[0].startDate"),
		},
		"an end that is none": {
			except(schedules.CalendarException{StartDate: "2026-01-01", EndDate: "tomorrow"}),
			invalid("InvalidValue exceptions[0].endDate"),
		},
		"an end before the beginning": {
			except(schedules.CalendarException{StartDate: "2026-01-02", EndDate: "2026-01-01"}),
			invalid("InvalidValue exceptions[0].endDate").saying("ends"),
		},
		"a day type and hours": {except(schedules.CalendarException{
			StartDate: "2026-01-02", DayTypeID: "work",
			TimeBlocks: blocks("08:00-09:00"),
		}), invalid("InvalidValue exceptions[0].timeBlocks")},
		"hours of an exception": {
			except(schedules.CalendarException{StartDate: "2026-01-02", TimeBlocks: blocks("09:00-08:00")}),
			invalid("InvalidValue exceptions[0].timeBlocks[0].endTime"),
		},
		"a long name of an exception": {
			except(schedules.CalendarException{StartDate: "2026-01-02", Name: long}),
			invalid("InvalidValue exceptions[0].name"),
		},
		"many exceptions": {
			except(make([]schedules.CalendarException, schedules.MaxExceptions+1)...),
			invalid("InvalidValue exceptions").saying("4000"),
		},
		"exceptions without end": {
			except(schedules.CalendarException{StartDate: "2026-01-01", EndDate: "2400-01-01"}),
			invalid("InvalidValue exceptions").saying("days"),
		},
		"exceptions below others": {func() schedules.NewCalendar {
			n := except(schedules.CalendarException{StartDate: "2026-01-01", EndDate: "2299-01-01"})
			n.ParentID = "long"
			return n
		}(), invalid("InvalidValue exceptions").saying("days")},
		"no frequency":      {repeat(schedules.Recurrence{}), invalid("MissingRequiredProperty exceptions[0].recurrence.frequency")},
		"another frequency": {repeat(schedules.Recurrence{Frequency: "Hourly"}), invalid("InvalidValue exceptions[0].recurrence.frequency")},
		"an interval below none": {
			repeat(schedules.Recurrence{Frequency: "Daily", Interval: -1}),
			invalid("InvalidValue exceptions[0].recurrence.interval"),
		},
		"a week without days": {
			repeat(schedules.Recurrence{Frequency: "Weekly"}),
			invalid("MissingRequiredProperty exceptions[0].recurrence.weekdays"),
		},
		"a day of no week": {
			repeat(schedules.Recurrence{Frequency: "Weekly", Weekdays: []schedules.Weekday{"Mo"}}),
			invalid("InvalidValue exceptions[0].recurrence.weekdays").saying("Monday"),
		},
		"a week of eight days": {
			repeat(schedules.Recurrence{Frequency: "Weekly", Weekdays: make([]schedules.Weekday, 8)}),
			invalid("InvalidValue exceptions[0].recurrence.weekdays"),
		},
		"a month without a day": {repeat(schedules.Recurrence{Frequency: "Monthly"}), invalid("InvalidValue exceptions[0].recurrence.day")},
		"a position that is none": {repeat(schedules.Recurrence{
			Frequency: "Monthly", Position: "Fifth",
			Weekdays: []schedules.Weekday{"Monday"},
		}), invalid("InvalidValue exceptions[0].recurrence.position").saying("Last")},
		"the last of no days": {
			repeat(schedules.Recurrence{Frequency: "Yearly", Month: 1, Position: "Last"}),
			invalid("MissingRequiredProperty exceptions[0].recurrence.weekdays"),
		},
		"a year without a month": {
			repeat(schedules.Recurrence{Frequency: "Yearly", Day: 31}),
			invalid("InvalidValue exceptions[0].recurrence.month"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.calendars()
			p.calendar(func() schedules.NewCalendar {
				n := except(schedules.CalendarException{StartDate: "2026-01-01", EndDate: "2100-01-01"})
				n.ID = "long"
				return n
			}())
			_, err := p.in().CreateCalendar(p.ctx, test.n)
			test.want.check(t, err)
			if page, err := p.in().Calendars(p.ctx, schedules.CalendarQuery{}); err != nil || page.Len() != 3 {
				t.Errorf("%d calendars, %v", page.Len(), err)
			}
		})
	}
}

// covers: Calendars and working time: rule a calendar has working time, also those below it
func TestCalendarKeepsWorkingTimeForThoseBelowIt(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.calendar(working("top", "08:00-16:00"))
	off := []schedules.DayType{{ID: "off", Type: schedules.NonWorkingDay}}
	p.calendar(schedules.NewCalendar{
		ID: "middle", Name: "middle", ParentID: "top", DayTypes: off,
		Week: schedules.CalendarWeek{MondayDayTypeID: "off"},
	})
	p.calendar(schedules.NewCalendar{
		ID: "bottom", Name: "bottom", ParentID: "middle", DayTypes: off,
		Week: schedules.CalendarWeek{TuesdayDayTypeID: "off"},
	})
	update := func(id string, patch schedules.CalendarPatch, want refusal) {
		t.Helper()
		_, err := p.in().UpdateCalendar(p.ctx, id, patch)
		want.check(t, err)
	}
	update("top", schedules.CalendarPatch{Week: twinplatform.Set(schedules.CalendarWeek{MondayDayTypeID: "work", TuesdayDayTypeID: "work"})},
		invalid("InvalidValue week").saying("'bottom'"))
	update("middle", schedules.CalendarPatch{ParentID: twinplatform.Null[string]()}, invalid("InvalidValue week"))
	update("top", schedules.CalendarPatch{ParentID: twinplatform.Set("bottom")}, invalid("InvalidValue parentId").saying("ancestor"))
	update("top", schedules.CalendarPatch{ParentID: twinplatform.Set("top")}, invalid("InvalidValue parentId").saying("ancestor"))
	update("top", schedules.CalendarPatch{DayTypes: twinplatform.Null[[]schedules.DayType]()},
		invalid("InvalidValue week.mondayDayTypeId", "InvalidValue week.tuesdayDayTypeId",
			"InvalidValue week.wednesdayDayTypeId", "InvalidValue week.thursdayDayTypeId", "InvalidValue week.fridayDayTypeId", "InvalidValue week"))
	update("top", schedules.CalendarPatch{Exceptions: twinplatform.Set([]schedules.CalendarException{{
		StartDate: "2026-01-01",
		EndDate:   "2400-01-01",
	}})}, invalid("InvalidValue exceptions"))
	if _, err := p.in().UpdateCalendar(p.ctx, "top",
		schedules.CalendarPatch{Week: twinplatform.Set(schedules.CalendarWeek{FridayDayTypeID: "work"})}); err != nil {
		t.Error(err)
	}
}

func TestCalendarsLieSixtyFourDeepAndAreAThousand(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("makes a thousand calendars")
	}
	p := inMemory(t)
	p.calendar(working("0", "08:00-16:00"))
	for i := range schedules.MaxCalendars - 1 {
		n := schedules.NewCalendar{ID: fmt.Sprint(i + 1), Name: "below", ParentID: fmt.Sprint(min(i, schedules.MaxDepth-2))}
		p.calendar(n)
	}
	_, err := p.in().CreateCalendar(p.ctx, schedules.NewCalendar{Name: "deep", ParentID: fmt.Sprint(schedules.MaxDepth - 1)})
	invalid("InvalidValue parentId", "InvalidValue id").saying("1000").check(t, err)
	if _, err := p.in().DeleteCalendar(p.ctx, fmt.Sprint(schedules.MaxCalendars-1)); err != nil {
		t.Fatal(err)
	}
	_, err = p.in().CreateCalendar(p.ctx, schedules.NewCalendar{Name: "deep", ParentID: fmt.Sprint(schedules.MaxDepth - 1)})
	invalid("InvalidValue parentId").saying("deep").check(t, err)
}

// covers: Calendars and working time: error CalendarInUse
func TestCalendarInUseIsNotDeleted(t *testing.T) {
	t.Parallel()
	p := standard(t)
	for _, id := range []string{"parent", "tasks", "links", "resources", "free"} {
		p.calendar(working(id, "08:00-16:00"))
	}
	p.calendar(schedules.NewCalendar{ID: "child", Name: "child", ParentID: "parent"})
	p.create(
		schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work, CalendarID: "tasks"},
		schedules.NewTask{ID: "b", Name: "b", Type: schedules.Work},
	)
	link := newLinks(t, "a FinishToStart b")
	link[0].CalendarID = "links"
	if _, err := p.in().CreateTaskLinks(p.ctx, link); err != nil {
		t.Fatal(err)
	}
	if _, err := p.in().CreateResource(p.ctx, schedules.NewResource{
		ID: "crew", Name: "crew", Type: schedules.HumanResource,
		CalendarID: "resources",
	}); err != nil {
		t.Fatal(err)
	}
	for id, by := range map[string]string{
		"standard": "the schedule", "parent": "the calendar 'child'", "tasks": "the task 'a'", "links": "the task link 'a-b'", "resources": "the resource 'crew'",
	} {
		_, err := p.in().DeleteCalendar(p.ctx, id)
		refusal{kind: twinplatform.Conflict, code: "CalendarInUse", target: "calendarId", says: by}.check(t, err)
	}
	if _, err := p.in().DeleteCalendar(p.ctx, "free"); err != nil {
		t.Error(err)
	}
	p.patch("a", schedules.TaskPatch{CalendarID: twinplatform.Null[string]()})
	if _, err := p.in().DeleteCalendar(p.ctx, "tasks"); err != nil {
		t.Error(err)
	}
}

// covers: Calendars and working time: rule what names a calendar names one of the schedule
func TestWhatNamesACalendarNamesOneOfTheSchedule(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("a", "b")
	p.links("a FinishToStart b")
	p.resources("crew")
	other := twinplatform.Set("other")
	_, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "c", Type: schedules.Work, CalendarID: "other"})
	invalid("InvalidValue calendarId").saying("no calendar with the id 'other'").check(t, err)
	_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{{Name: "c", Type: schedules.Work}, {Name: "d", Type: schedules.Work, CalendarID: "other"}})
	invalid("InvalidValue batch[1].calendarId").check(t, err)
	_, err = p.in().UpdateTask(p.ctx, "a", schedules.TaskPatch{CalendarID: other})
	invalid("InvalidValue calendarId").check(t, err)
	link := newLinks(t, "b StartToStart a")
	link[0].CalendarID = "other"
	_, err = p.in().CreateTaskLinks(p.ctx, link)
	invalid("InvalidValue batch[0].calendarId").check(t, err)
	_, err = p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{{ID: "a-b", CalendarID: other}})
	invalid("InvalidValue taskLinks[0].calendarId").check(t, err)
	_, err = p.in().CreateResource(p.ctx, schedules.NewResource{Name: "c", Type: schedules.HumanResource, CalendarID: "other"})
	invalid("InvalidValue calendarId").check(t, err)
	_, err = p.in().UpdateResource(p.ctx, "crew", schedules.ResourcePatch{CalendarID: other})
	invalid("InvalidValue calendarId").check(t, err)
	_, err = p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{CalendarID: other})
	invalid("InvalidValue calendarId").check(t, err)
	for _, zone := range []string{"", "Local", "Mars/Base", "posix/UTC", "../etc/passwd", strings.Repeat("x", 300)} {
		_, err = p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{TimeZone: twinplatform.Set(zone)})
		invalid("InvalidValue timeZone").saying("IANA").check(t, err)
	}
}

// covers: Calendars and working time: rule calendars are made in v10 schedules
func TestCalendarsAreMadeInV10Schedules(t *testing.T) {
	t.Parallel()
	p := inMemory(t).v65()
	v10 := invalid("InvalidParameter scheduleId")
	_, err := p.in().CreateCalendar(p.ctx, working("c", "08:00-16:00"))
	v10.check(t, err)
	_, err = p.in().UpdateCalendar(p.ctx, "c", schedules.CalendarPatch{})
	v10.check(t, err)
	_, err = p.in().DeleteCalendar(p.ctx, "c")
	v10.check(t, err)
	_, err = p.in().Calendar(p.ctx, "c")
	noCalendar.check(t, err)
}
