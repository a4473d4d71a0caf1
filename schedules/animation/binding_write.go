package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// NewBinding asks for an animation binding. Null and left out are the same in
// it.
type NewBinding struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// AnimatedEntityID and TaskID are required; the task is one of the schedule.
	AnimatedEntityID    string `json:"animatedEntityId"`
	TaskID              string `json:"taskId"`
	AppearanceProfileID string `json:"appearanceProfileId"` // of a profile of the schedule
	// of a 3D path assignment of the schedule
	PathAssignmentID string `json:"pathAssignmentId"`
	// of an assignment of the task, and of the resource if one is named
	ResourceAssignmentID string                      `json:"resourceAssignmentId"`
	ResourceGroupID      string                      `json:"resourceGroupId"`  // of a resource group of the schedule
	ResourceID           string                      `json:"resourceId"`       // of a resource of the schedule
	TransformID          string                      `json:"transformId"`      // of a 3D transform of the schedule
	Deleted              twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateBinding lets an entity show a task. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (animatedEntityId, taskId) or
// InvalidValue (id, animatedEntityId, and each id of what the schedule does not have,
// such as transformId); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateBinding(ctx context.Context, n NewBinding) (twinplatform.Result[Binding], error) {
	return callsOf(p).bindings.Create(ctx, p.id, n)
}

// CreateBindings makes up to 1,000 animation bindings, all or none (POST
// …/animation-bindings/batch).
//
// Errors: as CreateBinding, with targets such as batch[3].taskId.
func (p Plan) CreateBindings(ctx context.Context, batch []NewBinding) (twinplatform.Result[Binding], error) {
	return callsOf(p).bindings.CreateMany(ctx, p.id, batch)
}

// BindingPatch changes an animation binding: what is left out stays.
type BindingPatch struct {
	model.AsRead

	// not empty, up to MaxID characters
	AnimatedEntityID twinplatform.Optional[string] `json:"animatedEntityId,omitzero"`
	// of a task of the schedule
	TaskID               twinplatform.Optional[string] `json:"taskId,omitzero"`
	AppearanceProfileID  twinplatform.Optional[string] `json:"appearanceProfileId,omitzero"`  // null clears it
	PathAssignmentID     twinplatform.Optional[string] `json:"pathAssignmentId,omitzero"`     // null clears it
	ResourceAssignmentID twinplatform.Optional[string] `json:"resourceAssignmentId,omitzero"` // null clears it
	ResourceGroupID      twinplatform.Optional[string] `json:"resourceGroupId,omitzero"`      // null clears it
	ResourceID           twinplatform.Optional[string] `json:"resourceId,omitzero"`           // null clears it
	TransformID          twinplatform.Optional[string] `json:"transformId,omitzero"`          // null clears it
}

// UpdateBinding changes an animation binding (PATCH). It needs PermissionModify.
//
// Errors: as CreateBinding without AlreadyExists; AnimationBindingNotFound;
// VersionMismatch.
func (p Plan) UpdateBinding(ctx context.Context, bindingID string, patch BindingPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Binding], error) {
	return callsOf(p).bindings.Update(ctx, p.id, bindingID, patch, pre)
}

// DeleteBindings deletes up to 1,000 animation bindings, as a long-running
// operation; what they name stays. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty or InvalidValue (animationBindingIds);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// AnimationBindingNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteBindings(ctx context.Context, bindingIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Binding], error) {
	return callsOf(p).bindings.Remove(ctx, p.id, bindingIDs, pre)
}
