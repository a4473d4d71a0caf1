package schedules

import (
	"cmp"
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// TaskPatch changes a task: what is left out stays, null clears.
type TaskPatch struct {
	// ID may be given as it is.
	ID twinplatform.Optional[string] `json:"id,omitzero"`
	// TaskAsRead may be given as it is, or as it will be.
	TaskAsRead

	Name     twinplatform.Optional[string]   `json:"name,omitzero"`     // not empty, up to MaxText characters
	Type     twinplatform.Optional[TaskType] `json:"type,omitzero"`     // clears the dates that the new type lacks
	ParentID twinplatform.Optional[string]   `json:"parentId,omitzero"` // null moves it to the top
	// Status moves the task. Started sets the actual start, Finished the actual
	// finish too, to the present where the patch does not give them; moving
	// back clears them.
	Status twinplatform.Optional[TaskStatus] `json:"status,omitzero"`
	// StatusID says the status in another way.
	StatusID     twinplatform.Optional[string]                `json:"statusId,omitzero"`
	ActualStart  twinplatform.Optional[twinplatform.DateTime] `json:"actualStart,omitzero"`  // from Started on
	ActualFinish twinplatform.Optional[twinplatform.DateTime] `json:"actualFinish,omitzero"` // once Finished; not before ActualStart
	// PercentComplete is 0 to 100 and can be set while the task is Started.
	PercentComplete twinplatform.Optional[int32]                 `json:"percentComplete,omitzero"`
	PlannedStart    twinplatform.Optional[twinplatform.DateTime] `json:"plannedStart,omitzero"` // not for a FinishKeyDate and hammocks
	// PlannedFinish is for FinishKeyDate alone.
	PlannedFinish twinplatform.Optional[twinplatform.DateTime] `json:"plannedFinish,omitzero"`
	// PlannedDuration, in seconds, can be changed while the task is Planned.
	PlannedDuration     twinplatform.Optional[int32]                 `json:"plannedDuration,omitzero"`
	ConstraintType      twinplatform.Optional[ConstraintType]        `json:"constraintType,omitzero"`      // null makes it NoConstraint
	ConstraintEarlyDate twinplatform.Optional[twinplatform.DateTime] `json:"constraintEarlyDate,omitzero"` // null clears it
	ConstraintLateDate  twinplatform.Optional[twinplatform.DateTime] `json:"constraintLateDate,omitzero"`  // null clears it
	ExpectedFinish      twinplatform.Optional[twinplatform.DateTime] `json:"expectedFinish,omitzero"`      // null clears it
	// Quantities are 0 or more.
	PhysicalQuantity       twinplatform.Optional[float64]          `json:"physicalQuantity,omitzero"`       // to be done, in PhysicalQuantityUnit
	ActualPhysicalQuantity twinplatform.Optional[float64]          `json:"actualPhysicalQuantity,omitzero"` // done so far, in PhysicalQuantityUnit
	PhysicalQuantityUnit   twinplatform.Optional[ResourceUnitType] `json:"physicalQuantityUnit,omitzero"`   // null makes it Unknown
	EstimatedRate          twinplatform.Optional[float64]          `json:"estimatedRate,omitzero"`          // 0 or more
	// Comment has at most 1,000 characters.
	Comment       twinplatform.Optional[string] `json:"comment,omitzero"`
	URL           twinplatform.Optional[string] `json:"url,omitzero"`           // up to MaxText characters; null clears it
	UserDefinedID twinplatform.Optional[string] `json:"userDefinedId,omitzero"` // that of no other task; null clears it
}

// taskUpdate is a patch on its way into the journal.
type taskUpdate struct {
	ID      string                `json:"id"`
	Patch   TaskPatch             `json:"patch"`
	IfMatch string                `json:"ifMatch"`
	Now     twinplatform.DateTime `json:"now"`
}

// UpdateTask changes a task (PATCH). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidValue for each property that has
// no such value or that the task's type or status does not allow;
// ScheduleNotFound; TaskNotFound; InsufficientPermissions;
// ScheduleNotInitialized; VersionMismatch; AlreadyExists (userDefinedId).
func (s *Service) UpdateTask(ctx context.Context, scheduleID, taskID string, p TaskPatch, pre ...twinplatform.Precondition) (twinplatform.Result[Task], error) {
	var c refuse.Checks
	p.check(&c)
	refuse.AsIs(&c, "id", p.ID, taskID)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return s.tasks.update.start(ctx, scheduleID, direct, []string{taskID}, taskUpdate{
		ID: taskID, Patch: p, IfMatch: twinplatform.IfMatchHeader(pre...), Now: s.now(),
	})
}

// check checks what can be said without the task.
func (p *TaskPatch) check(c *refuse.Checks) {
	if p.Name.Present() {
		c.Need("name", p.Name.Or(""), MaxText)
	}
	if p.Type.Present() {
		refuse.OneOf(c, "type", p.Type.Or(""), taskTypes)
	}
	if p.Status.Present() {
		refuse.OneOf(c, "status", p.Status.Or(""), taskStatuses)
	}
	if p.ConstraintType.Present() {
		refuse.OneOf(c, "constraintType", p.ConstraintType.Or(NoConstraint), constraintTypes)
	}
	if p.PhysicalQuantityUnit.Present() {
		refuse.OneOf(c, "physicalQuantityUnit", p.PhysicalQuantityUnit.Or(UnknownUnit), resourceUnitTypes)
	}
	if v := p.PercentComplete.Or(0); v < 0 || v > 100 {
		c.Bad("percentComplete", "A percentage is 0 to 100.")
	}
	c.Quantity("physicalQuantity", p.PhysicalQuantity.Or(0))
	c.Quantity("actualPhysicalQuantity", p.ActualPhysicalQuantity.Or(0))
	c.Quantity("estimatedRate", p.EstimatedRate.Or(0))
	c.Date("actualStart", p.ActualStart.Or(twinplatform.DateTime{}))
	c.Date("actualFinish", p.ActualFinish.Or(twinplatform.DateTime{}))
	c.Date("plannedStart", p.PlannedStart.Or(twinplatform.DateTime{}))
	c.Date("plannedFinish", p.PlannedFinish.Or(twinplatform.DateTime{}))
	c.Date("constraintEarlyDate", p.ConstraintEarlyDate.Or(twinplatform.DateTime{}))
	c.Date("constraintLateDate", p.ConstraintLateDate.Or(twinplatform.DateTime{}))
	c.Date("expectedFinish", p.ExpectedFinish.Or(twinplatform.DateTime{}))
	c.AtMost("comment", p.Comment.Or(""), MaxComment)
	c.AtMost("url", p.URL.Or(""), MaxText)
	c.AtMost("userDefinedId", p.UserDefinedID.Or(""), MaxText)
}

func updateTask(u *records.Update, e *edit[taskUpdate, Task]) error {
	var before Task
	req := &e.Request
	rec, err := taskRecords.Modify(u, e.scope, req.ID, req.IfMatch, func(t *Task) error {
		before = *t
		return req.Patch.apply(t, req.Now)
	})
	if err != nil {
		return written(err, taskMissing, "task", req.ID)
	}
	e.wrote(rec)
	now := rec.Value
	if now.UserDefinedID != before.UserDefinedID {
		if err := unusedUserID(u, e.scope, &taskRecords, userDefinedID, "task", now.UserDefinedID, now.ID); err != nil {
			return err
		}
	}
	if now.ParentID != before.ParentID {
		if err := moveTask(u, e.scope, &now, string(before.ParentID)); err != nil {
			return err
		}
	}
	var stale plan.Stale
	stale.Task(now.ID)
	if err := deriveHammocks(u, e.scope, &stale); err != nil || !now.Type.hammock() && !before.Type.hammock() {
		return err
	}
	// What was derived of the task itself came after the record was taken.
	e.Records[0], err = taskRecords.Get(u, e.scope, now.ID)
	return err
}

// apply changes the task, or says everything that stands against it.
func (p *TaskPatch) apply(t *Task, now twinplatform.DateTime) error {
	var c refuse.Checks
	p.applyTo(&c, t, now)
	return c.Err(InvalidRequest)
}

func (p *TaskPatch) applyTo(c *refuse.Checks, t *Task, now twinplatform.DateTime) {
	before := *t
	p.Name.Apply(&t.Name)
	p.Type.Apply(&t.Type)
	p.ParentID.Apply((*string)(&t.ParentID))
	p.ConstraintEarlyDate.Apply(&t.ConstraintEarlyDate)
	p.ConstraintLateDate.Apply(&t.ConstraintLateDate)
	p.ExpectedFinish.Apply(&t.ExpectedFinish)
	p.PhysicalQuantity.Apply(&t.PhysicalQuantity)
	p.ActualPhysicalQuantity.Apply(&t.ActualPhysicalQuantity)
	p.EstimatedRate.Apply(&t.EstimatedRate)
	p.Comment.Apply(&t.Comment)
	p.URL.Apply(&t.URL)
	p.UserDefinedID.Apply(&t.UserDefinedID)
	if p.ConstraintType.Present() {
		t.ConstraintType = p.ConstraintType.Or(NoConstraint)
	}
	if p.PhysicalQuantityUnit.Present() {
		t.PhysicalQuantityUnit = p.PhysicalQuantityUnit.Or(UnknownUnit)
	}
	p.applyStatus(c, t, now)
	p.applyDates(c, t, &before)
	t.derive()
	p.of(c, &before, t)
}

// applyStatusID moves the task by the id of a status. One that is as it was says
// nothing beside a status that is not.
func (p *TaskPatch) applyStatusID(c *refuse.Checks, t *Task) {
	id, given := p.StatusID.Get()
	if !given || id == statusIDs[t.Status] {
		p.Status.Apply(&t.Status)
		return
	}
	was := t.Status
	for status, known := range statusIDs {
		if known == id {
			t.Status = status
		}
	}
	if t.Status == was || p.Status.Or(was) != was && p.Status.Or(was) != t.Status {
		c.Bad("statusId", "The status '%s' is not one of the task's, or not the one that 'status' names.", id)
	}
}

// applyStatus moves the task and sets the actual dates that its type and status
// have.
func (p *TaskPatch) applyStatus(c *refuse.Checks, t *Task, now twinplatform.DateTime) {
	p.applyStatusID(c, t)
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
	p.applyActual(c, t, now)
	if !p.PercentComplete.Present() {
		return
	}
	percent := p.PercentComplete.Or(0)
	if t.Status == Planned && percent != 0 || t.Status == Finished && percent != 100 {
		c.Bad("percentComplete", "The progress can be set while the task is Started.")
	}
	t.PercentComplete = percent
}

// applyActual sets the actual dates. One that the patch leaves out is the
// present, or the other one where the present would be on its wrong side.
func (p *TaskPatch) applyActual(c *refuse.Checks, t *Task, now twinplatform.DateTime) {
	p.ActualStart.Apply(&t.ActualStart)
	p.ActualFinish.Apply(&t.ActualFinish)
	switch {
	case t.Type == FinishKeyDate:
		refuseGiven(c, "actualStart", p.ActualStart, "A FinishKeyDate has no start date.")
		t.ActualStart = twinplatform.DateTime{}
	case t.Status == Planned:
		refuseGiven(c, "actualStart", p.ActualStart, "A Planned task has no actual start.")
		t.ActualStart = twinplatform.DateTime{}
	case t.ActualStart.IsZero():
		t.ActualStart = now
		if !t.ActualFinish.IsZero() && t.ActualFinish.Before(now.Time) {
			t.ActualStart = t.ActualFinish
		}
	}
	switch {
	case t.Type == StartKeyDate:
		refuseGiven(c, "actualFinish", p.ActualFinish, "A StartKeyDate has no finish date.")
		t.ActualFinish = twinplatform.DateTime{}
	case t.Status != Finished:
		refuseGiven(c, "actualFinish", p.ActualFinish, "Only a Finished task has an actual finish.")
		t.ActualFinish = twinplatform.DateTime{}
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

func refuseGiven(c *refuse.Checks, target string, o twinplatform.Optional[twinplatform.DateTime], why string) {
	if d, ok := o.Get(); ok && !d.IsZero() {
		c.Bad(target, "%s", why)
	}
}

// applyDates sets the planned dates that the task's type and status allow.
func (p *TaskPatch) applyDates(c *refuse.Checks, t, before *Task) {
	dates := typeDates{c: c, taskType: t.Type}
	start, _ := p.PlannedStart.Get()
	finish, _ := p.PlannedFinish.Get()
	same := t.Type == before.Type
	dates.start(!start.IsZero() && !(same && start.Equal(t.PlannedStart.Time)))
	dates.finish(!finish.IsZero() && !finish.Equal(t.PlannedFinish.Time))
	if seconds, ok := p.PlannedDuration.Get(); ok && !(same && equalDuration(&seconds, t.PlannedDuration)) {
		dates.duration(&seconds)
	}
	if t.Type != before.Type {
		t.retype()
	}
	p.PlannedStart.Apply(&t.PlannedStart)
	if t.Type == FinishKeyDate {
		p.PlannedFinish.Apply(&t.PlannedFinish)
	}
	if p.PlannedDuration.Present() && !t.Type.keyDate() {
		t.PlannedDuration = nil
		if seconds, ok := p.PlannedDuration.Get(); ok {
			t.PlannedDuration = &seconds
		}
	}
	dates.fit(t.PlannedStart, t.PlannedDuration)
	if t.Status != Planned && !equalDuration(t.PlannedDuration, before.PlannedDuration) {
		target := "plannedDuration"
		if !p.PlannedDuration.Present() {
			target = "type" // which has no duration, or a derived one
		}
		c.Bad(target, "The duration can only change while the task is Planned.")
	}
}

// retype clears the dates that a task of its new type does not have.
func (t *Task) retype() {
	switch {
	case t.Type.hammock():
		t.PlannedStart, t.PlannedFinish, t.PlannedDuration = twinplatform.DateTime{}, twinplatform.DateTime{}, nil
	case t.Type == StartKeyDate:
		t.PlannedFinish, t.PlannedDuration = twinplatform.DateTime{}, nil
	case t.Type == FinishKeyDate:
		t.PlannedStart, t.PlannedDuration = twinplatform.DateTime{}, nil
	}
}

func equalDuration(a, b *int32) bool { return a == b || a != nil && b != nil && *a == *b }

// moveTask checks the new parent of a task and notes at both parents whether
// they have children.
func moveTask(u *records.Update, s records.Scope, t *Task, oldParent string) error {
	if t.ParentID != "" {
		if err := checkParent(u, s, t); err != nil {
			return err
		}
		if err := setWBS(u, s, string(t.ParentID), true); err != nil {
			return err
		}
	}
	return clearWBS(u, s, oldParent)
}

// checkParent checks that a task's parent exists, that it is not below the task
// and that no link ties what moves to what is above it.
func checkParent(u *records.Update, s records.Scope, t *Task) error {
	var c refuse.Checks
	r := planReader{u, s}
	above, err := plan.Ancestors(r, t.ID)
	if _, cycle := errors.AsType[*plan.CycleError](err); cycle {
		c.Bad("parentId", "The task would be its own ancestor.")
		return c.Err(InvalidRequest)
	}
	if missingRecord(err) {
		c.Bad("parentId", "The schedule has no task with this id.")
		return c.Err(InvalidRequest)
	}
	if err != nil {
		return err
	}
	linkID, err := plan.LinkInto(r, r, t.ID, above)
	if linkID != "" {
		c.Bad("parentId", "The link '%s' would tie a task to its ancestor.", linkID)
	}
	return cmp.Or(err, c.Err(InvalidRequest))
}
