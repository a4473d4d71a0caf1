package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// ResourceGroup combines resources, so that the simulation of growth and movement
// treats them as one object.
type ResourceGroup struct {
	Deleted     bool   `json:"deleted"`     // true in deltas alone
	Description string `json:"description"` // up to MaxText characters
	// The four roles name resources of the schedule. A role is null again when
	// its resource is deleted.
	ForemanResourceID        twinplatform.NullString `json:"foremanResourceId"`
	GeneralForemanResourceID twinplatform.NullString `json:"generalForemanResourceId"`
	ID                       string                  `json:"id"`   // unique in the schedule; never changes
	Name                     string                  `json:"name"` // 1 to MaxText characters
	PlannerResourceID        twinplatform.NullString `json:"plannerResourceId"`
	SuperintendentResourceID twinplatform.NullString `json:"superintendentResourceId"`
	URL                      twinplatform.NullString `json:"url"`           // null when there is none
	UserDefinedID            twinplatform.NullString `json:"userDefinedId"` // null when there is none; need not be unique
}

// groupRole is one of the things that a resource can be to a group.
type groupRole struct {
	name   string // of the property
	holder func(*ResourceGroup) *twinplatform.NullString
}

var groupRoles = []groupRole{
	{"foremanResourceId", func(g *ResourceGroup) *twinplatform.NullString { return &g.ForemanResourceID }},
	{"generalForemanResourceId", func(g *ResourceGroup) *twinplatform.NullString { return &g.GeneralForemanResourceID }},
	{"plannerResourceId", func(g *ResourceGroup) *twinplatform.NullString { return &g.PlannerResourceID }},
	{"superintendentResourceId", func(g *ResourceGroup) *twinplatform.NullString { return &g.SuperintendentResourceID }},
}

func roleIndexes() []records.Index[ResourceGroup] {
	out := make([]records.Index[ResourceGroup], len(groupRoles))
	for i, role := range groupRoles {
		out[i] = records.Index[ResourceGroup]{Name: role.name, Value: func(g *ResourceGroup) string { return string(*role.holder(g)) }}
	}
	return out
}

var groupRecords = records.Collection[ResourceGroup]{
	Name:        "resource-groups",
	ID:          func(g *ResourceGroup) string { return g.ID },
	MarkDeleted: func(g *ResourceGroup) { g.Deleted = true },
	Indexes:     roleIndexes(),
}

// The documented 404 of resource groups has no target.
var groupMissing = refuse.NotFound("ResourceGroupNotFound", "", "resource group")

var groupRules = rules[ResourceGroup]{
	records: &groupRecords, noun: "resource group", missing: groupMissing,
	check: checkGroupRoles,
	clear: clearGroup,
}

// checkGroupRoles checks that the resources in a group's roles exist.
func checkGroupRoles(tx records.Reading, s records.Scope, g *ResourceGroup, c *refuse.Checks) error {
	for _, role := range groupRoles {
		if err := names(tx, s, &resourceRecords, c, role.name, "resource", string(*role.holder(g))); err != nil {
			return err
		}
	}
	return nil
}

// clearGroup lets a group's members go and deletes its user field values.
func clearGroup(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
	for m, err := range memberRecords.All(u, s, records.Join(id, "")) {
		if err != nil {
			return false, err
		}
		if whole, err := drop(u, s, &memberRecords, records.Join(id, m.ID), budget); !whole || err != nil {
			return false, err
		}
	}
	return removeValues(u, s, groupValues, id, budget)
}

// groupKinds are the sorts of change to resource groups.
type groupKinds struct {
	create        kind[NewResourceGroup, ResourceGroup]
	update        kind[patched[ResourceGroupPatch], ResourceGroup]
	remove        kind[deletion, ResourceGroup]
	addMembers    kind[groupMembers, Resource]
	removeMembers kind[groupMembers, Resource]
}

func defineGroupKinds(s *Service) groupKinds {
	return groupKinds{
		create:        creates[NewResourceGroup](s, "resourceGroup.create", &groupRules),
		update:        updates[ResourceGroupPatch](s, "resourceGroup.update", &groupRules),
		remove:        removes(s, "resourceGroups.delete", "resourceGroupIds", &groupRules),
		addMembers:    change(s, "resourceGroup.addResources", addMembers),
		removeMembers: change(s, "resourceGroup.removeResources", removeMembers),
	}
}

// NewResourceGroup asks for a resource group. Null and left out are the same in
// it.
type NewResourceGroup struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name        string `json:"name"`
	Description string `json:"description"` // up to MaxText characters
	// The roles name resources of the schedule.
	ForemanResourceID        string                      `json:"foremanResourceId"`
	GeneralForemanResourceID string                      `json:"generalForemanResourceId"`
	PlannerResourceID        string                      `json:"plannerResourceId"`
	SuperintendentResourceID string                      `json:"superintendentResourceId"`
	URL                      string                      `json:"url"`              // up to MaxText characters
	UserDefinedID            string                      `json:"userDefinedId"`    // up to MaxText characters
	Deleted                  twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

func (n NewResourceGroup) record() *ResourceGroup {
	return &ResourceGroup{
		ID: n.ID, Name: n.Name, Description: n.Description,
		ForemanResourceID:        twinplatform.NullString(n.ForemanResourceID),
		GeneralForemanResourceID: twinplatform.NullString(n.GeneralForemanResourceID),
		PlannerResourceID:        twinplatform.NullString(n.PlannerResourceID),
		SuperintendentResourceID: twinplatform.NullString(n.SuperintendentResourceID),
		URL:                      twinplatform.NullString(n.URL),
		UserDefinedID:            twinplatform.NullString(n.UserDefinedID),
	}
}

