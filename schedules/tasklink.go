package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// TaskLinkType says which ends of two tasks a link ties together.
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
	// CalendarID is null: lags are elapsed time.
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
	},
}

var taskLinkMissing = refuse.NotFound("TaskLinkNotFound", "taskLinkId", "task link")

// taskLinkKinds are the sorts of change to task links.
type taskLinkKinds struct {
	create kind[[]NewTaskLink, TaskLink]
	update kind[[]TaskLinkPatch, TaskLink]
	remove kind[[]string, TaskLink]
}

func defineTaskLinkKinds(s *Service) taskLinkKinds {
	return taskLinkKinds{
		create: change(s, "taskLinks.create", func(u *records.Update, e *edit[[]NewTaskLink, TaskLink]) error {
			return addTaskLinks(u, e, s.now())
		}),
		update: change(s, "taskLinks.update", updateTaskLinks),
		remove: change(s, "taskLinks.delete", removeTaskLinks),
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
	// CalendarID is refused unless empty: lags are elapsed time.
	CalendarID string `json:"calendarId,omitempty"`
	// CreatedOn is the platform's to say: only null is taken.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateTaskLinks makes up to 1,000 task links, all or none (POST
// …/task-links/batch). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (predecessorId,
// successorId, type) or InvalidValue (the same, id), also for an end that does
// not exist and for a link that ties a task to itself, to its ancestor or into
// a circle; ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// AlreadyExists.
func (s *Service) CreateTaskLinks(ctx context.Context, scheduleID string, batch []NewTaskLink) (twinplatform.Result[TaskLink], error) {
	if err := checkBatch("batch", len(batch)); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	var c refuse.Checks
	ids := make([]string, len(batch))
	request := make([]NewTaskLink, len(batch))
	for i, n := range batch {
		c.At("batch", i)
		n.check(&c)
		if n.ID == "" {
			n.ID = s.env.NewID()
		}
		ids[i], request[i] = n.ID, n
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	return s.taskLinks.create.start(ctx, scheduleID, direct, ids, request)
}

func (n *NewTaskLink) check(c *refuse.Checks) {
	noCalendar(c, n.CalendarID)
	refuse.AsIs(c, "createdOn", n.CreatedOn)
	refuse.AsIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.Need("predecessorId", n.PredecessorID, MaxText)
	c.Need("successorId", n.SuccessorID, MaxText)
	if n.Type == "" {
		c.Add(refuse.Missing("type"))
	} else {
		refuse.OneOf(c, "type", n.Type, taskLinkTypes)
	}
}

func addTaskLinks(u *records.Update, e *edit[[]NewTaskLink, TaskLink], now twinplatform.DateTime) error {
	var stale plan.Stale
	checker := newLinkChecker(u, e.scope, "batch")
	for i, n := range e.Request {
		l := &TaskLink{
			ID: n.ID, PredecessorID: n.PredecessorID, SuccessorID: n.SuccessorID,
			Type: n.Type, Lag: n.Lag, CreatedOn: now,
		}
		if err := checker.check(l, i); err != nil {
			return err
		}
		rec, err := taskLinkRecords.Insert(u, e.scope, l)
		if err != nil {
			return written(err, taskLinkMissing, "task link", l.ID)
		}
		e.wrote(rec)
		stale.Link(l.PredecessorID, l.SuccessorID)
	}
	if err := checker.finish(); err != nil {
		return err
	}
	return deriveHammocks(u, e.scope, &stale)
}

// TaskLink returns a task link. Errors: TaskLinkNotFound, also for a schedule
// that is missing or not for the caller to see.
func (s *Service) TaskLink(ctx context.Context, scheduleID, taskLinkID string) (twinplatform.Record[TaskLink], error) {
	return get(ctx, s, scheduleID, taskLinkMissing, &taskLinkRecords, taskLinkID)
}

// TaskLinkQuery says which task links to list.
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
func (s *Service) TaskLinks(ctx context.Context, scheduleID string, q TaskLinkQuery) (twinplatform.Page[TaskLink], error) {
	query := records.Query[TaskLink]{ListOptions: q.ListOptions, Op: "taskLinks"}
	if q.PredecessorID != "" {
		query.Index, query.Equals = "predecessor", q.PredecessorID
	}
	if q.SuccessorID != "" && q.PredecessorID == "" {
		query.Index, query.Equals = "successor", q.SuccessorID
	} else if q.SuccessorID != "" {
		query.Filter = q.SuccessorID
		query.Match = func(l *TaskLink) bool { return l.SuccessorID == q.SuccessorID }
	}
	return list(ctx, s, scheduleID, scheduleMissing, &taskLinkRecords, query, nil)
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
	// CalendarID is refused unless empty: lags are elapsed time.
	CalendarID twinplatform.Optional[string] `json:"calendarId,omitzero"`
	// CreatedOn and Deleted may be given as they are.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"`
}

// UpdateTaskLinks changes up to 1,000 task links, all or none (PATCH
// …/task-links). It needs PermissionModify.
//
// Errors: as CreateTaskLinks, with targets such as taskLinks[3].type; and
// TaskLinkNotFound.
func (s *Service) UpdateTaskLinks(ctx context.Context, scheduleID string, patches []TaskLinkPatch) (twinplatform.Result[TaskLink], error) {
	if err := checkBatch("taskLinks", len(patches)); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	var c refuse.Checks
	ids := make([]string, len(patches))
	for i, p := range patches {
		c.At("taskLinks", i)
		c.Need("id", p.ID, MaxText)
		if p.PredecessorID.Present() {
			c.Need("predecessorId", p.PredecessorID.Or(""), MaxText)
		}
		if p.SuccessorID.Present() {
			c.Need("successorId", p.SuccessorID.Or(""), MaxText)
		}
		if p.Type.Present() {
			refuse.OneOf(&c, "type", p.Type.Or(""), taskLinkTypes)
		}
		noCalendar(&c, p.CalendarID.Or(""))
		refuse.AsIs(&c, "deleted", p.Deleted, false)
		ids[i] = p.ID
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	return s.taskLinks.update.start(ctx, scheduleID, direct, ids, patches)
}

func updateTaskLinks(u *records.Update, e *edit[[]TaskLinkPatch, TaskLink]) error {
	var stale plan.Stale
	var moved []int // links that tie other tasks than before
	for i, p := range e.Request {
		rec, err := taskLinkRecords.Modify(u, e.scope, p.ID, "", func(l *TaskLink) error {
			var c refuse.Checks
			c.At("taskLinks", i)
			asIsDate(&c, "createdOn", p.CreatedOn, l.CreatedOn)
			if err := c.Err(InvalidRequest); err != nil {
				return err
			}
			stale.Link(l.PredecessorID, l.SuccessorID)
			before := *l
			p.PredecessorID.Apply(&l.PredecessorID)
			p.SuccessorID.Apply(&l.SuccessorID)
			p.Type.Apply(&l.Type)
			p.Lag.Apply(&l.Lag)
			stale.Link(l.PredecessorID, l.SuccessorID)
			if l.PredecessorID != before.PredecessorID || l.SuccessorID != before.SuccessorID {
				moved = append(moved, i)
			}
			return nil
		})
		if err != nil {
			return taskLinkMissing.Named("task link", p.ID).Or(err)
		}
		e.wrote(rec)
	}
	// Only all changes together make what is to be checked: one of them alone
	// may close a cycle that the next one opens.
	checker := newLinkChecker(u, e.scope, "taskLinks")
	for _, i := range moved {
		if err := checker.check(&e.Records[i].Value, i); err != nil {
			return err
		}
	}
	if err := checker.finish(); err != nil {
		return err
	}
	return deriveHammocks(u, e.scope, &stale)
}

// DeleteTaskLinks deletes up to 1,000 task links, all or none. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (taskLinkIds); ScheduleNotFound; TaskLinkNotFound; InsufficientPermissions;
// ScheduleNotInitialized.
func (s *Service) DeleteTaskLinks(ctx context.Context, scheduleID string, taskLinkIDs []string) (twinplatform.Result[TaskLink], error) {
	if err := checkBatch("taskLinkIds", len(taskLinkIDs)); err != nil {
		return twinplatform.Result[TaskLink]{}, err
	}
	return s.taskLinks.remove.start(ctx, scheduleID, tracked, taskLinkIDs, taskLinkIDs)
}

func removeTaskLinks(u *records.Update, e *edit[[]string, TaskLink]) error {
	var stale plan.Stale
	for _, id := range unique(e.Request) {
		l, err := taskLinkRecords.Value(u, e.scope, id)
		if err != nil {
			return noneOf("TaskLinkNotFound", "taskLinkIds", "task link", id).Or(err)
		}
		stale.Link(l.PredecessorID, l.SuccessorID)
		if err := taskLinkRecords.Delete(u, e.scope, id); err != nil {
			return err
		}
	}
	return deriveHammocks(u, e.scope, &stale)
}
