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
