package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

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
func (p Plan) UpdateTaskLinks(ctx context.Context, patches []TaskLinkPatch, pre ...twinplatform.Precondition) (twinplatform.Result[TaskLink], error) {
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
			}
			if err := namesCalendar(u, e.Scope, &c, l.CalendarID, before.CalendarID); err != nil {
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
