package schedules

import (
	"context"
	"math"
	"net/mail"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// ResourceType is the kind of a resource.
type ResourceType string

// The resource types.
const (
	MaterialResource    ResourceType = "Material"  // has a unit; used up unless set otherwise
	LocationResource    ResourceType = "Location"  // has a unit
	EquipmentResource   ResourceType = "Equipment" // has neither unit nor email
	HumanResource       ResourceType = "Human"     // has an email
	UnknownResourceType ResourceType = "Unknown"
)

var resourceTypes = []ResourceType{
	MaterialResource, LocationResource, EquipmentResource, HumanResource,
	UnknownResourceType,
}

// measured reports whether such resources have a unit.
func (t ResourceType) measured() bool { return t == MaterialResource || t == LocationResource }

// Resource is a human, equipment, material or location that tasks use.
type Resource struct {
	// CalendarID is the calendar of the resource, if it has its own. Tasks follow it that are
	// done when their resources work.
	CalendarID  twinplatform.NullString `json:"calendarId"`
	Deleted     bool                    `json:"deleted"`     // true in deltas alone
	Description string                  `json:"description"` // up to MaxText characters
	// Email is empty for all but Human.
	Email string `json:"email"`
	// ExternalID is by what a planner knows the resource, up to MaxText characters; left out where
	// there is none.
	ExternalID twinplatform.NullString `json:"externalId,omitzero"`
	ID         string                  `json:"id"` // unique in the schedule; never changes
	// LeadTime is how long before it is needed the resource must be asked
	// for, in seconds.
	LeadTime int32                   `json:"leadTime"`
	Name     string                  `json:"name"`     // 1 to MaxText characters
	ParentID twinplatform.NullString `json:"parentId"` // the resource above it; null at the top
	// Quantity is how much there is of the resource before any task uses it, or of a
	// renewable one at any one time: 0 or more, in UnitType where that is known. It is
	// left out where it is not given; what is left of it is its ResourceAvailability.
	Quantity *float64 `json:"quantity,omitempty"`
	// Rates are what it costs, MaxRates at most; left out where there are none.
	Rates []ResourceRate `json:"rates,omitempty"`
	// Renewable resources are free again after a task; of others a task leaves
	// less.
	Renewable bool                    `json:"renewable"`
	RuleID    twinplatform.NullString `json:"ruleId"` // names nothing in the schedule
	Type      ResourceType            `json:"type"`   // says which of Email and UnitType it has
	// UnitName is what a planner calls the unit, up to MaxText characters; left out where it calls
	// it as UnitType does, or has none. It is kept as it is given, and cleared with another UnitType.
	UnitName string `json:"unitName,omitzero"`
	// UnitType is Unknown for all but Material and Location.
	UnitType units.ResourceUnitType  `json:"unitType"`
	URL      twinplatform.NullString `json:"url"` // null when there is none
	// UserDefinedID is unique among the resources of the schedule, unless empty.
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
	// WholeUnits resources are not divided: whatever assigns units of one
	// assigns a whole number of them.
	WholeUnits bool `json:"wholeUnits"`
}

var resourceRecords = records.Collection[Resource]{
	Name:        model.Resources.Collection(),
	ID:          func(r *Resource) string { return r.ID },
	MarkDeleted: func(r *Resource) { r.Deleted = true },
	Indexes: []records.Index[Resource]{
		{Name: "parent", Value: func(r *Resource) string { return string(r.ParentID) }},
		{Name: model.UserDefinedID, Value: func(r *Resource) string { return string(r.UserDefinedID) }},
		{Name: ofCalendar, Value: func(r *Resource) string { return string(r.CalendarID) }},
	},
}

var resourceMissing = model.Resources.Missing

var resourceKind = entity.Kind[Resource, NewResource, ResourcePatch]{
	Records: &resourceRecords, One: model.Resources.One, Many: model.Resources.Many, Batches: true,
	Resource: model.Resources.Resource,
	Missing:  resourceMissing, Bad: &InvalidRequest,
	Members: func(r *Resource, n *NewResource, p *ResourcePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&r.ID, &n.ID, &p.ID),
			entity.Text("name", &r.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Enum("type", &r.Type, &n.Type, &p.Type, resourceTypes).Required(),
			entity.Text("description", &r.Description, &n.Description, &p.Description).Max(MaxText),
			entity.Text("email", &r.Email, &n.Email, &p.Email).Valid(checkEmail, email).Person(),
			entity.Text("externalId", &r.ExternalID, &n.ExternalID, &p.ExternalID).Max(MaxText).NotRef(model.ToolsID),
			entity.Ref("parentId", &r.ParentID, &n.ParentID, &p.ParentID, &resourceRecords).Owns(),
			entity.Value("leadTime", &r.LeadTime, &n.LeadTime, &p.LeadTime).Valid(checkLeadTime, schema.AtLeast(0)),
			entity.Part("quantity", &r.Quantity, &n.Quantity, &p.Quantity, checkQuantity, schema.AtLeast(0)),
			entity.Value("rates", &r.Rates, &n.Rates, &p.Rates).Valid(checkRates),
			entity.Enum("unitType", &r.UnitType, &n.UnitType, &p.UnitType, units.All()).Default(units.Unknown),
			entity.Text("unitName", &r.UnitName, &n.UnitName, &p.UnitName).Max(MaxText),
			entity.Ref("calendarId", &r.CalendarID, &n.CalendarID, &p.CalendarID,
				&calendarRecords).Max(MaxText).Keeps("used"),
			entity.Text("ruleId", &r.RuleID, &n.RuleID,
				&p.RuleID).Max(MaxText).NotRef("it is kept as given and names nothing"),
			entity.Text("url", &r.URL, &n.URL, &p.URL).Max(MaxText),
			entity.Text("userDefinedId", &r.UserDefinedID, &n.UserDefinedID,
				&p.UserDefinedID).Max(MaxText).NotRef(model.OwnID),
		}
	},
	AfterCreate: func(r *Resource, n *NewResource, c *problem.Checks) {
		r.checkType(n.Email != "", n.UnitType != "" && n.UnitType != units.Unknown, n.UnitName != "", c)
		r.Renewable, r.WholeUnits = r.Type.usual()
		if n.Renewable != nil {
			r.Renewable = *n.Renewable
		}
		if n.WholeUnits != nil {
			r.WholeUnits = *n.WholeUnits
		}
		r.checkQuantity(c)
	},
	AfterUpdate: func(r, stored *Resource, p *ResourcePatch, c *problem.Checks) {
		r.checkType(p.Email.Or("") != "", p.UnitType.Or(units.Unknown) != units.Unknown, p.UnitName.Or("") != "", c)
		renewable, whole := r.Type.usual()
		if p.Renewable.Present() {
			r.Renewable = p.Renewable.Or(renewable)
		}
		if p.WholeUnits.Present() {
			r.WholeUnits = p.WholeUnits.Or(whole)
		}
		if r.Type != HumanResource {
			r.Email = ""
		}
		if !r.Type.measured() {
			r.UnitType = units.Unknown
		}
		if r.UnitType != stored.UnitType && !p.UnitName.Present() || !r.Type.measured() {
			r.UnitName = ""
		}
		r.checkQuantity(c)
	},
	Validate: resourceFits,
	Needs: func(s records.Scope, r *Resource) []records.Need {
		return resourceRecords.NeedsIndexed(s, model.UserDefinedID, string(r.UserDefinedID))
	},
	AfterWrite: showInGroups,
}

