package schedules

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// NewTask asks for a task. Null and left out are the same in it.
type NewTask struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// Type is required.
	Type TaskType `json:"type"`
	// ParentID names a task of the same schedule, or of the same batch.
	ParentID string `json:"parentId"`
	// PlannedStart is not for FinishKeyDate and hammocks.
	PlannedStart twinplatform.DateTime `json:"plannedStart"`
	// PlannedFinish is for FinishKeyDate alone; that of other tasks follows
	// from start and duration.
	PlannedFinish twinplatform.DateTime `json:"plannedFinish"`
	// PlannedDuration is in seconds; not for milestones and hammocks.
	PlannedDuration *int32 `json:"plannedDuration"`
	// Comment has at most 1,000 characters.
	Comment string `json:"comment"`
	URL     string `json:"url"` // up to MaxText characters
	// UserDefinedID is that of no other task of the schedule.
	UserDefinedID string `json:"userDefinedId"`

	// A task may be made as far as it has come; what is left out is as of a
	// Planned one. The members are as those of a TaskPatch.
	Status                 TaskStatus            `json:"status,omitzero"`          // Planned when empty
	StatusID               string                `json:"statusId,omitzero"`        // says Status in another way
	ActualStart            twinplatform.DateTime `json:"actualStart,omitzero"`     // the present when a Started task has none
	ActualFinish           twinplatform.DateTime `json:"actualFinish,omitzero"`    // the present when a Finished task has none
	PercentComplete        int32                 `json:"percentComplete,omitzero"` // 0 to 100; of a Started task alone
	ConstraintType         ConstraintType        `json:"constraintType,omitzero"`  // NoConstraint when empty
	ConstraintEarlyDate    twinplatform.DateTime `json:"constraintEarlyDate,omitzero"`
	ConstraintLateDate     twinplatform.DateTime `json:"constraintLateDate,omitzero"`
	ExpectedFinish         twinplatform.DateTime `json:"expectedFinish,omitzero"`
	PhysicalQuantity       float64               `json:"physicalQuantity,omitzero"`       // 0 or more
	ActualPhysicalQuantity float64               `json:"actualPhysicalQuantity,omitzero"` // 0 or more
	PhysicalQuantityUnit   ResourceUnitType      `json:"physicalQuantityUnit,omitzero"`   // Unknown when empty
	EstimatedRate          float64               `json:"estimatedRate,omitzero"`          // 0 or more

	// TaskAsRead may be given as it will be.
	TaskAsRead
	// TaskOrder is refused unless nil: tasks are kept by their ids.
	TaskOrder *TaskOrder `json:"taskOrder,omitzero"`
}

// task is the task asked for, before what follows from the schedule.
func (n *NewTask) task() *Task {
	t := &Task{
		ID: n.ID, Name: n.Name, Type: n.Type, ParentID: twinplatform.NullString(n.ParentID),
		PlannedStart: n.PlannedStart, PlannedFinish: n.PlannedFinish, PlannedDuration: n.PlannedDuration,
		Comment: n.Comment, URL: n.URL, UserDefinedID: n.UserDefinedID,
		Status: Planned, ConstraintType: NoConstraint, PhysicalQuantityUnit: UnknownUnit,
	}
	if t.Type.keyDate() {
		t.PlannedDuration = nil
	}
	t.derive()
	return t
}

// made is the task asked for, as far as it is to have come by now. What stands
// against that goes to c.
func (n *NewTask) made(c *refuse.Checks, now twinplatform.DateTime) *Task {
	t := n.task()
	if progress := n.progress(); progress != (TaskPatch{}) {
		progress.check(c)
		progress.applyTo(c, t, now)
	}
	return t
}

