package schedules

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// TaskLinkType is which ends of two tasks a link connects.
type TaskLinkType string

// The task link types.
const (
	FinishToStart       TaskLinkType = "FinishToStart"
	StartToFinish       TaskLinkType = "StartToFinish"
	StartToStart        TaskLinkType = "StartToStart"
	FinishToFinish      TaskLinkType = "FinishToFinish"
	UnknownTaskLinkType TaskLinkType = "Unknown"
)

var taskLinkTypes = []TaskLinkType{FinishToStart, StartToFinish, StartToStart, FinishToFinish, UnknownTaskLinkType}

// TaskLink is a dependency between two tasks.
type TaskLink struct {
	// CalendarID is the calendar of the lag; that of the predecessor where it is null.
	CalendarID twinplatform.NullString `json:"calendarId"`
	CreatedOn  twinplatform.DateTime   `json:"createdOn"` // set by the platform
	Deleted    bool                    `json:"deleted"`   // true in deltas alone
	ID         string                  `json:"id"`        // unique in the schedule; never changes
	// Lag is the minimum time between the tied ends, in seconds; a lead is
	// negative.
	Lag           int32        `json:"lag"`
	PredecessorID string       `json:"predecessorId"` // the task that the link begins at
	SuccessorID   string       `json:"successorId"`   // the task that the link holds
	Type          TaskLinkType `json:"type"`          // Unknown holds as FinishToStart
}

var taskLinkRecords = records.Collection[TaskLink]{
	Name:        "task-links",
	ID:          func(l *TaskLink) string { return l.ID },
	MarkDeleted: func(l *TaskLink) { l.Deleted = true },
	Indexes: []records.Index[TaskLink]{
		{Name: "predecessor", Value: func(l *TaskLink) string { return l.PredecessorID }},
		{Name: "successor", Value: func(l *TaskLink) string { return l.SuccessorID }},
		{Name: ofCalendar, Value: func(l *TaskLink) string { return string(l.CalendarID) }},
	},
}

var taskLinkMissing = problem.NotFound("TaskLinkNotFound", "taskLinkId", "task link")

var taskLinkKind = entity.Kind[TaskLink, NewTaskLink, TaskLinkPatch]{
	Records: &taskLinkRecords, One: "taskLink", Many: "taskLinks", Batches: true, Resource: "task link",
	Missing: taskLinkMissing, Bad: &InvalidRequest,
	Members: func(l *TaskLink, n *NewTaskLink, p *TaskLinkPatch) []entity.Member {
		return []entity.Member{
			entity.ID(&l.ID, &n.ID, nil),
			entity.Ref("predecessorId", &l.PredecessorID, &n.PredecessorID, &p.PredecessorID,
				&taskRecords).Max(MaxText).Required().Owns(),
			entity.Ref("successorId", &l.SuccessorID, &n.SuccessorID, &p.SuccessorID,
				&taskRecords).Max(MaxText).Required().Owns(),
			entity.Enum("type", &l.Type, &n.Type, &p.Type, taskLinkTypes).Required(),
			entity.Value("lag", &l.Lag, &n.Lag, &p.Lag),
			entity.Ref("calendarId", &l.CalendarID, &n.CalendarID, &p.CalendarID, &calendarRecords).Keeps("used"),
			entity.Fixed("createdOn", &n.CreatedOn, nil),
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
		}
	},
	AfterUpdate: func(l, _ *TaskLink, p *TaskLinkPatch, c *problem.Checks) {
		model.AsIsDate(c, "createdOn", p.CreatedOn, l.CreatedOn)
	},
}

// taskLinkFamily are task links with the calls that there are to them.
type taskLinkFamily struct {
	*model.Family[TaskLink, NewTaskLink, TaskLinkPatch]
	update model.Change[[]TaskLinkPatch, TaskLink]
	delete model.Change[[]string, TaskLink]
}

// taskLinksOf defines the changes to task links: a whole batch of them is held to the
// tasks and to one another, and affects hammocks.
func taskLinksOf(s *Service) taskLinkFamily {
	f := model.ReadingsOf(s.area(), &taskLinkKind)
	f.Many = model.DefineChange(s.area(), "taskLinks.create",
		func(u *records.Update, e *model.Edit[[]NewTaskLink, TaskLink]) error {
			return insertTaskLinks(u, e, s.now())
		}, "taskLinks.createMany").Needs(needsOfNewLinks)
	return taskLinkFamily{
		Family: f,
		update: model.DefineChange(s.area(), "taskLinks.update", updateTaskLinks,
			"taskLinks.updateMany").Needs(func(s records.Scope, patches *[]TaskLinkPatch) []records.Need {
			return taskLinkRecords.Needs(s, patched(*patches)...)
		}),
		delete: model.DefineChange(s.area(), "taskLinks.delete", deleteTaskLinks, "taskLinks.deleteMany",
			"taskLinks.delete").Needs(func(s records.Scope, ids *[]string) []records.Need {
			return taskLinkRecords.Needs(s, *ids...)
		}),
	}
}

