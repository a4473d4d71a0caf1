package animation

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Binding returns an animation binding. Errors: AnimationBindingNotFound, also
// for a schedule that is missing or not for the caller to see.
func (p Plan) Binding(ctx context.Context, bindingID string) (twinplatform.Record[Binding], error) {
	return callsOf(p).bindings.Get(ctx, p.id, bindingID)
}

// BindingQuery selects the animation bindings to list: those that all of its members fit.
// A list of some tasks, entities or times has no delta, since what it holds changes with
// the tasks as well.
type BindingQuery struct {
	twinplatform.ListOptions
	// TaskIDs lists the bindings of these tasks, up to MaxBatch; none means all.
	TaskIDs []string
	// AnimatedEntityIDs lists the bindings of these entities, up to MaxBatch; none means
	// all.
	AnimatedEntityIDs []string
	// StartTime and EndTime, which are given together, list the bindings of the tasks
	// that are planned to finish at StartTime or later, and to start at EndTime or
	// earlier. Tasks without planned dates are not among them.
	StartTime, EndTime twinplatform.DateTime
}

func (q *BindingQuery) check() error {
	var c problem.Checks
	for name, ids := range map[string][]string{"taskIds": q.TaskIDs, "animatedEntityIds": q.AnimatedEntityIDs} {
		if len(ids) > model.MaxBatch {
			c.Bad(name, "At most %d items can be given at once.", model.MaxBatch)
		}
	}
	switch {
	case q.StartTime.IsZero() && !q.EndTime.IsZero():
		c.Missing("startTime")
	case !q.StartTime.IsZero() && q.EndTime.IsZero():
		c.Missing("endTime")
	case q.EndTime.Before(q.StartTime.Time):
		c.Bad("endTime", "The end of the time is not before its beginning.")
	}
	return c.Err(model.InvalidRequest)
}

func (q *BindingQuery) timed() bool { return !q.StartTime.IsZero() }

// query is by task where tasks are asked for, by themselves or by time, and else by
// entity.
func (q *BindingQuery) query(core model.Access) records.Query[Binding] {
	query := records.Query[Binding]{ListOptions: q.ListOptions}
	tasks, entities := model.Unique(q.TaskIDs), model.Unique(slices.Sorted(slices.Values(q.AnimatedEntityIDs)))
	byTask := len(tasks) > 0 || q.timed()
	if byTask {
		query.Index = boundTask
		query.Among = func(tx records.Reading, s records.Scope) ([]string, error) { return q.tasks(core, tx, s) }
		query.View = strings.Join(append(slices.Sorted(slices.Values(tasks)), q.StartTime.String(), q.EndTime.String()),
			"\x00")
	}
	switch {
	case len(entities) == 0:
	case byTask:
		model.Narrow(&query, "animatedEntityIds", strings.Join(entities, "\x00"), func(b *Binding) bool {
			_, found := slices.BinarySearch(entities, b.AnimatedEntityID)
			return found
		})
	default:
		query.Index, query.View = boundEntity, strings.Join(entities, "\x00")
		query.Among = func(records.Reading, records.Scope) ([]string, error) { return entities, nil }
	}
	return query
}

// tasks are the ids of the tasks that are asked for.
func (q *BindingQuery) tasks(core model.Access, tx records.Reading, s records.Scope) (ids []string, err error) {
	if !q.timed() {
		return model.Unique(q.TaskIDs), nil
	}
	for t, err := range core.PlannedTasks(tx, s, model.Unique(q.TaskIDs)) {
		if err != nil {
			return nil, err
		}
		if q.underWay(&t) {
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

func (q *BindingQuery) underWay(t *model.PlannedTask) bool {
	return !t.Start.IsZero() && !t.Finish.IsZero() && !t.Finish.Before(q.StartTime.Time) &&
		!t.Start.After(q.EndTime.Time)
}

// Bindings lists the animation bindings of a schedule by id, or, of some tasks,
// entities or times, by these and then by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with MissingRequiredProperty
// (startTime or endTime, where the other one is given) or InvalidValue (top,
// continuation, delta, taskIds, animatedEntityIds, endTime before startTime).
func (p Plan) Bindings(ctx context.Context, q BindingQuery) (twinplatform.Page[Binding], error) {
	if err := q.check(); err != nil {
		return twinplatform.Page[Binding]{}, err
	}
	return callsOf(p).bindings.List(ctx, p.id, q.query(p.area))
}
