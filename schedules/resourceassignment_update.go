package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ResourceAssignmentPatch changes a resource assignment: what is left out stays.
type ResourceAssignmentPatch struct {
	AsRead
	ResourceAssignmentFields
}

// ResourceAssignmentChange is the patch of one of several resource assignments.
type ResourceAssignmentChange struct {
	// ID is required.
	ID      string                      `json:"id"`
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // false
	ResourceAssignmentFields
}

func (n *ResourceAssignmentChange) patch() ResourceAssignmentPatch {
	return ResourceAssignmentPatch{AsRead: AsRead{Deleted: n.Deleted}, ResourceAssignmentFields: n.ResourceAssignmentFields}
}

// ResourceAssignmentFields are the members of a resource assignment that can be
// changed, and those that may be given as they are.
type ResourceAssignmentFields struct {
	AppearanceProfileID twinplatform.Optional[string] `json:"appearanceProfileId,omitzero"` // not empty, up to MaxText characters
	// A utilization is given whole; null makes it 0 throughout.
	PlannedUtilization twinplatform.Optional[Utilization] `json:"plannedUtilization,omitzero"`
	// RemainingUtilization, when it is null, or left out while one of the others is
	// given, is PlannedUtilization without the units of ActualUtilization.
	RemainingUtilization twinplatform.Optional[Utilization]       `json:"remainingUtilization,omitzero"`
	ActualUtilization    twinplatform.Optional[ActualUtilization] `json:"actualUtilization,omitzero"` // null makes it 0 throughout
	// Costs are from 0 to MaxAmount; null makes them 0.
	PlannedCost   twinplatform.Optional[float64]               `json:"plannedCost,omitzero"`
	ActualCost    twinplatform.Optional[float64]               `json:"actualCost,omitzero"`
	RemainingCost twinplatform.Optional[float64]               `json:"remainingCost,omitzero"`
	CostAccount   twinplatform.Optional[string]                `json:"costAccount,omitzero"`  // up to MaxText characters; null clears it
	ExternalID    twinplatform.Optional[string]                `json:"externalId,omitzero"`   // up to MaxText characters; null clears it
	Delay         twinplatform.Optional[int32]                 `json:"delay,omitzero"`        // in seconds of working time; null makes it 0
	ActualStart   twinplatform.Optional[twinplatform.DateTime] `json:"actualStart,omitzero"`  // null clears it
	ActualFinish  twinplatform.Optional[twinplatform.DateTime] `json:"actualFinish,omitzero"` // null clears it
	ResourceID    twinplatform.Optional[string]                `json:"resourceId,omitzero"`   // may be given as it is
	TaskID        twinplatform.Optional[string]                `json:"taskId,omitzero"`       // may be given as it is
}

// UpdateResourceAssignment changes a resource assignment (PATCH). It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty
// (appearanceProfileId) or InvalidValue (appearanceProfileId, taskId, resourceId
// and the numbers of a utilization); ScheduleNotFound; ResourceAssignmentNotFound;
// InsufficientPermissions; ScheduleNotInitialized; VersionMismatch.
func (p Plan) UpdateResourceAssignment(ctx context.Context, assignmentID string, patch ResourceAssignmentPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Family.Update(ctx, p.id, assignmentID, patch, pre)
}

// UpdateResourceAssignments changes up to 1,000 resource assignments, all or none
// (PATCH …/tasks/resource-assignments). It needs PermissionModify.
//
// Errors: as UpdateResourceAssignment, with targets such as resourceAssignments[3].id,
// which is required.
func (p Plan) UpdateResourceAssignments(ctx context.Context, changes []ResourceAssignmentChange, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceAssignment], error) {
	if err := model.CheckBatch("resourceAssignments", len(changes)); err != nil {
		return twinplatform.Result[ResourceAssignment]{}, err
	}
	var c problem.Checks
	ids := make([]string, len(changes))
	for i, n := range changes {
		c.At("resourceAssignments", i)
		c.Need("id", n.ID, MaxText)
		patch := n.patch()
		assignmentKind.CheckPatch(n.ID, &patch, &c)
		ids[i] = n.ID
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[ResourceAssignment]{}, err
	}
	return familiesOf(p.s).assignments.update.Start(ctx, p.id, model.Direct, ids, changes, pre...)
}

func updateAssignments(u *records.Update, e *model.Edit[[]ResourceAssignmentChange, ResourceAssignment]) error {
	if err := records.Large(u, len(e.Request)); err != nil {
		return err
	}
	for _, n := range e.Request { // before the first is written: an assignment may be named twice
		if err := assignmentRecords.Check(u, e.Scope, n.ID, e.Condition); err != nil {
			return assignmentMissing.Named(assignmentKind.Resource, n.ID).Or(err)
		}
	}
	for i, n := range e.Request {
		var c problem.Checks
		c.At("resourceAssignments", i)
		patch := n.patch()
		rec, err := assignmentKind.ModifyEach(u, e.Scope, n.ID, &patch, &c)
		if err != nil {
			return err
		}
		e.Wrote(rec)
	}
	return nil
}
