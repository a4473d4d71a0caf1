package exchange

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
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
	if typeOf(t) == schedules.FinishKeyDate {
		return t.File.Finish != 0 || t.File.EarlyFinish != 0
	}
	return t.File.Start != 0 || t.File.EarlyStart != 0
}

// spans reports whether a task has the dates of those below it.
func spans(t *planner.Task) bool { return t.Kind == cpm.Summary || t.WBSSummary }

// date gives a task the dates that the file does not have.
func (d *planDiff) date(v *schedules.Task, t *planner.Task, dates taskDates) {
	if v.Type != schedules.FinishKeyDate {
		v.PlannedStart = d.at(dates.start)
	} else {
		v.PlannedFinish = d.at(cmp.Or(dates.finish, dates.start))
	}
	if spans(t) && !core.IsKeyDate(v.Type) {
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
		d.Warn("Warning: Task (ID=%s) takes longer than %d seconds; the rest was ignored.", cmp.Or(t.Code, t.ID),
			math.MaxInt32)
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
		stored, err := core.Tasks.Value(d.Tx, d.Scope, id)
		if err != nil {
			return err
		}
		own := *stored
		d.date(&own, t, dates)
		if !own.PlannedStart.Equal(stored.PlannedStart.Time) || !own.PlannedFinish.Equal(stored.PlannedFinish.Time) ||
			!model.EqualDuration(own.PlannedDuration, stored.PlannedDuration) {
			d.tasks.puts[id] = &own
			d.tasks.order = append(d.tasks.order, id)
		}
	}
	return nil
}

// filedConstraints is to what dates a file holds a task.
type filedConstraints struct {
	Constraint            schedules.ConstraintType
	Early, Late, Expected twinplatform.DateTime
	Further               furtherConstraints
}

// furtherConstraints are what few tasks have.
type furtherConstraints struct {
	ExternalStart, ExternalFinish              twinplatform.DateTime
	Mandatory                                  bool
	Second                                     schedules.ConstraintType
	SecondDate, Deadline                       twinplatform.DateTime
	Inactive, Placeholder, ByResourceCalendars bool
}

// Compared implements importing.Content.
func (c *filedConstraints) Compared(facts *importing.Facts) any {
	f := &c.Further
	if *f == (furtherConstraints{}) { // as in filedProgress
		return facts.Text(string(c.Constraint)).At(c.Early).At(c.Late).At(c.Expected)
	}
	return []any{
		c.Constraint, c.Early, c.Late, c.Expected, f.ExternalStart, f.ExternalFinish, f.Mandatory, f.Second,
		f.SecondDate,
		f.Deadline, f.Inactive, f.Placeholder, f.ByResourceCalendars,
	}
}

// Set implements importing.Content.
func (c *filedConstraints) Set(v *schedules.Task) {
	v.ConstraintType, v.ConstraintEarlyDate, v.ConstraintLateDate, v.ExpectedFinish = c.Constraint, c.Early, c.Late,
		c.Expected
	f := &c.Further
	v.ExternalEarlyStart, v.ExternalLateFinish, v.IsMandatory = f.ExternalStart, f.ExternalFinish, f.Mandatory
	v.SecondConstraintType, v.SecondConstraintDate = f.Second, f.SecondDate
	v.Deadline, v.IsInactive, v.IsPlaceholder, v.UsesResourceCalendars = f.Deadline, f.Inactive, f.Placeholder,
		f.ByResourceCalendars
}

// constraintContent is what the file has of the dates that a task is held to.
func (d *planDiff) constraintContent(t *planner.Task) *filedConstraints {
	h := &filedConstraints{Expected: d.at(t.ExpectedFinish), Further: furtherConstraints{
		Deadline: d.at(t.Deadline), Inactive: t.Inactive, Placeholder: t.Placeholder,
		ByResourceCalendars: t.ResourceCalendars && !t.Elapsed && t.Kind == cpm.Work,
	}}
	further := &h.Further
	constraints := slices.Clip(t.Constraints)
	if d.w.Modes.ConstrainExternalDates {
		if t.ExternalStart != 0 {
			constraints = append(constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: t.ExternalStart})
		}
		if t.ExternalFinish != 0 {
			constraints = append(constraints, cpm.Constraint{Type: cpm.FinishNoLater, Date: t.ExternalFinish})
		}
	} else {
		further.ExternalStart, further.ExternalFinish = d.at(t.ExternalStart), d.at(t.ExternalFinish)
	}
	used := 0
	if !t.Manual || len(constraints) > 0 && constraints[0].Type == cpm.MandatoryStart {
		h.Constraint, h.Early, h.Late, used = d.constraint(constraints)
	}
	if t.Manual { // whose constraints move nothing
		h.Constraint = schedules.CannotReschedule
	}
	further.Mandatory = used > 0 && rescheduling.Mandatory(constraints[0].Type) && !t.Manual
	if used < len(constraints) {
		c := constraints[used]
		if second := constraintTypesOf[c.Type]; slices.Contains(core.SecondConstraintTypes, second) &&
			!rescheduling.Mandatory(c.Type) {
			further.Second, further.SecondDate = second, d.at(c.Date)
			used++
		}
	}
	for _, c := range constraints[used:] {
		d.Warn("Warning: Task (ID=%s) has a further constraint (%s), which was ignored.", cmp.Or(t.Code, t.ID),
			constraintTypesOf[c.Type])
	}
	return h
}

