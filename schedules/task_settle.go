package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// complete gives a task, whose members are as they were asked for, the dates and the
// progress that its type and status have, and all that follows. p is what was
// asked for, and stored the task before that. What follows in working time is left
// to completeTime where that is not known, which it is within a transaction alone.
// So is the id of the status: ids are those of the schedule, nil where that is not known.
func (t *Task) complete(c *problem.Checks, stored *Task, p *TaskPatch, now twinplatform.DateTime, in *workingTime, ids *TaskStatusIDs) {
	t.completeStatus(c, stored, p, now, ids)
	t.completePlan(c, stored, p)
	t.completeProgress(c, stored, p)
	t.completeSplits(c, p)
	t.dropEmpty()
	t.derive()
	if ids != nil {
		t.StatusID = statusIDOf(ids, t.Status)
	}
	p.hold(c, stored, t)
	if in != nil {
		t.completeTime(c, stored, timesGiven{p.PlannedFinish.Or(twinplatform.DateTime{}), p.ActualDuration, p.EstimatedFinish}, in)
	}
}

// timesGiven are what was asked for of what follows in the working time of a task.
type timesGiven struct {
	finish    twinplatform.DateTime
	actual    twinplatform.Optional[int32]
	estimated twinplatform.Optional[twinplatform.DateTime]
}

// completeTime gives a completed task what follows in its working time.
func (t *Task) completeTime(c *problem.Checks, stored *Task, given timesGiven, in *workingTime) {
	finish := given.finish
	if !t.timed() && given == (timesGiven{}) {
		t.timeIn(working{})
		return
	}
	w := in.settled(t)
	t.timeIn(w)
	problem.AsIs(c, "actualDuration", given.actual, having(stored.ActualDuration, t.ActualDuration)...)
	if estimated := given.estimated.Or(twinplatform.DateTime{}); !estimated.Equal(stored.EstimatedFinish.Time) {
		model.AsIsDate(c, "estimatedFinish", given.estimated, t.EstimatedFinish)
	}
	if !t.spans() {
		return
	}
	if !finish.IsZero() && !finish.Equal(stored.PlannedFinish.Time) && !finish.Equal(t.PlannedFinish.Time) {
		t.refuseFinish(c)
	}
	// A change of calendars or dates cuts what was planned at the end of time; that may be sent
	// back, and seeded, as it was read.
	cut := !t.PlannedFinish.IsZero() && w.seconds(t.PlannedStart, t.PlannedFinish) < int64(*t.PlannedDuration)
	if cut && !finish.Equal(t.PlannedFinish.Time) && !t.samePlan(stored) {
		c.Bad("plannedDuration", "A task finishes in the year 9999 at the latest.")
	}
}

// samePlan reports whether a task is planned as another one.
func (t *Task) samePlan(as *Task) bool {
	return t.PlannedStart.Equal(as.PlannedStart.Time) && t.PlannedFinish.Equal(as.PlannedFinish.Time) && equalDuration(t.PlannedDuration, as.PlannedDuration)
}

// completeStatusID moves the task by the id of a status, one of the schedule's where those are
// known. An unchanged id is ignored next to a changed status.
func (t *Task) completeStatusID(c *problem.Checks, stored *Task, p *TaskPatch, ids *TaskStatusIDs) {
	id, given := p.StatusID.Get()
	was := stored.Status
	later := ids == nil // it may be one of the schedule's
	if later {
		ids = new(TaskStatusIDs)
	}
	status, known := statusOf(ids, id)
	if !given || status == was && known || later && !known {
		return
	}
	if t.Status = was; known {
		t.Status = status
	}
	if t.Status == was || p.Status.Or(was) != was && p.Status.Or(was) != t.Status {
		badStatusID(c, id)
	}
}

func badStatusID(c *problem.Checks, id string) {
	c.Bad("statusId", "The status '%s' is not one of the task's, or not the one that 'status' names.", id)
}

// completeStatus moves the task and sets the actual dates and the progress that its
// type and status have.
func (t *Task) completeStatus(c *problem.Checks, stored *Task, p *TaskPatch, now twinplatform.DateTime, ids *TaskStatusIDs) {
	t.completeStatusID(c, stored, p, ids)
	target := "type"
	if p.Status.Present() {
		target = "status"
	}
	switch {
	case t.Type.hammock() && t.Status != Planned:
		c.Bad(target, "The dates of a %s are derived from its links; it cannot be %s.", t.Type, t.Status)
		return
	case t.Type.keyDate() && t.Status == Started:
		c.Bad(target, "A %s is a milestone; it cannot be Started.", t.Type)
		return
	}
	t.completeActual(c, p, now)
	if p.PercentComplete.Present() && (t.Status == Planned && t.PercentComplete != 0 || t.Status == Finished && t.PercentComplete != 100) {
		c.Bad("percentComplete", "The progress can be set while the task is Started.")
	}
}

