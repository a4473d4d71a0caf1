package exchange

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// elapsedCalendar is the key of the calendar on which work never stops, which planners need
// none for.
const elapsedCalendar = "elapsed"

func (d *planDiff) compareCalendars() error {
	mode := d.w.Modes.Calendars
	d.calendarIDs = make(map[string]string)
	calendars := importing.ParentsFirst(d.file.Calendars,
		func(c *planner.Calendar) (string, string) { return c.ID, c.BaseID })
	keys, aliases := make(importing.Names), make(importing.Names)
	entries := make([]importing.Entry[schedules.Calendar], 0, len(calendars)+1)
	ids := make([]string, 0, len(calendars)+1)
	for _, c := range calendars {
		content := d.calendarContent(&c)
		ids = append(ids, c.ID)
		entries = append(entries, importing.Entry[schedules.Calendar]{
			Key: keys.Name("n:" + cmp.Or(c.Name, c.ID)), Alias: aliases.Name("i:" + c.ID),
			Parts: []importing.Part[schedules.Calendar]{{
				Mode: mode,
				Read: func() importing.Content[*schedules.Calendar] {
					content.Parent = twinplatform.NullString(d.calendarIDs[c.BaseID])
					return content
				},
			}},
		})
	}
	if d.needsElapsed() {
		ids = append(ids, elapsedCalendar)
		entries = append(entries, importing.Entry[schedules.Calendar]{
			Key: elapsedCalendar, Parts: []importing.Part[schedules.Calendar]{
				importing.Always[*schedules.Calendar](mode, filedElapsed{}),
			},
		})
	}
	if len(entries) > schedules.MaxCalendars {
		return badFile("The file has %d calendars, and a schedule at most %d.", len(entries), schedules.MaxCalendars)
	}
	_, err := importing.CompareInOrder(d.Diff, &importing.Kind[schedules.Calendar]{
		Name: "calendars", Records: core.Calendars.Table(), Mode: mode, Counts: d.counting("calendars",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.Calendars }),
		Fresh: core.BlankCalendar,
		Holds: func(v *schedules.Calendar) bool { return v.ID != schedules.StandardCalendar },
		// which no one has made
		Protect: d.calendarStays,
		Parent:  core.ParentOfCalendar,
		Last:    func(sweep func() error) { d.sweepCalendars = sweep },
	}, entries, func(i int, id string) { d.calendarIDs[ids[i]] = id })
	return err
}

// filedCalendar is what a file has of a calendar.
type filedCalendar struct {
	Name       string
	Parent     twinplatform.NullString
	DayTypes   []schedules.DayType
	Week       schedules.CalendarWeek
	Exceptions []schedules.CalendarException
}

// Compared implements importing.Content: a calendar is known again by what is set of it.
func (c *filedCalendar) Compared(*importing.Facts) any {
	var v schedules.Calendar
	c.Set(&v)
	return v
}

// Set implements importing.Content.
func (c *filedCalendar) Set(v *schedules.Calendar) {
	v.Name, v.ParentID, v.DayTypes, v.Week, v.Exceptions = c.Name, c.Parent, c.DayTypes, c.Week, c.Exceptions
}

// filedElapsed is the content of the calendar on which work never stops, which is the same in every
// file. It stays below what it is below.
type filedElapsed struct{}

// Compared implements importing.Content.
func (filedElapsed) Compared(*importing.Facts) any { return "" }

// Set implements importing.Content.
func (filedElapsed) Set(v *schedules.Calendar) {
	content := filedWeek("24 hours", worktime.EveryDay(worktime.AllDay), false)
	content.Parent = v.ParentID
	content.Set(v)
}

// needsElapsed reports whether something of the file continues day and night.
func (d *planDiff) needsElapsed() bool {
	return slices.ContainsFunc(d.file.Links, func(l planner.Link) bool { return l.Elapsed && l.Lag != 0 }) ||
		slices.ContainsFunc(d.file.Tasks, func(t planner.Task) bool { return t.Elapsed })
}

