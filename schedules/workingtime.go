package schedules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"
	_ "time/tzdata"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// workingTime reads within a transaction when work is done in a schedule. What it has
// built of calendars stays with the store, and is used again until one of their records
// changes.
type workingTime struct {
	tx    records.Reading
	scope records.Scope
	built calendarSource

	set      *ProjectScheduling            // nil until it is read
	projects map[string]*ProjectScheduling // as in calendars
	zone     *time.Location
	last     string // the calendar that was asked for last
	on       working
	read     map[string]working            // those that were asked for before it
	made     map[string]*worktime.Calendar // put together, by workKey
	spent    int64                         // exceptional days of those
	err      error                         // with which it could not be read
}

// workingTimeOf reads when work is done in the schedule with a scope. It is for one
// transaction, in which no calendar changes.
func workingTimeOf(tx records.Reading, s records.Scope) *workingTime {
	return &workingTime{tx: tx, scope: s, built: calendarCache.Of(tx)}
}

// settings are the default calendar and the time zone of the schedule.
func (w *workingTime) settings() (set *ProjectScheduling, err error) {
	if w.set == nil {
		w.set, err = w.built.set(w.tx, w.scope)
		if missingRecord(err) {
			w.set, err = &unscheduled, nil
		}
		if err != nil {
			return nil, err
		}
		w.projects = w.set.otherProjects()
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

// of is the time in which a task is done: that of its calendar, else of its project's or the
// default, and of one that is done when its resources work that of theirs.
func (w *workingTime) of(t *Task) (working, error) {
	on, err := w.ofCalendar(t)
	if err != nil || !t.byResources() {
		return on, err
	}
	return w.byWork(t, on)
}

// ofCalendar is of for a task whose resources do not count.
func (w *workingTime) ofCalendar(t *Task) (working, error) {
	if t.ProjectID == "" {
		return w.in(string(t.CalendarID))
	}
	if _, err := w.settings(); err != nil {
		return working{}, err
	}
	set := w.projects[string(t.ProjectID)]
	if set == nil {
		return w.in(string(t.CalendarID))
	}
	on, err := w.in(string(cmp.Or(t.CalendarID, set.CalendarID)))
	on.set = set
	return on, err
}

// in is the time of a calendar, and without an id that of the default.
func (w *workingTime) in(calendarID string) (working, error) {
	if w.on.zone != nil && w.last == calendarID {
		return w.on, nil
	}
	on, ok := w.read[calendarID]
	if !ok {
		c, err := w.calendar(calendarID)
		if err != nil {
			return w.on, err
		}
		on = working{c, w.zone, w.set}
	}
	if w.on.zone != nil { // most schedules have tasks of one calendar, which needs no map
		if w.read == nil {
			w.read = make(map[string]working)
		}
		w.read[w.last] = w.on
	}
	w.last, w.on = calendarID, on
	return on, nil
}

// place gives a task the dates that a function sets, and what follows from them in its working time.
func (w *workingTime) place(t *Task, dates func(*Task)) error {
	on, err := w.of(t)
	if err != nil {
		return err
	}
	dates(t)
	t.derive()
	t.timeIn(on)
	return nil
}

// settled is of for where nothing can fail: a failure is kept for the end of the work.
func (w *workingTime) settled(t *Task) working {
	of, err := w.of(t)
	if err != nil && w.err == nil {
		w.err = err
	}
	return of
}

// builtCalendars are calendars as they were built last, for one store.
type builtCalendars struct {
	sizes    records.Digests[Calendar, calendarSize]
	settings records.Cache[ProjectScheduling]

	mu    sync.RWMutex
	built map[builtKey]builtCalendar
	runs  int64 // how large all of them are
	zones map[string]*time.Location
}

var calendarCache records.PerDB[builtCalendars]

// calendarSource is builtCalendars. Behind an interface, what imports this package does not
// compile every generic type that they are made of once more.
type calendarSource interface {
	set(tx records.Reading, s records.Scope) (*ProjectScheduling, error)
	location(name string) (*time.Location, error)
	calendar(tx records.Reading, s records.Scope, id string) (*worktime.Calendar, error)
	calendarAmong(tx records.Reading, s records.Scope, id string,
		chainOf func(id string) ([]*calendarSize, error)) (*worktime.Calendar, error)
}

// set are the settings of a schedule as the transaction reads them.
func (b *builtCalendars) set(tx records.Reading, s records.Scope) (*ProjectScheduling, error) {
	return b.settings.Value(tx, &projectSchedulingRecords, s, projectSchedulingID)
}

// needs are what is read of the calendar of a task of which the calendar and the project are given,
// as far as is known from when they were read last.
func (b *builtCalendars) needs(s records.Scope, calendarID, projectID string) []records.Need {
	standard := ProjectScheduling{CalendarID: StandardCalendar}
	set, known := b.settings.Last(&projectSchedulingRecords, s, projectSchedulingID)
	if !known {
		set = &standard
	}
	if other := set.otherProjects()[projectID]; other != nil && calendarID == "" {
		calendarID = string(other.CalendarID)
	}
	id := cmp.Or(calendarID, string(set.CalendarID))
	b.mu.RLock()
	defer b.mu.RUnlock()
	needs := calendarRecords.Needs(s, id)
	for _, above := range b.built[builtKey{s, id}].chain {
		needs = append(needs, calendarRecords.Needs(s, above.parent)...)
	}
	return needs
}

type builtKey struct {
	scope records.Scope
	id    string
}

// builtCalendar is a calendar with the versions of the records that it was built of.
type builtCalendar struct {
	*worktime.Calendar
	chain []*calendarSize
}

// How much is kept of built calendars. Beyond that all are built again.
const (
	maxBuilt     = 4_096
	maxBuiltRuns = 2 * MaxCalendarRuns
)

// size is the size of a calendar as the transaction reads it: another one for each version
// of its record.
func (b *builtCalendars) size(tx records.Reading, s records.Scope, id string) (*calendarSize, error) {
	return b.sizes.Value(tx, &calendarRecords, s, id, sizeOf)
}

// calendar is a calendar as the transaction reads it.
func (b *builtCalendars) calendar(tx records.Reading, s records.Scope, id string) (*worktime.Calendar, error) {
	return b.calendarAmong(tx, s, id, func(id string) (chain []*calendarSize, err error) {
		for id != "" {
			if len(chain) > MaxDepth {
				return nil, worktime.ErrBases
			}
			size, err := b.size(tx, s, id)
			if err != nil {
				return nil, err
			}
			chain, id = append(chain, size), size.parent
		}
		return chain, nil
	})
}

// calendarAmong is calendar where it is known how to find the chain of a calendar: itself
// and those above it.
func (b *builtCalendars) calendarAmong(tx records.Reading, s records.Scope, id string,
	chainOf func(id string) ([]*calendarSize, error),
) (*worktime.Calendar, error) {
	chain, err := chainOf(id)
	if err != nil {
		return nil, fmt.Errorf("schedules: the calendar %q: %w", id, err)
	}
	key := builtKey{s, id}
	b.mu.RLock()
	known, ok := b.built[key]
	b.mu.RUnlock()
	if ok && slices.Equal(known.chain, chain) {
		return known.Calendar, nil
	}
	all, err := calendarChain(func(id string) (*Calendar, error) { return calendarRecords.Value(tx, s, id) }, id)
	if err != nil {
		return nil, fmt.Errorf("schedules: the calendar %q: %w", id, err)
	}
	c, err := worktime.New(*definition(all))
	if err != nil {
		return nil, fmt.Errorf("schedules: the calendar %q: %w", id, err)
	}
	b.keep(key, builtCalendar{c, chain})
	return c, nil
}

func (b *builtCalendars) keep(key builtKey, c builtCalendar) {
	b.mu.Lock()
	defer b.mu.Unlock()
	runs := c.size() - b.built[key].size()
	if b.built == nil || len(b.built) >= maxBuilt || b.runs+runs > maxBuiltRuns {
		b.built, b.runs, runs = make(map[builtKey]builtCalendar), 0, c.size()
	}
	b.built[key] = c
	b.runs += runs
}

// size is how large a calendar is with those above it.
func (c builtCalendar) size() (runs int64) {
	for _, size := range c.chain {
		runs += size.runs
	}
	return runs
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

// checkZone checks that a name is in the IANA time zone database. Machines keep other
// files next to it that load as zones.
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
