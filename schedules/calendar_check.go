package schedules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxExceptionDays is how many days the exceptions of a calendar and of those above it
// last together. A yearly one has 31 of them in each year.
const MaxExceptionDays = worktime.MaxExceptionDays

func checkDayTypes(c *problem.Checks, name string, days []DayType) {
	if len(days) > MaxDayTypes {
		c.Bad(name, "A calendar has at most %d day types.", MaxDayTypes)
		return
	}
	seen := make(map[string]bool, len(days))
	for i := range days {
		days[i].check(c, item(name, i), seen)
	}
}

func (d *DayType) check(c *problem.Checks, name string, seen map[string]bool) {
	c.Need(name+".id", d.ID, MaxID)
	c.ID(name+".id", d.ID)
	if seen[d.ID] {
		c.Bad(name+".id", "The id '%s' is given twice.", d.ID)
	}
	seen[d.ID] = true
	c.AtMost(name+".description", d.Description, MaxText)
	if d.Color != "" {
		model.CheckColor(c, name+".color", d.Color)
	}
	checkTimeBlocks(c, name+".timeBlocks", d.TimeBlocks)
	switch {
	case d.Type == "":
		c.Missing(name + ".type")
	case !problem.OneOf(c, name+".type", d.Type, dayTypeKinds):
	case d.Type == NonWorkingDay && len(d.TimeBlocks) > 0:
		c.Bad(name+".timeBlocks", "A NonWorking day has no time blocks.")
	case d.Type == NormalDay && len(d.TimeBlocks) == 0:
		c.Bad(name+".timeBlocks", "A Normal day has at least one time block.")
	}
}

func checkTimeBlocks(c *problem.Checks, name string, blocks []TimeBlock) {
	if len(blocks) > MaxTimeBlocks {
		c.Bad(name, "A day has at most %d time blocks.", MaxTimeBlocks)
		return
	}
	end := 0
	for i, b := range blocks {
		from, ok := timeOfDay(b.StartTime)
		if !ok || from == worktime.Day {
			c.Bad(item(name, i)+".startTime", "A time is HH:MM or HH:MM:SS, from 00:00 on.")
			return
		}
		to, ok := b.end()
		switch {
		case !ok:
			c.Bad(item(name, i)+".endTime", "A time is HH:MM or HH:MM:SS, up to 24:00.")
			return
		case from < end:
			c.Bad(item(name, i)+".startTime", "Time blocks are in order and do not overlap.")
			return
		case to <= from:
			c.Bad(item(name, i)+".endTime",
				"A time block ends after it begins. Work through the night is in the blocks of both days.")
			return
		}
		end = to
	}
}

