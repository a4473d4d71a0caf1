package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Task returns a task. Errors: TaskNotFound, also for a schedule that is missing
// or not for the caller to see.
func (p Plan) Task(ctx context.Context, taskID string) (twinplatform.Record[Task], error) {
	return familiesOf(p.s).tasks.Get(ctx, p.id, taskID)
}

// TaskQuery selects the tasks to list: those that all of its members fit. A delta shows a
// task that has ceased to fit as deleted.
type TaskQuery struct {
	twinplatform.ListOptions
	// ParentID lists the tasks right below a task.
	ParentID string
	// Status lists the tasks that have come so far.
	Status TaskStatus
	// Type lists the tasks of a type.
	Type TaskType
	// Name lists the tasks whose name equals or contains it, in upper or lower
	// case.
	Name string
	// From and To list the tasks that are planned to be under way at some time
	// from From on and before To. Tasks without planned dates are not among
	// them. Either may be left out.
	From, To twinplatform.DateTime
}

// Tasks lists the tasks of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta, status, type, to).
func (p Plan) Tasks(ctx context.Context, q TaskQuery) (twinplatform.Page[Task], error) {
	if err := q.check(); err != nil {
		return twinplatform.Page[Task]{}, err
	}
	query := records.Query[Task]{ListOptions: q.ListOptions}
	if unfiltered := (TaskQuery{ListOptions: q.ListOptions}); q != unfiltered {
		q.narrow(&query)
	}
	return familiesOf(p.s).tasks.List(ctx, p.id, query)
}

// narrow lists only the tasks that are asked for. It has its own copy, so that a query
// which asks for all costs nothing more.
func (q TaskQuery) narrow(query *records.Query[Task]) {
	if q.ParentID != "" {
		query.Index, query.Equals = "parent", q.ParentID
	}
	if q.Status != "" {
		model.Narrow(query, "status", string(q.Status), func(t *Task) bool { return t.Status == q.Status })
	}
	if q.Type != "" {
		model.Narrow(query, "type", string(q.Type), func(t *Task) bool { return t.Type == q.Type })
	}
	model.NarrowName(query, q.Name, func(t *Task) string { return t.Name })
	if !q.From.IsZero() || !q.To.IsZero() {
		model.Narrow(query, "dates", q.From.String()+"/"+q.To.String(), q.underWay)
	}
}

func (q *TaskQuery) check() error {
	var c problem.Checks
	if q.Status != "" {
		problem.OneOf(&c, "status", q.Status, taskStatuses)
	}
	if q.Type != "" {
		problem.OneOf(&c, "type", q.Type, taskTypes)
	}
	if !q.To.IsZero() && q.To.Before(q.From.Time) {
		c.Bad("to", "The end of the time is not before its beginning.")
	}
	return c.Err(InvalidRequest)
}

// underWay reports whether a task is planned for some of the time that is asked
// for. A milestone has one date alone.
func (q *TaskQuery) underWay(t *Task) bool {
	start, finish := t.PlannedStart, t.PlannedFinish
	if start.IsZero() {
		start = finish
	}
	if finish.IsZero() {
		finish = start
	}
	return !start.IsZero() && !finish.Before(q.From.Time) && (q.To.IsZero() || start.Before(q.To.Time))
}
