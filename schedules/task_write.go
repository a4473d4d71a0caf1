package schedules

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// CreateTask makes a task (S11) as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, type) or
// InvalidValue (id, type, parentId, plannedStart, plannedFinish,
// plannedDuration, comment, url, userDefinedId); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists (id,
// userDefinedId).
func (p Plan) CreateTask(ctx context.Context, n NewTask) (twinplatform.Result[Task], error) {
	request := []NewTask{n.asOf(p.s.now())}
	var c problem.Checks
	taskKind.CheckNew(&request[0], &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	id := taskKind.Identify(&request[0], p.s.env.NewID)
	return familiesOf(p.s).tasks.createOne.Start(ctx, p.id, model.Tracked, []string{id}, request)
}

// CreateTasks makes up to 1,000 tasks, all or none (POST …/tasks/batch). A task
// may name any other of the batch as its parent.
//
// Errors: as CreateTask, with targets such as batch[3].name.
func (p Plan) CreateTasks(ctx context.Context, batch []NewTask) (twinplatform.Result[Task], error) {
	if anyBegun(batch) {
		now := p.s.now()
		batch = slices.Clone(batch)
		for i := range batch {
			batch[i] = batch[i].asOf(now)
		}
	}
	return familiesOf(p.s).tasks.CreateMany(ctx, p.id, batch)
}

// anyBegun reports whether one of new tasks may need the present for an actual date.
func anyBegun(batch []NewTask) bool {
	for i := range batch {
		if batch[i].Status != "" || batch[i].StatusID != "" {
			return true
		}
	}
	return false
}

// given are the members of a new task that its type and status allow or refuse,
// as a change of one that is Planned.
func (n *NewTask) given() (p TaskPatch) {
	p.Status, p.StatusID = given(n.Status), given(n.StatusID)
	p.ActualStart, p.ActualFinish = given(n.ActualStart), given(n.ActualFinish)
	p.PlannedStart, p.PlannedFinish = given(n.PlannedStart), given(n.PlannedFinish)
	p.PercentComplete = given(n.PercentComplete)
	if n.PlannedDuration != nil {
		p.PlannedDuration = twinplatform.Set(*n.PlannedDuration)
	}
	if n.RemainingDuration != nil {
		p.RemainingDuration = twinplatform.Set(*n.RemainingDuration)
	}
	if len(n.Splits) > 0 {
		p.Splits = twinplatform.Set(n.Splits)
	}
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

// planned is the task as it would be without any progress, and of no type yet.
func (n *NewTask) planned() Task {
	t := Task{Type: n.Type, Status: Planned, PlannedStart: n.PlannedStart, PlannedDuration: n.PlannedDuration}
	if t.Type.keyDate() {
		t.PlannedDuration = nil
	}
	t.Type = ""
	return t
}

// asOf leaves the actual dates to the present that a Started or Finished task has
// and that were not given.
func (n NewTask) asOf(now twinplatform.DateTime) NewTask {
	if n.Status == "" && n.StatusID == "" {
		return n
	}
	p := n.given()
	t := Task{Type: n.Type, Status: cmp.Or(n.Status, Planned), ActualStart: n.ActualStart, ActualFinish: n.ActualFinish}
	t.completeStatus(&problem.Checks{}, &Task{Status: Planned}, &p, now, nil)
	if n.ActualStart.IsZero() {
		n.ActualStart = t.ActualStart
	}
	if n.ActualFinish.IsZero() {
		n.ActualFinish = t.ActualFinish
	}
	return n
}

// withStatus is the task with the status that an id of its schedule names, and reports
// whether it names one, and that of the request where there is one.
func (n *NewTask) withStatus(ids *TaskStatusIDs, now func() twinplatform.DateTime) bool {
	if n.StatusID == "" {
		return true
	}
	status, known := statusOf(ids, n.StatusID)
	if !known || n.Status != "" && n.Status != status {
		return false
	}
	n.StatusID, n.Status = "", status
	*n = n.asOf(now())
	return true
}

// requestedTasks are the tasks that are asked for, and the place of one whose statusId is no
// status of its schedule, or not that of the request; -1 where there is none.
func requestedTasks(e *model.Edit[[]NewTask, Task], now func() twinplatform.DateTime) (made []Task, unknown int) {
	made, unknown = make([]Task, len(e.Request)), -1
	for i := range e.Request {
		if !e.Request[i].withStatus(&e.At.StatusIDs, now) {
			unknown = i
		}
		taskKind.Fill(&made[i], &e.Request[i])
		made[i].StatusID = statusIDOf(&e.At.StatusIDs, made[i].Status)
	}
	return made, unknown
}

// insertTasks is the step that creates tasks, parents before children. list is how
// targets name the request.
func insertTasks(list string, now func() twinplatform.DateTime) func(*records.Update,
	*model.Edit[[]NewTask, Task]) error {
	return func(u *records.Update, e *model.Edit[[]NewTask, Task]) error {
		if err := records.Large(u, len(e.Request)); err != nil {
			return err
		}
		made, unknown := requestedTasks(e, now)
		parents := parentsOf(made)
		order, err := taskKind.BatchOrder(list, made)
		if err != nil {
			return err
		}
		if err := cmp.Or(taskKind.Declare(u, e.Scope, made), declareWorkOf(u, e.Scope, made)); err != nil {
			return err
		}
		e.Records = make([]twinplatform.Record[Task], len(made))
		above, times := plan.NewAncestry(readPlan(u, e.Scope)), workingTimeOf(u, e.Scope)
		var c problem.Checks
		var nothing Task
		for _, i := range order {
			t := &made[i]
			above.Put(t.ID, t.parent())
			t.IsWBS = parents[t.ID] || t.IsSummary
			delete(parents, t.ID)
			c = problem.Checks{}
			c.At(list, i)
			if err := checkDepth(above, t, &c); err != nil {
				return err
			}
			if i == unknown {
				badStatusID(&c, e.Request[i].StatusID)
			}
			problem.AsIs(&c, "isWbs", e.Request[i].IsWBS, t.IsWBS)
			n := &e.Request[i]
			t.completeTime(&c, &nothing, timesGiven{n.PlannedFinish, n.ActualDuration, n.EstimatedFinish}, times)
			if e.Records[i], err = taskKind.Insert(u, e.Scope, t, &c); err != nil {
				return err
			}
		}
		if times.err != nil {
			return times.err
		}
		return setAllWBS(u, e.Scope, parents) // that are outside the batch
	}
}

// parentsOf are the ids of the tasks that new ones lie below; nil where none lies below
// another.
func parentsOf(made []Task) (parents map[string]bool) {
	for i := range made {
		if id := made[i].parent(); id != "" {
			if parents == nil {
				parents = make(map[string]bool)
			}
			parents[id] = true
		}
	}
	return parents
}

func setAllWBS(u *records.Update, s records.Scope, parents map[string]bool) error {
	ids := make([]string, 0, len(parents))
	for id := range parents {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := setWBS(u, s, id, true); err != nil {
			return err
		}
	}
	return nil
}

// checkDepth checks how deep a new task lies. A parent that is not there is found
// missing by others.
func checkDepth(above *plan.Ancestry, t *Task, c *problem.Checks) error {
	if t.ParentID == "" {
		return nil
	}
	depth, err := above.Depth(t.ID)
	if missingRecord(err) {
		return nil
	}
	if depth > MaxDepth {
		c.Bad("parentId", tooDeep, MaxDepth)
	}
	return err
}

// tooDeep is the message on tasks that are too deep.
const tooDeep = "Tasks lie at most %d deep."

// setWBS notes at a task whether it has children. A summary is one without them, too.
func setWBS(u *records.Update, s records.Scope, id string, has bool) error {
	if records.Remote(u) {
		records.Declare(u, taskRecords.NeedsOfChange(s, id)...)
	}
	noted, err := records.Peek(&taskRecords, u, s, id, "isWbs", func(t *Task) bool { return t.IsWBS })
	if err != nil || noted && has {
		return taskMissing.Or(err)
	}
	_, err = taskRecords.Modify(u, s, id, "", func(t *Task) error {
		t.IsWBS = has || t.IsSummary
		if len(t.Splits) == 0 {
			return nil
		}
		w, err := workingTimeOf(u, s).of(t) // in which its pauses count now, or count no more
		if err == nil {
			t.timeIn(w)
		}
		return err
	})
	return taskMissing.Or(err)
}

// CreateTask makes a task (S11), as [Plan.CreateTask] does. It is the one method of a
// Service that is about what a schedule holds: for a program that makes tasks and does no
// more.
func (s *Service) CreateTask(ctx context.Context, scheduleID string, n NewTask) (twinplatform.Result[Task], error) {
	return s.In(scheduleID).CreateTask(ctx, n)
}

// taskChange is a patch with the time at which it was asked for, and the working time in
// which it is made.
type taskChange struct {
	TaskPatch
	Now   twinplatform.DateTime
	times *workingTime
	ids   *TaskStatusIDs
}

// taskUpdate is a patch on its way into the journal.
type taskUpdate struct {
	ID      string                 `json:"id"`
	Patch   TaskPatch              `json:"patch"`
	IfMatch twinplatform.Condition `json:"ifMatch"`
	Now     twinplatform.DateTime  `json:"now"`
}

// UpdateTask changes a task (PATCH). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidValue for each property that has
// no such value or that the task's type or status does not allow;
// ScheduleNotFound; TaskNotFound; InsufficientPermissions;
// ScheduleNotInitialized; VersionMismatch; AlreadyExists (userDefinedId).
func (p Plan) UpdateTask(ctx context.Context, taskID string, patch TaskPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Task], error) {
	var c problem.Checks
	taskKind.CheckPatch(taskID, &taskChange{TaskPatch: patch}, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Task]{}, err
	}
	return familiesOf(p.s).tasks.update.Start(ctx, p.id, model.Direct, []string{taskID}, taskUpdate{
		ID: taskID, Patch: patch, IfMatch: twinplatform.ConditionOf(pre...), Now: p.s.now(),
	})
}

