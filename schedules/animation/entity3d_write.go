package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// NewEntity3D asks for a 3D entity.
type NewEntity3D struct {
	// ID is chosen by the platform when empty.
	ID             string                  `json:"id"`
	ModelElementID twinplatform.NullString `json:"modelElementId"` // an element of the 3D model, if any
	// Name is required.
	Name string `json:"name"`
	// ParentID names an entity of the same schedule.
	ParentID twinplatform.NullString `json:"parentId"`
	// ResourceID names the resource that the entity shows, if any.
	ResourceID twinplatform.NullString     `json:"resourceId"`
	Deleted    twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateEntity3D makes a 3D entity (POST …/entities-3d). It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule, MissingRequiredProperty (name) or InvalidValue (id, name,
// modelElementId, parentId, resourceId); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateEntity3D(ctx context.Context, n NewEntity3D) (twinplatform.Result[Entity3D], error) {
	return callsOf(p).entities3D.Create(ctx, p.id, n)
}

// Entity3DPatch changes a 3D entity: what is left out stays, null clears.
type Entity3DPatch struct {
	model.AsRead

	ModelElementID twinplatform.Optional[string] `json:"modelElementId,omitzero"` // null clears it
	Name           twinplatform.Optional[string] `json:"name,omitzero"`           // not empty, up to MaxText characters
	ParentID       twinplatform.Optional[string] `json:"parentId,omitzero"`       // null moves it to the top
	// ResourceID names the resource that the entity shows from now on; null lets it
	// show none.
	ResourceID twinplatform.Optional[string] `json:"resourceId,omitzero"`
}

// UpdateEntity3D changes a 3D entity (PATCH …/entities-3d/{entity3dId}). It needs
// PermissionModify.
//
// Errors: as CreateEntity3D without AlreadyExists; Entity3dNotFound;
// VersionMismatch.
func (p Plan) UpdateEntity3D(ctx context.Context, entity3DID string, patch Entity3DPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Entity3D], error) {
	return callsOf(p).entities3D.Update(ctx, p.id, entity3DID, patch, pre)
}
