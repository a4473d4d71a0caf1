package schedules

import (
	"fmt"
	"slices"
	"sync"
	"time"
	_ "time/tzdata" // which names are time zones is the same on every machine

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// workingTime reads within a transaction when work is done in a schedule. What it has
// built of calendars stays with the store, and is used again until one of their records
// changes.
type workingTime struct {
	tx    records.Reading
	scope records.Scope
	built *builtCalendars

	set  *ProjectScheduling // nil until it is read
	zone *time.Location
	last string // the calendar that was asked for last
	on   working
	err  error // with which it could not be read
}

// workingTimeOf reads when work is done in the schedule with a scope. It is for one
// transaction, in which no calendar changes.
func workingTimeOf(tx records.Reading, s records.Scope) *workingTime {
	return &workingTime{tx: tx, scope: s, built: calendarsBeside.Of(tx)}
}

// settings are the default calendar and the time zone of the schedule.
func (w *workingTime) settings() (set *ProjectScheduling, err error) {
	if w.set == nil {
		w.set, err = w.built.settings.Value(w.tx, &projectSchedulingRecords, w.scope, projectSchedulingID)
		if missingRecord(err) {
			w.set, err = &unscheduled, nil
		}
		if err != nil {
			return nil, err
		}
		w.zone, err = w.built.location(w.set.TimeZone)
	}
	return w.set, err
}

// calendar is a calendar of the schedule, and without an id its default. It is nil where
// there is none: time is elapsed time then, whatever clocks show.
func (w *workingTime) calendar(id string) (*worktime.Calendar, error) {
	set, err := w.settings()
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = string(set.CalendarID)
	}
	if id == "" {
		return nil, nil
	}
	return w.built.calendar(w.tx, w.scope, id)
}

// of is the time in which a task is done: that of its calendar, else of the default.
func (w *workingTime) of(t *Task) (working, error) { return w.in(string(t.CalendarID)) }

// in is the time of a calendar, and without an id that of the default.
func (w *workingTime) in(calendarID string) (working, error) {
	if w.on.zone != nil && w.last == calendarID {
		return w.on, nil
	}
	c, err := w.calendar(calendarID)
	if err == nil {
		w.last, w.on = calendarID, working{c, w.zone}
	}
	return w.on, err
}

// settled is of for where nothing can fail: a failure is kept for whoever ends the work.
func (w *workingTime) settled(t *Task) working {
	of, err := w.of(t)
	if err != nil && w.err == nil {
		w.err = err
	}
	return of
}

// builtCalendars are calendars as they were built last, beside one store.
type builtCalendars struct {
	records  records.Cache[Calendar]
	settings records.Cache[ProjectScheduling]

	mu    sync.RWMutex
	built map[builtKey]builtCalendar
	days  int64 // that the exceptions of all of them last
	zones map[string]*time.Location
}

var calendarsBeside records.Beside[builtCalendars]

type builtKey struct {
	scope records.Scope
	id    string
}

// builtCalendar is a calendar with the records that it was built of.
type builtCalendar struct {
	*worktime.Calendar
	chain []*Calendar
}

// How much is kept of built calendars. Beyond that all are built anew.
const (
	maxBuilt     = 4_096
	maxBuiltDays = 1_000_000
)

// calendar is a calendar as the transaction reads it.
func (b *builtCalendars) calendar(tx records.Reading, s records.Scope, id string) (*worktime.Calendar, error) {
	key := builtKey{s, id}
	b.mu.RLock()
	known, ok := b.built[key]
	b.mu.RUnlock()
	if ok && b.stands(tx, s, known) {
		return known.Calendar, nil
	}
	chain, err := calendarChain(func(id string) (*Calendar, error) {
		return b.records.Value(tx, &calendarRecords, s, id)
	}, id)
	if err != nil {
		return nil, fmt.Errorf("schedules: the calendar %q: %w", id, err)
	}
	c, err := worktime.New(*definition(chain))
	if err != nil {
		return nil, fmt.Errorf("schedules: the calendar %q: %w", id, err)
	}
	b.keep(key, builtCalendar{c, chain})
	return c, nil
}