func updateTask(u *records.Update, e *model.Edit[taskUpdate, Task]) error {
	req := &e.Request
	times := workingTimeOf(u, e.Scope)
	rec, err := taskKind.Modify(u, e.Scope, req.ID, req.IfMatch,
		&taskChange{req.Patch, req.Now, times, &e.At.StatusIDs})
	if err == nil {
		err = times.err
	}
	if err != nil {
		return err
	}
	// which follow after that
	if summary, given := req.Patch.IsSummary.Get(); rec.Value.Type.hammock() || given && summary != rec.Value.IsWBS {
		rec, err = taskRecords.Get(u, e.Scope, req.ID)
	}
	e.Wrote(rec)
	return err
}

// summarize notes at a task that has become a summary, or is none any more, whether it is one.
func summarize(u *records.Update, s records.Scope, t *Task) error {
	if t.IsSummary {
		return setWBS(u, s, t.ID, true)
	}
	return clearWBS(u, s, t.ID)
}

// followTask carries the change of a task to its parents and to the hammocks that
// it holds.
func followTask(u *records.Update, s records.Scope, t, stored *Task) error {
	if t.ParentID != stored.ParentID {
		if t.ParentID != "" {
			if err := setWBS(u, s, string(t.ParentID), true); err != nil {
				return err
			}
		}
		if err := clearWBS(u, s, string(stored.ParentID)); err != nil {
			return err
		}
	}
	if t.IsSummary != stored.IsSummary {
		if err := summarize(u, s, t); err != nil {
			return err
		}
	}
	if t.holdsAs(stored) {
		return nil
	}
	var stale plan.Stale
	stale.Task(t.ID)
	return deriveHammocks(u, s, &stale)
}

