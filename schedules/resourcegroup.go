package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
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

// groupRole is a role of a resource in a group.
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
	Name:        model.ResourceGroups.Collection(),
	ID:          func(g *ResourceGroup) string { return g.ID },
	MarkDeleted: func(g *ResourceGroup) { g.Deleted = true },
	Indexes:     roleIndexes(),
}

// The documented 404 of resource groups has no target.
var groupMissing = model.ResourceGroups.Missing

var groupKind = entity.Kind[ResourceGroup, NewResourceGroup, ResourceGroupPatch]{
	Records: &groupRecords, One: model.ResourceGroups.One, Many: model.ResourceGroups.Many, Batches: true, Resource: model.ResourceGroups.Resource,
	Missing: groupMissing, Bad: &InvalidRequest,
	Members: func(g *ResourceGroup, n *NewResourceGroup, p *ResourceGroupPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&g.ID, &n.ID, &p.ID),
			entity.Text("name", &g.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Text("description", &g.Description, &n.Description, &p.Description).Max(MaxText),
			entity.Text("foremanResourceId", &g.ForemanResourceID, &n.ForemanResourceID, &p.ForemanResourceID),
			entity.Text("generalForemanResourceId", &g.GeneralForemanResourceID, &n.GeneralForemanResourceID, &p.GeneralForemanResourceID),
			entity.Text("plannerResourceId", &g.PlannerResourceID, &n.PlannerResourceID, &p.PlannerResourceID),
			entity.Text("superintendentResourceId", &g.SuperintendentResourceID, &n.SuperintendentResourceID, &p.SuperintendentResourceID),
			entity.Text("url", &g.URL, &n.URL, &p.URL).Max(MaxText),
			entity.Text("userDefinedId", &g.UserDefinedID, &n.UserDefinedID, &p.UserDefinedID).Max(MaxText),
		}
	},
	Validate: groupFits,
	Needs: func(s records.Scope, g *ResourceGroup) (needs []records.Need) {
		for _, role := range groupRoles {
			needs = append(needs, resourceRecords.Needs(s, string(*role.holder(g)))...)
		}
		return needs
	},
	Cascade: clearGroup,
	Found:   func() []records.Found { return append(foundWith(model.ResourceGroups), memberRecords.FoundBelow()) },
}

// groupFits checks that the resources in a group's roles exist.
func groupFits(tx records.Reading, s records.Scope, g, _ *ResourceGroup, c *problem.Checks) error {
	for _, role := range groupRoles {
		if err := model.Names(tx, s, resourceRecords.Table(), c, role.name, "resource", string(*role.holder(g))); err != nil {
			return err
		}
	}
	return nil
}

// clearGroup lets a group's members go and deletes its user field values.
func clearGroup(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
	for m, err := range memberRecords.All(u, s, records.Join(id, "")) {
		if err != nil {
			return false, err
		}
		if whole, err := entity.Drop(u, s, memberRecords.Table(), records.Join(id, m.ID), step); !whole || err != nil {
			return false, err
		}
	}
	return cascade(model.ResourceGroups, u, s, id, step)
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

// CreateResourceGroup makes a resource group without members. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name, description, url, userDefinedId, and a role whose
// resource does not exist); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateResourceGroup(ctx context.Context, n NewResourceGroup) (twinplatform.Result[ResourceGroup], error) {
	return familiesOf(p.s).groups.Create(ctx, p.id, n)
}

// ResourceGroup returns a resource group. Errors: ResourceGroupNotFound, also
// for a schedule that is missing or not for the caller to see.
func (p Plan) ResourceGroup(ctx context.Context, groupID string) (twinplatform.Record[ResourceGroup], error) {
	return familiesOf(p.s).groups.Get(ctx, p.id, groupID)
}

// ResourceGroupQuery selects the resource groups to list.
type ResourceGroupQuery struct {
	twinplatform.ListOptions
	// Name lists the groups whose name equals or contains it, in upper or
	// lower case. No index finds part of a name: all groups of the schedule are read.
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
func (p Plan) ResourceGroups(ctx context.Context, q ResourceGroupQuery) (twinplatform.Page[ResourceGroup], error) {
	query := records.Query[ResourceGroup]{ListOptions: q.ListOptions}
	for i, wanted := range []string{q.ForemanResourceID, q.GeneralForemanResourceID, q.PlannerResourceID, q.SuperintendentResourceID} {
		role := groupRoles[i]
		if query.In(role.name, wanted); len(query.Also) > 0 && wanted != "" {
			model.Narrow(&query, role.name, wanted, func(g *ResourceGroup) bool { return string(*role.holder(g)) == wanted })
		}
	}
	model.NarrowName(&query, q.Name, func(g *ResourceGroup) string { return g.Name })
	return familiesOf(p.s).groups.List(ctx, p.id, query)
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

// UpdateResourceGroup changes a resource group (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceGroup without AlreadyExists; ResourceGroupNotFound;
// VersionMismatch.
func (p Plan) UpdateResourceGroup(ctx context.Context, groupID string, patch ResourceGroupPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceGroup], error) {
	return familiesOf(p.s).groups.Update(ctx, p.id, groupID, patch, pre)
}

// DeleteResourceGroups deletes up to 1,000 resource groups as a long-running
// operation, with their memberships and user field values; the resources stay, and so do
// animation bindings, which name no group then. A large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceGroupIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceGroupNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteResourceGroups(ctx context.Context, groupIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceGroup], error) {
	return familiesOf(p.s).groups.Remove(ctx, p.id, groupIDs, pre)
}
