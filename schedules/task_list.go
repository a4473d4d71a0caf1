package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Task returns a task. Errors: TaskNotFound, also for a schedule that is missing
// or not for the caller to see.
func (s *Service) Task(ctx context.Context, scheduleID, taskID string) (twinplatform.Record[Task], error) {
	return s.tasks.get(ctx, scheduleID, taskID)
}

// TaskQuery says which tasks to list.
type TaskQuery struct {
	twinplatform.ListOptions
}

// Tasks lists the tasks of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) Tasks(ctx context.Context, scheduleID string, q TaskQuery) (twinplatform.Page[Task], error) {
	return s.tasks.list(ctx, scheduleID, records.Query[Task]{ListOptions: q.ListOptions})
}
