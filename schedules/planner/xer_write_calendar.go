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
	t := x.table("CALENDAR")
	for i := range x.Calendars {
		c := &x.Calendars[i]
		week, exceptions, base := c.Week, c.Exceptions, x.calendars.of(c.BaseID)
		if x.Format != XER {
			week, exceptions = x.flat(c)
			base = ""
		}
		t.row(values{
			"clndr_id": x.calendars.of(c.ID), "clndr_name": c.Name, "base_clndr_id": base,
			"clndr_data": calendarData(week, x.daily(c, week, exceptions)),
		})
	}
	if x.day != "" {
		t.row(values{
			"clndr_id": x.day, "clndr_name": "24 Hours",
			"clndr_data": calendarData(worktime.EveryDay(worktime.AllDay), nil),
		})
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
