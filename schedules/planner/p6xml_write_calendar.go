package planner

import (
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

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