// NewTaskLink asks for a task link.
type NewTaskLink struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// PredecessorID, SuccessorID and Type are required.
	PredecessorID string       `json:"predecessorId"`
	SuccessorID   string       `json:"successorId"`
	Type          TaskLinkType `json:"type"`
	// Lag is in seconds.
	Lag int32 `json:"lag"`
	// CalendarID names a calendar of the schedule, and none when it is empty.
	CalendarID string `json:"calendarId,omitempty"`
	// CreatedOn is the platform's to say: only null is taken.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateTaskLinks makes up to 1,000 task links, all or none (POST
// …/task-links/batch). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (predecessorId,
// successorId, type) or InvalidValue (the same, id), also for an end that does not exist
// and for a link that connects a task to itself, to its ancestor or into a circle;
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateTaskLinks(ctx context.Context, batch []NewTaskLink) (twinplatform.Result[TaskLink], error) {
	return familiesOf(p.s).taskLinks.CreateMany(ctx, p.id, batch)
}

func insertTaskLinks(u *records.Update, e *model.Edit[[]NewTaskLink, TaskLink], now twinplatform.DateTime) error {
	if err := records.Large(u, len(e.Request)); err != nil {
		return err
	}
	if err := declareEnds(u, e.Scope, ends(e.Request)); err != nil {
		return err
	}
	var stale plan.Stale
	checker := newLinkChecker(u, e.Scope, "batch")
	for i := range e.Request {
		l := taskLinkKind.New(&e.Request[i])
		l.CreatedOn = now
		if err := checker.check(l, i); err != nil {
			return err
		}
		rec, err := taskLinkKind.Add(u, e.Scope, l)
		if err != nil {
			return err
		}
		e.Wrote(rec)
		stale.Link(l.PredecessorID, l.SuccessorID)
	}
	if err := checker.finish(); err != nil {
		return err
	}
	return deriveHammocks(u, e.Scope, &stale)
}

// ends are the ids of the tasks that links are to connect.
func ends(links []NewTaskLink) []string {
	ids := make([]string, 0, 2*len(links))
	for i := range links {
		ids = append(ids, links[i].PredecessorID, links[i].SuccessorID)
	}
	return ids
}

// TaskLink returns a task link. Errors: TaskLinkNotFound, also for a schedule
// that is missing or not for the caller to see.
func (p Plan) TaskLink(ctx context.Context, taskLinkID string) (twinplatform.Record[TaskLink], error) {
	return familiesOf(p.s).taskLinks.Get(ctx, p.id, taskLinkID)
}

// TaskLinkQuery selects the task links to list.
type TaskLinkQuery struct {
	twinplatform.ListOptions
	// PredecessorID lists the links from a task downstream.
	PredecessorID string
	// SuccessorID lists the links to a task from upstream.
	SuccessorID string
}

// TaskLinks lists the task links of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) TaskLinks(ctx context.Context, q TaskLinkQuery) (twinplatform.Page[TaskLink], error) {
	query := records.Query[TaskLink]{ListOptions: q.ListOptions}
	query.In("predecessor", q.PredecessorID)
	query.In("successor", q.SuccessorID)
	if q.SuccessorID != "" && q.PredecessorID != "" {
		query.Filter = q.SuccessorID
		query.Match = func(l *TaskLink) bool { return l.SuccessorID == q.SuccessorID }
	}
	return familiesOf(p.s).taskLinks.List(ctx, p.id, query)
}

// DeleteTaskLinks deletes up to 1,000 task links, all or none. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskLinkIds); ScheduleNotFound; TaskLinkNotFound; InsufficientPermissions;
// ScheduleNotInitialized; VersionMismatch.
func (p Plan) DeleteTaskLinks(ctx context.Context, taskLinkIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[TaskLink], error) {
	if err := model.CheckBatch("taskLinkIds", len(taskLinkIDs)); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	return familiesOf(p.s).taskLinks.delete.Start(ctx, p.id, model.Tracked, taskLinkIDs, taskLinkIDs, pre...)
}

func deleteTaskLinks(u *records.Update, e *model.Edit[[]string, TaskLink]) error {
	if err := records.Large(u, len(e.Request)); err != nil {
		return err
	}
	if err := records.DeclareOf(u, e.Scope, &taskLinkRecords, e.Request, needsOfEnds); err != nil {
		return err
	}
	var stale plan.Stale
	for _, id := range model.Unique(e.Request) {
		l, err := taskLinkRecords.Value(u, e.Scope, id)
		if err == nil {
			err = taskLinkRecords.Check(u, e.Scope, id, e.Condition)
		}
		if err != nil {
			return noneOf("TaskLinkNotFound", "taskLinkIds", "task link", id).Or(err)
		}
		stale.Link(l.PredecessorID, l.SuccessorID)
		if err := taskLinkRecords.Delete(u, e.Scope, id); err != nil {
			return err
		}
	}
	return deriveHammocks(u, e.Scope, &stale)
}

