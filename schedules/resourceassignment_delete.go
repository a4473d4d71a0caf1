package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// DeleteResourceAssignments deletes up to 1,000 resource assignments as a
// long-running operation, with the animation bindings that name them; tasks and
// resources stay. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceAssignmentIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceAssignmentNotFound, and then nothing is deleted;
// VersionMismatch.
func (p Plan) DeleteResourceAssignments(ctx context.Context, assignmentIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceAssignment], error) {
	return familiesOf(p.s).assignments.Remove(ctx, p.id, assignmentIDs, pre)
}
