package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// NewResource asks for a resource. Null and left out are the same in it.
type NewResource struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// Type is required.
	Type        ResourceType `json:"type"`
	Description string       `json:"description"` // up to MaxText characters
	// Email is for Human alone.
	Email string `json:"email"`
	// ExternalID is kept as given, up to MaxText characters.
	ExternalID string `json:"externalId,omitzero"`
	// ParentID names a resource of the same schedule, or of the same batch.
	ParentID   string `json:"parentId"`
	CalendarID string `json:"calendarId"` // a calendar of the schedule
	RuleID     string `json:"ruleId"`     // kept as given; it names nothing
	// LeadTime is in seconds, 0 or more.
	LeadTime int32 `json:"leadTime"`
	// Quantity is 0 or more, a whole number for a resource of whole units, and unsaid when
	// nil.
	Quantity *float64       `json:"quantity,omitempty"`
	Rates    []ResourceRate `json:"rates,omitempty"` // MaxRates at most
	// Renewable is, when nil, false for Material and true for all others.
	Renewable *bool `json:"renewable"`
	// UnitType is for Material and Location alone, and Unknown when empty.
	UnitType ResourceUnitType `json:"unitType"`
	// WholeUnits is, when nil, true for Human and Equipment and false for all
	// others.
	WholeUnits *bool  `json:"wholeUnits"`
	URL        string `json:"url"` // up to MaxText characters
	// UserDefinedID is that of no other resource of the schedule.
	UserDefinedID string                      `json:"userDefinedId"`
	Deleted       twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateResource makes a resource. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, type) or
// InvalidValue (id, type, description, email, parentId, calendarId, ruleId,
// leadTime, quantity, unitType, url, userDefinedId); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists (id,
// userDefinedId).
func (p Plan) CreateResource(ctx context.Context, n NewResource) (twinplatform.Result[Resource], error) {
	return familiesOf(p.s).resources.Create(ctx, p.id, n)
}

// CreateResources makes up to 1,000 resources, all or none (POST
// …/resources/batch). A resource may name any other of the batch as its parent.
//
// Errors: as CreateResource, with targets such as batch[3].name.
func (p Plan) CreateResources(ctx context.Context, batch []NewResource) (twinplatform.Result[Resource], error) {
	return familiesOf(p.s).resources.CreateMany(ctx, p.id, batch)
}
