package schedules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
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
		d.Warn("Warning: Task (ID=%s) takes longer than %d seconds; the rest was ignored.", cmp.Or(t.Code, t.ID), math.MaxInt32)
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
		stored, err := taskRecords.Value(d.Tx, d.Scope, id)
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

// heldTask is to what dates a file holds a task.
type heldTask struct {
	constraint            ConstraintType
	early, late, expected twinplatform.DateTime
	further               heldFurther
}

// heldFurther is what few tasks have.
type heldFurther struct {
	externalStart, externalFinish              twinplatform.DateTime
	mandatory                                  bool
	second                                     ConstraintType
	secondDate, deadline                       twinplatform.DateTime
	inactive, placeholder, byResourceCalendars bool
}

func (h *heldTask) set(v *Task) {
	v.ConstraintType, v.ConstraintEarlyDate, v.ConstraintLateDate, v.ExpectedFinish = h.constraint, h.early, h.late, h.expected
	f := &h.further
	v.ExternalEarlyStart, v.ExternalLateFinish, v.IsMandatory = f.externalStart, f.externalFinish, f.mandatory
	v.SecondConstraintType, v.SecondConstraintDate = f.second, f.secondDate
	v.Deadline, v.IsInactive, v.IsPlaceholder, v.UsesResourceCalendars = f.deadline, f.inactive, f.placeholder, f.byResourceCalendars
}

// constraintContent is what the file has of the dates that a task is held to.
func (d *planDiff) constraintContent(t *planner.Task) (any, func(*Task)) {
	h := &heldTask{expected: d.at(t.ExpectedFinish), further: heldFurther{
		deadline: d.at(t.Deadline), inactive: t.Inactive, placeholder: t.Placeholder,
		byResourceCalendars: t.ResourceCalendars && !t.Elapsed && t.Kind == cpm.Work,
	}}
	further := &h.further
	constraints := slices.Clip(t.Constraints)
	if d.w.Modes.ConstrainExternalDates {
		if t.ExternalStart != 0 {
			constraints = append(constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: t.ExternalStart})
		}
		if t.ExternalFinish != 0 {
			constraints = append(constraints, cpm.Constraint{Type: cpm.FinishNoLater, Date: t.ExternalFinish})
		}
	} else {
		further.externalStart, further.externalFinish = d.at(t.ExternalStart), d.at(t.ExternalFinish)
	}
	used := 0
	h.constraint, h.early, h.late, used = d.constraint(constraints)
	further.mandatory = used > 0 && mandatory(constraints[0].Type)
	if used < len(constraints) {
		c := constraints[used]
		if second := constraintTypesOf[c.Type]; slices.Contains(secondConstraintTypes, second) && !mandatory(c.Type) {
			further.second, further.secondDate = second, d.at(c.Date)
			used++
		}
	}
	for _, c := range constraints[used:] {
		d.Warn("Warning: Task (ID=%s) has a further constraint (%s), which was ignored.", cmp.Or(t.Code, t.ID), constraintTypesOf[c.Type])
	}
	if t.Manual && h.constraint == NoConstraint {
		h.constraint = CannotReschedule
	}
	if *further == (heldFurther{}) { // as in progressContent
		return d.NewFacts().Text(string(h.constraint)).At(h.early).At(h.late).At(h.expected), h.set
	}
	return []any{
		h.constraint, h.early, h.late, h.expected, further.externalStart, further.externalFinish, further.mandatory, further.second, further.secondDate,
		further.deadline, further.inactive, further.placeholder, further.byResourceCalendars,
	}, h.set
}

// percentTypes are those of the types in files that a task says.
var percentTypes = map[planner.PercentType]PercentCompleteType{planner.OfUnits: PercentOfUnits, planner.OfPhysical: PercentPhysical}

// remainingOf is what a file says that remains of a task which has begun; nil where it follows
// from how much of it is done.
func remainingOf(t *planner.Task, percent int32) *int32 {
	if spans(t) || typeOf(t) != Work {
		return nil
	}
	whole := t.Duration
	if t.Planned > 0 {
		whole = t.Planned
	}
	remaining := int32(min(max(t.Remaining, 0), math.MaxInt32))
	if t.PercentOf == planner.OfDuration && remaining == leftOf(min(max(whole, 0), math.MaxInt32), percent) {
		return nil
	}
	return &remaining
}

// noted is the comment with the text of notes, as far as it has room, and whether that is all.
func noted(notes []planner.Note) (comment string, whole bool) {
	comment, cut := importing.Cut(strings.ToValidUTF8(importing.NotesOf(notes), "�"), MaxComment)
	return comment, !cut && (len(notes) == 0 || len(notes) == 1 && notes[0].Topic == "")
}

// addNotes adds what is noted of a task: its notes, and a comment that differs from them.
func (t *Task) addNotes(out *planner.Task) {
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
	if content, _ := noted(out.Notes); t.Comment != content && t.Comment != "" {
		out.Notes = append(out.Notes, planner.Note{Text: t.Comment})
	}
}

// projectNoteContent is what the file notes of its projects; nil where that is nothing.
func (d *planDiff) projectNoteContent() importing.Part[ProjectScheduling] {
	var notes []ProjectNote
	for i := range d.file.Projects {
		p := &d.file.Projects[i]
		label := cmp.Or(p.Code, p.ID)
		for _, n := range p.Notes {
			if len(notes) == MaxProjectNotes {
				d.Warn("Warning: Project (ID=%s) has a note too many (Notes): a schedule keeps %d; it was ignored.", label, MaxProjectNotes)
				continue
			}
			one := ProjectNote{Topic: d.textOf("the topic of a note of project", label, n.Topic, MaxComment), Text: d.textOf("a note of project", label, n.Text, MaxNote)}
			if i > 0 {
				one.ProjectID = twinplatform.NullString(d.projectIDs[p.ID])
			}
			notes = append(notes, one)
		}
	}
	content := any(notes)
	if notes == nil {
		content = nil
	}
	return importing.Always(d.w.Modes.Notebooks, content, func(v *ProjectScheduling) { v.Notes = notes })
}

// addProjectNotes adds the notes about the projects of a schedule to those of the file.
func (e *planExport) addProjectNotes() {
	for i := range e.settings.Notes {
		n := &e.settings.Notes[i]
		p := &e.Projects[e.builder.projects[string(n.ProjectID)]]
		p.Notes = append(p.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
}
