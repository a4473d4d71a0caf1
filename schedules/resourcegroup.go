package schedules

import (
	"context"
	"fmt"

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
	URL                      twinplatform.NullString `json:"url"` // null when there is none
	// null when there is none; need not be unique
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
}

// groupRole is a role of a resource in a group.
type groupRole struct {
	name   string // of the property
	holder func(*ResourceGroup) *twinplatform.NullString
}

var groupRoles = []groupRole{
	{"foremanResourceId", func(g *ResourceGroup) *twinplatform.NullString { return &g.ForemanResourceID }},
	{
		"generalForemanResourceId",
		func(g *ResourceGroup) *twinplatform.NullString { return &g.GeneralForemanResourceID },
	},
	{"plannerResourceId", func(g *ResourceGroup) *twinplatform.NullString { return &g.PlannerResourceID }},
	{
		"superintendentResourceId",
		func(g *ResourceGroup) *twinplatform.NullString { return &g.SuperintendentResourceID },
	},
}

func roleIndexes() []records.Index[ResourceGroup] {
	out := make([]records.Index[ResourceGroup], len(groupRoles))
	for i, role := range groupRoles {
		out[i] = records.Index[ResourceGroup]{
			Name:  role.name,
			Value: func(g *ResourceGroup) string { return string(*role.holder(g)) },
		}
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
	Records: &groupRecords, One: model.ResourceGroups.One, Many: model.ResourceGroups.Many, Batches: true,
	Resource: model.ResourceGroups.Resource,
	Missing:  groupMissing, Bad: &InvalidRequest,
	Members: func(g *ResourceGroup, n *NewResourceGroup, p *ResourceGroupPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&g.ID, &n.ID, &p.ID),
			entity.Text("name", &g.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Text("description", &g.Description, &n.Description, &p.Description).Max(MaxText),
			entity.Ref("foremanResourceId", &g.ForemanResourceID, &n.ForemanResourceID, &p.ForemanResourceID,
				&resourceRecords).Clears(),
			entity.Ref("generalForemanResourceId", &g.GeneralForemanResourceID, &n.GeneralForemanResourceID,
				&p.GeneralForemanResourceID, &resourceRecords).Clears(),
			entity.Ref("plannerResourceId", &g.PlannerResourceID, &n.PlannerResourceID, &p.PlannerResourceID,
				&resourceRecords).Clears(),
			entity.Ref("superintendentResourceId", &g.SuperintendentResourceID, &n.SuperintendentResourceID,
				&p.SuperintendentResourceID, &resourceRecords).Clears(),
			entity.Text("url", &g.URL, &n.URL, &p.URL).Max(MaxText),
			entity.Text("userDefinedId", &g.UserDefinedID, &n.UserDefinedID,
				&p.UserDefinedID).Max(MaxText).NotRef(model.OwnID),
		}
	},
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
	for i, wanted := range []string{
		q.ForemanResourceID, q.GeneralForemanResourceID, q.PlannerResourceID,
		q.SuperintendentResourceID,
	} {
		role := groupRoles[i]
		if query.In(role.name, wanted); len(query.Also) > 0 && wanted != "" {
			model.Narrow(&query, role.name, wanted,
				func(g *ResourceGroup) bool { return string(*role.holder(g)) == wanted })
		}
	}
	model.NarrowName(&query, q.Name, func(g *ResourceGroup) string { return g.Name })
	return familiesOf(p.s).groups.List(ctx, p.id, query)
}

// ResourceGroupPatch changes a resource group: what is left out stays, null
// clears.
type ResourceGroupPatch struct {
	AsRead

	// not empty, up to MaxText characters
	Name        twinplatform.Optional[string] `json:"name,omitzero"`
	Description twinplatform.Optional[string] `json:"description,omitzero"` // null clears it
	// a resource of the schedule; null clears it
	ForemanResourceID twinplatform.Optional[string] `json:"foremanResourceId,omitzero"`
	// a resource of the schedule; null clears it
	GeneralForemanResourceID twinplatform.Optional[string] `json:"generalForemanResourceId,omitzero"`
	// a resource of the schedule; null clears it
	PlannerResourceID twinplatform.Optional[string] `json:"plannerResourceId,omitzero"`
	// a resource of the schedule; null clears it
	SuperintendentResourceID twinplatform.Optional[string] `json:"superintendentResourceId,omitzero"`
	URL                      twinplatform.Optional[string] `json:"url,omitzero"`           // null clears it
	UserDefinedID            twinplatform.Optional[string] `json:"userDefinedId,omitzero"` // null clears it
}

