package worktime

import (
	"errors"
	"slices"
	"time"
)

// Repeat says which days of a range an exception holds for.
type Repeat struct {
	Every Frequency
	// Interval is how many days, weeks, months or years lie between: 1 or none for each.
	Interval int
	// Weekdays are those of a week, or of a month when Position is set.
	Weekdays []time.Weekday
	// Position is which of these days of the month it is: 1 to 4, or 5 for the last.
	Position int
	// Day is that of the month, 1 to 31, unless Position is set. In a month that has no
	// such day it does not happen.
	Day int
	// Month is that of a year.
	Month time.Month
}

// Frequency is in what an exception repeats.
type Frequency int

// The frequencies. Weeks begin on Sunday.
const (
	Daily Frequency = iota + 1
	Weekly
	Monthly
	Yearly
)

// ErrRepeat is what a repetition fails with that can hit no day.
var ErrRepeat = errors.New("worktime: a repetition lacks its frequency, its weekdays, its day or its month")

// check fails for a repetition that can hit no day.
func (r *Repeat) check() error {
	inMonth := r.Day >= 1 && r.Day <= 31
	if r.Position != 0 {
		inMonth = r.Position >= 1 && r.Position <= 5 && len(r.Weekdays) > 0
	}
	ok := r.Interval >= 0
	switch r.Every {
	case Daily:
	case Weekly:
		ok = ok && len(r.Weekdays) > 0
	case Monthly:
		ok = ok && inMonth
	case Yearly:
		ok = ok && inMonth && r.Month >= time.January && r.Month <= time.December
	default:
		ok = false
	}
	if !ok {
		return ErrRepeat
	}
	return nil
}

// from says of a day whether the repetition, which began on one, hits it. Without a
// repetition all days are hit.
func (r *Repeat) from(first Time) (func(day time.Time) bool, error) {
	if r == nil {
		return func(time.Time) bool { return true }, nil
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	began := first.Midnight().clock()
	interval := max(r.Interval, 1)
	return func(day time.Time) bool { return r.hits(day) && r.since(began, day)%interval == 0 }, nil
}

// hits reports whether a day is one of its period.
func (r *Repeat) hits(day time.Time) bool {
	switch r.Every {
	case Weekly:
		return slices.Contains(r.Weekdays, day.Weekday())
	case Monthly:
		return r.inMonth(day)
	case Yearly:
		return day.Month() == r.Month && r.inMonth(day)
	default:
		return true
	}
}

// inMonth reports whether a day is the one of its month.
func (r *Repeat) inMonth(day time.Time) bool {
	if r.Position == 0 {
		return day.Day() == r.Day
	}
	if !slices.Contains(r.Weekdays, day.Weekday()) {
		return false
	}
	before, behind := 0, 0
	last := time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	for d := 1; d <= last; d++ {
		weekday := (int(day.Weekday()) + d - day.Day() + 5*7) % 7
		switch {
		case !slices.Contains(r.Weekdays, time.Weekday(weekday)):
		case d < day.Day():
			before++
		case d > day.Day():
			behind++
		}
	}
	if r.Position == 5 {
		return behind == 0
	}
	return before == r.Position-1
}

// since is how many periods a day is behind that of another.
func (r *Repeat) since(began, day time.Time) int {
	switch r.Every {
	case Weekly:
		sunday := func(t time.Time) int64 { return t.Unix()/Day - int64(t.Weekday()) }
		return int(sunday(day)-sunday(began)) / 7
	case Monthly:
		return (day.Year()-began.Year())*12 + int(day.Month()) - int(began.Month())
	case Yearly:
		return day.Year() - began.Year()
	default:
		return int(day.Sub(began) / (Day * time.Second))
	}
}
