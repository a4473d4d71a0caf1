package gantt

import (
	"math"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Room around what is drawn.
const (
	mostADay = 24.0
	roomEnds = 24.0
	roomDate = 56.0  // of the date next to a milestone
	roomStub = 104.0 // of links from and to other pages
)

// axis is where times are.
type axis struct {
	from, to    worktime.Time
	left, right float64
	day         float64 // pixels
}

// newAxis makes the time axis of a page, whose left end is at a number of pixels. It leaves
// room for the text behind bars and, where links come in from other pages, before them. A
// span that the options give gets no such room, so that pages of one span line up.
func newAxis(o *Options, of extremes, left float64, incoming bool) axis {
	first, last, days := of.first, of.last, math.Max(float64(of.last-of.first)/worktime.Day, 0)
	before, behind := roomEnds, roomEnds
	if incoming {
		before = roomStub
	}
	a := axis{left: left, day: scales[o.Scale].pixels}
	if o.From != 0 && o.To != 0 {
		days, before, behind = float64(o.To-o.From)/worktime.Day, 0, 0
	}
	if o.Scale == Fit {
		a.day = math.Min((float64(o.Width)-before-behind)/math.Max(days, 1), mostADay)
	}
	a.day = math.Min(a.day, maxWidth/math.Max(days, 1))
	last = max(last, of.finish+worktime.Time((roomStub-roomEnds)/a.day*worktime.Day))
	a.from, a.to = o.From, o.To
	if a.from == 0 {
		a.from = floorDay(first - worktime.Time(math.Max(3*worktime.Day, before/a.day*worktime.Day)))
	}
	if a.to == 0 {
		a.to = floorDay(last+worktime.Time(math.Max(7*worktime.Day, behind/a.day*worktime.Day))) + worktime.Day
	}
	if o.To == 0 {
		a.to = max(a.to, a.from+worktime.Time(minWidth/a.day*worktime.Day))
	}
	a.from, a.to = max(a.from, worktime.MinTime), min(max(a.to, a.from+1), worktime.MaxTime)
	a.right = left + math.Max(float64(a.to-a.from)*a.day/worktime.Day, 1)
	return a
}

func floorDay(t worktime.Time) worktime.Time { return max(t, worktime.MinTime).Midnight() }

// x is where a time is.
func (a *axis) x(t worktime.Time) float64 {
	return a.left + float64(t-a.from)*a.day/worktime.Day
}

// within is where a time is, at the edge where it is beyond.
func (a *axis) within(t worktime.Time) float64 {
	return math.Min(math.Max(a.x(t), a.left), a.right)
}

// unit is a span that the head of a chart shows.
type unit struct {
	days          float64
	years, months int // or days where both are zero
	label         func(t time.Time, room float64) string
	room          float64 // of a label
}

// units lists the units of the time axis from the smallest on. The lower tier shows the
// first that has room, the upper the one that it names.
var units = []struct {
	unit
	least float64 // pixels a day
	upper int
}{
	{unit{days: 1, label: dayLabel, room: 14}, 18, 2},
	{unit{days: 7, label: weekLabel, room: 40}, 4, 2},
	{unit{days: 30, months: 1, label: monthLabel, room: 24}, 1, 3},
	{unit{days: 91, months: 3, label: quarterLabel, room: 20}, 0.25, 4},
	{unit{days: 365, years: 1, label: yearLabel, room: 30}, 0.1, 5},
	{unit{days: 3652, years: 10, label: yearLabel, room: 36}, 0.012, 6},
	{unit{days: 36524, years: 100, label: yearLabel, room: 36}, 0.0012, 7},
	{unit{days: 365242, years: 1000, label: yearLabel, room: 36}, 0, 7},
}

// tiers are the units of the upper and of the lower tier.
func (a *axis) tiers() (upper, lower unit) {
	for i := range units {
		if a.day >= units[i].least {
			return units[units[i].upper].unit, units[i].unit
		}
	}
	return upper, lower
}

func dayLabel(t time.Time, _ float64) string { return strconv.Itoa(t.Day()) }

func weekLabel(t time.Time, _ float64) string { return t.Format("2 Jan") }

// monthLabel names a month as fully as it fits into so many pixels.
func monthLabel(t time.Time, room float64) string {
	if room > 90 {
		return t.Format("January 2006")
	}
	if room > 44 {
		return t.Format("Jan 06")
	}
	return t.Format("Jan")
}

// quarterLabel names a quarter of the calendar year, with its year where so many pixels
// have room for it.
func quarterLabel(t time.Time, room float64) string {
	q := "Q" + strconv.Itoa((int(t.Month())+2)/3)
	if room > 54 {
		return q + t.Format(" 2006")
	}
	return q
}

func yearLabel(t time.Time, _ float64) string { return strconv.Itoa(t.Year()) }

// begin is the beginning of the unit in which a time is.
func (u *unit) begin(t worktime.Time) time.Time {
	at := clock(t)
	switch {
	case u.years > 0:
		return time.Date(at.Year()-at.Year()%u.years, 1, 1, 0, 0, 0, 0, time.UTC)
	case u.months > 0:
		return time.Date(at.Year(), at.Month()-(at.Month()-1)%time.Month(u.months), 1, 0, 0, 0, 0, time.UTC)
	case u.days == 7:
		monday := (int(at.Weekday()) + 6) % 7
		return time.Date(at.Year(), at.Month(), at.Day()-monday, 0, 0, 0, 0, time.UTC)
	default:
		return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	}
}

// next is the beginning of the next unit.
func (u *unit) next(t time.Time) time.Time {
	if u.years+u.months > 0 {
		return t.AddDate(u.years, u.months, 0)
	}
	return t.AddDate(0, 0, int(u.days))
}

// number is which unit a time begins, counted from the year 1 on, or for weeks from 1970:
// labels of every nth stay where they are, whatever time a picture begins with.
func (u *unit) number(t time.Time) int {
	switch {
	case u.years > 0:
		return t.Year() / u.years
	case u.months > 0:
		return (12*t.Year() + int(t.Month()) - 1) / u.months
	}
	return int(math.Floor(float64(t.Unix()) / worktime.Day / u.days))
}

// each yields the units between the ends of the axis, with the places of both ends.
func (a *axis) each(u unit, yield func(t time.Time, x0, x1 float64)) {
	for t := u.begin(a.from); t.Unix() < int64(a.to); {
		next := u.next(t)
		yield(t, a.within(worktime.Time(t.Unix())), a.within(worktime.Time(next.Unix())))
		t = next
	}
}

func clock(t worktime.Time) time.Time { return time.Unix(int64(t), 0).UTC() }
