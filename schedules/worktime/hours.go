package worktime

import (
	"errors"
	"fmt"
	"time"
)

// Period is a piece of working time of a day: from one time until before another, in
// seconds since midnight, of which the end may be 24 [Hour].
type Period struct{ From, To int }

// Hours are the working time of a day, in order and apart from one another. A day
// without any is off. Work through the night is in the hours of both days.
type Hours []Period

// AllDay are the hours of a day on which work never stops.
var AllDay = Hours{{0, Day}}

// Week are the hours of the days of a week. In a calendar with a base a day that is
// missing is as it is there; without a base it is off.
type Week map[time.Weekday]Hours

// EachWeekday are the same hours from Monday to Friday, and the weekend off.
func EachWeekday(h Hours) Week {
	return Week{
		time.Monday: h, time.Tuesday: h, time.Wednesday: h, time.Thursday: h, time.Friday: h, time.Saturday: {},
		time.Sunday: {},
	}
}

// EveryDay are the same hours on all seven days.
func EveryDay(h Hours) Week {
	w := EachWeekday(h)
	w[time.Saturday], w[time.Sunday] = h, h
	return w
}

// ErrHours is what hours fail with that are out of order, overlap, or leave the day.
var ErrHours = errors.New("worktime: hours are in order, apart from one another, and between 00:00 and 24:00")

// check fails for what can be the hours of no day.
func (h Hours) check() error {
	end := 0
	for _, p := range h {
		if p.From < end || p.To <= p.From || p.To > Day {
			return fmt.Errorf("%w: %v", ErrHours, h)
		}
		end = p.To
	}
	return nil
}

// total is the working time of the day.
func (h Hours) total() (n int64) {
	for _, p := range h {
		n += int64(p.To - p.From)
	}
	return n
}

// until is the working time of the day before a second of it.
func (h Hours) until(second int64) (n int64) {
	for _, p := range h {
		if second <= int64(p.From) {
			break
		}
		n += min(second, int64(p.To)) - int64(p.From)
	}
	return n
}

// finish is the first second of the day before which so much work was done, which is
// more than none and at most the total.
func (h Hours) finish(work int64) int64 {
	for _, p := range h {
		if n := int64(p.To - p.From); work > n {
			work -= n
		} else {
			return int64(p.From) + work
		}
	}
	return Day
}

// start is the last second of the day before which so much work was done, which is less
// than the total.
func (h Hours) start(work int64) int64 {
	for _, p := range h {
		if n := int64(p.To - p.From); work >= n {
			work -= n
		} else {
			return int64(p.From) + work
		}
	}
	return Day
}
