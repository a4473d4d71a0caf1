package schedules

import (
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// renewal is how far tasks have come to follow from a working time that has changed: first
// each whose calendar it is, and then all hammocks, whose neighbours may have moved. A
// task that is written meanwhile is written in the new working time.
type renewal struct {
	Begun     bool     `json:"begun,omitempty"`     // the change was made
	All       bool     `json:"all,omitempty"`       // the time of every calendar has changed
	Default   bool     `json:"default,omitempty"`   // that of tasks without a calendar has
	Calendars []string `json:"calendars,omitempty"` // that of these has

	Hammocks bool   `json:"hammocks,omitempty"` // there are some
	Last     bool   `json:"last,omitempty"`     // the hammocks are under way
	After    string `json:"after,omitempty"`    // the task that was renewed last
	Renewed  int    `json:"renewed,omitempty"`
}

// touches reports whether what follows for a task may have to be renewed. The calendars of its
// resources are not looked at for that.
func (r *renewal) touches(t *Task, calendars map[string]bool) bool {
	if t.byResources() {
		return true
	}
	if t.CalendarID == "" {
		return r.All || r.Default
	}
	return r.All || calendars[string(t.CalendarID)]
}

// step renews tasks as far as a step reaches, and reports whether all are.
func (r *renewal) step(u *records.Update, s records.Scope, step *records.Step) (whole bool, err error) {
	reader := readPlan(u, s)
	reader.times = workingTimeOf(u, s)
	calendars := make(map[string]bool, len(r.Calendars))
	for _, id := range r.Calendars {
		calendars[id] = true
	}
	for {
		tasks := records.Together(u, 0, taskRecords.From(u, s, r.After), func(next []*Task) error {
			return r.declare(u, reader, next, calendars)
		})
		for t, err := range tasks {
			if err != nil {
				return false, err
			}
			if more, err := step.Next(rowBytes); !more || err != nil {
				return false, err
			}
			if err := r.renew(u, reader, t, calendars); err != nil {
				return false, err
			}
			r.After = t.ID
			r.Renewed++
		}
		if r.Last || !r.Hammocks {
			return true, nil
		}
		r.Last, r.After = true, ""
	}
}

// declare declares what the renewal of tasks reads.
func (r *renewal) declare(u *records.Update, reader planReader, next []*Task, calendars map[string]bool) error {
	if r.Last {
		return declareHammocks(u, reader.scope, hammocksOf(next))
	}
	touched := slices.DeleteFunc(slices.Clone(next), func(t *Task) bool {
		return t.Type.hammock() || !t.timed() || !r.touches(t, calendars)
	})
	return declareTimed(u, reader.scope, touched, func(t *Task) (*Task, error) {
		w, err := reader.times.of(t)
		fresh := *t
		fresh.timeIn(w)
		return &fresh, err
	})
}

// hammocksOf are the ids of those of the tasks that are hammocks.
func hammocksOf(all []*Task) (ids []string) {
	for _, t := range all {
		if t.Type.hammock() {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// declareTimed declares when tasks are done, and the records of those that are no longer as they were once a
// function has timed them.
func declareTimed(u *records.Update, s records.Scope, next []*Task, timed func(t *Task) (*Task, error)) error {
	if err := declareWork(u, s, next); err != nil {
		return err
	}
	var needs []records.Need
	for _, t := range next {
		fresh, err := timed(t)
		if err != nil {
			return err
		}
		if !fresh.sameTime(t) {
			needs = append(needs, taskRecords.NeedsOfNew(s, t.ID)...)
		}
	}
	records.Declare(u, needs...)
	return nil
}

// renew renews what follows for a task.
func (r *renewal) renew(u *records.Update, reader planReader, t *Task, calendars map[string]bool) (err error) {
	switch {
	case t.Type.hammock() && r.Last:
		err = reader.deriveHammock(u, t.ID)
	case t.Type.hammock():
		r.Hammocks = true
	case !r.Last && r.touches(t, calendars):
		err = reader.renew(u, t)
	}
	return err
}

// renew writes a task for which other dates follow than it has.
func (r planReader) renew(u *records.Update, t *Task) error {
	if !t.timed() {
		return nil
	}
	w, err := r.times.of(t)
	if err != nil {
		return err
	}
	fresh := *t
	if fresh.timeIn(w); fresh.sameTime(t) {
		return nil
	}
	_, err = taskRecords.Modify(u, r.scope, t.ID, "", func(t *Task) error {
		t.timeIn(w)
		return nil
	})
	return err
}

// renewed does a step of a renewal that follows the change of a record, whose event it
// emits when it is the last one.
func renewed[P, T any](u *records.Update, e *model.Edit[P, T], r *renewal, c *records.Collection[T],
	id string,
) (progress, error) {
	whole, err := r.step(u, e.Scope, records.NewStep(u))
	if err != nil {
		return progress{}, err
	}
	if !whole {
		return model.ProgressOf(r.Renewed, r.Renewed+10_000), nil
	}
	rec, err := c.Get(u, e.Scope, id)
	if missingRecord(err) {
		return done, nil // deleted meanwhile
	}
	e.Wrote(rec)
	return done, err
}

// calendarUpdate is a patch of a calendar on its way into the journal, with what follows.
type calendarUpdate struct {
	ID      string                 `json:"id"`
	Patch   CalendarPatch          `json:"patch"`
	IfMatch twinplatform.Condition `json:"ifMatch"`
	Renewal renewal                `json:"renewal,omitzero"`
}

// calendarFamily are calendars with the calls that there are to them.
type calendarFamily struct {
	*model.Family[Calendar, NewCalendar, CalendarPatch]
	update model.Change[calendarUpdate, Calendar]
}

// calendarsOf defines the changes to calendars: that of one affects tasks.
func calendarsOf(s *Service) calendarFamily {
	return calendarFamily{
		Family: model.FamilyOf(s.area(), &calendarKind).ChangedIn(model.V10Only).Accepted(),
		update: model.DefineInSteps(s.area(), "calendar.update", updateCalendar,
			"calendars.update").Only(model.V10Only),
	}
}

func updateCalendar(u *records.Update, e *model.Edit[calendarUpdate, Calendar]) (progress, error) {
	req := &e.Request
	if !req.Renewal.Begun {
		stored, err := calendarRecords.Lookup(u, e.Scope, req.ID)
		if err != nil {
			return progress{}, err
		}
		rec, err := calendarKind.Modify(u, e.Scope, req.ID, req.IfMatch, &req.Patch)
		if err != nil {
			return progress{}, err
		}
		if rec.Value.sameTime(stored) {
			e.Wrote(rec)
			return done, nil
		}
		if err := req.Renewal.begin(u, e.Scope, req.ID); err != nil {
			return progress{}, err
		}
	}
	return renewed(u, e, &req.Renewal, &calendarRecords, req.ID)
}

// sameTime reports whether two calendars say the same of when work is done.
func (v *Calendar) sameTime(other *Calendar) bool {
	return v.ParentID == other.ParentID && reflect.DeepEqual(v.definition(), other.definition())
}

// begin reports that the time of a calendar has changed, and that of those below it.
func (r *renewal) begin(tx records.Reading, s records.Scope, id string) error {
	set, err := projectScheduling(tx, s)
	if err != nil {
		return err
	}
	r.Begun, r.Calendars = true, []string{id}
	projects := set.Value.projectCalendars()
	for i := 0; i < len(r.Calendars); i++ {
		for below := range calendarRecords.IDs(tx, s, "parent", r.Calendars[i]) {
			r.Calendars = append(r.Calendars, below)
		}
		r.Default = r.Default || r.Calendars[i] == string(set.Value.CalendarID) ||
			slices.Contains(projects, r.Calendars[i])
	}
	return nil
}

// setProjectScheduling changes as of when and in which working time a schedule is
// scheduled, and renews what follows.
func setProjectScheduling(u *records.Update, e *model.Edit[schedulingChange, ProjectScheduling]) (progress, error) {
	r := &e.Request.Renewal
	if !r.Begun {
		now, err := projectScheduling(u, e.Scope)
		if err != nil {
			return progress{}, err
		}
		if err := records.Judge(e.Request.IfMatch, now.ETag); err != nil {
			return progress{}, problem.Precondition(err)
		}
		next := now.Value
		e.Request.Patch.apply(&next)
		var c problem.Checks
		if err := namesCalendar(u, e.Scope, &c, next.CalendarID, now.Value.CalendarID); err != nil {
			return progress{}, err
		}
		if err := projectsFit(u, e.Scope, &c, next.Projects, now.Value.Projects); err != nil {
			return progress{}, err
		}
		if err := c.Err(InvalidRequest); err != nil {
			return progress{}, err
		}
		if next.same(&now.Value) {
			e.Wrote(now)
			return done, nil
		}
		rec, err := projectSchedulingRecords.Put(u, e.Scope, &next)
		if err != nil {
			return progress{}, err
		}
		r.All = next.TimeZone != now.Value.TimeZone || !next.estimatesAs(&now.Value) ||
			!slices.Equal(next.Projects, now.Value.Projects)
		r.Default = next.CalendarID != now.Value.CalendarID
		if !r.All && !r.Default && next.StartDate.Equal(now.Value.StartDate.Time) {
			e.Wrote(rec)
			return done, nil
		}
		r.Begun = true
	}
	return renewed(u, e, r, &projectSchedulingRecords, projectSchedulingID)
}
