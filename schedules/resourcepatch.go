package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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
	ParentID   twinplatform.Optional[string] `json:"parentId,omitzero"`   // null moves it to the top
	CalendarID twinplatform.Optional[string] `json:"calendarId,omitzero"` // null clears it
	RuleID     twinplatform.Optional[string] `json:"ruleId,omitzero"`     // null clears it
	// LeadTime is in seconds, 0 or more.
	LeadTime twinplatform.Optional[int32] `json:"leadTime,omitzero"`
	// Renewable and WholeUnits go back with null to what new resources of the
	// type have.
	Renewable twinplatform.Optional[bool] `json:"renewable,omitzero"`
	// UnitType is for Material and Location alone; null makes it Unknown.
	UnitType      twinplatform.Optional[ResourceUnitType] `json:"unitType,omitzero"`
	WholeUnits    twinplatform.Optional[bool]             `json:"wholeUnits,omitzero"`
	URL           twinplatform.Optional[string]           `json:"url,omitzero"`           // null clears it
	UserDefinedID twinplatform.Optional[string]           `json:"userDefinedId,omitzero"` // that of no other resource; null clears it
}

// UpdateResource changes a resource (PATCH). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue for each property that has no such value or that the resource's
// type does not allow; ScheduleNotFound; ResourceNotFound;
// InsufficientPermissions; ScheduleNotInitialized; VersionMismatch;
// AlreadyExists (userDefinedId).
func (s *Service) UpdateResource(ctx context.Context, scheduleID, resourceID string, p ResourcePatch, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return update(ctx, s.resources.update, scheduleID, resourceID, twinplatform.IfMatchHeader(pre...), p)
}

func (p ResourcePatch) check(c *refuse.Checks) {
	if p.Name.Present() {
		c.Need("name", p.Name.Or(""), MaxText)
	}
	if p.Type.Present() {
		refuse.OneOf(c, "type", p.Type.Or(""), resourceTypes)
	}
	if p.LeadTime.Or(0) < 0 {
		c.Bad("leadTime", "A lead time is a number of seconds from 0 on.")
	}
	refuse.OneOf(c, "unitType", p.UnitType.Or(UnknownUnit), resourceUnitTypes)
	checkEmail(c, p.Email.Or(""))
	c.AtMost("description", p.Description.Or(""), MaxText)
	c.AtMost("calendarId", p.CalendarID.Or(""), MaxText)
	c.AtMost("ruleId", p.RuleID.Or(""), MaxText)
	c.AtMost("url", p.URL.Or(""), MaxText)
	c.AtMost("userDefinedId", p.UserDefinedID.Or(""), MaxText)
}

func (p ResourcePatch) apply(r *Resource, c *refuse.Checks) {
	p.Name.Apply(&r.Name)
	p.Type.Apply(&r.Type)
	p.Description.Apply(&r.Description)
	p.ParentID.Apply((*string)(&r.ParentID))
	p.CalendarID.Apply((*string)(&r.CalendarID))
	p.RuleID.Apply((*string)(&r.RuleID))
	p.LeadTime.Apply(&r.LeadTime)
	p.URL.Apply((*string)(&r.URL))
	p.UserDefinedID.Apply((*string)(&r.UserDefinedID))
	usual := NewResource{Type: r.Type}.record()
	if p.Renewable.Present() {
		r.Renewable = p.Renewable.Or(usual.Renewable)
	}
	if p.WholeUnits.Present() {
		r.WholeUnits = p.WholeUnits.Or(usual.WholeUnits)
	}
	p.applyType(r, c)
}

// applyType sets what only resources of some types have.
func (p ResourcePatch) applyType(r *Resource, c *refuse.Checks) {
	if p.Email.Or("") != "" {
		onlyHuman(c, r.Type)
	}
	p.Email.Apply(&r.Email)
	if r.Type != Human {
		r.Email = ""
	}
	if p.UnitType.Or(UnknownUnit) != UnknownUnit {
		onlyMeasured(c, r.Type)
	}
	if p.UnitType.Present() {
		r.UnitType = p.UnitType.Or(UnknownUnit)
	}
	if !r.Type.measured() {
		r.UnitType = UnknownUnit
	}
}
