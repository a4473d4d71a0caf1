package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// NewAppearanceProfile asks for an appearance profile. Null and left out are the same
// in it.
type NewAppearanceProfile struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// ParentID names a profile of the same schedule.
	ParentID         string            `json:"parentId"`
	Action           AppearanceAction  `json:"action"`           // null when empty
	StartAppearance  *StillAppearance  `json:"startAppearance"`  // before the task
	ActiveAppearance *ActiveAppearance `json:"activeAppearance"` // during the task
	EndAppearance    *StillAppearance  `json:"endAppearance"`    // after the task
	// CreatedOn is the platform's to say: only null is taken.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateAppearanceProfile makes an appearance profile, as a long-running operation. It
// needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (name) or InvalidValue (id, name, parentId, also for a profile more than MaxDepth deep, action,
// and the colors, transparencies, mode and direction of an appearance, such as
// startAppearance.color); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateAppearanceProfile(ctx context.Context,
	n NewAppearanceProfile,
) (twinplatform.Result[AppearanceProfile], error) {
	return callsOf(p).profiles.Create(ctx, p.id, n)
}

// AppearanceProfilePatch changes an appearance profile: what is left out stays. An
// appearance is given whole.
type AppearanceProfilePatch struct {
	model.AsRead

	Name     twinplatform.Optional[string] `json:"name,omitzero"`     // not empty, up to MaxText characters
	ParentID twinplatform.Optional[string] `json:"parentId,omitzero"` // null puts it at the top
	// Action is an AppearanceAction; null clears it.
	Action           twinplatform.Optional[string]           `json:"action,omitzero"`
	StartAppearance  twinplatform.Optional[StillAppearance]  `json:"startAppearance,omitzero"`  // null clears it
	ActiveAppearance twinplatform.Optional[ActiveAppearance] `json:"activeAppearance,omitzero"` // null clears it
	EndAppearance    twinplatform.Optional[StillAppearance]  `json:"endAppearance,omitzero"`    // null clears it
	// may be given as it is
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
}

// UpdateAppearanceProfile changes an appearance profile (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateAppearanceProfile without AlreadyExists, and InvalidValue (parentId)
// for a profile that would come below itself; AppearanceProfileNotFound;
// VersionMismatch.
func (p Plan) UpdateAppearanceProfile(ctx context.Context, profileID string, patch AppearanceProfilePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[AppearanceProfile], error) {
	return callsOf(p).profiles.Update(ctx, p.id, profileID, patch, pre)
}

// DeleteAppearanceProfile deletes an appearance profile with all profiles below it, as
// a long-running operation that goes in steps when they are many. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AppearanceProfileNotFound; AppearanceProfileInUse for one that
// an animation binding names, itself or below another, and then nothing is deleted;
// VersionMismatch.
func (p Plan) DeleteAppearanceProfile(ctx context.Context, profileID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[AppearanceProfile], error) {
	return callsOf(p).profiles.Remove(ctx, p.id, []string{profileID}, pre)
}
