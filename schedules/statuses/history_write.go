package statuses

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// NewStatusHistoryItem records a status of a resource. Null and left out are the same
// in it.
type NewStatusHistoryItem struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// ResourceID, StatusItemID and Date are required.
	ResourceID   string `json:"resourceId"`
	StatusItemID string `json:"statusItemId"`
	// StatusCategoryID is the category of the status item. Left empty, it is taken from the
	// item.
	StatusCategoryID string `json:"statusCategoryId"`
	// Date is when the resource came to the status, also in the past or the future.
	Date       twinplatform.DateTime `json:"date"`
	IsCritical bool                  `json:"isCritical"` // needs attention
	// CriticalUntil ends IsCritical by itself: a date-time in the future, of a critical status
	// alone. Without it the status is critical until it is changed.
	CriticalUntil twinplatform.DateTime `json:"criticalUntil,omitzero"`
	Note          string                `json:"note"` // up to MaxText characters
	// RecordDate is the platform's to say: only null is taken.
	RecordDate twinplatform.Optional[twinplatform.DateTime] `json:"recordDate,omitzero"`
	Deleted    twinplatform.Optional[bool]                  `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateStatusHistoryItem records a status of a resource (POST
// …/resources/status-history), as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (resourceId, statusItemId,
// date) or InvalidValue (the same, id, note, criticalUntil that is past or of a status that
// is not critical, and statusCategoryId for another category than that of the status item);
// ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateStatusHistoryItem(ctx context.Context,
	n NewStatusHistoryItem,
) (twinplatform.Result[StatusHistoryItem], error) {
	var c problem.Checks
	historyKind.CheckNew(&n, &c)
	inFuture(&c, n.CriticalUntil, p.calls.now())
	if err := c.Err(model.InvalidRequest); err != nil {
		return twinplatform.Result[StatusHistoryItem]{}, err
	}
	return p.calls.history.Create(ctx, p.id, n)
}

// StatusHistoryItemPatch changes a recorded status: what is left out stays. A status
// is marked critical for a while by setting IsCritical, and clearing it later, which
// CriticalUntil does by itself.
type StatusHistoryItemPatch struct {
	model.AsRead

	// CriticalUntil ends IsCritical by itself: a date-time in the future, of a critical status
	// alone. Null leaves IsCritical as it is until it is changed.
	CriticalUntil twinplatform.Optional[twinplatform.DateTime] `json:"criticalUntil,omitzero"`

	// null makes it false, and clears CriticalUntil
	IsCritical twinplatform.Optional[bool]   `json:"isCritical,omitzero"`
	Note       twinplatform.Optional[string] `json:"note,omitzero"` // null clears it

	// may be given as it is
	Date twinplatform.Optional[twinplatform.DateTime] `json:"date,omitzero"`
	// may be given as it is
	RecordDate twinplatform.Optional[twinplatform.DateTime] `json:"recordDate,omitzero"`
	// may be given as it is
	ResourceID       twinplatform.Optional[string] `json:"resourceId,omitzero"`
	StatusCategoryID twinplatform.Optional[string] `json:"statusCategoryId,omitzero"` // may be given as it is
	StatusItemID     twinplatform.Optional[string] `json:"statusItemId,omitzero"`     // may be given as it is
}

// UpdateStatusHistoryItem changes what is noted of a recorded status (PATCH). It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue (note,
// criticalUntil that is past or of a status that is not critical, and what does not
// change); ScheduleNotFound; StatusHistoryItemNotFound;
// InsufficientPermissions; ScheduleNotInitialized; VersionMismatch.
func (p Plan) UpdateStatusHistoryItem(ctx context.Context, itemID string, patch StatusHistoryItemPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[StatusHistoryItem], error) {
	var c problem.Checks
	historyKind.CheckPatch(itemID, &patch, &c)
	inFuture(&c, patch.CriticalUntil.Or(twinplatform.DateTime{}), p.calls.now())
	if err := c.Err(model.InvalidRequest); err != nil {
		return twinplatform.Result[StatusHistoryItem]{}, err
	}
	return p.calls.history.Update(ctx, p.id, itemID, patch, pre)
}

// DeleteStatusHistoryItem takes a recorded status back, as a long-running operation:
// the newest of the others in its category is the current one then. It needs
// PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// StatusHistoryItemNotFound; VersionMismatch.
func (p Plan) DeleteStatusHistoryItem(ctx context.Context, itemID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[StatusHistoryItem], error) {
	return p.calls.history.Remove(ctx, p.id, []string{itemID}, pre)
}
