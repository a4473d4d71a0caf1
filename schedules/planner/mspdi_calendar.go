package planner

import (
	"encoding/xml"
	"math"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdiDay is a day of a week, or days of an exception.
type mspdiDay struct {
	DayType      string
	DayWorking   string
	TimePeriod   mspdiPeriod
	WorkingTimes []struct{ FromTime, ToTime string } `xml:"WorkingTimes>WorkingTime"`
}

type mspdiPeriod struct{ FromDate, ToDate string }

// officeHours are 8:00 to 12:00 and 13:00 to 17:00, the default of Microsoft Project. They
// apply to a working day for which the file states no hours.
var officeHours = worktime.Hours{
	{From: 8 * worktime.Hour, To: 12 * worktime.Hour}, {From: 13 * worktime.Hour, To: 17 * worktime.Hour},
}

// mspdiShifts reads the shifts of a day: none of a day off, officeHours of a working day
// without times, else each time that the file states.
func (f *fields) mspdiShifts(d *mspdiDay) *shifts {
	s := &shifts{}
	working, said := f.alone(d.DayWorking).truth("DayWorking")
	switch {
	case said && !working:
	case working && len(d.WorkingTimes) == 0:
		s.day = slices.Clone(officeHours)
	default:
		for _, w := range d.WorkingTimes {
			if w.FromTime+w.ToTime != "" {
				f.shift(s, w.FromTime, w.ToTime)
			}
		}
	}
	return s
}

// mspdiException are days that are not as the week has them.
type mspdiException struct {
	mspdiDay
	Type, Period, Month, MonthItem, MonthPosition, MonthDay, DaysOfWeek string
}

// mspdiWeek is a week of other hours at certain times.
type mspdiWeek struct {
	TimePeriod mspdiPeriod
	WeekDay    []mspdiDay `xml:"WeekDays>WeekDay"`
}

// calendar reads a calendar with its week, weeks of other hours and exceptions. Newer
// files have the exceptions twice, once among the days of the week for older tools.
func (m *mspdi) calendar(e xml.StartElement) error {
	var x struct {
		UID, Name, BaseCalendarUID string
		WeekDay                    []mspdiDay       `xml:"WeekDays>WeekDay"`
		Exception                  []mspdiException `xml:"Exceptions>Exception"`
		WorkWeek                   []mspdiWeek      `xml:"WorkWeeks>WorkWeek"`
	}
	if err := m.bounded(func() error { return m.d.DecodeElement(&x, &e) }); err != nil {
		return err
	}
	c := Calendar{ID: x.UID, Name: x.Name, BaseID: uid(x.BaseCalendarUID)}
	if c.BaseID == "0" {
		c.BaseID = ""
	}
	f := m.fields("calendar", c.ID, nil)
	for i := range x.WorkWeek { // before the exceptions, which outdo them
		f.mspdiWeek(&c, &x.WorkWeek[i])
	}
	week := make(map[time.Weekday]*shifts)
	for i := range x.WeekDay {
		day := &x.WeekDay[i]
		switch n, ok := f.dayType(day, 0); {
		case !ok:
		case n > 0:
			week[time.Weekday(n-1)] = f.mspdiShifts(day)
		case len(x.Exception) == 0: // newer files have these days among the exceptions, too
			f.mspdiException(&c, day, nil)
		}
	}
	f.week(&c, week)
	for i := range x.Exception {
		f.mspdiException(&c, &x.Exception[i].mspdiDay, x.Exception[i].repeat(&f))
	}
	c.Exceptions = nothing(keep(c.Exceptions, func(x *worktime.Exception) bool {
		if x.First == 0 || x.Last < x.First {
			m.warn("calendar "+c.ID, "An exception of it is left out: it is from %v to %v.", x.First, x.Last)
			return false
		}
		return true
	}))
	m.Calendars = append(m.Calendars, c)
	return nil
}

// dayType is which day of a week one is, of which Sunday is 1.
func (f *fields) dayType(d *mspdiDay, least int) (n int, ok bool) {
	if d.DayType == "" {
		f.warn(f.what(), "A day of its week is left out: it does not say which.")
		return 0, false
	}
	ok = f.alone(d.DayType).whole(&n, least, 7, "DayType")
	return n, ok
}

// mspdiWeek makes exceptions of the days of a week of other hours.
func (f *fields) mspdiWeek(c *Calendar, w *mspdiWeek) {
	for i := range w.WeekDay {
		day := &w.WeekDay[i]
		n, ok := f.dayType(day, 1)
		if !ok {
			continue
		}
		day.TimePeriod = w.TimePeriod
		f.mspdiException(
			c, day,
			&worktime.Repeat{Every: worktime.Weekly, Interval: 1, Weekdays: []time.Weekday{time.Weekday(n - 1)}},
		)
	}
}

// mspdiException adds an exception to a calendar, with its repetition where it has one.
func (f *fields) mspdiException(c *Calendar, d *mspdiDay, r *worktime.Repeat) {
	x := worktime.Exception{Hours: f.exception(f.mspdiShifts(d)), Repeat: r}
	f.alone(d.TimePeriod.FromDate).time(&x.First, "FromDate")
	f.alone(d.TimePeriod.ToDate).time(&x.Last, "ToDate")
	c.Exceptions = append(c.Exceptions, x)
}

// repeat is how an exception repeats; nil for each day of its time.
func (x *mspdiException) repeat(f *fields) *worktime.Repeat {
	n := func(name, value string) (v int) {
		f.alone(value).whole(&v, 0, math.MaxInt16, name)
		return v
	}
	days := n("DaysOfWeek", x.DaysOfWeek)
	var weekdays []time.Weekday
	for d := time.Sunday; d <= time.Saturday; d++ {
		if days&(1<<d) != 0 {
			weekdays = append(weekdays, d)
		}
	}
	day, item, position := n("MonthDay", x.MonthDay), n("MonthItem", x.MonthItem), n("MonthPosition", x.MonthPosition)+1
	interval, month := max(n("Period", x.Period), 1), time.Month(n("Month", x.Month)+1)
	switch n("Type", x.Type) {
	case 0, 1:
		if interval == 1 {
			return nil
		}
		return &worktime.Repeat{Every: worktime.Daily, Interval: interval}
	case 2:
		return &worktime.Repeat{Every: worktime.Yearly, Interval: 1, Day: day, Month: month}
	case 3:
		return &worktime.Repeat{
			Every: worktime.Yearly, Interval: 1, Weekdays: monthItem(item), Position: position,
			Month: month,
		}
	case 4:
		return &worktime.Repeat{Every: worktime.Monthly, Interval: interval, Day: day}
	case 5:
		return &worktime.Repeat{
			Every: worktime.Monthly, Interval: interval, Weekdays: monthItem(item),
			Position: position,
		}
	case 6:
		return &worktime.Repeat{Every: worktime.Weekly, Interval: interval, Weekdays: weekdays}
	default:
		f.warn(f.what(), "An exception repeats in a way that is not known: each of its days counts.")
		return nil
	}
}

// monthItem are the days of a week that an exception by position means.
func monthItem(n int) []time.Weekday {
	week := []time.Weekday{
		time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday,
	}
	switch {
	case n == 1:
		return week[1:6]
	case n == 2:
		return []time.Weekday{time.Saturday, time.Sunday}
	case n >= 3 && n <= 9:
		return week[n-3 : n-2]
	default:
		return week
	}
}
