package planner

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
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

// officeHours are those of a day of work whose hours Microsoft Project leaves out.
var officeHours = worktime.Hours{
	{From: 8 * worktime.Hour, To: 12 * worktime.Hour}, {From: 13 * worktime.Hour, To: 17 * worktime.Hour},
}

// hours are those of the day.
func (f *fields) mspdiHours(d *mspdiDay) worktime.Hours {
	h := worktime.Hours{}
	if d.DayWorking == "0" {
		return h
	}
	if len(d.WorkingTimes) == 0 && d.DayWorking == "1" {
		return slices.Clone(officeHours)
	}
	for _, w := range d.WorkingTimes {
		from, err := readClock(w.FromTime)
		if err != nil {
			f.failed(err)
			continue
		}
		to, err := readClock(w.ToTime)
		if err != nil {
			f.failed(err)
			continue
		}
		h = addPeriod(h, from, to)
	}
	return cleanHours(h)
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
	c := Calendar{ID: x.UID, Name: x.Name, BaseID: uid(x.BaseCalendarUID), Week: make(worktime.Week)}
	if c.BaseID == "0" {
		c.BaseID = ""
	}
	var f fields
	for i := range x.WorkWeek { // before the exceptions, which outdo them
		f.mspdiWeek(&c, &x.WorkWeek[i])
	}
	for i := range x.WeekDay {
		day := &x.WeekDay[i]
		n, err := strconv.Atoi(day.DayType)
		switch {
		case err != nil || n < 0 || n > 7:
			f.failed(fmt.Errorf("%q is no day of a week", day.DayType))
		case n > 0:
			c.Week[time.Weekday(n-1)] = f.mspdiHours(day)
		case len(x.Exception) == 0: // newer files have these days among the exceptions, too
			f.mspdiException(&c, day, nil)
		}
	}
	for i := range x.Exception {
		f.mspdiException(&c, &x.Exception[i].mspdiDay, x.Exception[i].repeat(m, c.ID))
	}
	c.Exceptions = nothing(keep(c.Exceptions, func(x *worktime.Exception) bool {
		if x.First == 0 || x.Last < x.First {
			m.warn("calendar "+c.ID, fmt.Sprintf("An exception of it is left out: it is from %v to %v.", x.First, x.Last))
			return false
		}
		return true
	}))
	m.Calendars = append(m.Calendars, c)
	return f.of("calendar", c.ID)
}

// mspdiWeek makes exceptions of the days of a week of other hours.
func (f *fields) mspdiWeek(c *Calendar, w *mspdiWeek) {
	for i := range w.WeekDay {
		day := &w.WeekDay[i]
		n, err := strconv.Atoi(day.DayType)
		if err != nil || n < 1 || n > 7 {
			f.failed(fmt.Errorf("%q is no day of a week", day.DayType))
			return
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
	x := worktime.Exception{Hours: f.mspdiHours(d), Repeat: r}
	f.time(&x.First, d.TimePeriod.FromDate)
	f.time(&x.Last, d.TimePeriod.ToDate)
	c.Exceptions = append(c.Exceptions, x)
}

// repeat is how an exception repeats; nil for each day of its time.
func (x *mspdiException) repeat(m *mspdi, calendar string) *worktime.Repeat {
	n := func(s string) int {
		v, _ := strconv.Atoi(s)
		return v
	}
	days := n(x.DaysOfWeek)
	var weekdays []time.Weekday
	for d := time.Sunday; d <= time.Saturday; d++ {
		if days&(1<<d) != 0 {
			weekdays = append(weekdays, d)
		}
	}
	interval, month := max(n(x.Period), 1), time.Month(n(x.Month)+1)
	switch typ := n(x.Type); typ {
	case 0, 1:
		if interval == 1 {
			return nil
		}
		return &worktime.Repeat{Every: worktime.Daily, Interval: interval}
	case 2:
		return &worktime.Repeat{Every: worktime.Yearly, Interval: 1, Day: n(x.MonthDay), Month: month}
	case 3:
		return &worktime.Repeat{
			Every: worktime.Yearly, Interval: 1, Weekdays: monthItem(n(x.MonthItem)), Position: n(x.MonthPosition) + 1,
			Month: month,
		}
	case 4:
		return &worktime.Repeat{Every: worktime.Monthly, Interval: interval, Day: n(x.MonthDay)}
	case 5:
		return &worktime.Repeat{
			Every: worktime.Monthly, Interval: interval, Weekdays: monthItem(n(x.MonthItem)),
			Position: n(x.MonthPosition) + 1,
		}
	case 6:
		return &worktime.Repeat{Every: worktime.Weekly, Interval: interval, Weekdays: weekdays}
	default:
		m.warn("calendar "+calendar, "An exception repeats in a way that is not known: each of its days counts.")
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