// calendarContent is what the file has of a calendar but its base.
func (d *planDiff) calendarContent(c *planner.Calendar) *filedCalendar {
	label := fmt.Sprintf("calendar '%s'", cmp.Or(c.Name, c.ID))
	name := d.nameFor("calendar", c.ID, cmp.Or(c.Name, c.ID), schedules.MaxText)
	if d.calendars[c.ID] == nil {
		return filedWeek(name, planner.Standard.Week, false) // the plan is scheduled by it, and has a warning
	}
	content := filedWeek(name, c.Week, c.BaseID != "")
	var v schedules.Calendar
	content.Set(&v)
	if c.BaseID == "" && !core.Works([]*schedules.Calendar{&v}) {
		d.Warn("Warning: The week of %s has no working time; that of the standard calendar stands in for it.", label)
		content = filedWeek(name, planner.Standard.Week, false)
	}
	content.Exceptions = exceptionsOf(c.Exceptions)
	if len(content.Exceptions) > schedules.MaxExceptions {
		d.Warn("Warning: %s has more than %d exceptions; the first ones were ignored.", label, schedules.MaxExceptions)
		content.Exceptions = content.Exceptions[len(content.Exceptions)-schedules.MaxExceptions:]
	}
	return content
}

// filedWeek is a calendar of a week. A day that is missing is as in the base, where there
// is one.
func filedWeek(name string, week worktime.Week, based bool) *filedCalendar {
	v := &filedCalendar{Name: name, DayTypes: []schedules.DayType{}, Exceptions: []schedules.CalendarException{}}
	known := make(map[string]twinplatform.NullString)
	of := func(day time.Weekday) twinplatform.NullString {
		hours, ok := week[day]
		if !ok && based {
			return ""
		}
		key := fmt.Sprint(hours)
		if known[key] == "" {
			typ := schedules.DayType{
				Color: "#808080", ID: "day-" + strconv.Itoa(len(v.DayTypes)+1), Type: schedules.NormalDay,
				TimeBlocks: blocksOf(hours),
			}
			if typ.Description = "Working day"; len(hours) == 0 {
				typ.Type, typ.Description = schedules.NonWorkingDay, "Day off"
			}
			v.DayTypes = append(v.DayTypes, typ)
			known[key] = twinplatform.NullString(typ.ID)
		}
		return known[key]
	}
	v.Week = schedules.CalendarWeek{
		MondayDayTypeID: of(time.Monday), TuesdayDayTypeID: of(time.Tuesday), WednesdayDayTypeID: of(time.Wednesday),
		ThursdayDayTypeID: of(time.Thursday),
		FridayDayTypeID:   of(time.Friday), SaturdayDayTypeID: of(time.Saturday), SundayDayTypeID: of(time.Sunday),
	}
	return v
}

// blocksOf are hours as a calendar has them.
func blocksOf(hours worktime.Hours) []schedules.TimeBlock {
	blocks := []schedules.TimeBlock{}
	for _, p := range hours {
		if len(blocks) < schedules.MaxTimeBlocks {
			blocks = append(blocks, schedules.TimeBlock{StartTime: clockOf(p.From), EndTime: clockOf(p.To)})
		}
	}
	return blocks
}

// clockOf is a time of a day, in seconds since midnight.
func clockOf(seconds int) string {
	text := fmt.Sprintf("%02d:%02d", seconds/worktime.Hour, seconds/worktime.Minute%60)
	if rest := seconds % worktime.Minute; rest > 0 {
		text += fmt.Sprintf(":%02d", rest)
	}
	return text
}

// exceptionsOf are exceptions as a calendar has them: days one behind the other that have
// the same hours are one.
func exceptionsOf(all []worktime.Exception) []schedules.CalendarException {
	out := []schedules.CalendarException{}
	date := func(t worktime.Time) string { return t.Midnight().In(time.UTC).Format(time.DateOnly) }
	for i, x := range all {
		blocks := blocksOf(x.Hours)
		if i > 0 && x.Repeat == nil && all[i-1].Repeat == nil &&
			x.First.Midnight() == all[i-1].Last.Midnight()+worktime.Day {
			if last := &out[len(out)-1]; slices.Equal(last.TimeBlocks, blocks) {
				last.EndDate = date(x.Last)
				continue
			}
		}
		out = append(out, schedules.CalendarException{
			StartDate: date(x.First), EndDate: date(x.Last), TimeBlocks: blocks,
			Recurrence: recurrenceOf(x.Repeat),
		})
	}
	return out
}

var frequenciesOf = map[worktime.Frequency]schedules.RecurrenceFrequency{
	worktime.Daily: schedules.DailyRecurrence, worktime.Weekly: schedules.WeeklyRecurrence,
	worktime.Monthly: schedules.MonthlyRecurrence,
	worktime.Yearly:  schedules.YearlyRecurrence,
}

// recurrenceOf is a repetition as a calendar has it.
func recurrenceOf(r *worktime.Repeat) *schedules.Recurrence {
	if r == nil {
		return nil
	}
	out := &schedules.Recurrence{
		Frequency: frequenciesOf[r.Every], Interval: int32(max(r.Interval, 1)), Day: int32(r.Day),
		Month: int32(r.Month),
	}
	for _, day := range r.Weekdays {
		out.Weekdays = append(out.Weekdays, core.Weekdays[day])
	}
	if r.Position > 0 && r.Position <= len(core.WeekdayPositions) {
		out.Position = core.WeekdayPositions[r.Position-1]
	}
	return out
}

