// Package worktime measures and adds working time: the hours in which a calendar says
// that work is done. It needs no store and no schedule.
//
//	office, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{9 * worktime.Hour, 17 * worktime.Hour}})})
//	start := worktime.Date(2024, time.May, 20, 9, 0, 0)
//	finish := office.Add(start, 9_866_640) // 2025-09-10T13:44:00
//
// Planning tools use local times without a zone, so that a working day has its hours also
// on the day at which clocks are changed: [Time] is such a time, and only [Of] and [Time.In]
// convert from and to zones.
//
// # Instants
//
// The end of a working day and the beginning of the next are the same instant of work, and
// two times. A start is shown as the later of them, a finish as the earlier:
// [Calendar.Start] and [Calendar.Finish] convert a time to either.
package worktime

import (
	"fmt"
	"time"
)

// Spans of time in seconds.
const (
	Minute = 60
	Hour   = 60 * Minute
	Day    = 24 * Hour // without any change of clocks
)

// Time is what the clock on the wall shows, in seconds since it showed 00:00 on the
// first of January 1970.
type Time int64

// Calendars reckon with the times between these: no work is done beyond.
var (
	MinTime = Date(1, time.January, 1, 0, 0, 0)
	MaxTime = Date(9999, time.December, 31, 0, 0, 0)
)

// Layout is how a Time is written, as package time describes it.
const Layout = "2006-01-02T15:04:05"

// Date is the time at which the clock shows that.
func Date(year int, month time.Month, day, hour, minute, second int) Time {
	return Time(time.Date(year, month, day, hour, minute, second, 0, time.UTC).Unix())
}

// Parse reads a time in [Layout].
func Parse(s string) (Time, error) {
	t, err := time.Parse(Layout, s)
	if err != nil {
		return 0, fmt.Errorf("worktime: %q is no time: %w", s, err)
	}
	return Time(t.Unix()), nil
}

// Of is what the clocks of a zone show at an instant, without what it has of a second.
func Of(t time.Time, zone *time.Location) Time {
	_, offset := t.In(zone).Zone()
	return Time(t.Unix() + int64(offset))
}

// In is the instant at which the clocks of a zone show the time: the first where they
// show it twice, and as much behind the last second that they show before it where
// they are put forward over it.
func (t Time) In(zone *time.Location) time.Time {
	u := t.clock()
	in := time.Date(u.Year(), u.Month(), u.Day(), u.Hour(), u.Minute(), u.Second(), 0, zone)
	if shown := Of(in, zone); shown < t {
		return in.Add(time.Duration(t-shown) * time.Second)
	}
	changed, _ := in.ZoneBounds()
	if changed.IsZero() {
		return in
	}
	_, before := changed.Add(-time.Second).Zone()
	_, offset := in.Zone()
	if first := in.Add(time.Duration(offset-before) * time.Second); first.Before(changed) && first.Before(in) {
		return first
	}
	return in
}

// String is the time in [Layout].
func (t Time) String() string { return t.clock().Format(Layout) }

// Weekday returns the day of the week of the time.
func (t Time) Weekday() time.Weekday { return t.clock().Weekday() }

// Midnight is the beginning of the day of the time.
func (t Time) Midnight() Time { return Time(floorDiv(int64(t), Day) * Day) }

func (t Time) clock() time.Time { return time.Unix(int64(t), 0).UTC() }

// floorDiv divides and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