// UpdateResourceGroup changes a resource group (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceGroup without AlreadyExists; ResourceGroupNotFound;
// VersionMismatch.
func (p Plan) UpdateResourceGroup(ctx context.Context, groupID string, patch ResourceGroupPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceGroup], error) {
	return familiesOf(p.s).groups.Update(ctx, p.id, groupID, patch, pre)
}

// DeleteResourceGroups deletes up to 1,000 resource groups as a long-running
// operation, with their memberships and user field values; the resources stay, and so do
// animation bindings, which name no group then. A large deletion goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceGroupIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceGroupNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteResourceGroups(ctx context.Context, groupIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceGroup], error) {
	return familiesOf(p.s).groups.Remove(ctx, p.id, groupIDs, pre)
}

// MaxGroupsOfResource is the number of groups that one resource can be in.
const MaxGroupsOfResource = 100

// member is a resource in a group. It holds the resource as it is, and is written
// together with it, so that a group's list is a copy of stored bytes and its delta lists
// the resources' changes too.
type member struct {
	Resource
	group string
}

var memberRecords = records.Collection[member]{
	Name:        model.GroupMembers.Name,
	ID:          func(m *member) string { return records.Join(m.group, m.ID) },
	Hidden:      func(m *member) any { return &m.group },
	MarkDeleted: func(m *member) { m.Deleted = true },
	Indexes:     []records.Index[member]{{Name: model.MemberResource, Value: func(m *member) string { return m.ID }}},
}