func (r *Resource) parent() string { return string(r.ParentID) }

// usual returns the defaults of resources of a type.
func (t ResourceType) usual() (renewable, wholeUnits bool) {
	return t != MaterialResource, t == HumanResource || t == EquipmentResource
}

// unit is what the resource is counted in, as a planner calls it; empty where that is not known.
func (r *Resource) unit() string {
	if r.UnitName == "" && r.UnitType != units.Unknown {
		return string(r.UnitType)
	}
	return r.UnitName
}

// checkType holds a resource that was given an email or a unit to what its type
// has.
func (r *Resource) checkType(email, unit, unitName bool, c *problem.Checks) {
	if email && r.Type != HumanResource {
		c.Bad("email", "Only a Human resource has an email address.")
	}
	if unit && !r.Type.measured() {
		c.Bad("unitType", "Only Material and Location resources have a unit.")
	}
	if unitName && !r.Type.measured() {
		c.Bad("unitName", "Only Material and Location resources have a unit.")
	}
}

// resourceFits checks what a new or changed resource has in common with others.
func resourceFits(tx records.Reading, s records.Scope, r, stored *Resource, c *problem.Checks) error {
	if stored != nil && r.WholeUnits && !stored.WholeUnits {
		for id := range assignmentRecords.IDs(tx, s, dividedResource, r.ID) {
			c.Bad("wholeUnits", "The resource assignment '%s' divides the resource.", id)
			break
		}
	}
	if stored != nil && stored.UserDefinedID == r.UserDefinedID {
		return nil
	}
	return model.UnusedUserID(tx, s, &resourceRecords, c, "resource", string(r.UserDefinedID), r.ID)
}

