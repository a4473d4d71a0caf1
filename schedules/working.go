package schedules

import (
	"math"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// working is the time in which something is done: that of a calendar by the clocks of a
// zone. The zero value is elapsed time.
type working struct {
	calendar *worktime.Calendar // nil for elapsed time
	zone     *time.Location
	set      *ProjectScheduling // by which tasks are done; nil is the one of a schedule without
}

// after is the date at which work that begins at one has taken so many seconds, as far as
// a date can name it: the end of a piece of working time rather than the beginning of the
// next. A lead leads to the latest beginning.
func (w working) after(d twinplatform.DateTime, seconds int64) twinplatform.DateTime {
	if w.calendar == nil || seconds == 0 {
		return twinplatform.At(plan.Shift(d.Time, time.Duration(seconds)*time.Second))
	}
	at := worktime.Of(d.Time, w.zone)
	return w.shown(d, w.calendar.Add(at, seconds))
}

// seconds is the working time from one date to another.
func (w working) seconds(from, to twinplatform.DateTime) int64 {
	if w.calendar == nil {
		return to.Unix() - from.Unix()
	}
	return w.calendar.Between(worktime.Of(from.Time, w.zone), worktime.Of(to.Time, w.zone))
}

// between is seconds as far as an Int32 holds it.
func (w working) between(from, to twinplatform.DateTime) *int32 {
	n := int32(min(w.seconds(from, to), math.MaxInt32))
	return &n
}

// start is the date or, in a pause, the end of the pause.
func (w working) start(d twinplatform.DateTime) twinplatform.DateTime {
	if w.calendar == nil || d.IsZero() {
		return d
	}
	return w.snapped(d, w.calendar.Start)
}

// finish is the date or, in a pause, the beginning of the pause.
func (w working) finish(d twinplatform.DateTime) twinplatform.DateTime {
	if w.calendar == nil || d.IsZero() {
		return d
	}
	return w.snapped(d, w.calendar.Finish)
}

func (w working) snapped(d twinplatform.DateTime, to func(worktime.Time) worktime.Time) twinplatform.DateTime {
	at := worktime.Of(d.Time, w.zone)
	if t := to(at); t != at {
		return within(t.In(w.zone))
	}
	return d // which clocks may show twice
}

// shown is the instant at which clocks show a time, with what another date has of a
// second.
func (w working) shown(d twinplatform.DateTime, t worktime.Time) twinplatform.DateTime {
	return within(t.In(w.zone).Add(time.Duration(d.Nanosecond())))
}

// within is an instant as far as a date can name it.
func within(t time.Time) twinplatform.DateTime { return twinplatform.At(plan.Shift(t, 0)) }
