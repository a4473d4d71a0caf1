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
	Name:        "resource-group-members",
	ID:          func(m *member) string { return records.Join(m.group, m.ID) },
	Hidden:      func(m *member) any { return &m.group },
	MarkDeleted: func(m *member) { m.Deleted = true },
	Indexes:     []records.Index[member]{{Name: "resource", Value: func(m *member) string { return m.ID }}},
}

// showInGroups carries a changed resource to the groups that it is in.
func showInGroups(u *records.Update, s records.Scope, r, _ *Resource) error {
	for id := range memberRecords.IDs(u, s, "resource", r.ID) {
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

// leaveGroups takes a resource out of its groups and out of the roles that it has
// in any, and reports false when the step ended before that.
func leaveGroups(u *records.Update, s records.Scope, resourceID string, step *records.Step) (whole bool, err error) {
	for id := range memberRecords.IDs(u, s, "resource", resourceID) {
		if whole, err := entity.Drop(u, s, memberRecords.Table(), id, step); !whole || err != nil {
			return false, err
		}
	}
	for _, role := range groupRoles {
		vacate := func(g *ResourceGroup) { *role.holder(g) = "" }
		if whole, err := model.ChangeFound(u, s, &groupRecords, role.name, resourceID, step, vacate); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
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
		add:    model.DefineChange(s.area(), "resourceGroup.addResources", addMembers, "resourceGroups.addResources").Needs(needsOfMembers),
		remove: model.DefineChange(s.area(), "resourceGroup.removeResources", removeMembers, "resourceGroups.removeResources").Needs(needsOfMembers),
	}
}

// needsOfMembers are what is read before resources come into a group or leave it.
func needsOfMembers(s records.Scope, m *groupMembers) []records.Need {
	needs := append(groupRecords.Needs(s, m.GroupID), resourceRecords.Needs(s, m.ResourceIDs...)...)
	for _, id := range m.ResourceIDs {
		needs = append(needs, memberRecords.NeedsOfNew(s, records.Join(m.GroupID, id))...)
	}
	return append(needs, memberRecords.NeedsIndexed(s, "resource", m.ResourceIDs...)...)
}

// AddResourcesToGroup puts up to 1,000 resources into a group, all or none, and
// returns them. One that is in it already stays. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty or InvalidValue
// (resourceIds), also for a resource that does not exist or would be in more
// than MaxGroupsOfResource groups (resourceIds[3]); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; ResourceGroupNotFound; VersionMismatch.
func (p Plan) AddResourcesToGroup(ctx context.Context, groupID string, resourceIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
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
func (p Plan) RemoveResourcesFromGroup(ctx context.Context, groupID string, resourceIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Resource], error) {
	return changeMembers(ctx, familiesOf(p.s).groupMembers.remove, p.id, groupID, model.Tracked, resourceIDs, pre)
}

func changeMembers(ctx context.Context, k model.Change[groupMembers, Resource], scheduleID, groupID string, kept model.Keep, resourceIDs []string, pre []twinplatform.Precondition) (twinplatform.Result[Resource], error) {
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
		for range memberRecords.IDs(u, e.Scope, "resource", id) {
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
func (p Plan) GroupResources(ctx context.Context, groupID string, q ResourceQuery) (twinplatform.Page[Resource], error) {
	members, err := model.List(ctx, p.s.db, p.s.area().Read, p.id, groupMissing, &memberRecords,
		records.Query[member]{ListOptions: q.ListOptions, Op: "resourceGroupResources", Prefix: records.Join(groupID, "")},
		model.Exists(&groupRecords, groupID))
	return twinplatform.MapPage[Resource](members, members.JSON(), nil), err
}

// item is how errors call the i-th of a list.
func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
