package schedules

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// Which dates and which progress a task has depends on its type and status, and on what
// they were. The members are set as they are given, and then completed as a whole.
// projectsAreListed is why the id of a project refers to no record.
const projectsAreListed = "projects are no records, but listed in the settings of the schedule"

var taskKind = entity.Kind[Task, NewTask, taskChange]{
	Records: &taskRecords, One: model.Tasks.One, Many: model.Tasks.Many, Batches: true, Resource: model.Tasks.Resource,
	Missing: taskMissing, Bad: &InvalidRequest,
	Members: func(t *Task, n *NewTask, p *taskChange) []entity.Member {
		quantity := (*problem.Checks).Quantity
		return []entity.Member{
			entity.ID(&t.ID, &n.ID, &p.ID),
			entity.Text("name", &t.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Enum("type", &t.Type, &n.Type, &p.Type, taskTypes).Required(),
			entity.Enum("status", &t.Status, &n.Status, &p.Status, taskStatuses),
			entity.Ref("parentId", &t.ParentID, &n.ParentID, &p.ParentID, &taskRecords).Owns(),
			entity.Enum("constraintType", &t.ConstraintType, &n.ConstraintType, &p.ConstraintType,
				constraintTypes).Default(NoConstraint),
			entity.Enum("physicalQuantityUnit", &t.PhysicalQuantityUnit, &n.PhysicalQuantityUnit,
				&p.PhysicalQuantityUnit, units.All()).Default(units.Unknown),
			entity.Value("percentComplete", &t.PercentComplete, &n.PercentComplete,
				&p.PercentComplete).Valid(checkPercent, schema.Range(0, 100)),
			entity.Enum("percentCompleteType", &t.PercentCompleteType, &n.PercentCompleteType, &p.PercentCompleteType,
				percentCompleteTypes).Cleared(),
			entity.Value("physicalPercentComplete", &t.PhysicalPercentComplete, &n.PhysicalPercentComplete,
				&p.PhysicalPercentComplete).Valid(checkShare, schema.Range(0, 100)),
			entity.Value("physicalQuantity", &t.PhysicalQuantity, &n.PhysicalQuantity,
				&p.PhysicalQuantity).Valid(quantity, schema.AtLeast(0)),
			entity.Value("actualPhysicalQuantity", &t.ActualPhysicalQuantity, &n.ActualPhysicalQuantity,
				&p.ActualPhysicalQuantity).Valid(quantity, schema.AtLeast(0)),
			entity.Value("estimatedRate", &t.EstimatedRate, &n.EstimatedRate, &p.EstimatedRate).Valid(quantity,
				schema.AtLeast(0)),
			entity.Value("actualStart", &t.ActualStart, &n.ActualStart, &p.ActualStart),
			entity.Value("actualFinish", &t.ActualFinish, &n.ActualFinish, &p.ActualFinish),
			entity.Value("plannedStart", &t.PlannedStart, &n.PlannedStart, &p.PlannedStart),
			entity.Value("plannedFinish", &t.PlannedFinish, &n.PlannedFinish, &p.PlannedFinish),
			entity.Value("constraintEarlyDate", &t.ConstraintEarlyDate, &n.ConstraintEarlyDate, &p.ConstraintEarlyDate),
			entity.Value("constraintLateDate", &t.ConstraintLateDate, &n.ConstraintLateDate, &p.ConstraintLateDate),
			entity.Value("expectedFinish", &t.ExpectedFinish, &n.ExpectedFinish, &p.ExpectedFinish),
			entity.Value("isMandatory", &t.IsMandatory, &n.IsMandatory, &p.IsMandatory),
			entity.Enum("secondConstraintType", &t.SecondConstraintType, &n.SecondConstraintType,
				&p.SecondConstraintType, secondConstraintTypes).Cleared(),
			entity.Value("secondConstraintDate", &t.SecondConstraintDate, &n.SecondConstraintDate,
				&p.SecondConstraintDate),
			entity.Value("deadline", &t.Deadline, &n.Deadline, &p.Deadline),
			entity.Value("externalEarlyStart", &t.ExternalEarlyStart, &n.ExternalEarlyStart, &p.ExternalEarlyStart),
			entity.Value("externalLateFinish", &t.ExternalLateFinish, &n.ExternalLateFinish, &p.ExternalLateFinish),
			entity.Value("suspendDate", &t.SuspendDate, &n.SuspendDate, &p.SuspendDate),
			entity.Value("resumeDate", &t.ResumeDate, &n.ResumeDate, &p.ResumeDate),
			entity.Value("isInactive", &t.IsInactive, &n.IsInactive, &p.IsInactive),
			entity.Value("isPlaceholder", &t.IsPlaceholder, &n.IsPlaceholder, &p.IsPlaceholder),
			entity.Value("isSummary", &t.IsSummary, &n.IsSummary, &p.IsSummary),
			entity.Value("usesResourceCalendars", &t.UsesResourceCalendars, &n.UsesResourceCalendars,
				&p.UsesResourceCalendars),
			entity.Part("priority", &t.Priority, &n.Priority, &p.Priority, checkPriority, schema.Range(0, MaxPriority)),
			entity.Value("expenses", &t.Expenses, &n.Expenses, &p.Expenses).Valid(checkExpenses),
			entity.Value("notes", &t.Notes, &n.Notes, &p.Notes).Valid(checkNotes),
			entity.Value("splits", &t.Splits, &n.Splits, &p.Splits).Valid(checkSplits),
			entity.Value("steps", &t.Steps, &n.Steps, &p.Steps).Valid(checkSteps),
			entity.Text("comment", &t.Comment, &n.Comment, &p.Comment).Max(MaxComment),
			entity.Text("url", &t.URL, &n.URL, &p.URL).Max(MaxText),
			entity.Text("userDefinedId", &t.UserDefinedID, &n.UserDefinedID,
				&p.UserDefinedID).Max(MaxText).NotRef(model.OwnID),
			entity.Ref("calendarId", &t.CalendarID, &n.CalendarID, &p.CalendarID, &calendarRecords).Keeps("used"),
			entity.Text("projectId", &t.ProjectID, &n.ProjectID, &p.ProjectID).
				NotRef(projectsAreListed),
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.Fixed("durationType", &n.DurationType, &p.DurationType, FixedDuration),
			entity.Fixed("progressType", &n.ProgressType, &p.ProgressType, AutomaticProgress),
		}
	},
	AfterCreate: func(t *Task, n *NewTask, c *problem.Checks) {
		if n.TaskOrder != nil {
			c.Bad("taskOrder", "Tasks are kept by their ids, and have no other order.")
		}
		t.Status, t.PlannedDuration = cmp.Or(t.Status, Planned), n.PlannedDuration
		planned, given := n.planned(), n.given()
		t.complete(c, &planned, &given, twinplatform.DateTime{}, nil, nil)
	},
	AfterUpdate: func(t, stored *Task, p *taskChange, c *problem.Checks) {
		if p.Status.IsNull() { // it may be left out of a request, and is never cleared
			problem.OneOf(c, "status", "", taskStatuses)
			t.Status = stored.Status
		}
		p.PlannedDuration.ApplyPointer(&t.PlannedDuration)
		t.complete(c, stored, &p.TaskPatch, p.Now, p.times, p.ids)
	},
	Validate:   taskFits,
	Needs:      taskNeeds,
	AfterWrite: followTask,
}

func (t *Task) parent() string { return string(t.ParentID) }

// taskNeeds are what is checked against a task besides what it names, and what follows from it.
func taskNeeds(s records.Scope, t *Task) []records.Need {
	needs := append(
		taskRecords.NeedsIndexed(s, model.UserDefinedID, t.UserDefinedID), projectSchedulingRecords.Needs(s,
			projectSchedulingID)...,
	)
	if t.parent() != "" {
		needs = append(needs, taskRecords.NeedsIndexed(s, "parent", t.ID)...)
	}
	return needs
}

// taskFits checks a new or changed task against the others: that no link would connect what
// moves with what is above it, its project and its user-defined id.
func taskFits(tx records.Reading, s records.Scope, t, stored *Task, c *problem.Checks) error {
	var was Task
	if stored != nil {
		was = *stored
		if err := readPlan(tx, s).checkMove(t, stored, c); err != nil {
			return err
		}
	}
	if err := namesProject(tx, s, c, t.ProjectID, was.ProjectID); err != nil {
		return err
	}
	if err := c.Err(InvalidRequest); err != nil || stored != nil && stored.UserDefinedID == t.UserDefinedID {
		return err
	}
	return model.UnusedUserID(tx, s, &taskRecords, c, "task", t.UserDefinedID, t.ID)
}

// checkMove checks a task that may have moved below others: no link may connect them with what
// moves with it, and what is too deep afterwards was as deep before.
func (r planReader) checkMove(t, stored *Task, c *problem.Checks) error {
	if t.ParentID == "" || t.ParentID == stored.ParentID {
		return nil
	}
	above, err := plan.Ancestors(r, t.parent())
	if missingRecord(err) || err == nil && (above[t.ID] || t.parent() == t.ID) {
		return nil // which is found already
	}
	if err != nil {
		return err
	}
	above[t.parent()] = true
	children := 0
	for range r.Children(t.ID) { // all that is below them will be read
		children++
		if err := records.Large(r.tx, children); err != nil {
			return err
		}
	}
	linkID, err := plan.LinkInto(r, r, t.ID, above)
	if err != nil {
		return err
	}
	if linkID != "" {
		c.Bad("parentId", "The link '%s' would tie a task to its ancestor.", linkID)
	}
	if len(above)+plan.Height(r, t.ID, MaxDepth) <= MaxDepth {
		return nil
	}
	before, err := plan.Ancestors(r, stored.ID)
	if err == nil && len(above) > len(before) {
		c.Bad("parentId", tooDeep, MaxDepth)
	}
	return err
}

func checkPercent(c *problem.Checks, name string, v int32) {
	if v < 0 || v > 100 {
		c.Bad(name, "A percentage is 0 to 100.")
	}
}

// taskFamily are tasks with the calls that there are to them.
type taskFamily struct {
	*model.Family[Task, NewTask, taskChange]
	createOne model.Change[[]NewTask, Task]
	update    model.Change[taskUpdate, Task]
}

// tasksOf defines the changes to tasks: that of one task affects others, on its parent
// and on hammocks.
func tasksOf(s *Service) taskFamily {
	f := model.ReadingsOf(s.area(), &taskKind)
	calendars := calendarCache.In(s.db)
	needsOfNew := func(s records.Scope, batch *[]NewTask) (all []records.Need) {
		timed := make(map[[2]string]bool, 1)
		for i := range *batch {
			n := &(*batch)[i]
			if by := [2]string{string(n.CalendarID), string(n.ProjectID)}; !timed[by] {
				timed[by] = true
				all = append(all, calendars.needs(s, by[0], by[1])...)
			}
		}
		return append(all, model.NeedsOfEach(&taskKind)(s, batch)...)
	}
	f.Many = model.DefineChange(s.area(), "tasks.create", insertTasks("batch", s.now),
		"tasks.createMany").Needs(needsOfNew)
	f.Deletion = model.DefineInSteps(s.area(), "tasks.delete", deleteTasks, "tasks.deleteMany",
		"tasks.delete").Needs(func(s records.Scope, d *entity.Deletion) []records.Need {
		return append(taskKind.NeedsOfRemoval(s, d.IDs), analysisRecords.Needs(s, d.IDs...)...)
	})
	return taskFamily{
		Family: f,
		createOne: model.DefineChange(s.area(), "task.create", insertTasks("", s.now),
			"tasks.create").Needs(needsOfNew),
		update: model.DefineChange(s.area(), "task.update", updateTask,
			"tasks.update").Needs(func(s records.Scope, r *taskUpdate) []records.Need {
			return slices.Concat(
				taskKind.NeedsOfPatch(s, r.ID, &taskChange{TaskPatch: r.Patch, Now: r.Now}), needsAround(s, r.ID),
				calendars.needs(s, "", ""),
			)
		}),
	}
}

// complete gives a task, whose members are as they were asked for, the dates and the
// progress that its type and status have, and all that follows. p is what was
// asked for, and stored the task before that. What follows in working time is left
// to completeTime where that is not known, which it is within a transaction alone.
// So is the id of the status: ids are those of the schedule, nil where that is not known.
func (t *Task) complete(c *problem.Checks, stored *Task, p *TaskPatch, now twinplatform.DateTime, in *workingTime,
	ids *TaskStatusIDs,
) {
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
		t.completeTime(c, stored, timesGiven{
			p.PlannedFinish.Or(twinplatform.DateTime{}), p.ActualDuration,
			p.EstimatedFinish,
		}, in)
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
	return t.PlannedStart.Equal(as.PlannedStart.Time) && t.PlannedFinish.Equal(as.PlannedFinish.Time) &&
		model.EqualDuration(t.PlannedDuration, as.PlannedDuration)
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
func (t *Task) completeStatus(c *problem.Checks, stored *Task, p *TaskPatch, now twinplatform.DateTime,
	ids *TaskStatusIDs,
) {
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
	if p.PercentComplete.Present() &&
		(t.Status == Planned && t.PercentComplete != 0 || t.Status == Finished && t.PercentComplete != 100) {
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
		t.PlannedStart, t.PlannedFinish, t.PlannedDuration = stored.PlannedStart, stored.PlannedFinish,
			stored.PlannedDuration
	case t.Type.hammock():
		t.PlannedStart, t.PlannedFinish, t.PlannedDuration = twinplatform.DateTime{}, twinplatform.DateTime{}, nil
	case t.Type == StartKeyDate:
		t.PlannedFinish, t.PlannedDuration = twinplatform.DateTime{}, nil
	case t.Type == FinishKeyDate:
		t.PlannedStart, t.PlannedDuration = twinplatform.DateTime{}, nil
	}
	if t.Status != Planned && !model.EqualDuration(t.PlannedDuration, stored.PlannedDuration) {
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
	if start := p.PlannedStart.Or(twinplatform.DateTime{}); !start.IsZero() &&
		!(same && start.Equal(stored.PlannedStart.Time)) {
		t.refuseStart(c)
	}
	if finish := p.PlannedFinish.Or(twinplatform.DateTime{}); !t.spans() && !finish.IsZero() &&
		!finish.Equal(stored.PlannedFinish.Time) {
		t.refuseFinish(c)
	}
	if seconds, ok := p.PlannedDuration.Get(); ok && !(same && model.EqualDuration(&seconds, stored.PlannedDuration)) {
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