// TaskLinkPatch changes a task link: what is left out stays.
type TaskLinkPatch struct {
	// ID is required.
	ID            string                              `json:"id"`
	PredecessorID twinplatform.Optional[string]       `json:"predecessorId,omitzero"` // a task of the schedule
	SuccessorID   twinplatform.Optional[string]       `json:"successorId,omitzero"`   // a task of the schedule
	Type          twinplatform.Optional[TaskLinkType] `json:"type,omitzero"`          // null is refused
	// Lag is in seconds; null clears it to 0.
	Lag twinplatform.Optional[int32] `json:"lag,omitzero"`
	// CalendarID names a calendar of the schedule, and none when it is empty.
	CalendarID twinplatform.Optional[string] `json:"calendarId,omitzero"`
	// CreatedOn and Deleted may be given as they are.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"`
}

// UpdateTaskLinks changes up to 1,000 task links, all or none (PATCH
// …/task-links). It needs PermissionModify.
//
// Errors: as CreateTaskLinks, with targets such as taskLinks[3].type; and
// TaskLinkNotFound; VersionMismatch.
func (p Plan) UpdateTaskLinks(ctx context.Context, patches []TaskLinkPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[TaskLink], error) {
	if err := model.CheckBatch("taskLinks", len(patches)); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	var c problem.Checks
	ids := make([]string, len(patches))
	for i := range patches {
		patch := &patches[i]
		c.At("taskLinks", i)
		c.Need("id", patch.ID, MaxText)
		taskLinkKind.CheckPatch(patch.ID, patch, &c)
		ids[i] = patch.ID
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	return familiesOf(p.s).taskLinks.update.Start(ctx, p.id, model.Direct, ids, patches, pre...)
}

func updateTaskLinks(u *records.Update, e *model.Edit[[]TaskLinkPatch, TaskLink]) error {
	if err := records.Large(u, len(e.Request)); err != nil {
		return err
	}
	if err := records.DeclareOf(u, e.Scope, &taskLinkRecords, patched(e.Request), needsOfEnds); err != nil {
		return err
	}
	for i := range e.Request { // before the first is written: a link may be named twice
		id := e.Request[i].ID
		if err := taskLinkRecords.Check(u, e.Scope, id, e.Condition); err != nil {
			return taskLinkMissing.Named("task link", id).Or(err)
		}
	}
	var stale plan.Stale
	var moved []int // links that connect other tasks than before
	for i := range e.Request {
		p := &e.Request[i]
		rec, err := taskLinkRecords.Modify(u, e.Scope, p.ID, "", func(l *TaskLink) error {
			var c problem.Checks
			c.At("taskLinks", i)
			before := *l
			taskLinkKind.Apply(p, l, &c)
			stale.Link(before.PredecessorID, before.SuccessorID)
			stale.Link(l.PredecessorID, l.SuccessorID)
			if l.PredecessorID != before.PredecessorID || l.SuccessorID != before.SuccessorID {
				moved = append(moved, i)
			} else if err := taskLinkKind.CheckRefs(u, e.Scope, l, &before, &c); err != nil {
				return err
			}
			return c.Err(InvalidRequest)
		})
		if err != nil {
			return taskLinkMissing.Named("task link", p.ID).Or(err)
		}
		e.Wrote(rec)
	}
	// Only all changes together make what is to be checked: one of them alone
	// may close a cycle that the next one opens.
	if err := declareEnds(u, e.Scope, endsOf(e.Records, moved)); err != nil {
		return err
	}
	checker := newLinkChecker(u, e.Scope, "taskLinks")
	for _, i := range moved {
		if err := checker.check(&e.Records[i].Value, i); err != nil {
			return err
		}
	}
	if err := checker.finish(); err != nil {
		return err
	}
	return deriveHammocks(u, e.Scope, &stale)
}

// endsOf are the ids of the tasks that some of the links tie.
func endsOf(links []twinplatform.Record[TaskLink], some []int) (ids []string) {
	for _, i := range some {
		ids = append(ids, links[i].Value.PredecessorID, links[i].Value.SuccessorID)
	}
	return ids
}

// linkChecker holds the links of a request to the tasks and to the other links of
// the schedule.
type linkChecker struct {
	r      planReader
	list   string // how targets name the request
	above  *plan.Ancestry
	cycles *plan.CycleDetector
}

func newLinkChecker(tx records.Reading, s records.Scope, list string) *linkChecker {
	r := readPlan(tx, s)
	return &linkChecker{r: r, list: list, above: plan.NewAncestry(r), cycles: plan.NewCycleDetector(r)}
}

// check checks the i-th link. Whether it closes a cycle may be left to finish.
func (k *linkChecker) check(l *TaskLink, i int) error {
	var c problem.Checks
	c.At(k.list, i)
	if l.PredecessorID == l.SuccessorID {
		c.Bad("successorId", "A task cannot be linked to itself.")
		return c.Err(InvalidRequest)
	}
	if err := taskLinkKind.CheckRefs(k.r.tx, k.r.scope, l, nil, &c); err != nil {
		return err
	}
	for _, end := range []struct{ target, id, other string }{
		{"predecessorId", l.PredecessorID, l.SuccessorID},
		{"successorId", l.SuccessorID, l.PredecessorID},
	} {
		below, err := k.above.Below(end.id, end.other)
		if err != nil && !missingRecord(err) {
			return err
		}
		if below {
			c.Bad(end.target, "A task cannot be linked to its ancestor.")
		}
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	return k.refuse(k.cycles.Add(l.link(), i))
}

// finish checks what was left, once all links are written.
func (k *linkChecker) finish() error { return k.refuse(k.cycles.Finish()) }

// refuse gives a cycle its documented error.
func (k *linkChecker) refuse(err error) error {
	cycle, ok := errors.AsType[*plan.CycleError](err)
	if !ok {
		return err
	}
	var c problem.Checks
	c.At(k.list, cycle.Index)
	c.Bad("successorId", "The link would close the cycle %s.", model.InShort(cycle.Tasks))
	return c.Err(InvalidRequest)
}

// What links tie is read with what lies around it: the parents and children of their ends,
// and the links that these have.

// needsOfNewLinks are what is read before links are made.
func needsOfNewLinks(s records.Scope, batch *[]NewTaskLink) (needs []records.Need) {
	for i := range *batch {
		needs = append(needs, taskLinkKind.NeedsOfRequest(s, &(*batch)[i])...)
	}
	ids := ends(*batch)
	return slices.Concat(needs, taskRecords.Needs(s, ids...), taskRecords.NeedsIndexed(s, "parent", ids...),
		needsAround(s, ids...))
}

// declareEnds declares what is read of tasks that links are to tie.
func declareEnds(u *records.Update, s records.Scope, ids []string) error {
	records.Declare(u, taskRecords.NeedsIndexed(s, "parent", ids...)...)
	records.Declare(u, needsAround(s, ids...)...)
	above := func(s records.Scope, t *Task) []records.Need { return taskRecords.Needs(s, t.parent()) }
	if err := records.DeclareOf(u, s, &taskRecords, ids, above); err != nil {
		return err
	}
	return records.Follow(u, s, ids, linksAround())
}

// linksAround are the links of tasks.
func linksAround() []records.Found {
	return []records.Found{taskLinkRecords.FoundBy("predecessor"), taskLinkRecords.FoundBy("successor")}
}

// needsAround are what leads to the links of tasks.
func needsAround(s records.Scope, ids ...string) []records.Need {
	return records.NeedsOfFound(s, ids, linksAround())
}

// needsOfEnds are the tasks that a link ties.
func needsOfEnds(s records.Scope, l *TaskLink) []records.Need {
	return taskRecords.Needs(s, l.PredecessorID, l.SuccessorID)
}

// patched are the ids of links that are changed.
func patched(patches []TaskLinkPatch) []string {
	ids := make([]string, len(patches))
	for i := range patches {
		ids[i] = patches[i].ID
	}
	return ids
}

// declareAround declares the links of tasks, with the tasks that they tie.
func declareAround(u *records.Update, s records.Scope, ids []string) error {
	return records.Follow(u, s, ids, linksToEnds())
}

// linksToEnds are the links of tasks, with the tasks that they tie.
func linksToEnds() []records.Found {
	around := linksAround()
	for i := range around {
		around[i].Needs = records.NeedsOfValue(needsOfEnds)
	}
	return around
}

// declareHammocks declares what the dates of those of the tasks follow from that are hammocks.
func declareHammocks(u *records.Update, s records.Scope, ids []string) error {
	if !records.Remote(u) {
		return nil
	}
	records.Declare(u, taskRecords.Needs(s, ids...)...)
	var hammocks []string
	for _, id := range ids {
		t, err := taskRecords.Lookup(u, s, id)
		if err != nil {
			return err
		}
		if t != nil && t.Type.hammock() {
			hammocks = append(hammocks, id)
		}
	}
	return records.Follow(u, s, hammocks, linksToEnds())
}