// progressContent is what the file has of the progress of a task.
func (d *planDiff) progressContent(t *planner.Task) *filedProgress {
	typ, status := typeOf(t), schedules.TaskStatus(t.Status())
	start, finish, percent, remaining := d.at(t.ActualStart), d.at(t.ActualFinish), int32(0), (*int32)(nil)
	switch {
	case core.IsHammock(typ):
		if status != schedules.Planned {
			d.Warn("Warning: Task (ID=%s) has begun; the dates of a %s are derived, and its progress was ignored.",
				cmp.Or(t.Code, t.ID), typ)
		}
		status = schedules.Planned
	case core.IsKeyDate(typ) && status == schedules.Started:
		status, finish = schedules.Finished, start
	}
	if status == schedules.Finished && start.IsZero() {
		start = finish
	}
	if status == schedules.Finished && finish.Before(start.Time) {
		d.Warn("Warning: Task (ID=%s) finished before it started; it is taken to have started then.",
			cmp.Or(t.Code, t.ID))
		start = finish
	}
	switch status {
	case schedules.Planned:
		start, finish = twinplatform.DateTime{}, twinplatform.DateTime{}
	case schedules.Started:
		finish, percent = twinplatform.DateTime{}, percentOf(t)
		remaining = remainingOf(t, percent)
	case schedules.Finished:
		percent = 100
		if typ == schedules.StartKeyDate {
			finish = twinplatform.DateTime{}
		}
		if typ == schedules.FinishKeyDate {
			start = twinplatform.DateTime{}
		}
	}
	return &filedProgress{
		Status: status, Start: start, Finish: finish, Percent: percent, Remaining: remaining,
		Of: percentTypes[t.PercentOf], Physical: t.Physical,
		Suspend: d.at(t.Suspend), Resume: d.at(t.Resume), Steps: d.stepsOf(t),
	}
}

// filedProgress is what a file has of the progress of a task.
type filedProgress struct {
	Status        schedules.TaskStatus
	Start, Finish twinplatform.DateTime
	Percent       int32
	// The rest is what few tasks have.
	Remaining       *int32
	Of              schedules.PercentCompleteType
	Physical        float64
	Suspend, Resume twinplatform.DateTime
	Steps           []schedules.TaskStep
}

// Compared implements importing.Content. What few tasks have is compared with its names.
func (c *filedProgress) Compared(facts *importing.Facts) any {
	further := []any(nil)
	if c.Remaining != nil || c.Of != "" || c.Physical != 0 {
		further = append(further, "remaining", c.Remaining, c.Of, c.Physical)
	}
	if !c.Suspend.IsZero() || !c.Resume.IsZero() {
		further = append(further, "suspended", c.Suspend, c.Resume)
	}
	if c.Steps != nil {
		further = append(further, "steps", c.Steps)
	}
	if further != nil {
		return append([]any{c.Status, c.Start, c.Finish, c.Percent}, further...)
	}
	return facts.Text(string(c.Status)).At(c.Start).At(c.Finish).Number(c.Percent)
}

// Set implements importing.Content.
func (c *filedProgress) Set(v *schedules.Task) {
	v.Steps = c.Steps
	v.Status, v.ActualStart, v.ActualFinish, v.PercentComplete, v.RemainingDuration = c.Status, c.Start, c.Finish,
		c.Percent, c.Remaining
	v.PercentCompleteType, v.PhysicalPercentComplete = c.Of, min(max(c.Physical, 0), 100)
	v.SuspendDate, v.ResumeDate = c.Suspend, c.Resume
	core.DeriveRemaining(v)
}

// percentOf is how much of a task is done.
func percentOf(t *planner.Task) int32 {
	whole := max(t.Duration, t.Planned)
	if t.PercentOf != planner.OfDuration {
		return int32(min(max(math.Round(t.Percent), 0), 100))
	}
	if whole <= 0 {
		return int32(min(max(t.Percent, 0), 100))
	}
	return int32(min(max(100-100*float64(t.Remaining)/float64(whole), 0), 100))
}

// constraintTypesOf are the constraints by those of the engine.
var constraintTypesOf = map[cpm.ConstraintType]schedules.ConstraintType{
	cpm.StartNoEarlier: schedules.StartAfter, cpm.FinishNoEarlier: schedules.FinishAfter,
	cpm.StartNoLater:  schedules.StartBefore,
	cpm.FinishNoLater: schedules.FinishBefore,
	cpm.StartOn:       schedules.StartOn, cpm.FinishOn: schedules.FinishOn, cpm.MandatoryStart: schedules.StartOn,
	cpm.MandatoryFinish:  schedules.FinishOn,
	cpm.AsLateAsPossible: schedules.StartAlap,
}

