package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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
	// ParentID names a resource of the same schedule, or of the same batch.
	ParentID   string `json:"parentId"`
	CalendarID string `json:"calendarId"` // kept as given; it names nothing
	RuleID     string `json:"ruleId"`     // kept as given; it names nothing
	// LeadTime is in seconds, 0 or more.
	LeadTime int32 `json:"leadTime"`
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

func (n NewResource) record() *Resource {
	r := &Resource{
		ID: n.ID, Name: n.Name, Type: n.Type, Description: n.Description, Email: n.Email,
		ParentID:   twinplatform.NullString(n.ParentID),
		CalendarID: twinplatform.NullString(n.CalendarID),
		RuleID:     twinplatform.NullString(n.RuleID),
		LeadTime:   n.LeadTime, UnitType: n.UnitType,
		Renewable: n.Type != Material, WholeUnits: n.Type == Human || n.Type == Equipment,
		URL: twinplatform.NullString(n.URL), UserDefinedID: twinplatform.NullString(n.UserDefinedID),
	}
	if r.UnitType == "" {
		r.UnitType = UnknownUnit
	}
	if n.Renewable != nil {
		r.Renewable = *n.Renewable
	}
	if n.WholeUnits != nil {
		r.WholeUnits = *n.WholeUnits
	}
	return r
}

func (n NewResource) check(c *refuse.Checks) {
	asIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	if n.Type == "" {
		c.Add(refuse.Missing("type"))
	} else {
		refuse.OneOf(c, "type", n.Type, resourceTypes)
	}
	c.AtMost("description", n.Description, MaxText)
	checkEmail(c, n.Email)
	if n.LeadTime < 0 {
		c.Bad("leadTime", "A lead time is a number of seconds from 0 on.")
	}
	if n.UnitType != "" {
		refuse.OneOf(c, "unitType", n.UnitType, resourceUnitTypes)
	}
	n.checkType(c)
	c.AtMost("calendarId", n.CalendarID, MaxText)
	c.AtMost("ruleId", n.RuleID, MaxText)
	c.AtMost("url", n.URL, MaxText)
	c.AtMost("userDefinedId", n.UserDefinedID, MaxText)
}

// checkType holds a resource to what its type has.
func (n NewResource) checkType(c *refuse.Checks) {
	if n.Email != "" {
		onlyHuman(c, n.Type)
	}
	if n.UnitType != "" && n.UnitType != UnknownUnit {
		onlyMeasured(c, n.Type)
	}
}

func onlyHuman(c *refuse.Checks, t ResourceType) {
	if t != Human {
		c.Bad("email", "Only a Human resource has an email address.")
	}
}

func onlyMeasured(c *refuse.Checks, t ResourceType) {
	if !t.measured() {
		c.Bad("unitType", "Only Material and Location resources have a unit.")
	}
}

// CreateResource makes a resource. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, type) or
// InvalidValue (id, type, description, email, parentId, calendarId, ruleId,
// leadTime, unitType, url, userDefinedId); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists (id,
// userDefinedId).
func (s *Service) CreateResource(ctx context.Context, scheduleID string, n NewResource) (twinplatform.Result[Resource], error) {
	n.ID = s.idOr(n.ID)
	return create(ctx, s.resources.createOne, scheduleID, n.ID, n)
}

// CreateResources makes up to 1,000 resources, all or none (POST
// …/resources/batch). A resource may name any other of the batch as its parent.
//
// Errors: as CreateResource, with targets such as batch[3].name.
func (s *Service) CreateResources(ctx context.Context, scheduleID string, batch []NewResource) (twinplatform.Result[Resource], error) {
	if err := checkBatch("batch", len(batch)); err != nil {
		return twinplatform.Result[Resource]{}, err
	}
	var c refuse.Checks
	ids := make([]string, len(batch))
	request := make([]NewResource, len(batch))
	for i, n := range batch {
		c.At("batch", i)
		n.check(&c)
		n.ID = s.idOr(n.ID)
		ids[i], request[i] = n.ID, n
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Resource]{}, err
	}
	return s.resources.createMany.start(ctx, scheduleID, direct, ids, request)
}

func addResources(u *records.Update, e *edit[[]NewResource, Resource]) error {
	batch := make([]lineage, len(e.Request))
	for i, n := range e.Request {
		batch[i] = lineage{n.ID, n.ParentID}
	}
	b, err := newBrood("resource", "batch", batch)
	if err != nil {
		return err
	}
	e.Records = make([]twinplatform.Record[Resource], len(e.Request))
	for _, i := range b.order {
		var c refuse.Checks
		c.At("batch", i)
		if e.Records[i], err = resourceRules.insert(u, e.scope, e.Request[i].record(), &c); err != nil {
			return err
		}
	}
	return nil
}