// completeActual sets the actual dates. One that is not known is the present, or
// the other one where the present would be on its wrong side.
func (t *Task) completeActual(c *problem.Checks, p *TaskPatch, now twinplatform.DateTime) {
	none := twinplatform.DateTime{}
	switch {
	case t.Type == FinishKeyDate:
		refuseGiven(c, "actualStart", p.ActualStart, "A FinishKeyDate has no start date.")
		t.ActualStart = none
	case t.Status == Planned:
		refuseGiven(c, "actualStart", p.ActualStart, "A Planned task has no actual start.")
		t.ActualStart = none
	case t.ActualStart.IsZero():
		t.ActualStart = now
		if !t.ActualFinish.IsZero() && t.ActualFinish.Before(now.Time) {
			t.ActualStart = t.ActualFinish
		}
	}
	switch {
	case t.Type == StartKeyDate:
		refuseGiven(c, "actualFinish", p.ActualFinish, "A StartKeyDate has no finish date.")
		t.ActualFinish = none
	case t.Status != Finished:
		refuseGiven(c, "actualFinish", p.ActualFinish, "Only a Finished task has an actual finish.")
		t.ActualFinish = none
	case t.ActualFinish.IsZero():
		t.ActualFinish = now
		if t.ActualStart.After(now.Time) {
			t.ActualFinish = t.ActualStart
		}
	}
	if !t.ActualFinish.IsZero() && t.ActualFinish.Before(t.ActualStart.Time) {
		c.Bad("actualFinish", "The actual finish is before the actual start.")
	}
}

func refuseGiven(c *problem.Checks, target string, o twinplatform.Optional[twinplatform.DateTime], why string) {
	if !o.Or(twinplatform.DateTime{}).IsZero() {
		c.Bad(target, "%s", why)
	}
}

// completePlan keeps of the planned dates what the task's type and status allow.
func (t *Task) completePlan(c *problem.Checks, stored *Task, p *TaskPatch) {
	t.checkPlanned(c, stored, p)
	switch {
	case t.Type.hammock() && stored.Type.hammock():
		t.PlannedStart, t.PlannedFinish, t.PlannedDuration = stored.PlannedStart, stored.PlannedFinish, stored.PlannedDuration
	case t.Type.hammock():
		t.PlannedStart, t.PlannedFinish, t.PlannedDuration = twinplatform.DateTime{}, twinplatform.DateTime{}, nil
	case t.Type == StartKeyDate:
		t.PlannedFinish, t.PlannedDuration = twinplatform.DateTime{}, nil
	case t.Type == FinishKeyDate:
		t.PlannedStart, t.PlannedDuration = twinplatform.DateTime{}, nil
	}
	if t.Status != Planned && !equalDuration(t.PlannedDuration, stored.PlannedDuration) {
		target := "plannedDuration"
		if !p.PlannedDuration.Present() {
			target = "type" // which has no duration, or a derived one
		}
		c.Bad(target, "The duration can only change while the task is Planned.")
	}
}

// checkPlanned refuses planned dates that the type of the task does not have, or
// that follow from others, unless they are as they were.
func (t *Task) checkPlanned(c *problem.Checks, stored *Task, p *TaskPatch) {
	same := t.Type == stored.Type
	if start := p.PlannedStart.Or(twinplatform.DateTime{}); !start.IsZero() && !(same && start.Equal(stored.PlannedStart.Time)) {
		t.refuseStart(c)
	}
	if finish := p.PlannedFinish.Or(twinplatform.DateTime{}); !t.spans() && !finish.IsZero() && !finish.Equal(stored.PlannedFinish.Time) {
		t.refuseFinish(c)
	}
	if seconds, ok := p.PlannedDuration.Get(); ok && !(same && equalDuration(&seconds, stored.PlannedDuration)) {
		t.refuseDuration(c, seconds)
	}
}

func (t *Task) refuseStart(c *problem.Checks) {
	switch {
	case t.Type.hammock():
		c.Bad("plannedStart", "The start of a %s is derived from its links and cannot be set.", t.Type)
	case t.Type == FinishKeyDate:
		c.Bad("plannedStart", "A FinishKeyDate has no start date.")
	}
}

func (t *Task) refuseFinish(c *problem.Checks) {
	switch {
	case t.Type == FinishKeyDate:
	case t.Type.hammock():
		c.Bad("plannedFinish", "The finish of a %s is derived from its links and cannot be set.", t.Type)
	case t.Type == StartKeyDate:
		c.Bad("plannedFinish", "A StartKeyDate has no finish date.")
	default:
		c.Bad("plannedFinish", "The finish of a task follows from its start and duration and cannot be set.")
	}
}

func (t *Task) refuseDuration(c *problem.Checks, seconds int32) {
	switch {
	case t.Type.hammock():
		c.Bad("plannedDuration", "The duration of a %s is derived from its links and cannot be set.", t.Type)
	case t.Type.keyDate() && seconds != 0:
		c.Bad("plannedDuration", "A %s has no duration.", t.Type)
	case seconds < 0:
		c.Bad("plannedDuration", "The duration of a task is a number of seconds from 0 on.")
	}
}

func equalDuration(a, b *int32) bool { return a == b || a != nil && b != nil && *a == *b }