// Resource returns a resource (S20). Errors: ResourceNotFound, also for a
// schedule that is missing or not for the caller to see.
func (p Plan) Resource(ctx context.Context, resourceID string) (twinplatform.Record[Resource], error) {
	return familiesOf(p.s).resources.Get(ctx, p.id, resourceID)
}

// ResourceQuery selects the resources to list.
type ResourceQuery struct {
	twinplatform.ListOptions
}

// Resources lists the resources of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Resources(ctx context.Context, q ResourceQuery) (twinplatform.Page[Resource], error) {
	return familiesOf(p.s).resources.List(ctx, p.id, records.Query[Resource]{ListOptions: q.ListOptions})
}

// DeleteResources deletes up to 1,000 resources as a long-running operation,
// with all resources below them, their places in groups, their statuses and
// their user field values; the 3D entities that show them stay, and show none. A
// large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceNotFound, or ResourceInUse for one that a task
// uses or an animation binding names, itself or below another, and then nothing is deleted;
// VersionMismatch.
func (p Plan) DeleteResources(ctx context.Context, resourceIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Resource], error) {
	return familiesOf(p.s).resources.Remove(ctx, p.id, resourceIDs, pre)
}

// email is what checkEmail takes, none included: as many bytes are no more characters.
var email = schema.AtMost(MaxEmail).And(schema.Pattern(`^$|^[^@ \t\r\n]+@[^@ \t\r\n]+$`, "name@example.com"))

// checkEmail checks the email of a resource that may have one.
func checkEmail(c *problem.Checks, name, email string) {
	if email == "" {
		return
	}
	if a, err := mail.ParseAddress(email); err != nil || a.Address != email || len(email) > MaxEmail {
		c.Bad(name, "An email address is such as name@example.com, with at most %d bytes.", MaxEmail)
	}
}

func checkLeadTime(c *problem.Checks, name string, seconds int32) {
	if seconds < 0 {
		c.Bad(name, "A lead time is a number of seconds from 0 on.")
	}
}

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
	UnitType units.ResourceUnitType `json:"unitType"`
	// UnitName is for Material and Location alone, up to MaxText characters.
	UnitName string `json:"unitName,omitzero"`
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
// leadTime, quantity, unitType, unitName, url, userDefinedId); ScheduleNotFound;
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
	UnitType twinplatform.Optional[units.ResourceUnitType] `json:"unitType,omitzero"`
	// UnitName is for Material and Location alone, up to MaxText characters; null clears it, as
	// another UnitType does that is given without one.
	UnitName   twinplatform.Optional[string] `json:"unitName,omitzero"`
	WholeUnits twinplatform.Optional[bool]   `json:"wholeUnits,omitzero"`
	URL        twinplatform.Optional[string] `json:"url,omitzero"` // null clears it
	// that of no other resource; null clears it
	UserDefinedID twinplatform.Optional[string] `json:"userDefinedId,omitzero"`
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
func (p Plan) UpdateResource(ctx context.Context, resourceID string, patch ResourcePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Resource], error) {
	return familiesOf(p.s).resources.Update(ctx, p.id, resourceID, patch, pre)
}

