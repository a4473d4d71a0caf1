package codes

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// NewCodeValue asks for a value of a code. Null and left out are the same in it.
type NewCodeValue struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// CodeID and Name are required; the code is one of the schedule.
	CodeID      string                      `json:"codeId"`
	Name        string                      `json:"name"`
	Description string                      `json:"description"`      // up to MaxText characters
	Color       string                      `json:"color"`            // of the form #rrggbb, or empty
	ParentID    string                      `json:"parentId"`         // of another value of the code
	Deleted     twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateCodeValue makes a value of a code (POST …/codes/code-values), as a long-running
// operation. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10, MissingRequiredProperty (codeId, name) or InvalidValue (id,
// codeId, name, description, color, and parentId for what is no value of the code or a
// place more than MaxDepth deep); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateCodeValue(ctx context.Context, n NewCodeValue) (twinplatform.Result[CodeValue], error) {
	return p.calls.values.Create(ctx, p.id, n)
}

// CreateCodeValues makes up to 1,000 values of codes, all or none (POST
// …/codes/code-values/batch). Their order does not matter: one may lie below another of
// the batch.
//
// Errors: as CreateCodeValue, with targets such as batch[3].name.
func (p Plan) CreateCodeValues(ctx context.Context, batch []NewCodeValue) (twinplatform.Result[CodeValue], error) {
	return p.calls.values.CreateMany(ctx, p.id, batch)
}

// CodeValuePatch changes a value of a code: what is left out stays.
type CodeValuePatch struct {
	model.AsRead

	Name        twinplatform.Optional[string] `json:"name,omitzero"`        // not empty, up to MaxText characters
	Description twinplatform.Optional[string] `json:"description,omitzero"` // up to MaxText characters; null clears it
	Color       twinplatform.Optional[string] `json:"color,omitzero"`       // of the form #rrggbb; null clears it
	ParentID    twinplatform.Optional[string] `json:"parentId,omitzero"`    // null puts it at the top
	CodeID      twinplatform.Optional[string] `json:"codeId,omitzero"`      // may be given as it is
}

// UpdateCodeValue changes a value of a code (PATCH). It needs PermissionModify.
//
// Errors: as CreateCodeValue without AlreadyExists, and InvalidValue (parentId) for a
// value that would come below itself; CodeValueNotFound; VersionMismatch.
func (p Plan) UpdateCodeValue(ctx context.Context, codeValueID string, patch CodeValuePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[CodeValue], error) {
	return p.calls.values.Update(ctx, p.id, codeValueID, patch, pre)
}

// DeleteCodeValue deletes a value of a code with all values below it, which all that had
// them loses, as a long-running operation that goes in steps when they are many. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a schedule
// that is not of type v10; ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; CodeValueNotFound; VersionMismatch.
func (p Plan) DeleteCodeValue(ctx context.Context, codeValueID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[CodeValue], error) {
	return p.calls.values.Remove(ctx, p.id, []string{codeValueID}, pre)
}
