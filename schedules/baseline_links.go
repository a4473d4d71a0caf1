package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// TaskLinksOfBaselinesQuery selects the task links of baselines to list.
type TaskLinksOfBaselinesQuery struct {
	twinplatform.ListOptions

	BaselineID    string // lists the links of one baseline
	TaskLinkID    string // lists what one task link was in the baselines
	PredecessorID string // lists the links from this task downstream
	SuccessorID   string // lists the links to this task from upstream
}

func (q *TaskLinksOfBaselinesQuery) query() records.Query[BaselineTaskLink] {
	query := records.Query[BaselineTaskLink]{ListOptions: q.ListOptions, Op: "taskLinksOfBaselines", Among: q.rows, View: q.BaselineID}
	for _, of := range []struct {
		property, value string
		member          func(*BaselineTaskLink) string
	}{
		{"taskLinkId", q.TaskLinkID, func(l *BaselineTaskLink) string { return l.TaskLinkID }},
		{"predecessorId", q.PredecessorID, func(l *BaselineTaskLink) string { return l.PredecessorID }},
		{"successorId", q.SuccessorID, func(l *BaselineTaskLink) string { return l.SuccessorID }},
	} {
		if of.value != "" {
			model.Narrow(&query, of.property, of.value, func(l *BaselineTaskLink) bool { return of.member(l) == of.value })
		}
	}
	return query
}

// rows are the beginnings of the ids of the rows that are asked for. Those of a baseline
// that is being made, or of one that is being cleared away, have others.
func (q *TaskLinksOfBaselinesQuery) rows(tx records.Reading, s records.Scope) (all []string, err error) {
	if q.BaselineID != "" {
		b, err := baselineRecords.Lookup(tx, s, q.BaselineID)
		if b == nil {
			return nil, err
		}
		return []string{records.Join(b.rows, "")}, nil
	}
	for b, err := range baselineRecords.All(tx, s, "") {
		if err != nil {
			return nil, err
		}
		all = append(all, records.Join(b.rows, ""))
	}
	return all, nil
}

// TaskLinksOfBaselines lists the task links of all baselines of a schedule, one baseline
// after the other (GET …/baselines/baseline-task-links). The list has no delta: rows come
// and go with their baseline, and to follow them, follow the baselines.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top, continuation,
// and delta for every delta token).
func (p Plan) TaskLinksOfBaselines(ctx context.Context, q TaskLinksOfBaselinesQuery) (twinplatform.Page[BaselineTaskLink], error) {
	return model.List(ctx, p.s.db, p.s.area().Read, p.id, scheduleMissing, baselineTaskLinks(""), q.query(), nil)
}