// timeOfDay reads a time in seconds since midnight.
func timeOfDay(s string) (seconds int, ok bool) {
	if len(s) != len("09:00") && len(s) != len("09:00:00") {
		return 0, false
	}
	for i := range len(s) {
		digit := s[i] >= '0' && s[i] <= '9'
		if digit == (i%3 == 2) || !digit && s[i] != ':' {
			return 0, false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	h, m, sec := two(0), two(3), 0
	if len(s) > len("09:00") {
		sec = two(6)
	}
	seconds = h*worktime.Hour + m*worktime.Minute + sec
	return seconds, m < 60 && sec < 60 && seconds <= worktime.Day
}

// end is when the block ends, in seconds since midnight.
func (b TimeBlock) end() (seconds int, ok bool) {
	seconds, ok = timeOfDay(b.EndTime)
	if seconds == 0 {
		seconds = worktime.Day
	}
	return seconds, ok
}

func checkExceptions(c *problem.Checks, name string, all []CalendarException) {
	if len(all) > MaxExceptions {
		c.Bad(name, "A calendar has at most %d exceptions.", MaxExceptions)
		return
	}
	days := int64(0)
	for i := range all {
		x := &all[i]
		x.check(c, item(name, i))
		days += x.days()
	}
	if days > MaxExceptionDays {
		c.Bad(name, tooManyDays, MaxExceptionDays)
	}
}

const tooManyDays = "The exceptions of a calendar, with those above it, last at most %d days."

func (x *CalendarException) check(c *problem.Checks, name string) {
	c.AtMost(name+".name", x.Name, MaxText)
	first, ok := dateOf(x.StartDate)
	if !ok {
		c.Bad(name+".startDate", "A date is YYYY-MM-DD, in the years 1 to 9999.")
	}
	if x.EndDate != "" {
		last, valid := dateOf(x.EndDate)
		switch {
		case !valid:
			c.Bad(name+".endDate", "A date is YYYY-MM-DD, in the years 1 to 9999.")
		case ok && last < first:
			c.Bad(name+".endDate", "An exception ends on its first day at the earliest.")
		}
	}
	if x.DayTypeID != "" && len(x.TimeBlocks) > 0 {
		c.Bad(name+".timeBlocks", "An exception has a day type or time blocks of its own.")
	}
	checkTimeBlocks(c, name+".timeBlocks", x.TimeBlocks)
	if x.Recurrence != nil {
		x.Recurrence.check(c, name+".recurrence")
	}
}

// dateOf reads a day.
func dateOf(s string) (t worktime.Time, ok bool) {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil || d.Year() < 1 {
		return 0, false
	}
	return worktime.Time(d.Unix()), true
}

// span is the first and the last day of a valid exception.
func (x *CalendarException) span() (first, last worktime.Time) {
	first, _ = dateOf(x.StartDate)
	last, ok := dateOf(x.EndDate)
	if !ok {
		last = first
	}
	return first, last
}

// days is how many days the exception is tried on.
func (x *CalendarException) days() int64 {
	first, last := x.span()
	n := max(int64(last-first)/worktime.Day+1, 0)
	if x.Recurrence != nil && x.Recurrence.Frequency == YearlyRecurrence && n <= MaxExceptionDays {
		n = min(n, (n/365+2)*31)
	}
	return n
}

func (r *Recurrence) check(c *problem.Checks, name string) {
	if r.Frequency == "" {
		c.Missing(name + ".frequency")
		return
	}
	if !problem.OneOf(c, name+".frequency", r.Frequency, recurrenceFrequencies) {
		return
	}
	if r.Interval < 0 {
		c.Bad(name+".interval", "An interval is 1 or more.")
	}
	if r.Day < 0 || r.Day > 31 {
		c.Bad(name+".day", dayOfMonth)
		return
	}
	if r.Month < 0 || r.Month > 12 {
		c.Bad(name+".month", monthOfYear)
		return
	}
	if len(r.Weekdays) > len(weekdays) {
		c.Bad(name+".weekdays", "A week has %d days.", len(weekdays))
		return
	}
	for _, day := range r.Weekdays {
		problem.OneOf(c, name+".weekdays", day, weekdays)
	}
	if r.Position != "" {
		problem.OneOf(c, name+".position", r.Position, weekdayPositions)
	}
	monthly := r.Frequency == MonthlyRecurrence || r.Frequency == YearlyRecurrence
	switch {
	case (r.Frequency == WeeklyRecurrence || monthly && r.Position != "") && len(r.Weekdays) == 0:
		c.Missing(name + ".weekdays")
	case monthly && r.Position == "" && r.Day == 0:
		c.Bad(name+".day", dayOfMonth)
	}
	if r.Frequency == YearlyRecurrence && r.Month == 0 {
		c.Bad(name+".month", monthOfYear)
	}
}

const (
	dayOfMonth  = "A day of a month is 1 to 31, unless a position is given."
	monthOfYear = "A month is 1 to 12."
)

// describeCalendars declares what the parts of calendars must be.
func describeCalendars(b *schema.Book) {
	clock := schema.Pattern(`^([01][0-9]|2[0-4]):[0-5][0-9](:[0-5][0-9])?$`, "09:00")
	date := schema.Pattern(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, "2026-12-25")
	const listed = "day types are listed in the calendar"
	for _, day := range weekdays {
		schema.Has[CalendarWeek](b, schema.NotRef(strings.ToLower(string(day))+"DayTypeId", listed))
	}
	schema.Has[CalendarException](b, schema.NotRef("dayTypeId", listed))
	blocks := schema.May("timeBlocks", schema.List(0, MaxTimeBlocks, schema.Value{}))
	b.Has(reflect.TypeFor[DayType](), schema.NeedText("id", MaxID), schema.Need("type", schema.Value{}),
		schema.May("color", model.Color),
		schema.May("description", schema.AtMost(MaxText)), blocks)
	b.Has(reflect.TypeFor[TimeBlock](), schema.Need("startTime", clock), schema.Need("endTime", clock))
	b.Has(reflect.TypeFor[CalendarException](), schema.Need("startDate", date), schema.May("endDate", date),
		schema.May("name", schema.AtMost(MaxText)), blocks)
	b.Has(reflect.TypeFor[Recurrence](), schema.Need("frequency", schema.Value{}),
		schema.May("interval", schema.AtLeast(0)),
		schema.May("weekdays", schema.List(0, len(weekdays), schema.Words(weekdays))), schema.May("day",
			schema.Range(0, 31)), schema.May("month", schema.Range(0, 12)))
}

// days are the day types of the week, by the number of the weekday.
func (w *CalendarWeek) days() [7]twinplatform.NullString {
	return [7]twinplatform.NullString{
		w.SundayDayTypeID, w.MondayDayTypeID, w.TuesdayDayTypeID, w.WednesdayDayTypeID, w.ThursdayDayTypeID,
		w.FridayDayTypeID, w.SaturdayDayTypeID,
	}
}

// weekMembers are how errors call the days of a week.
var weekMembers = [7]string{
	"week.sundayDayTypeId", "week.mondayDayTypeId", "week.tuesdayDayTypeId", "week.wednesdayDayTypeId",
	"week.thursdayDayTypeId",
	"week.fridayDayTypeId", "week.saturdayDayTypeId",
}

// checkNames checks that the calendar has the day types that it names, and, where no
// other calendar is above it, working time.
func (v *Calendar) checkNames(c *problem.Checks) {
	has := make(map[twinplatform.NullString]bool, len(v.DayTypes))
	for _, d := range v.DayTypes {
		has[twinplatform.NullString(d.ID)] = true
	}
	check := func(target string, id twinplatform.NullString) {
		if id != "" && !has[id] {
			c.Bad(target, "The calendar has no day type with the id '%s'.", id)
		}
	}
	for i, id := range v.Week.days() {
		check(weekMembers[i], id)
	}
	for i := range v.Exceptions {
		if id := v.Exceptions[i].DayTypeID; id != "" && !has[id] {
			check(item("exceptions", i)+".dayTypeId", id)
		}
	}
	if v.ParentID == "" && !works([]*Calendar{v}) {
		c.Bad("week", noWork)
	}
}

const noWork = "A week needs working time: without it no task would ever end."

// works reports whether the week of the first of several calendars, each the parent of
// the one before it, has working time.
func works(chain []*Calendar) bool {
	for weekday := range 7 {
		for _, v := range chain {
			if id := v.Week.days()[weekday]; id != "" {
				if len(v.blocks(id)) > 0 {
					return true
				}
				break
			}
		}
	}
	return false
}

// blocks are those of a day type.
func (v *Calendar) blocks(dayTypeID twinplatform.NullString) []TimeBlock {
	i := slices.IndexFunc(v.DayTypes, func(d DayType) bool { return d.ID == string(dayTypeID) })
	if i < 0 {
		return nil
	}
	return v.DayTypes[i].TimeBlocks
}

// calendarFits checks a calendar among the others: its working time, and that those below it keep theirs.
func calendarFits(tx records.Reading, s records.Scope, v, stored *Calendar, c *problem.Checks) error {
	if stored == nil {
		if err := fewCalendars(tx, s, c); err != nil {
			return err
		}
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	above, err := calendarChain(func(id string) (*Calendar, error) { return calendarRecords.Value(tx, s, id) },
		v.parent())
	if err != nil {
		return err
	}
	if err := v.checkBelow(tx, s, append([]*Calendar{v}, above...), c); err != nil {
		return err
	}
	return v.checkSchedule(tx, s, c)
}

// fewCalendars checks that a schedule takes one more calendar.
func fewCalendars(tx records.Reading, s records.Scope, c *problem.Checks) error {
	n := 0
	for range calendarRecords.HeadsFrom(tx, s, "") {
		if n++; n >= MaxCalendars {
			c.Bad("id", "A schedule has at most %d calendars.", MaxCalendars)
			return nil
		}
		if err := records.Interrupted(tx); err != nil {
			return err
		}
	}
	return nil
}

// checkBelow checks the first of a chain and all calendars below it, each with those
// above it.
func (v *Calendar) checkBelow(tx records.Reading, s records.Scope, chain []*Calendar, c *problem.Checks) error {
	if err := records.Interrupted(tx); err != nil {
		return err
	}
	where := ""
	if chain[0] != v {
		where = " That of the calendar '" + chain[0].ID + "' below it would have none."
	}
	if !works(chain) {
		c.Bad("week", "%s", noWork+where)
	}
	if exceptionDays(chain) > MaxExceptionDays {
		c.Bad("exceptions", tooManyDays, MaxExceptionDays)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	for below, err := range calendarRecords.Find(tx, s, "parent", chain[0].ID) {
		if err != nil {
			return err
		}
		if below.ID == v.ID {
			continue
		}
		if err := v.checkBelow(tx, s, append([]*Calendar{below}, chain...), c); err != nil {
			return err
		}
	}
	return nil
}

// calendarChain is a calendar and those above it, the nearest first.
func calendarChain(read func(id string) (*Calendar, error), id string) (chain []*Calendar, err error) {
	for id != "" {
		if len(chain) > MaxDepth {
			return nil, worktime.ErrBases
		}
		v, err := read(id)
		if err != nil {
			return nil, err
		}
		chain, id = append(chain, v), v.parent()
	}
	return chain, nil
}

// MaxCalendarRuns is how large all calendars of a schedule are together at most. A calendar
// counts its time blocks and, for each of its exceptions, the runs of equal days: one for an
// exception without a recurrence, however long it lasts, and with one as many as it may hit
// days that are apart. What is above a calendar counts for it too.
const MaxCalendarRuns = 400_000

// calendarSize is how large a calendar is without those above it.
type calendarSize struct {
	id, parent string
	runs       int64
}

func sizeOf(v *Calendar) *calendarSize {
	s := &calendarSize{id: v.ID, parent: v.parent(), runs: 1}
	for i := range v.DayTypes {
		s.runs += int64(len(v.DayTypes[i].TimeBlocks))
	}
	for i := range v.Exceptions {
		x := &v.Exceptions[i]
		s.runs += x.runs() + int64(len(x.TimeBlocks))
	}
	return s
}

// runs is how many runs of equal days the exception makes at most.
func (x *CalendarException) runs() int64 {
	r := x.Recurrence
	if r == nil {
		return 1
	}
	first, last := x.span()
	days, interval := max(int64(last-first)/worktime.Day+1, 0), max(int64(r.Interval), 1)
	switch r.Frequency {
	case WeeklyRecurrence:
		on := make(map[Weekday]bool, len(weekdays))
		for _, day := range r.Weekdays {
			on[day] = true
		}
		const apart = 4 // weekdays of which none is next to another
		return (days/7/interval + 2) * int64(min(len(on), apart))
	case MonthlyRecurrence:
		return days/28/interval + 2
	case YearlyRecurrence:
		return days/365/interval + 2
	default:
		if interval == 1 {
			return 1
		}
		return days/interval + 1
	}
}

// calendarSizes are those of the calendars of a schedule, by their ids.
type calendarSizes map[string]*calendarSize

// sizesOfCalendars are those of a schedule as a transaction reads it.
func sizesOfCalendars(tx records.Reading, s records.Scope) (calendarSizes, error) {
	all := make(calendarSizes)
	for size, err := range calendarCache.Of(tx).sizes.All(tx, &calendarRecords, s, sizeOf) {
		if err == nil {
			err = records.Interrupted(tx)
		}
		if err != nil {
			return nil, err
		}
		all[size.id] = size
	}
	return all, nil
}

// total is how large the calendars are together, each with those above it.
func (all calendarSizes) total() (n int64) {
	with := make(map[string]int64, len(all)) // those above it
	for id := range all {
		n += all.with(with, id)
	}
	return n
}

// chain are the sizes of a calendar and those above it, the nearest first.
func (all calendarSizes) chain(id string) (chain []*calendarSize, err error) {
	for id != "" {
		if len(chain) > MaxDepth {
			return nil, worktime.ErrBases
		}
		size := all[id]
		if size == nil {
			return nil, records.ErrNotFound
		}
		chain, id = append(chain, size), size.parent
	}
	return chain, nil
}

// with is the size of a calendar with those above it, which are few.
func (all calendarSizes) with(known map[string]int64, id string) int64 {
	var chain []string
	n := int64(0)
	for len(chain) <= MaxDepth && all[id] != nil {
		if of, ok := known[id]; ok {
			n = of
			break
		}
		chain, id = append(chain, id), all[id].parent
	}
	for _, id := range slices.Backward(chain) {
		n += all[id].runs
		known[id] = n
	}
	return n
}

const tooManyRuns = "The calendars of a schedule have at most %d runs of equal days and time blocks together, each " +
	"with those above it; with this one it would be %d."

// checkSchedule checks that the schedule takes a calendar as it is to be. One that makes
// the calendars smaller is taken in any case.
func (v *Calendar) checkSchedule(tx records.Reading, s records.Scope, c *problem.Checks) error {
	runs, fit, err := calendarsFit(tx, s, []*Calendar{v}, nil)
	if err == nil && !fit {
		c.Bad("exceptions", tooManyRuns, MaxCalendarRuns, runs)
	}
	return err
}

// calendarsFit reports whether the schedule takes calendars as they are to be, without some of those that there
// are, and how many runs all have then. It takes what makes them smaller in any case.
func calendarsFit(tx records.Reading, s records.Scope, as []*Calendar, without []string) (runs int64, fit bool,
	err error,
) {
	all, err := sizesOfCalendars(tx, s)
	if err != nil {
		return 0, false, err
	}
	before := all.total()
	for _, v := range as {
		all[v.ID] = sizeOf(v)
	}
	for _, id := range without {
		delete(all, id)
	}
	runs = all.total()
	return runs, runs <= MaxCalendarRuns || runs <= before, nil
}

// calendarsTooLarge refuses to compute with more than is computed with.
func calendarsTooLarge(runs int64) error {
	return problem.Conflict("LimitExceeded", "calendars", fmt.Sprintf(
		"The calendars have %d runs of equal days and time blocks together, each with those above it, and a plan is "+
			"computed with at most %d.", runs, MaxCalendarRuns))
}
