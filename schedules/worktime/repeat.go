package worktime

import (
	"errors"
	"iter"
	"time"
)

// Repeat is which days of a range an exception holds for.
type Repeat struct {
	Every Frequency
	// Interval is how many days, weeks, months or years lie between: 1 or none for each.
	Interval int
	// Weekdays are the days of a week on which it happens or, when Position is set, the
	// days of a month that Position counts.
	Weekdays []time.Weekday
	// Position is which of these days of the month it is: 1 to 4, or 5 for the last.
	Position int
	// Day is the day of the month, 1 to 31, unless Position is set. The exception skips a
	// month that has no such day.
	Day int
	// Month is the month in which a yearly exception happens.
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
	if r == nil {
		return nil
	}
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

// days yields the days of a range that the repetition, which begins with the first of
// them, hits. Without a repetition all are hit.
func (r *Repeat) days(first, last int64) iter.Seq[int64] {
	return func(yield func(day int64) bool) {
		interval := int64(1)
		if r != nil {
			interval = int64(max(r.Interval, 1))
		}
		switch {
		case r == nil || r.Every == Daily:
			for day := first; day <= last && yield(day); day += interval {
			}
		case r.Every == Weekly:
			r.inWeeks(first, last, interval, yield)
		default:
			r.inMonths(first, last, interval, yield)
		}
	}
}

func (r *Repeat) inWeeks(first, last, interval int64, yield func(day int64) bool) {
	on := r.weekdays()
	sunday := first - sundayIsZero(first)
	for day := first; day <= last; day++ {
		if on[sundayIsZero(day)] && (day-sunday)/7%interval == 0 && !yield(day) {
			return
		}
	}
}

func (r *Repeat) inMonths(first, last, interval int64, yield func(day int64) bool) {
	on := r.weekdays()
	began := Time(first * Day).clock()
	for n := 0; ; n++ {
		month := time.Date(began.Year(), began.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		begin := dayOf(Time(month.Unix()))
		if begin > last {
			return
		}
		hit := int64(n)%interval == 0
		if r.Every == Yearly {
			hit = month.Month() == r.Month && int64(month.Year()-began.Year())%interval == 0
		}
		if !hit {
			continue
		}
		length := int64(month.AddDate(0, 1, -1).Day())
		if day, ok := r.inMonth(begin, length, &on); ok && day >= first && day <= last && !yield(day) {
			return
		}
	}
}

// inMonth is the day of a month that is hit, if it has one.
func (r *Repeat) inMonth(begin, length int64, on *[7]bool) (day int64, ok bool) {
	if r.Position == 0 {
		return begin + int64(r.Day) - 1, int64(r.Day) <= length
	}
	n := 0
	for d := begin; d < begin+length; d++ {
		if !on[sundayIsZero(d)] {
			continue
		}
		if n++; r.Position == n && n < lastPosition {
			return d, true
		}
		day, ok = d, r.Position == lastPosition
	}
	return day, ok
}

// lastPosition chooses the last of the month's days, be it the fourth or the fifth.
const lastPosition = 5

// weekdays marks the days of the repetition by their numbers, Sunday being 0.
func (r *Repeat) weekdays() (on [7]bool) {
	for _, day := range r.Weekdays {
		on[((day%7)+7)%7] = on[((day%7)+7)%7] || day >= time.Sunday && day <= time.Saturday
	}
	return on
}

// sundayIsZero is the number of the weekday of a day, zero for Sunday.
func sundayIsZero(day int64) int64 { return int64(weekdayOf(day)+1) % 7 }
