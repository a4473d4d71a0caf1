package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TaskLink returns a task link. Errors: TaskLinkNotFound, also for a schedule
// that is missing or not for the caller to see.
func (s *Service) TaskLink(ctx context.Context, scheduleID, taskLinkID string) (twinplatform.Record[TaskLink], error) {
	return s.taskLinks.get(ctx, scheduleID, taskLinkID)
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
	query := records.Query[TaskLink]{ListOptions: q.ListOptions}
	query.In("predecessor", q.PredecessorID)
	query.In("successor", q.SuccessorID)
	if q.SuccessorID != "" && q.PredecessorID != "" {
		query.Filter = q.SuccessorID
		query.Match = func(l *TaskLink) bool { return l.SuccessorID == q.SuccessorID }
	}
	return s.taskLinks.list(ctx, scheduleID, query)
}
