package planner

import (
	"encoding/xml"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// p6Hours are pieces of work of a day.
type p6Hours struct {
	WorkTime []struct{ Start, Finish string }
}

// shifts reads the working hours of a day. P6 writes as the finish the last minute of work,
// so the shift ends a minute later.
func (h *p6Hours) shifts(f *fields) *shifts {
	s := &shifts{}
	for _, w := range h.WorkTime {
		if w.Start == "" && w.Finish == "" {
			continue // a day off
		}
		finish := w.Finish
		if to, err := readClock(finish); err == nil && to%(5*worktime.Minute) == 4*worktime.Minute {
			finish = (worktime.Time(to) + worktime.Minute).String()[len("1970-01-01T"):]
		}
		f.shift(s, w.Start, finish)
	}
	return s
}

// calendar reads a calendar with its week and its exceptions, which for P6 are dates and
// never repeat.
func (x *p6xml) calendar(e xml.StartElement) error {
	var v struct {
		ObjectId, Name, BaseCalendarObjectId string
		Type, ProjectObjectId                string
		Day                                  []struct {
			DayOfWeek string
			p6Hours
		} `xml:"StandardWorkWeek>StandardWorkHours"`
		Exception []struct {
			Date string
			p6Hours
		} `xml:"HolidayOrExceptions>HolidayOrException"`
	}
	if err := x.bounded(func() error { return x.d.DecodeElement(&v, &e) }); err != nil {
		return err
	}
	c := Calendar{ID: v.ObjectId, Name: v.Name, BaseID: v.BaseCalendarObjectId}
	if v.Type == "Project" {
		c.ProjectID = v.ProjectObjectId
	}
	f := x.fields("calendar", c.ID, nil)
	week := make(map[time.Weekday]*shifts)
	for i := range v.Day {
		if day := daysOfWeek.of(f.alone(v.Day[i].DayOfWeek), "DayOfWeek"); day != noWeekday {
			week[day] = v.Day[i].shifts(&f)
		}
	}
	f.week(&c, week)
	for i := range v.Exception {
		one := worktime.Exception{Hours: f.exception(v.Exception[i].shifts(&f))}
		if f.alone(v.Exception[i].Date).time(&one.First, "Date"); one.First == 0 {
			f.warn(f.what(), "An exception of it is left out: it has no date.")
			continue
		}
		one.Last = one.First
		c.Exceptions = append(c.Exceptions, one)
	}
	x.Calendars = append(x.Calendars, c)
	return nil
}

// writeCalendars writes the calendars of a project, or those that all may use.
func (x *p6xmlWriter) writeCalendars(project string) {
	for i := range x.Calendars {
		if x.within(x.Calendars[i].ProjectID) == project {
			x.writeCalendar(&x.Calendars[i])
		}
	}
}

// writeCalendar writes a calendar. Those of Microsoft Project are written flat, with all
// that they have of their bases.
func (x *p6xmlWriter) writeCalendar(c *Calendar) {
	week, exceptions, base := c.Week, c.Exceptions, x.calendars.of(c.BaseID)
	if x.Format == MSPDI {
		week, exceptions = x.flat(c)
		base = ""
	}
	v := x.askedOf(c, c.ID == x.defaultCalendar())
	v["ObjectId"], v["Name"], v["BaseCalendarObjectId"] = x.calendars.of(c.ID), c.Name, base
	if c.ProjectID != "" {
		v["Type"], v["ProjectObjectId"] = "Project", x.projects.of(c.ProjectID)
	}
	x.object("Calendar", "calendar", c.ID, v, func() {
		hours := func(h worktime.Hours) { x.workTimes(c.ID, h) }
		x.writeWeek(week, hours)
		x.list("HolidayOrExceptions", len(exceptions), func() {
			for _, e := range x.daily(c, week, exceptions) {
				x.print("<HolidayOrException>")
				x.element("Date", e.First.String())
				hours(e.Hours)
				x.print("</HolidayOrException>")
			}
		})
	})
}

// askedOf returns the members without which P6 refuses a calendar. usual marks the default
// calendar of new items.
func (x *p6xmlWriter) askedOf(c *Calendar, usual bool) values {
	hours := x.spans(c)
	return values{
		"IsDefault": bit(usual), "Type": "Global",
		"HoursPerDay": hours[0], "HoursPerWeek": hours[1], "HoursPerMonth": hours[2], "HoursPerYear": hours[3],
	}
}

// writeWeek writes the days that a week has.
func (x *p6xmlWriter) writeWeek(week worktime.Week, hours func(worktime.Hours)) {
	names := inverse(weekdays)
	x.list("StandardWorkWeek", len(week), func() {
		for day := time.Sunday; day <= time.Saturday; day++ {
			if h, ok := week[day]; ok {
				x.print("<StandardWorkHours>")
				x.element("DayOfWeek", names[day])
				hours(h)
				x.print("</StandardWorkHours>")
			}
		}
	})
}

// workTimes writes the hours of a day, of which P6 has the last minute, and not the end. Only
// what ends at a multiple of five minutes is read so: all else stays as it is. A day off has one
// that is nothing.
func (x *p6xmlWriter) workTimes(calendar string, h worktime.Hours) {
	if len(h) == 0 {
		x.print(`<WorkTime xsi:nil="true"/>`)
	}
	for _, p := range h {
		to := p.To
		switch to % (5 * worktime.Minute) {
		case 0:
			to -= worktime.Minute
		case 4 * worktime.Minute:
			to -= worktime.Minute
			x.lose("calendar", calendar, "Work of it ends a minute sooner: P6 would take its end for the last minute "+
				"of it.")
		}
		x.print("<WorkTime>")
		x.element("Start", seconds(p.From))
		x.element("Finish", seconds(to))
		x.print("</WorkTime>")
	}
}
