package schedules

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// StatusHistoryItem returns a recorded status. Errors: StatusHistoryItemNotFound, also
// for a schedule that is missing or not for the caller to see.
func (p Plan) StatusHistoryItem(ctx context.Context, itemID string) (twinplatform.Record[StatusHistoryItem], error) {
	return callsOf(p.s).history.get(ctx, p.id, itemID)
}

// StatusHistoryQuery says which recorded statuses to list.
type StatusHistoryQuery struct {
	twinplatform.ListOptions
	// ResourceID lists the statuses of one resource.
	ResourceID string
	// StatusCategoryIDs lists the statuses of any of these categories; none means
	// all.
	StatusCategoryIDs []string
	// LatestOnly lists the current statuses: the one with the newest date of each
	// resource in each category.
	LatestOnly bool
}

// listStatuses lists by the id of the record, or, of current statuses, by resource and
// category.
func listStatuses(
	ctx context.Context, p Plan, op string, q *StatusHistoryQuery,
	m *problem.Absent, holder func(*records.View, records.Scope) error,
) (twinplatform.Page[StatusHistoryItem], error) {
	query := records.Query[StatusHistoryItem]{ListOptions: q.ListOptions, Op: op}
	if len(q.StatusCategoryIDs) > 0 {
		wanted := unique(slices.Sorted(slices.Values(q.StatusCategoryIDs)))
		narrow(&query, "statusCategoryIds", strings.Join(wanted, ","), func(h *StatusHistoryItem) bool {
			_, found := slices.BinarySearch(wanted, h.StatusCategoryID)
			return found
		})
	}
	from := &historyRecords
	switch {
	case q.LatestOnly:
		from, query.Op = &currentStatuses, op+"Latest"
		if q.ResourceID != "" {
			query.Prefix = records.Join(q.ResourceID, "")
		}
	case q.ResourceID != "":
		query.Index, query.Equals = "resource", q.ResourceID
	}
	return list(ctx, callsOf(p.s).history.read, p.id, m, from, query, holder)
}

// StatusHistoryItems lists the recorded statuses of the resources of a schedule.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) StatusHistoryItems(ctx context.Context, q StatusHistoryQuery) (twinplatform.Page[StatusHistoryItem], error) {
	return listStatuses(ctx, p, "statusHistoryItems", &q, scheduleMissing, nil)
}

// StatusHistoryItemsOf lists the recorded statuses of a resource (GET
// …/resources/{resourceId}/status-history).
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the caller
// to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) StatusHistoryItemsOf(ctx context.Context, resourceID string, q StatusHistoryQuery) (twinplatform.Page[StatusHistoryItem], error) {
	q.ResourceID = resourceID
	return listStatuses(ctx, p, "statusHistoryItemsOf", &q, resourceMissing, exists(&resourceRecords, resourceID))
}
