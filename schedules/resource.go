package schedules

import (
	"context"
	"iter"
	"net/mail"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// ResourceType says what sort of thing a resource is.
type ResourceType string

// The resource types.
const (
	Material            ResourceType = "Material"  // has a unit; used up unless said otherwise
	Location            ResourceType = "Location"  // has a unit
	Equipment           ResourceType = "Equipment" // has neither unit nor email
	Human               ResourceType = "Human"     // has an email
	UnknownResourceType ResourceType = "Unknown"
)

var resourceTypes = []ResourceType{Material, Location, Equipment, Human, UnknownResourceType}

// measured reports whether such resources have a unit.
func (t ResourceType) measured() bool { return t == Material || t == Location }

// Resource is a human, equipment, material or location that tasks use.
type Resource struct {
	// CalendarID and RuleID are kept as they are given.
	CalendarID  twinplatform.NullString `json:"calendarId"`
	Deleted     bool                    `json:"deleted"`     // true in deltas alone
	Description string                  `json:"description"` // up to MaxText characters
	// Email is empty for all but Human.
	Email string `json:"email"`
	ID    string `json:"id"` // unique in the schedule; never changes
	// LeadTime is how long before it is needed the resource must be asked
	// for, in seconds.
	LeadTime int32                   `json:"leadTime"`
	Name     string                  `json:"name"`     // 1 to MaxText characters
	ParentID twinplatform.NullString `json:"parentId"` // the resource above it; null at the top
	// Renewable resources are free again after a task; of others a task leaves
	// less.
	Renewable bool                    `json:"renewable"`
	RuleID    twinplatform.NullString `json:"ruleId"` // names nothing in the schedule
	Type      ResourceType            `json:"type"`   // says which of Email and UnitType it has
	// UnitType is Unknown for all but Material and Location.
	UnitType ResourceUnitType        `json:"unitType"`
	URL      twinplatform.NullString `json:"url"` // null when there is none
	// UserDefinedID is unique among the resources of the schedule, unless empty.
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
	// WholeUnits resources are not divided: whatever assigns units of one
	// assigns a whole number of them.
	WholeUnits bool `json:"wholeUnits"`
}

var resourceRecords = records.Collection[Resource]{
	Name:        "resources",
	ID:          func(r *Resource) string { return r.ID },
	MarkDeleted: func(r *Resource) { r.Deleted = true },
	Indexes: []records.Index[Resource]{
		{Name: "parent", Value: func(r *Resource) string { return string(r.ParentID) }},
		{Name: userDefinedID, Value: func(r *Resource) string { return string(r.UserDefinedID) }},
	},
}

var resourceMissing = refuse.NotFound("ResourceNotFound", "resourceId", "resource")

var resourceRules = rules[Resource]{
	records: &resourceRecords, noun: "resource", missing: resourceMissing,
	check:  checkResource,
	follow: showInGroups,
	below: func(tx records.Reading, s records.Scope, id string) iter.Seq[string] {
		return resourceRecords.IDs(tx, s, "parent", id)
	},
	clear: clearResource,
}

// checkResource checks what a new or changed resource has in common with others.
func checkResource(tx records.Reading, s records.Scope, r *Resource, c *refuse.Checks) error {
	stored, err := resourceRecords.Value(tx, s, r.ID)
	if missingRecord(err) {
		stored, err = nil, nil
	}
	if err == nil {
		err = checkResourceParent(tx, s, r, stored, c)
	}
	if err != nil || stored != nil && stored.UserDefinedID == r.UserDefinedID {
		return err
	}
	return unusedUserID(tx, s, &resourceRecords, c.Target(userDefinedID), "resource", string(r.UserDefinedID), r.ID)
}

// checkResourceParent checks that the parent exists and, of a resource that has
// another one so far, that it is not below the resource. Nothing is below a new
// resource.
func checkResourceParent(tx records.Reading, s records.Scope, r, stored *Resource, c *refuse.Checks) error {
	if stored == nil {
		return names(tx, s, &resourceRecords, c, "parentId", "resource", string(r.ParentID))
	}
	if stored.ParentID == r.ParentID {
		return nil
	}
	for at := string(r.ParentID); at != ""; {
		if at == r.ID {
			c.Bad("parentId", "The resource would be its own ancestor.")
			return nil
		}
		above, err := resourceRecords.Value(tx, s, at)
		if missingRecord(err) {
			return names(tx, s, &resourceRecords, c, "parentId", "resource", at)
		}
		if err != nil {
			return err
		}
		at = string(above.ParentID)
	}
	return nil
}

// clearResource takes a resource out of its groups and deletes its user field
// values.
func clearResource(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
	if whole, err := leaveGroups(u, s, id, budget); !whole || err != nil {
		return false, err
	}
	return removeValues(u, s, resourceValues, id, budget)
}

// resourceKinds are the sorts of change to resources.
type resourceKinds struct {
	createOne  kind[NewResource, Resource]
	createMany kind[[]NewResource, Resource]
	update     kind[patched[ResourcePatch], Resource]
	remove     kind[deletion, Resource]
}

func defineResourceKinds(s *Service) resourceKinds {
	return resourceKinds{
		createOne:  creates[NewResource](s, "resource.create", &resourceRules),
		createMany: change(s, "resources.create", addResources),
		update:     updates[ResourcePatch](s, "resource.update", &resourceRules),
		remove:     removes(s, "resources.delete", "resourceIds", &resourceRules),
	}
}

// Resource returns a resource (S20). Errors: ResourceNotFound, also for a
// schedule that is missing or not for the caller to see.
func (s *Service) Resource(ctx context.Context, scheduleID, resourceID string) (twinplatform.Record[Resource], error) {
	return get(ctx, s, scheduleID, resourceMissing, &resourceRecords, resourceID)
}

// ResourceQuery says which resources to list.
type ResourceQuery struct {
	twinplatform.ListOptions
}

// Resources lists the resources of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) Resources(ctx context.Context, scheduleID string, q ResourceQuery) (twinplatform.Page[Resource], error) {
	return list(ctx, s, scheduleID, scheduleMissing, &resourceRecords,
		records.Query[Resource]{ListOptions: q.ListOptions, Op: "resources"}, nil)
}

// DeleteResources deletes up to 1,000 resources as a long-running operation,
// with all resources below them, their places in groups and their user field
// values. A large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceNotFound, and then nothing is deleted.
func (s *Service) DeleteResources(ctx context.Context, scheduleID string, resourceIDs []string) (twinplatform.Result[Resource], error) {
	return remove(ctx, s.resources.remove, scheduleID, "resourceIds", resourceIDs)
}

// checkEmail checks the email of a resource that may have one.
func checkEmail(c *refuse.Checks, email string) {
	if email == "" {
		return
	}
	if a, err := mail.ParseAddress(email); err != nil || a.Address != email || len(email) > MaxEmail {
		c.Bad("email", "An email address is such as name@example.com, with at most %d bytes.", MaxEmail)
	}
}
