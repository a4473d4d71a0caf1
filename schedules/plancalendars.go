package schedules

import (
	"cmp"
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// calendars are those of a schedule by which its plan is reckoned, as they were at one
// revision.
type calendars struct {
	Standard *worktime.Calendar            // that of what names none
	elapsed  bool                          // which is elapsed time
	named    map[string]*worktime.Calendar // nil for one that is named and not there
	zone     *time.Location
	set      *ProjectScheduling
	Projects map[string]*ProjectScheduling // those of the projects behind the first one
	Runs     int64                         // that all of them have
}

// readCalendars reads the default calendar of a schedule, its time zone, and those of some
// calendars that are there.
//
// Errors: LimitExceeded where they are larger than MaxCalendarRuns together.
func readCalendars(tx records.Reading, s records.Scope, ids iter.Seq[string]) (*calendars, error) {
	w := workingTimeOf(tx, s)
	set, err := w.settings()
	if err != nil {
		return nil, err
	}
	all, err := sizesOfCalendars(tx, s)
	if err != nil {
		return nil, err
	}
	standard, with := string(set.CalendarID), make(map[string]int64)
	c := &calendars{
		Standard: worktime.Continuous, elapsed: standard == "", named: make(map[string]*worktime.Calendar),
		zone: w.zone, set: set, Projects: set.otherProjects(),
	}
	if c.elapsed && len(all) == 0 {
		c.zone = time.UTC // whose clocks are never put forward
	}
	add := func(id string) (*worktime.Calendar, error) {
		if c.Runs += all.with(with, id); c.Runs > MaxCalendarRuns {
			return nil, calendarsTooLarge(c.Runs)
		}
		return w.built.calendarAmong(tx, s, id, all.chain)
	}
	if !c.elapsed {
		if c.Standard, err = add(standard); err != nil {
			return nil, err
		}
		c.named[standard] = c.Standard
	}
	name := func(id string) (err error) {
		switch {
		case c.named[id] != nil:
			return nil
		case all[id] == nil:
			c.named[id] = nil
			return nil
		}
		if err := records.Interrupted(tx); err != nil {
			return err
		}
		c.named[id], err = add(id)
		return err
	}
	for _, id := range set.projectCalendars() {
		if err := name(id); err != nil {
			return nil, err
		}
	}
	for id := range ids {
		if err := name(id); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// readClock reads what a schedule needs to convert dates: no calendars but the default
// one.
func readClock(tx records.Reading, s records.Scope) (*calendars, error) {
	return readCalendars(tx, s, func(func(string) bool) {})
}

// equal reports whether two are the same as far as both know: calendars are built once for
// each version.
func (c *calendars) Equal(o *calendars) bool {
	if o == nil || c.Standard != o.Standard || c.zone != o.zone {
		return false
	}
	for id, v := range c.named {
		if was, known := o.named[id]; known && was != v {
			return false
		}
	}
	return true
}

// of is the calendar with an id, nil for none.
func (c *calendars) Of(id string) *worktime.Calendar { return c.named[id] }

// ofTask is the calendar of a task.
func (c *calendars) OfTask(t *Task) *worktime.Calendar {
	return cmp.Or(c.OwnOf(t), c.Standard)
}

// working is the time in which a task is done.
func (c *calendars) Working(t *Task) working {
	if c.elapsed && c.OwnOf(t) == nil {
		return working{nil, c.zone, c.SetOf(t)}
	}
	return working{c.OfTask(t), c.zone, c.SetOf(t)}
}

// settle derives what follows from the dates of a task.
func (c *calendars) Settle(t *Task) {
	t.derive()
	t.timeIn(c.Working(t))
}

// local is what the clocks of the schedule show at a date; zero for none.
func (c *calendars) Local(d twinplatform.DateTime) worktime.Time {
	if d.IsZero() {
		return 0
	}
	return worktime.Of(d.Time, c.zone)
}

// The first and the last date that JSON carries.
var (
	firstDate = twinplatform.At(time.Time{}.Add(1))
	lastDate  = twinplatform.At(time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC))
)

// global is the date at which they show a time, or the nearest one that JSON carries: clocks
// show a year more or less than Greenwich at both ends of time.
func (c *calendars) Global(t worktime.Time) twinplatform.DateTime {
	if t == 0 {
		return twinplatform.DateTime{}
	}
	switch at := t.In(c.zone); {
	case at.Before(firstDate.Time):
		return firstDate
	case at.After(lastDate.Time):
		return lastDate
	default:
		return twinplatform.At(at)
	}
}
