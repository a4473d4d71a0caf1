package fourd

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxPausedDays is how long a task may be, in days, for what pauses with its calendar: what shows
// a longer one grows and moves evenly.
const MaxPausedDays = 1_000

// never is when a task begins and ends that does neither.
const never worktime.Time = math.MaxInt64

// span is when a task is under way.
type span struct{ start, finish worktime.Time }

func (s *span) paused() bool { return s.finish-s.start <= MaxPausedDays*worktime.Day }

// span is when a task is under way by the dates of the site.
func (s *Site) span(t *Task, warn func(WarningKind)) span {
	chosen := t.Planned
	switch s.Dates {
	case BaselineDates:
		chosen = t.Baseline
	case CurrentDates, ActualDates:
		chosen = chosen.under(t.Computed).under(t.Actual)
		known := s.dataDate(t)
		if t.Actual.Start != 0 && t.Actual.Finish == 0 && known != 0 && chosen.Finish <= known {
			chosen.Finish = known + 1 // it is under way yet at the data date
		}
		if s.Dates == ActualDates && t.Actual == (Span{}) {
			return span{never, never}
		}
	case PlannedDates:
	}
	switch {
	case chosen == (Span{}):
		warn(TaskWithoutDates)
		return span{never, never}
	case chosen.Start == 0:
		chosen.Start = chosen.Finish
	case chosen.Finish == 0:
		chosen.Finish = chosen.Start
	}
	start := min(max(chosen.Start, worktime.MinTime), worktime.MaxTime)
	finish := min(max(chosen.Finish, worktime.MinTime), worktime.MaxTime)
	if finish < start {
		warn(FinishBeforeStart)
		finish = start
	}
	return span{start, finish}
}

// dataDate is until when it is known what was done of a task.
func (s *Site) dataDate(t *Task) worktime.Time { return cmp.Or(t.DataDate, s.DataDate) }

// showsProgress reports whether the dates of the site are those of what was done: the plan and a baseline know
// nothing of the progress and the statuses of today.
func (s *Site) showsProgress() bool { return s.Dates == CurrentDates || s.Dates == ActualDates }

// under is the span with the dates of another one that has some.
func (s Span) under(o Span) Span {
	if o.Start != 0 {
		s.Start = o.Start
	}
	if o.Finish != 0 {
		s.Finish = o.Finish
	}
	return s
}

// course is how far a task has come when: from 0 at its start to 1 at its finish, in straight
// lines between its breaks.
type course struct {
	span
	calendar *worktime.Calendar // nil: work is done at all times
	known    worktime.Time      // when it has come as far as done; zero for a task that proceeds evenly
	done     float64
}

func (t *Timeline) course(task int32, byPercent, workingTimeOnly bool) course {
	c, from := course{span: t.spans[task]}, &t.site.Tasks[task]
	if workingTimeOnly && c.paused() {
		c.calendar = from.Calendar
	}
	if known := t.site.dataDate(from); byPercent && t.site.showsProgress() && known > c.start {
		c.known, c.done = min(known, c.finish), percent(from.PercentComplete)/100
	}
	return c
}

// percent is a number within 0 to 100.
func percent(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, 0), 100)
}

// at is how far the task has come.
func (c *course) at(t worktime.Time) float64 {
	switch {
	case c.known == 0:
		return c.within(c.start, c.finish, t)
	case t <= c.known:
		return c.done * c.within(c.start, c.known, t)
	default:
		return between(c.done, 1, c.within(c.known, c.finish, t))
	}
}

// within is the share of the working time of a span that has passed, or of its time where no
// work is done in it.
func (c *course) within(from, to, t worktime.Time) float64 {
	switch {
	case t >= to:
		return 1
	case t <= from:
		return 0
	}
	if c.calendar != nil {
		if worked := c.calendar.Between(from, to); worked > 0 {
			return float64(c.calendar.Between(from, t)) / float64(worked)
		}
	}
	return float64(t-from) / float64(to-from)
}

// reaches is the first second at which the task has come so far, or else its finish.
func (c *course) reaches(share float64) worktime.Time {
	from, to := c.start, c.finish
	for from < to {
		if middle := from + (to-from)/2; c.at(middle) >= share {
			to = middle
		} else {
			from = middle + 1
		}
	}
	return from
}

// breaks adds the times between two others at which the task continues at another speed.
func (c *course) breaks(all []worktime.Time, from, to worktime.Time) []worktime.Time {
	if c.known > from && c.known < to {
		all = append(all, c.known)
	}
	if c.calendar == nil {
		return all
	}
	own := len(all)
	for day := from.Midnight(); day < to; day += worktime.Day {
		for _, p := range c.calendar.Hours(day) {
			for _, at := range [...]worktime.Time{day + worktime.Time(p.From), day + worktime.Time(p.To)} {
				switch n := len(all); {
				case at <= from || at >= to:
				case n > own && all[n-1] == at: // work continues through midnight
					all = all[:n-1]
				default:
					all = append(all, at)
				}
			}
		}
	}
	return all
}

// stretch is when an object moves that moves between two shares of a task.
type stretch struct {
	course

	from, to worktime.Time
	// begin and end are how far the task has come then, which is a little more than what was
	// asked for, since times are whole seconds. A task that does not come as far leaves the
	// object on its way.
	begin, end float64
}

func (c course) stretch(begin, end float64) stretch {
	s := stretch{c, c.start, c.finish, begin, end}
	if begin > 0 {
		s.from = c.reaches(begin)
		s.begin = max(begin, c.at(s.from))
	}
	if end < 1 {
		s.to = c.reaches(end)
		s.end = max(end, c.at(s.to))
	}
	return s
}

// share is how much of the motion is done.
func (s *stretch) share(t worktime.Time) float64 {
	come := s.at(min(max(t, s.from), s.to))
	switch {
	case s.end > s.begin:
		return min(max((come-s.begin)/(s.end-s.begin), 0), 1)
	case come >= s.end && t >= s.to:
		return 1
	default:
		return 0
	}
}

// jumps reports whether the object is at the end as soon as it moves.
func (s *stretch) jumps() bool { return s.end <= s.begin }

// breaks adds the times between two others at which the object moves at another speed.
func (s *stretch) breaks(all []worktime.Time, from, to worktime.Time) []worktime.Time {
	for _, at := range [...]worktime.Time{s.from, s.to} {
		if at > from && at < to {
			all = append(all, at)
		}
	}
	return s.course.breaks(all, from, to)
}

// inOrder sorts times and leaves each once.
func inOrder(all []worktime.Time) []worktime.Time {
	slices.Sort(all)
	return slices.Compact(all)
}