// DeleteTasks deletes up to 1,000 tasks (S13) as a long-running operation, with
// all tasks below them, their links, resource assignments, animation bindings, user
// field values and code values. A large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; TaskNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteTasks(ctx context.Context, taskIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Task], error) {
	return familiesOf(p.s).tasks.Remove(ctx, p.id, taskIDs, pre)
}

func deleteTasks(u *records.Update, e *model.Edit[entity.Deletion, Task]) (progress, error) {
	if !e.Request.Begun() {
		e.Request.Condition = e.Condition
		if err := taskKind.Check(u, e.Scope, &e.Request); err != nil {
			return progress{}, err
		}
	}
	d := taskDeletion{u: u, scope: e.Scope, parents: make(map[string]bool)}
	r := entity.Remover{Step: records.NewStep(u), Below: readPlan(u, e.Scope).Children, Remove: d.remove}
	if err := declareTaskRemoval(u, e.Scope, r.Step.Ahead(e.Request.IDs)); err != nil {
		return progress{}, err
	}
	whole, err := r.Run(&e.Request)
	if err != nil {
		return progress{}, err
	}
	if err := d.propagate(); err != nil {
		return progress{}, err
	}
	return model.StepOf(&e.Request, whole, nil)
}

// taskDeletion is one step of the deletion of tasks.
type taskDeletion struct {
	u       *records.Update
	scope   records.Scope
	stale   plan.Stale
	parents map[string]bool // tasks that have lost a child
}

