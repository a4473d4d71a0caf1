package statuses

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// StatusHistoryItem returns a recorded status. Errors: StatusHistoryItemNotFound, also
// for a schedule that is missing or not for the caller to see.
func (p Plan) StatusHistoryItem(ctx context.Context, itemID string) (twinplatform.Record[StatusHistoryItem], error) {
	return p.calls.history.Get(ctx, p.id, itemID)
}

// StatusHistoryQuery selects the recorded statuses to list.
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

// query lists by the id of the record, or, of current statuses, by resource and category.
func (q *StatusHistoryQuery) query(op string) (from *records.Collection[StatusHistoryItem],
	query records.Query[StatusHistoryItem],
) {
	query = records.Query[StatusHistoryItem]{ListOptions: q.ListOptions, Op: op}
	if len(q.StatusCategoryIDs) > 0 {
		wanted := model.Unique(slices.Sorted(slices.Values(q.StatusCategoryIDs)))
		model.Narrow(&query, "statusCategoryIds", strings.Join(wanted, ","), func(h *StatusHistoryItem) bool {
			_, found := slices.BinarySearch(wanted, h.StatusCategoryID)
			return found
		})
	}
	if q.LatestOnly {
		query.Op = op + "Latest"
		return &currentStatuses, query
	}
	return &historyRecords, query
}

// of limits the query to the statuses of one resource. The empty id selects the statuses of
// no resource.
func (q *StatusHistoryQuery) of(query *records.Query[StatusHistoryItem], resourceID string) {
	if q.LatestOnly {
		query.Prefix = records.Join(resourceID, "")
	} else {
		query.Index, query.Equals = "resource", resourceID
	}
}

func listStatuses(
	ctx context.Context, p Plan, op string, q *StatusHistoryQuery,
	m *problem.Absent, holder func(*records.View, records.Scope) error,
) (twinplatform.Page[StatusHistoryItem], error) {
	from, query := q.query(op)
	if q.ResourceID != "" {
		q.of(&query, q.ResourceID)
	}
	return model.List(ctx, p.calls.area.DB, p.calls.history.Read, p.id, m, from, query, holder)
}

// StatusHistoryItems lists the recorded statuses of the resources of a schedule.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) StatusHistoryItems(ctx context.Context, q StatusHistoryQuery) (twinplatform.Page[StatusHistoryItem],
	error,
) {
	return listStatuses(ctx, p, "statusHistoryItems", &q, model.ScheduleMissing, nil)
}

// StatusHistoryItemsOf lists the recorded statuses of a resource (GET
// …/resources/{resourceId}/status-history).
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the caller
// to see; InvalidSchedulesRequest with InvalidValue (top, continuation, delta).
func (p Plan) StatusHistoryItemsOf(ctx context.Context, resourceID string,
	q StatusHistoryQuery,
) (twinplatform.Page[StatusHistoryItem], error) {
	q.ResourceID = resourceID
	return listStatuses(ctx, p, "statusHistoryItemsOf", &q, model.Resources.Missing, model.Resources.Exists(resourceID))
}

// StatusHistoryItemsOfEntity3D lists the statuses that a 3D entity shows (GET
// …/entities-3d/{entity3dId}/status-history): those of the resource that it shows, and none
// where it shows no resource. With LatestOnly they are the current ones, of which each
// status item says how it looks. Of the query it passes over ResourceID. Tokens are valid
// for as long as the entity shows the resource.
//
// Errors: Entity3dNotFound, also for a schedule that is missing or not for the caller to
// see; InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10 schedule or
// InvalidValue (top, continuation, delta).
func (p Plan) StatusHistoryItemsOfEntity3D(
	ctx context.Context, entity3DID string, q StatusHistoryQuery,
) (page twinplatform.Page[StatusHistoryItem], err error) {
	err = p.calls.area.Read(ctx, p.id, model.Entities3D.Missing, func(v *records.View, sc *model.Schedule) error {
		if err := model.V65Only(sc); err != nil {
			return err
		}
		resourceID, err := animation.Shown(v, sc.Scope, entity3DID)
		if err != nil {
			return model.Entities3D.Missing.Or(err)
		}
		from, query := q.query("statusHistoryItemsOfEntity3d")
		query.View = entity3DID
		q.of(&query, resourceID)
		page, err = model.ListIn(v, sc.Type, sc.Scope, from, query)
		return err
	})
	return page, err
}
