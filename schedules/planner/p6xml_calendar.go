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

// hours are those of the day. A finish is the last minute of work, which is a minute
// before the end.
func (h *p6Hours) hours(f *fields) worktime.Hours {
	out := worktime.Hours{}
	for _, w := range h.WorkTime {
		if w.Start == "" && w.Finish == "" {
			continue // a day off
		}
		from, err := readClock(w.Start)
		if err != nil {
			f.failed(err)
		}
		to, err := readClock(w.Finish)
		if err != nil {
			f.failed(err)
		}
		if to%(5*worktime.Minute) == 4*worktime.Minute {
			to += worktime.Minute
		}
		out = addPeriod(out, from, to)
	}
	return cleanHours(out)
}

// weekdays are the days of a week by their words.
var weekdays = map[string]time.Weekday{
	"Sunday": time.Sunday, "Monday": time.Monday, "Tuesday": time.Tuesday, "Wednesday": time.Wednesday,
	"Thursday": time.Thursday,
	"Friday":   time.Friday, "Saturday": time.Saturday,
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
	c := Calendar{ID: v.ObjectId, Name: v.Name, BaseID: v.BaseCalendarObjectId, Week: make(worktime.Week)}
	if v.Type == "Project" {
		c.ProjectID = v.ProjectObjectId
	}
	var f fields
	for i := range v.Day {
		if day, ok := weekdays[v.Day[i].DayOfWeek]; ok {
			c.Week[day] = v.Day[i].hours(&f)
		}
	}
	for i := range v.Exception {
		one := worktime.Exception{Hours: v.Exception[i].hours(&f)}
		f.time(&one.First, v.Exception[i].Date)
		one.Last = one.First
		c.Exceptions = append(c.Exceptions, one)
	}
	x.Calendars = append(x.Calendars, c)
	return f.of("calendar", c.ID)
}