// stands reports whether a calendar was built of the records that the transaction reads.
func (b *builtCalendars) stands(tx records.Reading, s records.Scope, c builtCalendar) bool {
	for _, v := range c.chain {
		if now, err := b.records.Value(tx, &calendarRecords, s, v.ID); err != nil || now != v {
			return false
		}
	}
	return true
}

func (b *builtCalendars) keep(key builtKey, c builtCalendar) {
	days := exceptionDays(c.chain)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.built == nil || len(b.built) >= maxBuilt || b.days+days > maxBuiltDays {
		b.built, b.days = make(map[builtKey]builtCalendar), 0
	}
	b.built[key] = c
	b.days += days
}

// location is the time zone with a name.
func (b *builtCalendars) location(name string) (*time.Location, error) {
	b.mu.RLock()
	zone := b.zones[name]
	b.mu.RUnlock()
	if zone != nil {
		return zone, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("schedules: the time zone %q: %w", name, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.zones == nil {
		b.zones = make(map[string]*time.Location)
	}
	b.zones[name] = zone
	return zone, nil
}

// checkZone checks that a name is in the IANA time zone database. Machines keep files
// beside it that load as zones and are none.
func checkZone(c *problem.Checks, name, zone string) {
	other := slices.Contains([]string{"", "Local", "localtime", "posixrules"}, zone)
	if len(zone) > 64 {
		other = true
	}
	for _, apart := range []string{"posix/", "right/"} {
		other = other || len(zone) > len(apart) && zone[:len(apart)] == apart
	}
	if !other {
		_, err := time.LoadLocation(zone)
		other = err != nil
	}
	if other {
		c.Bad(name, "The value of '%s' is not the name of an IANA time zone, such as Europe/Berlin.", name)
	}
}

// exceptionDays is how many days the exceptions of calendars last.
func exceptionDays(chain []*Calendar) (n int64) {
	for _, v := range chain {
		for i := range v.Exceptions {
			n += v.Exceptions[i].days()
		}
	}
	return n
}

// definition is that of the first of several calendars, each the parent of the one
// before it.
func definition(chain []*Calendar) (d *worktime.Definition) {
	for _, v := range slices.Backward(chain) {
		own := v.definition()
		own.Base = d
		d = own
	}
	return d
}

// definition is that of the calendar without those above it.
func (v *Calendar) definition() *worktime.Definition {
	d := &worktime.Definition{Week: make(worktime.Week)}
	types := make(map[twinplatform.NullString]worktime.Hours, len(v.DayTypes))
	for _, t := range v.DayTypes {
		types[twinplatform.NullString(t.ID)] = hours(t.TimeBlocks)
	}
	for weekday, id := range v.Week.days() {
		if id != "" {
			d.Week[time.Weekday(weekday)] = types[id]
		}
	}
	for i := range v.Exceptions {
		x := &v.Exceptions[i]
		first, last := x.span()
		e := worktime.Exception{First: first, Last: last, Repeat: x.Recurrence.repeat(), Hours: hours(x.TimeBlocks)}
		if x.DayTypeID != "" {
			e.Hours = types[x.DayTypeID]
		}
		d.Exceptions = append(d.Exceptions, e)
	}
	return d
}

func hours(blocks []TimeBlock) worktime.Hours {
	h := make(worktime.Hours, len(blocks))
	for i, b := range blocks {
		h[i].From, _ = timeOfDay(b.StartTime)
		h[i].To, _ = b.end()
	}
	return h
}

func (r *Recurrence) repeat() *worktime.Repeat {
	if r == nil {
		return nil
	}
	out := &worktime.Repeat{
		Every:    worktime.Frequency(slices.Index(recurrenceFrequencies, r.Frequency) + 1),
		Interval: int(r.Interval), Day: int(r.Day), Month: time.Month(r.Month),
		Position: slices.Index(weekdayPositions, r.Position) + 1,
	}
	for _, day := range r.Weekdays {
		out.Weekdays = append(out.Weekdays, time.Weekday(slices.Index(weekdays, day)))
	}
	return out
}
