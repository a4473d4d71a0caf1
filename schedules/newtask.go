package schedules

import (
	"context"
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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
	Comment       string `json:"comment"`
	URL           string `json:"url"`
	UserDefinedID string `json:"userDefinedId"`
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

func (n *NewTask) check(c *refuse.Checks) {
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
	dates.finish(!n.PlannedFinish.IsZero())
	dates.duration(n.PlannedDuration)
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

// CreateTask makes a task (S11) as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, type) or
// InvalidValue (id, type, parentId, plannedStart, plannedFinish,
// plannedDuration, comment, url, userDefinedId); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
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

// checkBatch checks the number of items in a batch or a list of ids.
func checkBatch(target string, n int) error {
	if n == 0 {
		return invalid(refuse.Missing(target))
	}
	if n > MaxBatch {
		return invalid(refuse.BadValue(target, "At most %d items can be given at once.", MaxBatch))
	}
	return nil
}

func (s *Service) createTasks(ctx context.Context, scheduleID string, k kind[[]NewTask, Task], kept keep, batch []NewTask, list string) (twinplatform.Result[Task], error) {
	var c refuse.Checks
	ids := make([]string, len(batch))
	request := make([]NewTask, len(batch))
	for i, n := range batch {
		c.At(list, i)
		n.check(&c)
		if n.ID == "" {
			n.ID = s.env.NewID()
		}
		ids[i], request[i] = n.ID, n
	}
	if err := c.Err(badRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return k.start(ctx, scheduleID, kept, ids, request)
}

// addTasks is the step that creates tasks. list is how targets name the request.
func addTasks(list string) func(*records.Update, *edit[[]NewTask, Task]) error {
	return func(u *records.Update, e *edit[[]NewTask, Task]) error {
		a := adder{u: u, e: e, list: list, parents: make(map[string]bool)}
		batch := make([]lineage, len(e.Request))
		for i, n := range e.Request {
			batch[i] = lineage{n.ID, n.ParentID}
			if n.ParentID != "" {
				a.parents[n.ParentID] = true
			}
		}
		var err error
		if a.brood, err = newBrood("task", list, batch); err != nil {
			return err
		}
		e.Records = make([]twinplatform.Record[Task], len(e.Request))
		for _, i := range a.order {
			if err := a.insert(i); err != nil {
				return err
			}
		}
		return a.markParents()
	}
}

// adder creates the tasks of a batch, parents before children.
type adder struct {
	*brood
	u       *records.Update
	e       *edit[[]NewTask, Task]
	list    string
	parents map[string]bool // of tasks in the batch
}

func (a *adder) insert(i int) error {
	t := a.e.Request[i].task()
	var c refuse.Checks
	c.At(a.list, i)
	if err := names(a.u, a.e.scope, &taskRecords, &c, "parentId", "task", string(t.ParentID)); err != nil {
		return err
	}
	if err := c.Err(badRequest); err != nil {
		return err
	}
	t.IsWBS = a.parents[t.ID]
	rec, err := taskRecords.Insert(a.u, a.e.scope, t)
	a.e.Records[i] = rec
	return written(err, taskMissing, "task", t.ID)
}

// markParents notes at the parents outside the batch that they have children.
func (a *adder) markParents() error {
	for _, id := range slices.Sorted(maps.Keys(a.parents)) {
		if _, inBatch := a.place[id]; inBatch {
			continue
		}
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
