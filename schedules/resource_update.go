package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// ResourcePatch changes a resource: what is left out stays, null clears.
type ResourcePatch struct {
	AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // not empty, up to MaxText characters
	// Type, when it changes, clears the email or the unit that resources of
	// the new type do not have.
	Type        twinplatform.Optional[ResourceType] `json:"type,omitzero"`
	Description twinplatform.Optional[string]       `json:"description,omitzero"` // null clears it
	// Email is for Human alone.
	Email      twinplatform.Optional[string] `json:"email,omitzero"`
	ExternalID twinplatform.Optional[string] `json:"externalId,omitzero"` // up to MaxText characters; null clears it
	ParentID   twinplatform.Optional[string] `json:"parentId,omitzero"`   // null moves it to the top
	CalendarID twinplatform.Optional[string] `json:"calendarId,omitzero"` // null clears it
	RuleID     twinplatform.Optional[string] `json:"ruleId,omitzero"`     // null clears it
	// LeadTime is in seconds, 0 or more.
	LeadTime twinplatform.Optional[int32] `json:"leadTime,omitzero"`
	// Quantity is 0 or more, and a whole number for a resource of whole units; null clears
	// it.
	Quantity twinplatform.Optional[float64] `json:"quantity,omitzero"`
	// Rates are given whole, MaxRates at most; null clears them.
	Rates twinplatform.Optional[[]ResourceRate] `json:"rates,omitzero"`
	// Renewable and WholeUnits go back with null to what new resources of the
	// type have.
	Renewable twinplatform.Optional[bool] `json:"renewable,omitzero"`
	// UnitType is for Material and Location alone; null makes it Unknown.
	UnitType      twinplatform.Optional[ResourceUnitType] `json:"unitType,omitzero"`
	WholeUnits    twinplatform.Optional[bool]             `json:"wholeUnits,omitzero"`
	URL           twinplatform.Optional[string]           `json:"url,omitzero"`           // null clears it
	UserDefinedID twinplatform.Optional[string]           `json:"userDefinedId,omitzero"` // that of no other resource; null clears it
}

// UpdateResource changes a resource (PATCH), and renews the finishes of the tasks that are done when
// it works, in steps where tasks are many. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue for each property that has no such value or that the resource's
// type does not allow, and wholeUnits for a resource of which tasks use parts of
// units; ScheduleNotFound; ResourceNotFound;
// InsufficientPermissions; ScheduleNotInitialized; VersionMismatch;
// AlreadyExists (userDefinedId).
func (p Plan) UpdateResource(ctx context.Context, resourceID string, patch ResourcePatch, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return familiesOf(p.s).resources.Update(ctx, p.id, resourceID, patch, pre)
}