// progress is the change that brings a Planned task to where it is to be.
func (n *NewTask) progress() (p TaskPatch) {
	p.Status, p.StatusID = given(n.Status), given(n.StatusID)
	p.ActualStart, p.ActualFinish = given(n.ActualStart), given(n.ActualFinish)
	p.PercentComplete = given(n.PercentComplete)
	p.ConstraintType = given(n.ConstraintType)
	p.ConstraintEarlyDate, p.ConstraintLateDate = given(n.ConstraintEarlyDate), given(n.ConstraintLateDate)
	p.ExpectedFinish = given(n.ExpectedFinish)
	p.PhysicalQuantity, p.ActualPhysicalQuantity = given(n.PhysicalQuantity), given(n.ActualPhysicalQuantity)
	p.PhysicalQuantityUnit = given(n.PhysicalQuantityUnit)
	p.EstimatedRate = given(n.EstimatedRate)
	p.TaskAsRead = n.TaskAsRead
	p.IsWBS = twinplatform.Optional[bool]{} // which its children will say
	return p
}

// given is a member that was sent, unless it has no value.
func given[T comparable](v T) (o twinplatform.Optional[T]) {
	var zero T
	if v != zero {
		o = twinplatform.Set(v)
	}
	return o
}

// check checks what can be said without the schedule, and settles the actual
// dates that are left to the present.
func (n *NewTask) check(c *refuse.Checks, now twinplatform.DateTime) {
	if n.TaskOrder != nil {
		c.Bad("taskOrder", "Tasks are kept by their ids, and have no other order.")
	}
	if slices.Contains(taskTypes, n.Type) && n.progress() != (TaskPatch{}) {
		t := n.made(c, now)
		n.ActualStart, n.ActualFinish = t.ActualStart, t.ActualFinish
	}
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	if n.Type == "" {
		c.Add(refuse.Missing("type"))
	} else {
		refuse.OneOf(c, "type", n.Type, taskTypes)
	}
	c.AtMost("comment", n.Comment, MaxComment)
	c.AtMost("url", n.URL, MaxText)
	c.AtMost("userDefinedId", n.UserDefinedID, MaxText)
	c.Date("plannedStart", n.PlannedStart)
	c.Date("plannedFinish", n.PlannedFinish)
	n.checkDates(c)
}

// checkDates holds the dates to what the type of the task allows.
func (n *NewTask) checkDates(c *refuse.Checks) {
	dates := typeDates{c: c, taskType: n.Type}
	dates.start(!n.PlannedStart.IsZero())
	if !n.PlannedFinish.IsZero() {
		follows := !n.Type.hammock() && n.PlannedFinish.Equal(n.task().PlannedFinish.Time)
		dates.finish(!follows)
	}
	dates.duration(n.PlannedDuration)
	if n.progress() == (TaskPatch{}) { // which would check it too
		dates.fit(n.PlannedStart, n.PlannedDuration)
	}
}

// typeDates says which dates may be given for a task of a type.
type typeDates struct {
	c        *refuse.Checks
	taskType TaskType
}

func (d typeDates) start(given bool) {
	switch {
	case !given:
	case d.taskType.hammock():
		d.c.Bad("plannedStart", "The start of a %s is derived from its links and cannot be set.", d.taskType)
	case d.taskType == FinishKeyDate:
		d.c.Bad("plannedStart", "A FinishKeyDate has no start date.")
	}
}

func (d typeDates) finish(given bool) {
	switch {
	case !given || d.taskType == FinishKeyDate:
	case d.taskType.hammock():
		d.c.Bad("plannedFinish", "The finish of a %s is derived from its links and cannot be set.", d.taskType)
	case d.taskType == StartKeyDate:
		d.c.Bad("plannedFinish", "A StartKeyDate has no finish date.")
	default:
		d.c.Bad("plannedFinish", "The finish of a task follows from its start and duration and cannot be set.")
	}
}

func (d typeDates) duration(seconds *int32) {
	switch {
	case seconds == nil:
	case d.taskType.hammock():
		d.c.Bad("plannedDuration", "The duration of a %s is derived from its links and cannot be set.", d.taskType)
	case d.taskType.keyDate() && *seconds != 0:
		d.c.Bad("plannedDuration", "A %s has no duration.", d.taskType)
	case *seconds < 0:
		d.c.Bad("plannedDuration", "The duration of a task is a number of seconds from 0 on.")
	}
}

// fit checks that the finish which follows from start and duration has a date.
func (d typeDates) fit(start twinplatform.DateTime, seconds *int32) {
	if start.IsZero() || seconds == nil || start.After(plan.Last) {
		return
	}
	if start.Add(time.Duration(*seconds) * time.Second).After(plan.Last) {
		d.c.Bad("plannedDuration", "A task finishes in the year 9999 at the latest.")
	}
}