// calendarStays reports why a calendar stays that the file does not have. It is asked when
// all else is known.
func (d *planDiff) calendarStays(v *schedules.Calendar) string {
	if !d.calendarUsed(v.ID) {
		return ""
	}
	return fmt.Sprintf("Warning: Calendar '%s' is not in the file, and stays since the schedule uses it.", v.Name)
}

func (d *planDiff) calendarUsed(id string) bool {
	d.noteUses()
	if d.named[id] || d.defaultCalendar == id || slices.Contains(d.projectCalendars, id) {
		return true
	}
	for task := range core.Tasks.IDs(d.Tx, d.Scope, core.OfCalendar, id) {
		if !d.rewritten[task] {
			return true
		}
	}
	for link := range core.TaskLinks.IDs(d.Tx, d.Scope, core.OfCalendar, id) {
		if !d.rewritten[link] {
			return true
		}
	}
	for resource := range core.Resources.IDs(d.Tx, d.Scope, core.OfCalendar, id) {
		if !d.rewritten[resource] {
			return true
		}
	}
	for below := range core.Calendars.IDs(d.Tx, d.Scope, "parent", id) {
		if !d.rewritten[below] {
			return true
		}
	}
	return false
}

// noteUses notes what calendars are named by what is written, and what names none any
// more.
func (d *planDiff) noteUses() {
	if d.named != nil {
		return
	}
	d.named, d.rewritten = make(map[string]bool), make(map[string]bool)
	for i := range d.Changes {
		switch v := d.Changes[i].Value.(type) {
		case *schedules.Task:
			d.noteUse(v.ID, v.CalendarID)
		case *schedules.TaskLink:
			d.noteUse(v.ID, v.CalendarID)
		case *schedules.Resource:
			d.noteUse(v.ID, v.CalendarID)
		case *schedules.Calendar:
			d.noteUse(v.ID, v.ParentID)
		}
	}
	for _, gone := range d.Gone {
		for _, change := range gone {
			d.rewritten[change.Gone] = true
		}
	}
}

// noteUse notes that a record which is written names a calendar, if any.
func (d *planDiff) noteUse(id string, calendarID twinplatform.NullString) {
	d.rewritten[id] = true
	d.named[string(calendarID)] = true
}

// compareScheduling takes along by what rules the plan is scheduled.
func (d *planDiff) compareScheduling() error {
	if len(d.file.Projects) == 0 {
		return nil
	}
	p, m := &d.file.Projects[0], &d.w.Modes
	var parts []importing.Part[schedules.ProjectScheduling]
	if id := d.calendarIDs[p.CalendarID]; id != "" {
		parts = append(parts, importing.Always(m.Calendars,
			importing.Value(id, func(v *schedules.ProjectScheduling,
				id string,
			) {
				v.CalendarID = twinplatform.NullString(id)
			})))
	} else {
		parts = append(parts, importing.Nothing[*schedules.ProjectScheduling]())
	}
	parts = append(parts, importing.Always(m.Tasks,
		importing.Value(d.at(p.DataDate), func(v *schedules.ProjectScheduling, date twinplatform.DateTime) {
			if !date.IsZero() {
				v.DataDate = date
			}
		})))
	parts = append(parts, d.ruleContent(p))
	now, err := core.ProjectScheduling(d.Tx, d.Scope)
	if err != nil {
		return err
	}
	if content := d.projectContent(&now.Value); content != nil {
		parts = append(parts, *content)
	} else {
		parts = append(parts, importing.Nothing[*schedules.ProjectScheduling]())
	}
	parts = append(parts, d.projectNoteContent())
	d.defaultCalendar, d.projectCalendars = string(now.Value.CalendarID), core.CalendarsOfProjects(&now.Value)
	_, err = importing.Compare(d.Diff, &importing.Kind[schedules.ProjectScheduling]{
		Name: "project-scheduling", Records: core.Settings.Table(), Mode: importing.Consolidate,
		Fresh: func(string) *schedules.ProjectScheduling { return new(now.Value) },
		Emit: func(v *schedules.ProjectScheduling, _ bool) {
			d.defaultCalendar = string(v.CalendarID)
			d.scheduling, d.projectCalendars = v, core.CalendarsOfProjects(v)
		},
	}, []importing.Entry[schedules.ProjectScheduling]{{
		Key: "project", At: func() string { return core.SettingsID },
		Parts: parts,
	}})
	if err == nil && d.scheduling != nil {
		err = d.Write(core.Settings.Table(), d.scheduling, false)
	}
	return err
}

