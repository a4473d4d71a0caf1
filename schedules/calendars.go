package schedules

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// calendars are all of a schedule as they were at one revision.
type calendars struct {
	standard *worktime.Calendar // that of what names none
	elapsed  bool               // which is elapsed time
	named    map[string]*worktime.Calendar
	zone     *time.Location
}

// allCalendars reads all calendars of a schedule.
func allCalendars(tx records.Reading, s records.Scope) (*calendars, error) {
	w := workingTimeOf(tx, s)
	standard, err := w.in("")
	if err != nil {
		return nil, err
	}
	c := &calendars{standard: standard.calendar, elapsed: standard.calendar == nil, named: make(map[string]*worktime.Calendar), zone: standard.zone}
	if c.elapsed {
		c.standard = worktime.Continuous
	}
	for v, err := range calendarRecords.From(tx, s, "") {
		if err != nil {
			return nil, err
		}
		if c.named[v.ID], err = w.calendar(v.ID); err != nil {
			return nil, err
		}
	}
	if c.elapsed && len(c.named) == 0 {
		c.zone = time.UTC // whose clocks are never put forward
	}
	return c, nil
}

// equal reports whether two are the same: calendars are built once for each version.
func (c *calendars) equal(o *calendars) bool {
	if o == nil || c.standard != o.standard || c.zone != o.zone || len(c.named) != len(o.named) {
		return false
	}
	for id, v := range c.named {
		if o.named[id] != v {
			return false
		}
	}
	return true
}

// of is the calendar with an id, nil for none.
func (c *calendars) of(id string) *worktime.Calendar { return c.named[id] }

// ofTask is the calendar of a task.
func (c *calendars) ofTask(t *Task) *worktime.Calendar {
	if own := c.of(string(t.CalendarID)); own != nil {
		return own
	}
	return c.standard
}

// working is the time in which a task is done.
func (c *calendars) working(t *Task) working {
	if c.elapsed && c.of(string(t.CalendarID)) == nil {
		return working{nil, c.zone}
	}
	return working{c.ofTask(t), c.zone}
}

// local is what the clocks of the schedule show at a date; zero for none.
func (c *calendars) local(d twinplatform.DateTime) worktime.Time {
	if d.IsZero() {
		return 0
	}
	return worktime.Of(d.Time, c.zone)
}

// global is the date at which they show a time.
func (c *calendars) global(t worktime.Time) twinplatform.DateTime {
	if t == 0 {
		return twinplatform.DateTime{}
	}
	return twinplatform.At(t.In(c.zone))
}