// constraint is what the first of some constraints are, and how many these are.
func (d *planDiff) constraint(all []cpm.Constraint) (typ schedules.ConstraintType, early, late twinplatform.DateTime,
	used int,
) {
	if len(all) == 0 {
		return schedules.NoConstraint, early, late, 0
	}
	if len(all) > 1 {
		pair := [2]cpm.Constraint(all)
		if pair[0].Type > pair[1].Type {
			pair[0], pair[1] = pair[1], pair[0]
		}
		switch [2]cpm.ConstraintType{pair[0].Type, pair[1].Type} {
		case [2]cpm.ConstraintType{cpm.StartNoEarlier, cpm.StartNoLater}:
			return schedules.StartBetween, d.at(pair[0].Date), d.at(pair[1].Date), 2
		case [2]cpm.ConstraintType{cpm.FinishNoEarlier, cpm.FinishNoLater}:
			return schedules.FinishBetween, d.at(pair[0].Date), d.at(pair[1].Date), 2
		}
	}
	c := all[0]
	switch c.Type {
	case cpm.StartNoEarlier, cpm.FinishNoEarlier:
		early = d.at(c.Date)
	case cpm.StartNoLater, cpm.FinishNoLater:
		late = d.at(c.Date)
	case cpm.StartOn, cpm.FinishOn, cpm.MandatoryStart, cpm.MandatoryFinish:
		early, late = d.at(c.Date), d.at(c.Date)
	}
	return constraintTypesOf[c.Type], early, late, 1
}

// percentTypes are those of the types in files that a task says.
var percentTypes = map[planner.PercentType]schedules.PercentCompleteType{
	planner.OfUnits:    schedules.PercentOfUnits,
	planner.OfPhysical: schedules.PercentPhysical,
}

// remainingOf is what a file says that remains of a task which has begun; nil where it follows
// from how much of it is done.
func remainingOf(t *planner.Task, percent int32) *int32 {
	if spans(t) || typeOf(t) != schedules.Work {
		return nil
	}
	whole := t.Duration
	if t.Planned > 0 {
		whole = t.Planned
	}
	remaining := int32(min(max(t.Remaining, 0), math.MaxInt32))
	if t.PercentOf == planner.OfDuration && remaining == core.LeftOf(min(max(whole, 0), math.MaxInt32), percent) {
		return nil
	}
	return &remaining
}

// noted is the comment with the text of notes, as far as it has room, and whether that is all.
func noted(notes []planner.Note) (comment string, whole bool) {
	comment, cut := importing.Cut(strings.ToValidUTF8(importing.NotesOf(notes), "�"), schedules.MaxComment)
	return comment, !cut && (len(notes) == 0 || len(notes) == 1 && notes[0].Topic == "")
}

// addNotes adds what is noted of a task: its notes, and a comment that differs from them.
func addNotes(t *schedules.Task, out *planner.Task) {
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
	if content, _ := noted(out.Notes); t.Comment != content && t.Comment != "" {
		out.Notes = append(out.Notes, planner.Note{Text: t.Comment})
	}
}

// projectNoteContent is what the file notes of its projects; nil where that is nothing.
func (d *planDiff) projectNoteContent() importing.Part[schedules.ProjectScheduling] {
	var notes []schedules.ProjectNote
	for i := range d.file.Projects {
		p := &d.file.Projects[i]
		label := cmp.Or(p.Code, p.ID)
		for _, n := range p.Notes {
			if len(notes) == schedules.MaxProjectNotes {
				d.Warn("Warning: Project (ID=%s) has a note too many (Notes): a schedule keeps %d; it was ignored.",
					label, schedules.MaxProjectNotes)
				continue
			}
			one := schedules.ProjectNote{
				Topic: d.textOf("the topic of a note of project", label, n.Topic, schedules.MaxComment),
				Text:  d.textOf("a note of project", label, n.Text, schedules.MaxNote),
			}
			if i > 0 {
				one.ProjectID = twinplatform.NullString(d.projectIDs[p.ID])
			}
			notes = append(notes, one)
		}
	}
	return importing.Always(d.w.Modes.Notebooks,
		filedList(notes, func(v *schedules.ProjectScheduling, notes []schedules.ProjectNote) { v.Notes = notes }))
}

// addProjectNotes adds the notes about the projects of a schedule to those of the file.
func (e *planExport) addProjectNotes() {
	for i := range e.network.Settings.Notes {
		n := &e.network.Settings.Notes[i]
		p := &e.Projects[e.builder.Projects[string(n.ProjectID)]]
		p.Notes = append(p.Notes, planner.Note{Topic: n.Topic, Text: n.Text})
	}
}