// CreateTask makes a task (S11) as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, type) or
// InvalidValue (id, type, parentId, plannedStart, plannedFinish,
// plannedDuration, comment, url, userDefinedId); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists (id,
// userDefinedId).
func (s *Service) CreateTask(ctx context.Context, scheduleID string, n NewTask) (twinplatform.Result[Task], error) {
	return s.createTasks(ctx, scheduleID, s.tasks.createOne, tracked, []NewTask{n}, "")
}

// CreateTasks makes up to 1,000 tasks, all or none (POST …/tasks/batch). A task
// may name any other of the batch as its parent.
//
// Errors: as CreateTask, with targets such as batch[3].name.
func (s *Service) CreateTasks(ctx context.Context, scheduleID string, batch []NewTask) (twinplatform.Result[Task], error) {
	if err := checkBatch("batch", len(batch)); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return s.createTasks(ctx, scheduleID, s.tasks.createMany, direct, batch, "batch")
}

func (s *Service) createTasks(ctx context.Context, scheduleID string, k kind[[]NewTask, Task], kept keep, batch []NewTask, list string) (twinplatform.Result[Task], error) {
	var c refuse.Checks
	ids := make([]string, len(batch))
	request := make([]NewTask, len(batch))
	now := s.now()
	for i, n := range batch {
		c.At(list, i)
		n.check(&c, now)
		n.ID = s.idOr(n.ID)
		ids[i], request[i] = n.ID, n
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return k.start(ctx, scheduleID, kept, ids, request)
}

// addTasks is the step that creates tasks. list is how targets name the request.
func addTasks(list string) func(*records.Update, *edit[[]NewTask, Task]) error {
	return func(u *records.Update, e *edit[[]NewTask, Task]) error {
		a := adder{u: u, e: e, list: list, parents: make(map[string]bool)}
		batch := make([]plan.Node, len(e.Request))
		for i, n := range e.Request {
			batch[i] = plan.Node{ID: n.ID, Parent: n.ParentID}
			if n.ParentID != "" {
				a.parents[n.ParentID] = true
			}
		}
		order, err := batchOrder("task", list, batch)
		if err != nil {
			return err
		}
		e.Records = make([]twinplatform.Record[Task], len(e.Request))
		for _, i := range order {
			if err := a.insert(i); err != nil {
				return err
			}
		}
		return a.markParents()
	}
}

// adder creates the tasks of a batch, parents before children.
type adder struct {
	u       *records.Update
	e       *edit[[]NewTask, Task]
	list    string
	parents map[string]bool // of tasks in the batch
}

func (a *adder) insert(i int) error {
	var c refuse.Checks
	c.At(a.list, i)
	n := &a.e.Request[i]
	t := n.made(&c, n.ActualStart)
	refuse.AsIs(&c, "isWbs", n.IsWBS, a.parents[t.ID])
	if err := names(a.u, a.e.scope, &taskRecords, &c, "parentId", "task", string(t.ParentID)); err != nil {
		return err
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	if err := unusedUserID(a.u, a.e.scope, &taskRecords, c.Target(userDefinedID), "task", t.UserDefinedID, t.ID); err != nil {
		return err
	}
	t.IsWBS = a.parents[t.ID]
	rec, err := taskRecords.Insert(a.u, a.e.scope, t)
	a.e.Records[i] = rec
	return written(err, taskMissing, "task", t.ID)
}

// markParents notes at the parents outside the batch that they have children.
func (a *adder) markParents() error {
	for _, n := range a.e.Request {
		delete(a.parents, n.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(a.parents)) {
		if err := setWBS(a.u, a.e.scope, id, true); err != nil {
			return err
		}
	}
	return nil
}

// setWBS notes at a task whether it has children.
func setWBS(u *records.Update, s records.Scope, id string, has bool) error {
	_, err := taskRecords.Modify(u, s, id, "", func(t *Task) error {
		t.IsWBS = has
		return nil
	})
	return taskMissing.Or(err)
}
