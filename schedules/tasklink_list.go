package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TaskLink returns a task link. Errors: TaskLinkNotFound, also for a schedule
// that is missing or not for the caller to see.
func (p Plan) TaskLink(ctx context.Context, taskLinkID string) (twinplatform.Record[TaskLink], error) {
	return familiesOf(p.s).taskLinks.Get(ctx, p.id, taskLinkID)
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
