package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// NewResourceAssignment asks for a resource assignment. Null and left out are the
// same in it.
type NewResourceAssignment struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// TaskID and ResourceID are required and name a task and a resource of the
	// schedule.
	TaskID     string `json:"taskId"`
	ResourceID string `json:"resourceId"`
	// AppearanceProfileID is required. It is kept as it is given.
	AppearanceProfileID string `json:"appearanceProfileId"`
	// PlannedUtilization is 0 throughout when left out.
	PlannedUtilization Utilization `json:"plannedUtilization"`
	// RemainingUtilization is, when nil, PlannedUtilization without the units of
	// ActualUtilization.
	RemainingUtilization *Utilization                `json:"remainingUtilization"`
	ActualUtilization    ActualUtilization           `json:"actualUtilization"`      // 0 throughout when left out
	Deleted              twinplatform.Optional[bool] `json:"deleted,omitzero"`       // nothing is made deleted
	PlannedCost          float64                     `json:"plannedCost,omitzero"`   // 0 to MaxAmount
	ActualCost           float64                     `json:"actualCost,omitzero"`    // 0 to MaxAmount
	RemainingCost        float64                     `json:"remainingCost,omitzero"` // 0 to MaxAmount
	CostAccount          string                      `json:"costAccount,omitzero"`   // up to MaxText characters
	ExternalID           string                      `json:"externalId,omitzero"`    // up to MaxText characters
	Delay                int32                       `json:"delay,omitzero"`         // in seconds of working time
	ActualStart          twinplatform.DateTime       `json:"actualStart,omitzero"`   // when it began to work
	ActualFinish         twinplatform.DateTime       `json:"actualFinish,omitzero"`  // when it ended its work
}

// CreateResourceAssignment lets a task use a resource (POST
// …/tasks/resource-assignments), as a long-running operation. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (taskId, resourceId,
// appearanceProfileId) or InvalidValue (the same, id, and the numbers of a
// utilization, such as plannedUtilization.resourceUnits, which are 0 or more and
// whole for a resource of whole units); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateResourceAssignment(ctx context.Context, n NewResourceAssignment) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Create(ctx, p.id, n)
}

// CreateResourceAssignments makes up to 1,000 resource assignments, all or none
// (POST …/tasks/resource-assignments/batch).
//
// Errors: as CreateResourceAssignment, with targets such as batch[3].taskId.
func (p Plan) CreateResourceAssignments(ctx context.Context, batch []NewResourceAssignment) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.CreateMany(ctx, p.id, batch)
}
