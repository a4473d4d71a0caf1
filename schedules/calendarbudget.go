package schedules

import (
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxCalendarRuns is how large all calendars of a schedule are together at most. A calendar
// counts its time blocks and, for each of its exceptions, the runs of equal days: one for an
// exception without a recurrence, however long it lasts, and with one as many as it may hit
// days that are apart. What is above a calendar counts for it too.
const MaxCalendarRuns = 400_000

// calendarSize is how large a calendar is without those above it.
type calendarSize struct {
	id, parent string
	runs       int64
}

func sizeOf(v *Calendar) *calendarSize {
	s := &calendarSize{id: v.ID, parent: v.parent(), runs: 1}
	for i := range v.DayTypes {
		s.runs += int64(len(v.DayTypes[i].TimeBlocks))
	}
	for i := range v.Exceptions {
		x := &v.Exceptions[i]
		s.runs += x.runs() + int64(len(x.TimeBlocks))
	}
	return s
}

// runs is how many runs of equal days the exception makes at most.
func (x *CalendarException) runs() int64 {
	r := x.Recurrence
	if r == nil {
		return 1
	}
	first, last := x.span()
	days, interval := max(int64(last-first)/worktime.Day+1, 0), max(int64(r.Interval), 1)
	switch r.Frequency {
	case WeeklyRecurrence:
		on := make(map[Weekday]bool, len(weekdays))
		for _, day := range r.Weekdays {
			on[day] = true
		}
		const apart = 4 // weekdays of which none is next to another
		return (days/7/interval + 2) * int64(min(len(on), apart))
	case MonthlyRecurrence:
		return days/28/interval + 2
	case YearlyRecurrence:
		return days/365/interval + 2
	default:
		if interval == 1 {
			return 1
		}
		return days/interval + 1
	}
}

// calendarSizes are those of the calendars of a schedule, by their ids.
type calendarSizes map[string]*calendarSize

// sizesOfCalendars are those of a schedule as a transaction reads it.
func sizesOfCalendars(tx records.Reading, s records.Scope) (calendarSizes, error) {
	all := make(calendarSizes)
	for size, err := range calendarCache.Of(tx).sizes.All(tx, &calendarRecords, s, sizeOf) {
		if err == nil {
			err = records.Interrupted(tx)
		}
		if err != nil {
			return nil, err
		}
		all[size.id] = size
	}
	return all, nil
}

// total is how large the calendars are together, each with those above it.
func (all calendarSizes) total() (n int64) {
	with := make(map[string]int64, len(all)) // those above it
	for id := range all {
		n += all.with(with, id)
	}
	return n
}

// chain are the sizes of a calendar and those above it, the nearest first.
func (all calendarSizes) chain(id string) (chain []*calendarSize, err error) {
	for id != "" {
		if len(chain) > MaxDepth {
			return nil, worktime.ErrBases
		}
		size := all[id]
		if size == nil {
			return nil, records.ErrNotFound
		}
		chain, id = append(chain, size), size.parent
	}
	return chain, nil
}

// with is the size of a calendar with those above it, which are few.
func (all calendarSizes) with(known map[string]int64, id string) int64 {
	var chain []string
	n := int64(0)
	for len(chain) <= MaxDepth && all[id] != nil {
		if of, ok := known[id]; ok {
			n = of
			break
		}
		chain, id = append(chain, id), all[id].parent
	}
	for _, id := range slices.Backward(chain) {
		n += all[id].runs
		known[id] = n
	}
	return n
}

const tooManyRuns = "The calendars of a schedule have at most %d runs of equal days and time blocks together, each with those above it; with this one it would be %d."

// checkSchedule checks that the schedule takes a calendar as it is to be. One that makes
// the calendars smaller is taken in any case.
func (v *Calendar) checkSchedule(tx records.Reading, s records.Scope, c *problem.Checks) error {
	all, err := sizesOfCalendars(tx, s)
	if err != nil {
		return err
	}
	before := all.total()
	all[v.ID] = sizeOf(v)
	if now := all.total(); now > MaxCalendarRuns && now > before {
		c.Bad("exceptions", tooManyRuns, MaxCalendarRuns, now)
	}
	return nil
}

// calendarsTooLarge refuses to compute with calendars that an earlier version took.
func calendarsTooLarge(runs int64) error {
	return problem.Conflict("LimitExceeded", "calendars", fmt.Sprintf(
		"The calendars have %d runs of equal days and time blocks together, each with those above it, and a plan is computed with at most %d.", runs, MaxCalendarRuns))
}
