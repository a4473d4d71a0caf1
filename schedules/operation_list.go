package schedules

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// OperationQuery selects the operations to list.
type OperationQuery struct {
	twinplatform.ListOptions
	// Statuses lists the operations that have come so far. Empty lists all.
	Statuses []twinplatform.OperationStatus
	// OperationID lists one operation alone.
	OperationID string
}

var operationStatuses = []twinplatform.OperationStatus{
	twinplatform.OperationNotStarted, twinplatform.OperationRunning, twinplatform.OperationSucceeded, twinplatform.OperationFailed,
}

// Operations lists the long-running operations of a schedule, the newest first (GET
// …/operations): those under way, and those that ended no longer ago than Env.Retain.
// Writes that were done at once and left no record of an operation are not among them,
// nor is the deletion of the schedule, with which they all go. There is no delta.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta, status).
func (p Plan) Operations(ctx context.Context, q OperationQuery) (page twinplatform.Page[twinplatform.Operation], err error) {
	var c problem.Checks
	for _, status := range q.Statuses {
		problem.OneOf(&c, "status", status, operationStatuses)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	query := records.Query[twinplatform.Operation]{ListOptions: q.ListOptions, Op: "operations", Descending: true}
	if len(q.Statuses) > 0 {
		model.Narrow(&query, "status", joined(q.Statuses), func(o *twinplatform.Operation) bool { return slices.Contains(q.Statuses, o.Status) })
	}
	if q.OperationID != "" {
		query.Prefix = q.OperationID
		model.Narrow(&query, "operationId", q.OperationID, func(o *twinplatform.Operation) bool { return o.ID == q.OperationID })
	}
	err = p.s.read(ctx, p.id, scheduleMissing, func(v *records.View, sc *Schedule) error {
		paging := model.PagingIn(sc.Type)
		query.MaxTop = paging.MaxTop
		page, err = p.s.jobs.Operations(v, sc.scope(), query)
		return paging.Listed(err, InvalidRequest)
	})
	return page, err
}

// joined is a set of statuses as text, however often and in which order they are named.
func joined(statuses []twinplatform.OperationStatus) string {
	var named []string
	for _, status := range operationStatuses {
		if slices.Contains(statuses, status) {
			named = append(named, string(status))
		}
	}
	return strings.Join(named, ",")
}
