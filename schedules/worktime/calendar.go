package worktime

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Calendar measures and adds working time, in the logarithm of how many runs of exceptional
// days it has. What it answers never changes, and it may be used by many at once.
type Calendar struct {
	days   [7]Hours // from Monday on
	before [8]int64 // working time of a week before each day, and of all of it

	exceptional int       // days that are not as the week has them
	runs        int       // into which they fall
	hours       []dayWork // of the runs

	least, most int64 // the working time at MinTime and at MaxTime

	// known holds runs that were made: all of them, unless repetitions make very many. Then
	// it holds only the runs around the times that were asked for, and rules make the
	// others.
	known atomic.Pointer[span]
	rules []rule
	grow  sync.Mutex // held while known is replaced
}

// dayWork are the hours of a day and how much they are.
type dayWork struct {
	hours Hours
	total int64
}

// Continuous is the calendar on which work never stops: working time is elapsed time.
var Continuous = mustNew(Definition{Week: EveryDay(AllDay)})

func mustNew(d Definition) *Calendar {
	c, err := New(d)
	if err != nil {
		panic(err)
	}
	return c
}

// New returns the calendar of a definition, of which it keeps nothing. It fails with
// ErrHours, ErrNoWork, ErrExceptions, ErrRepeat or ErrBases.
//
// A run of equal days takes as much memory as one day, [RunBytes]. Of the runs that
// repetitions make, more than [MaxKnownRuns] are kept around those times only that are
// asked for.
func New(d Definition) (*Calendar, error) {
	all, err := d.bases()
	if err != nil {
		return nil, err
	}
	c, known := new(Calendar), make(interned)
	for _, d := range all {
		for weekday, h := range d.Week {
			if err := h.check(); err != nil {
				return nil, err
			}
			c.days[fromMonday(weekday)] = slices.Clone(h)
		}
		for i := range d.Exceptions {
			if err := c.rule(&d.Exceptions[i], known); err != nil {
				return nil, err
			}
		}
	}
	if err := c.sum(); err != nil {
		return nil, err
	}
	runs, err := c.expand()
	if err != nil {
		return nil, err
	}
	c.begin(runs)
	return c, nil
}

// sum adds up the hours of the week.
func (c *Calendar) sum() error {
	for i, h := range c.days {
		c.before[i+1] = c.before[i] + h.total()
	}
	if c.week() == 0 {
		return ErrNoWork
	}
	return nil
}

// fromMonday is the number of a weekday, zero for Monday.
func fromMonday(d time.Weekday) int { return (int(d) + 6) % 7 }

// monday is the number of one.
const monday = 4

// weekdayOf is the number of the weekday of a day, zero for Monday.
func weekdayOf(day int64) int { return int(day - monday - floorDiv(day-monday, 7)*7) }

// week is the working time of one.
func (c *Calendar) week() int64 { return c.before[7] }

// regular is the working time before a day as if there were no exceptions.
func (c *Calendar) regular(day int64) int64 {
	return floorDiv(day-monday, 7)*c.week() + c.before[weekdayOf(day)]
}

// at is the working time before a day, and its hours.
func (c *Calendar) at(day int64) (before int64, h Hours) {
	s := c.known.Load()
	if day < s.from || day > s.to {
		s = c.around(day)
	}
	i := s.find(day)
	if i == len(s.runs) {
		return c.regular(day) + s.gained, c.days[weekdayOf(day)]
	}
	r := &s.runs[i]
	if day < int64(r.first) {
		return c.regular(day) + r.gained, c.days[weekdayOf(day)]
	}
	w := &c.hours[r.hours]
	return r.through - (int64(r.last)-day+1)*w.total, w.hours
}

// Hours returns a copy of the working hours of the day on which a time lies.
func (c *Calendar) Hours(t Time) Hours {
	_, h := c.at(dayOf(t))
	return slices.Clone(h)
}

// Worked is the working time in seconds until a time, from a time that is the same for
// all: what counts is the difference of two.
func (c *Calendar) Worked(t Time) int64 {
	t = min(max(t, MinTime), MaxTime)
	day := dayOf(t)
	before, h := c.at(day)
	return before + h.until(int64(t)-day*Day)
}

// Between is the working time in seconds from one time to another, negative when that
// comes before it.
func (c *Calendar) Between(from, to Time) int64 { return c.Worked(to) - c.Worked(from) }

// Add is the time at which work that is begun at a time has taken so many seconds of
// working time: the earliest, which is a finish. For less than none it is the time at
// which work is begun that has taken so many seconds until then: the latest, which is a
// start. For none it is the time itself. What would end beyond MaxTime, or begin before
// MinTime, does so with the last and the first working time of all.
func (c *Calendar) Add(t Time, seconds int64) Time {
	switch {
	case seconds > 0:
		return c.FinishAt(c.plus(t, seconds))
	case seconds < 0:
		return c.StartAt(c.plus(t, seconds))
	default:
		return t
	}
}

// plus is what was worked at a time and so much more, within what can be represented.
func (c *Calendar) plus(t Time, seconds int64) int64 {
	w := c.Worked(t)
	if seconds > 0 {
		return w + min(seconds, c.most-w)
	}
	return w - min(-max(seconds, -c.most+c.least), w-c.least)
}

// Start is the time or, in a pause, the end of the pause.
func (c *Calendar) Start(t Time) Time { return c.StartAt(c.Worked(t)) }

// Finish is the time or, in a pause, the beginning of the pause.
func (c *Calendar) Finish(t Time) Time { return c.FinishAt(c.Worked(t)) }

// StartAt is the latest time until which so much was worked, as Worked counts it.
func (c *Calendar) StartAt(worked int64) Time {
	if worked >= c.most {
		return MaxTime
	}
	worked = max(worked, c.least)
	day := c.dayAt(worked + 1)
	before, h := c.at(day)
	return Time(day*Day + h.start(worked-before))
}

// FinishAt is the earliest time until which so much was worked, as Worked counts it.
func (c *Calendar) FinishAt(worked int64) Time {
	if worked <= c.least {
		return MinTime
	}
	worked = min(worked, c.most)
	day := c.dayAt(worked)
	before, h := c.at(day)
	return Time(day*Day + h.finish(worked-before))
}

// dayAt is the first day until whose end so much was worked.
func (c *Calendar) dayAt(worked int64) int64 {
	s := c.known.Load()
	if worked <= s.least || worked > s.most {
		s = c.reaching(worked)
	}
	return c.dayIn(s, worked)
}

// dayIn is dayAt for what is worked within a span.
func (c *Calendar) dayIn(s *span, worked int64) int64 {
	i, gained := s.findWorked(worked), s.gained
	if i < len(s.runs) {
		r := &s.runs[i]
		if total := c.hours[r.hours].total; total > 0 {
			if back := (r.through - worked) / total; back <= int64(r.last)-int64(r.first) {
				return int64(r.last) - back
			}
		}
		gained = r.gained
	}
	left := worked - gained
	week := floorDiv(left-1, c.week())
	left -= week * c.week()
	day := week*7 + monday
	for c.before[day-week*7-monday+1] < left {
		day++
	}
	return day
}