// showInGroups carries a changed resource to the groups that it is in.
func showInGroups(u *records.Update, s records.Scope, r, _ *Resource) error {
	for id := range memberRecords.IDs(u, s, model.MemberResource, r.ID) {
		_, err := memberRecords.Modify(u, s, id, "", func(m *member) error {
			m.Resource = *r
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// groupMembers are resources that come into a group or leave it.
type groupMembers struct {
	GroupID     string   `json:"groupId"`
	ResourceIDs []string `json:"resourceIds"`
}

// groupMemberKinds are the kinds of change to the members of groups.
type groupMemberKinds struct {
	add    model.Change[groupMembers, Resource]
	remove model.Change[groupMembers, Resource]
}

func defineGroupMemberKinds(s *Service) groupMemberKinds {
	return groupMemberKinds{
		add: model.DefineChange(s.area(), "resourceGroup.addResources", addMembers,
			"resourceGroups.addResources").Needs(needsOfMembers),
		remove: model.DefineChange(s.area(), "resourceGroup.removeResources", removeMembers,
			"resourceGroups.removeResources").Needs(needsOfMembers),
	}
}

// needsOfMembers are what is read before resources come into a group or leave it.
func needsOfMembers(s records.Scope, m *groupMembers) []records.Need {
	needs := append(groupRecords.Needs(s, m.GroupID), resourceRecords.Needs(s, m.ResourceIDs...)...)
	for _, id := range m.ResourceIDs {
		needs = append(needs, memberRecords.NeedsOfNew(s, records.Join(m.GroupID, id))...)
	}
	return append(needs, memberRecords.NeedsIndexed(s, model.MemberResource, m.ResourceIDs...)...)
}

// AddResourcesToGroup puts up to 1,000 resources into a group, all or none, and
// returns them. One that is in it already stays. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceIds), also for a resource that does not exist or would be in more
// than MaxGroupsOfResource groups (resourceIds[3]); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; ResourceGroupNotFound; VersionMismatch.
func (p Plan) AddResourcesToGroup(ctx context.Context, groupID string, resourceIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Resource], error) {
	return changeMembers(ctx, familiesOf(p.s).groupMembers.add, p.id, groupID, model.Direct, resourceIDs, pre)
}

// RemoveResourcesFromGroup takes up to 1,000 resources out of a group, all or
// none, as a long-running operation; the resources stay. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceIds); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; ResourceGroupNotFound; ResourceNotFound (resourceIds)
// for a resource that is not in the group; VersionMismatch.
func (p Plan) RemoveResourcesFromGroup(ctx context.Context, groupID string, resourceIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Resource], error) {
	return changeMembers(ctx, familiesOf(p.s).groupMembers.remove, p.id, groupID, model.Tracked, resourceIDs, pre)
}

func changeMembers(ctx context.Context, k model.Change[groupMembers, Resource], scheduleID, groupID string,
	kept model.Keep, resourceIDs []string, pre []twinplatform.Precondition,
) (twinplatform.Result[Resource], error) {
	if err := model.CheckBatch("resourceIds", len(resourceIDs)); err != nil {
		return twinplatform.Result[Resource]{}, err
	}
	return k.Start(ctx, scheduleID, kept, resourceIDs, groupMembers{GroupID: groupID, ResourceIDs: resourceIDs}, pre...)
}

func addMembers(u *records.Update, e *model.Edit[groupMembers, Resource]) error {
	if err := records.Large(u, len(e.Request.ResourceIDs)); err != nil {
		return err
	}
	if err := groupKind.Have(u, e.Scope, []string{e.Request.GroupID}); err != nil {
		return err
	}
	if err := groupRecords.Check(u, e.Scope, e.Request.GroupID, e.Condition); err != nil {
		return problem.Precondition(err)
	}
	var c problem.Checks
	for i, id := range e.Request.ResourceIDs {
		rec, err := resourceRecords.Get(u, e.Scope, id)
		if missingRecord(err) {
			c.Bad(item("resourceIds", i), "The schedule has no resource with the id '%s'.", id)
			continue
		}
		if err != nil {
			return err
		}
		if _, err := memberRecords.Put(u, e.Scope, &member{Resource: rec.Value, group: e.Request.GroupID}); err != nil {
			return err
		}
		groups := 0
		for range memberRecords.IDs(u, e.Scope, model.MemberResource, id) {
			groups++
		}
		if groups > MaxGroupsOfResource {
			c.Bad(item("resourceIds", i), "A resource can be in at most %d groups.", MaxGroupsOfResource)
		}
		e.Wrote(rec)
	}
	return c.Err(InvalidRequest)
}

func removeMembers(u *records.Update, e *model.Edit[groupMembers, Resource]) error {
	if err := records.Large(u, len(e.Request.ResourceIDs)); err != nil {
		return err
	}
	if err := groupKind.Have(u, e.Scope, []string{e.Request.GroupID}); err != nil {
		return err
	}
	if err := groupRecords.Check(u, e.Scope, e.Request.GroupID, e.Condition); err != nil {
		return problem.Precondition(err)
	}
	for _, id := range model.Unique(e.Request.ResourceIDs) {
		err := memberRecords.Delete(u, e.Scope, records.Join(e.Request.GroupID, id))
		if missingRecord(err) {
			return problem.NotFound("ResourceNotFound", "resourceIds", "resource '"+id+"' of the resource group").Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// GroupResources lists the resources of a group by id (S17, technical preview). Its delta
// lists every member that came, changed or, as deleted, left.
//
// Errors: ResourceGroupNotFound without a target, also for a schedule that is
// missing or not for the caller to see; InvalidSchedulesRequest with
// InvalidValue (top, continuation, delta).
func (p Plan) GroupResources(ctx context.Context, groupID string, q ResourceQuery) (twinplatform.Page[Resource],
	error,
) {
	members, err := model.List(ctx, p.s.db, p.s.area().Read, p.id, groupMissing, &memberRecords,
		records.Query[member]{
			ListOptions: q.ListOptions, Op: "resourceGroupResources",
			Prefix: records.Join(groupID, ""),
		},
		model.Exists(&groupRecords, groupID))
	return twinplatform.MapPage[Resource](members, members.JSON(), nil), err
}

// item is how errors call the i-th of a list.
func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