// ResourceAvailability is how much of a resource its tasks leave. Quantities are in the
// unit type of the resource where that has one; they are those of its own assignments, and
// not of the resources below it.
type ResourceAvailability struct {
	// AvailableQuantity is Quantity without what is used and reserved. It is less than 0
	// where tasks take more than there is, and null where the resource has no quantity.
	AvailableQuantity *float64 `json:"availableQuantity"`
	Quantity          *float64 `json:"quantity"`  // of the resource; null where it has none
	Renewable         bool     `json:"renewable"` // of the resource: nothing is used up or reserved
	// ReservedQuantity is what tasks are still to take: the remaining utilizations of the
	// resource's assignments. It is 0 or more, and 0 for a renewable resource.
	ReservedQuantity float64                `json:"reservedQuantity"`
	ResourceID       string                 `json:"resourceId"`
	UnitType         units.ResourceUnitType `json:"unitType"` // of the resource
	// UsedQuantity is what tasks have taken: the actual utilizations of the resource's
	// assignments. It is 0 or more, and 0 for a renewable resource.
	UsedQuantity float64 `json:"usedQuantity"`
}

// ResourceAvailability returns how much of a resource is left (GET
// …/resources/{resourceId}/availability): of a renewable one its quantity, which tasks give
// back; of another what its tasks neither have used nor will. It follows from the resource
// and its assignments, and takes as long as these are many. The version changes with
// anything in the schedule.
//
// Errors: ResourceNotFound, also for a schedule that is missing or not for the caller to
// see.
func (p Plan) ResourceAvailability(
	ctx context.Context, resourceID string,
) (rec twinplatform.Record[ResourceAvailability], err error) {
	err = p.s.read(ctx, p.id, resourceMissing, func(v *records.View, sc *Schedule) error {
		at := sc.scope()
		r, err := resourceRecords.Value(v, at, resourceID)
		if err != nil {
			return resourceMissing.Or(err)
		}
		a, err := availabilityOf(v, at, r)
		if err != nil {
			return err
		}
		rec, err = records.Summary(v, at, a)
		return err
	})
	return rec, err
}

func availabilityOf(tx records.Reading, s records.Scope, r *Resource) (a ResourceAvailability, err error) {
	a = ResourceAvailability{Quantity: r.Quantity, Renewable: r.Renewable, ResourceID: r.ID, UnitType: r.UnitType}
	if !r.Renewable {
		for use, err := range assignmentRecords.Find(tx, s, assignedResource, r.ID) {
			if err != nil {
				return a, err
			}
			a.UsedQuantity += use.ActualUtilization.ResourceUnits
			a.ReservedQuantity += use.RemainingUtilization.ResourceUnits
		}
	}
	if r.Quantity != nil {
		a.AvailableQuantity = new(*r.Quantity - a.UsedQuantity - a.ReservedQuantity)
	}
	return a, nil
}

func checkQuantity(c *problem.Checks, name string, quantity *float64) { c.Quantity(name, *quantity) }

// checkQuantity refuses a part of a unit of a resource that is not divided.
func (r *Resource) checkQuantity(c *problem.Checks) {
	if r.WholeUnits && r.Quantity != nil && *r.Quantity != math.Trunc(*r.Quantity) {
		c.Bad("quantity", "The resource is not divided: its quantity is a whole number.")
	}
}