func (n NewResourceGroup) check(c *refuse.Checks) {
	asIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	c.AtMost("description", n.Description, MaxText)
	c.AtMost("url", n.URL, MaxText)
	c.AtMost("userDefinedId", n.UserDefinedID, MaxText)
}

// CreateResourceGroup makes a resource group without members. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name, description, url, userDefinedId, and a role whose
// resource does not exist); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateResourceGroup(ctx context.Context, scheduleID string, n NewResourceGroup) (twinplatform.Result[ResourceGroup], error) {
	n.ID = s.idOr(n.ID)
	return create(ctx, s.groups.create, scheduleID, n.ID, n)
}

// ResourceGroup returns a resource group. Errors: ResourceGroupNotFound, also
// for a schedule that is missing or not for the caller to see.
func (s *Service) ResourceGroup(ctx context.Context, scheduleID, groupID string) (twinplatform.Record[ResourceGroup], error) {
	return get(ctx, s, scheduleID, groupMissing, &groupRecords, groupID)
}

// ResourceGroupQuery says which resource groups to list.
type ResourceGroupQuery struct {
	twinplatform.ListOptions
	// Name lists the groups whose name equals or contains it, in upper or
	// lower case.
	Name string
	// Each role, when given, lists the groups in which that resource has it.
	ForemanResourceID        string
	GeneralForemanResourceID string
	PlannerResourceID        string
	SuperintendentResourceID string
}

// ResourceGroups lists the resource groups of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) ResourceGroups(ctx context.Context, scheduleID string, q ResourceGroupQuery) (twinplatform.Page[ResourceGroup], error) {
	query := records.Query[ResourceGroup]{ListOptions: q.ListOptions, Op: "resourceGroups"}
	for i, wanted := range []string{q.ForemanResourceID, q.GeneralForemanResourceID, q.PlannerResourceID, q.SuperintendentResourceID} {
		role := groupRoles[i]
		switch {
		case wanted == "":
		case query.Index == "":
			query.Index, query.Equals = role.name, wanted
		default:
			narrow(&query, role.name, wanted, func(g *ResourceGroup) bool { return string(*role.holder(g)) == wanted })
		}
	}
	narrowName(&query, q.Name, func(g *ResourceGroup) string { return g.Name })
	return list(ctx, s, scheduleID, scheduleMissing, &groupRecords, query, nil)
}

// ResourceGroupPatch changes a resource group: what is left out stays, null
// clears.
type ResourceGroupPatch struct {
	AsRead

	Name                     twinplatform.Optional[string] `json:"name,omitzero"`                     // not empty, up to MaxText characters
	Description              twinplatform.Optional[string] `json:"description,omitzero"`              // null clears it
	ForemanResourceID        twinplatform.Optional[string] `json:"foremanResourceId,omitzero"`        // a resource of the schedule; null clears it
	GeneralForemanResourceID twinplatform.Optional[string] `json:"generalForemanResourceId,omitzero"` // a resource of the schedule; null clears it
	PlannerResourceID        twinplatform.Optional[string] `json:"plannerResourceId,omitzero"`        // a resource of the schedule; null clears it
	SuperintendentResourceID twinplatform.Optional[string] `json:"superintendentResourceId,omitzero"` // a resource of the schedule; null clears it
	URL                      twinplatform.Optional[string] `json:"url,omitzero"`                      // null clears it
	UserDefinedID            twinplatform.Optional[string] `json:"userDefinedId,omitzero"`            // null clears it
}

func (p ResourceGroupPatch) check(c *refuse.Checks) {
	if p.Name.Present() {
		c.Need("name", p.Name.Or(""), MaxText)
	}
	c.AtMost("description", p.Description.Or(""), MaxText)
	c.AtMost("url", p.URL.Or(""), MaxText)
	c.AtMost("userDefinedId", p.UserDefinedID.Or(""), MaxText)
}

func (p ResourceGroupPatch) apply(g *ResourceGroup, _ *refuse.Checks) {
	p.Name.Apply(&g.Name)
	p.Description.Apply(&g.Description)
	p.ForemanResourceID.Apply((*string)(&g.ForemanResourceID))
	p.GeneralForemanResourceID.Apply((*string)(&g.GeneralForemanResourceID))
	p.PlannerResourceID.Apply((*string)(&g.PlannerResourceID))
	p.SuperintendentResourceID.Apply((*string)(&g.SuperintendentResourceID))
	p.URL.Apply((*string)(&g.URL))
	p.UserDefinedID.Apply((*string)(&g.UserDefinedID))
}

// UpdateResourceGroup changes a resource group (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceGroup without AlreadyExists; ResourceGroupNotFound;
// VersionMismatch.
func (s *Service) UpdateResourceGroup(ctx context.Context, scheduleID, groupID string, p ResourceGroupPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceGroup], error) {
	return update(ctx, s.groups.update, scheduleID, groupID, twinplatform.IfMatchHeader(pre...), p)
}

// DeleteResourceGroups deletes up to 1,000 resource groups as a long-running
// operation, with their memberships and user field values; the resources stay. A
// large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceGroupIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceGroupNotFound, and then nothing is deleted.
func (s *Service) DeleteResourceGroups(ctx context.Context, scheduleID string, groupIDs []string) (twinplatform.Result[ResourceGroup], error) {
	return remove(ctx, s.groups.remove, scheduleID, "resourceGroupIds", groupIDs)
}
