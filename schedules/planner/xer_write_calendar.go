package planner

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// calendarRows writes the calendars. Those of other formats are written flat, with all that
// they have of their bases.
func (x *xerWriter) calendarRows() {
	t := x.table("CALENDAR", "default_flag", "proj_id", "clndr_type", "day_hr_cnt", "week_hr_cnt", "month_hr_cnt",
		"year_hr_cnt")
	usual := x.defaultCalendar()
	for i := range x.Calendars {
		c := &x.Calendars[i]
		week, exceptions, base := c.Week, c.Exceptions, x.calendars.of(c.BaseID)
		if x.Format != XER {
			week, exceptions = x.flat(c)
			base = ""
		}
		v := values{
			"clndr_id": x.calendars.of(c.ID), "clndr_name": c.Name, "base_clndr_id": base,
			"clndr_data": calendarData(week, x.daily(c, week, exceptions)),
		}
		if c.ProjectID != "" {
			v["proj_id"], v["clndr_type"] = x.projects.of(c.ProjectID), projectCalendar
		}
		t.row(v, x.askedOf(c, c.ID == usual))
	}
	if x.day != "" {
		c := &Calendar{Week: worktime.EveryDay(worktime.AllDay)}
		t.row(values{"clndr_id": x.day, "clndr_name": "24 Hours", "clndr_data": calendarData(c.Week, nil)},
			x.askedOf(c, false))
	}
}

// projectCalendar is the type of a calendar of one project.
const projectCalendar = "CA_Project"

// askedOf returns the fields without which P6 refuses a calendar. usual marks the default
// calendar of new items.
func (x *xerWriter) askedOf(c *Calendar, usual bool) values {
	hours := x.spans(c)
	return values{
		"default_flag": yes(usual), "clndr_type": "CA_Base",
		"day_hr_cnt": hours[0], "week_hr_cnt": hours[1], "month_hr_cnt": hours[2], "year_hr_cnt": hours[3],
	}
}

// calendarData is a calendar as P6 writes it.
func calendarData(week worktime.Week, exceptions []worktime.Exception) string {
	if week == nil && exceptions == nil {
		return ""
	}
	var s strings.Builder
	shifts := func(h worktime.Hours) {
		s.WriteString("(")
		for i, p := range h {
			fmt.Fprintf(&s, "(0||%d(s|%s|f|%s)())", i, clock(p.From), clock(p.To))
		}
		s.WriteString(")")
	}
	s.WriteString("(0||CalendarData()(")
	if week != nil {
		s.WriteString("(0||DaysOfWeek()(")
		for day := time.Sunday; day <= time.Saturday; day++ {
			if h, ok := week[day]; ok {
				fmt.Fprintf(&s, "(0||%d()", day+1)
				shifts(h)
				s.WriteString(")")
			}
		}
		s.WriteString("))")
	}
	s.WriteString("(0||VIEW(ShowTotal|N)())(0||Exceptions()(")
	for i, e := range exceptions {
		fmt.Fprintf(&s, "(0||%d(d|%d)", i, (e.First-zeroDay)/worktime.Day)
		shifts(e.Hours)
		s.WriteString(")")
	}
	s.WriteString("))))")
	return s.String()
}
