package schedules

import (
	"cmp"
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// taskDates are the dates and the duration of a task, those of its planner where it has
// computed some.
type taskDates struct {
	start, finish worktime.Time
	calendar      *worktime.Calendar
}

// datesOf are the dates of a task of the file.
func (d *planDiff) datesOf(place int) taskDates {
	t, computed := &d.file.Tasks[place], d.scheduled.Dates(place)
	out := taskDates{start: t.File.Start, finish: t.File.Finish, calendar: d.calendarOf(t)}
	if t.Status() != planner.Planned && t.File.PlannedStart != 0 {
		out.start = t.File.PlannedStart
	}
	out.start = cmp.Or(out.start, t.File.EarlyStart, computed.Start)
	out.finish = cmp.Or(out.finish, t.File.EarlyFinish, computed.Finish)
	return out
}

// projectSpans are the dates of the tasks that stand for projects.
func (d *planDiff) projectSpans() map[string]taskDates {
	spans := make(map[string]taskDates)
	if !d.w.Modes.CreateProjectNodes {
		return spans
	}
	for _, p := range d.file.Projects {
		spans[projectNode(p.ID)] = taskDates{calendar: cmp.Or(d.calendars[p.CalendarID], d.standard)}
	}
	for i := range d.file.Tasks {
		id := projectNode(d.file.Tasks[i].ProjectID)
		span, dates := spans[id], d.datesOf(i)
		if dates.start != 0 && (span.start == 0 || dates.start < span.start) {
			span.start = dates.start
		}
		span.finish = max(span.finish, dates.finish)
		spans[id] = span
	}
	return spans
}

// hasDates reports whether the file has the planned date of a task.
func hasDates(t *planner.Task) bool {
	if typeOf(t) == FinishKeyDate {
		return t.File.Finish != 0 || t.File.EarlyFinish != 0
	}
	return t.File.Start != 0 || t.File.EarlyStart != 0
}

// spans reports whether a task has the dates of those below it.
func spans(t *planner.Task) bool { return t.Kind == cpm.Summary || t.WBSSummary }

// date gives a task the dates that the file does not have.
func (d *planDiff) date(v *Task, t *planner.Task, dates taskDates) {
	if v.Type != FinishKeyDate {
		v.PlannedStart = d.at(dates.start)
	} else {
		v.PlannedFinish = d.at(cmp.Or(dates.finish, dates.start))
	}
	if spans(t) && !v.Type.keyDate() {
		v.PlannedDuration = d.durationOf(t, dates)
	}
}

// durationOf is the planned duration of a task in seconds.
func (d *planDiff) durationOf(t *planner.Task, dates taskDates) *int32 {
	n := t.Duration
	switch {
	case spans(t):
		n = 0
		if dates.start != 0 && dates.finish > dates.start {
			n = dates.calendar.Between(dates.start, dates.finish)
		}
	case t.Status() != planner.Planned && t.Planned > 0:
		n = t.Planned
	}
	if n > math.MaxInt32 {
		d.warn("Warning: Task (ID=%s) takes longer than %d seconds; the rest was ignored.", cmp.Or(t.Code, t.ID), math.MaxInt32)
	}
	seconds := int32(min(max(n, 0), math.MaxInt32))
	return &seconds
}

// dateTasks gives dates to the tasks that the file has none of.
func (d *planDiff) dateTasks(tasks []planner.Task) error {
	for i := range tasks {
		t := &tasks[i]
		dates, undated := d.tasks.undated[t.ID]
		id := d.filed[t.ID].id()
		if !undated || id == "" {
			continue
		}
		if v := d.tasks.puts[id]; v != nil {
			d.date(v, t, dates)
			if spans(t) {
				v.RemainingDuration = nil // which follows
			}
			continue
		}
		stored, err := taskRecords.Value(d.tx, d.scope, id)
		if err != nil {
			return err
		}
		own := *stored
		d.date(&own, t, dates)
		if !own.PlannedStart.Equal(stored.PlannedStart.Time) || !own.PlannedFinish.Equal(stored.PlannedFinish.Time) || !equalDuration(own.PlannedDuration, stored.PlannedDuration) {
			d.tasks.puts[id] = &own
			d.tasks.order = append(d.tasks.order, id)
		}
	}
	return nil
}