// ruleContent is by what rules the planner schedules a project.
func (d *planDiff) ruleContent(p *planner.Project) importing.Part[schedules.ProjectScheduling] {
	text := func(s string) twinplatform.NullString {
		return twinplatform.NullString(d.textOf("project", cmp.Or(p.Code, p.ID), s, schedules.MaxProjectText))
	}
	c := &filedRules{
		Profile: schedules.ProfileP6, Lag: schedules.LagByProfile, Progress: schedules.RetainedLogic,
		Path:  schedules.CriticalByFloat,
		Start: d.at(p.Start), MustFinish: d.at(p.MustFinish),
		Float: int32(min(max(p.Critical, math.MinInt32), math.MaxInt32)), OpenEnds: p.OpenEndsCritical,
		IgnoreExpected: p.IgnoreExpected, IgnoreExternal: p.IgnoreExternal, Together: p.Together &&
			len(d.file.Projects) > 1,
		Code: text(p.Code), ExternalID: text(p.ExternalID),
	}
	if d.file.Format == planner.MSPDI {
		c.Profile = schedules.ProfileMicrosoftProject
	}
	for name, of := range core.LagCalendars {
		if of == p.Lag {
			c.Lag = name
		}
	}
	for name, of := range core.TotalFloatTypes {
		if of == p.Float && of != cpm.FinishFloat {
			c.FloatType = name
		}
	}
	for name, of := range core.ProgressModes {
		if of == p.Progress {
			c.Progress = name
		}
	}
	if p.LongestPath {
		c.Path = schedules.CriticalLongest
	}
	return importing.Always[*schedules.ProjectScheduling](d.w.Modes.Tasks, c)
}

// filedRules is by what rules a file has a plan scheduled.
type filedRules struct {
	Profile           schedules.SchedulingProfile
	Lag               schedules.LagCalendar
	Progress          schedules.ProgressMode
	Path              schedules.CriticalPathType
	Start, MustFinish twinplatform.DateTime
	Float             int32
	OpenEnds          bool

	IgnoreExpected, IgnoreExternal, Together bool
	Code, ExternalID                         twinplatform.NullString
	FloatType                                schedules.TotalFloatType // nothing for FinishFloat
}

// Compared implements importing.Content.
func (c *filedRules) Compared(*importing.Facts) any {
	content := []any{c.Profile, c.Lag, c.Progress, c.Path, c.Start, c.MustFinish, c.Float, c.OpenEnds}
	if c.IgnoreExpected || c.IgnoreExternal { // as in filedProgress
		content = append(content, c.IgnoreExpected, c.IgnoreExternal)
	}
	if c.Together {
		content = append(content, "together")
	}
	if c.Code != "" || c.ExternalID != "" {
		content = append(content, "called", c.Code, c.ExternalID)
	}
	if c.FloatType != "" {
		content = append(content, c.FloatType)
	}
	return content
}

// Set implements importing.Content.
func (c *filedRules) Set(v *schedules.ProjectScheduling) {
	v.FloatToLastProject, v.Code, v.ExternalID = c.Together, c.Code, c.ExternalID
	v.IgnoreExpectedFinish, v.IgnoreExternalDates = c.IgnoreExpected, c.IgnoreExternal
	v.TotalFloatType = c.FloatType
	v.Profile, v.LagCalendar, v.ProgressMode, v.CriticalPathType = c.Profile, c.Lag, c.Progress, c.Path
	v.StartDate, v.MustFinishBy, v.CriticalFloat, v.OpenEndsCritical = c.Start, c.MustFinish, c.Float, c.OpenEnds
}

// calendarsFit checks that the schedule takes the calendars that an import writes.
func (d *planDiff) calendarsFit() error {
	var now []*schedules.Calendar
	var without []string
	for i := range d.Changes {
		if v, ok := d.Changes[i].Value.(*schedules.Calendar); ok {
			now = append(now, v)
		}
	}
	for _, gone := range d.Gone {
		for _, change := range gone {
			if change.Records == core.Calendars.Name {
				without = append(without, change.Gone)
			}
		}
	}
	runs, fit, err := core.CalendarsFit(d.Tx, d.Scope, now, without)
	if err == nil && !fit {
		return badFile("The calendars of the file have %d runs of equal days and time blocks with those of the "+
			"schedule, each with those above it, and a schedule has at most %d.", runs, schedules.MaxCalendarRuns)
	}
	return err
}
