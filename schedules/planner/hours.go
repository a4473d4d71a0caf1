package planner

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// shifts are the pieces of work of a day, and what of them is behind its midnight.
type shifts struct{ day, next worktime.Hours }

// shift adds a piece of work as the tools write it: until midnight ends at 00:00, from midnight to
// midnight is the whole day, from a time to itself is nothing. One whose times cannot be
// read is left out.
func (f *fields) shift(s *shifts, from, to string) {
	begin, err := readClock(from)
	end, fault := readClock(to)
	if err != nil || fault != nil {
		f.warn(f.what(), "Work from %s to %s is left out: that is no time of day.", quoted(from), quoted(to))
		return
	}
	s.add(begin, end)
}

// add adds a piece of work between two times, in seconds from midnight. A night shift,
// which ends at an earlier time than it begins, is cut at midnight: its rest belongs to the
// next day.
func (s *shifts) add(from, to int) {
	if to == 0 {
		to = worktime.Day
	}
	switch {
	case to > from:
		s.day = append(s.day, worktime.Period{From: from, To: to})
	case to < from:
		if from < worktime.Day {
			s.day = append(s.day, worktime.Period{From: from, To: worktime.Day})
		}
		s.next = append(s.next, worktime.Period{From: 0, To: to})
	}
}

// week gives the days of a calendar their hours, with what of the day before is behind midnight. A day
// that the calendar has from its base stays as it is there.
func (f *fields) week(c *Calendar, days map[time.Weekday]*shifts) {
	c.Week = make(worktime.Week, len(days))
	for day, s := range days {
		c.Week[day] = append(c.Week[day], s.day...)
		next := (day + 1) % 7
		switch {
		case len(s.next) == 0:
		case days[next] != nil || c.BaseID == "":
			c.Week[next] = append(c.Week[next], s.next...)
		default:
			f.warn(f.what(), "Work on %v over midnight ends at midnight: the day behind is as the base of the "+
				"calendar has it.", day)
		}
	}
	for day, h := range c.Week {
		c.Week[day] = cleanHours(h)
	}
}

// exception is the hours of a day that is not as the week has it, which end at midnight.
func (f *fields) exception(s *shifts) worktime.Hours {
	if len(s.next) > 0 {
		f.warn(f.what(), "Work over midnight on a day that is not as the week has it ends at midnight.")
	}
	return cleanHours(s.day)
}

// cleanHours puts periods in order, and those together that touch or overlap.
func cleanHours(h worktime.Hours) worktime.Hours {
	slices.SortFunc(h, func(a, b worktime.Period) int { return cmp.Compare(a.From, b.From) })
	out := worktime.Hours{}
	for _, p := range h {
		if n := len(out); n > 0 && p.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, p.To)
		} else {
			out = append(out, p)
		}
	}
	return out
}