// removeOf removes what is of a task besides its links, and reports false when the step
// ended before that.
func (d *taskDeletion) removeOf(id string, step *records.Step) (whole bool, err error) {
	if err := analysisRecords.Delete(d.u, d.scope, id); err != nil && !missingRecord(err) {
		return false, err
	}
	return taskKind.RemoveTied(d.u, d.scope, id, step)
}

// remove deletes a task without children, with its links, bindings, assignments and values, and
// reports false when the step ended before that.
func (d *taskDeletion) remove(id string, step *records.Step) (whole bool, err error) {
	t, err := taskRecords.Value(d.u, d.scope, id)
	if missingRecord(err) {
		return true, nil // it went with its parent
	}
	if err != nil {
		return false, err
	}
	for l, err := range plan.Around(readPlan(d.u, d.scope), id) {
		if err != nil {
			return false, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return false, err
		}
		d.stale.Link(l.Predecessor, l.Successor)
		if err := taskLinkRecords.Delete(d.u, d.scope, l.ID); err != nil {
			return false, err
		}
	}
	if whole, err := d.removeOf(id, step); !whole || err != nil {
		return false, err
	}
	// The tombstone holds the texts of the task, of which a transaction takes
	// no more than so many bytes.
	step.Spend(len(t.Name) + len(t.Comment) + len(t.URL) + len(t.UserDefinedID) + t.noteBytes())
	if t.ParentID != "" {
		d.parents[string(t.ParentID)] = true
	}
	delete(d.parents, id)
	return true, taskRecords.Delete(d.u, d.scope, id)
}

// removeTasks deletes tasks without others below them as far as the step reaches, and returns how many that were.
func removeTasks(u *records.Update, s records.Scope, ids []string, step *records.Step) (gone int, err error) {
	d := taskDeletion{u: u, scope: s, parents: make(map[string]bool)}
	for whole := true; gone < len(ids) && whole; {
		if whole, err = step.More(); whole && err == nil {
			whole, err = d.remove(ids[gone], step)
		}
		if err != nil {
			return gone, err
		}
		if whole {
			gone++
		}
	}
	return gone, d.propagate()
}

// declareTaskRemoval declares what is read to delete tasks, with what is found of them by scheduling.
func declareTaskRemoval(u *records.Update, s records.Scope, ids []string) error {
	records.Declare(u, analysisRecords.Needs(s, ids...)...)
	return taskKind.DeclareRemoval(u, s, ids)
}

// propagate carries the deletions to the parents and the hammocks that are left.
func (d *taskDeletion) propagate() error {
	parents := slices.Sorted(maps.Keys(d.parents))
	records.Declare(d.u, append(taskRecords.Needs(d.scope, parents...),
		taskRecords.NeedsIndexed(d.scope, "parent", parents...)...)...)
	for _, id := range parents {
		if err := clearWBS(d.u, d.scope, id); err != nil {
			return err
		}
	}
	return deriveHammocks(d.u, d.scope, &d.stale)
}

// clearWBS notes at a former parent, if there is one, that it has no children
// left, if that is so.
func clearWBS(u *records.Update, s records.Scope, parentID string) error {
	if parentID == "" {
		return nil
	}
	for range taskRecords.IDs(u, s, "parent", parentID) {
		return nil
	}
	return setWBS(u, s, parentID, false)
}
