package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// GroupMember is a group that has roles at a twin, which everybody in it holds there and below.
type GroupMember struct {
	CreatedDateTime  twinplatform.DateTime   `json:"createdDateTime"`  // when it became a member
	GroupDescription twinplatform.NullString `json:"groupDescription"` // that of the group; null when there is none
	GroupName        string                  `json:"groupName"`        // that of the group
	ID               string                  `json:"id"`               // of the group
	// of the group at the twin, at least one, as they were sent
	RoleIDs []string `json:"roleIds"`
	// Roles are the roles with these ids. They are not stored with the member, whose
	// version changes when one of them does.
	Roles []Role `json:"roles,omitempty"`

	renewed int
	twinID  string
}

// hiddenGroupMember is what is stored of such a member in addition to its wire form.
type hiddenGroupMember struct {
	Renewed *int    `json:"renewed"`
	TwinID  *string `json:"twinId"`
}

var groupMemberRecords = records.Collection[GroupMember]{
	Name: "group-members", Untracked: true,
	ID:     func(m *GroupMember) string { return recordID(m.twinID, m.ID) },
	Hidden: func(m *GroupMember) any { return &hiddenGroupMember{&m.renewed, &m.twinID} },
	Indexes: []records.Index[GroupMember]{
		{Name: indexGroup, Value: func(m *GroupMember) string { return m.ID }},
		{Name: indexTwin, Value: func(m *GroupMember) string { return m.twinID }},
	},
}

// indexGroup finds the twins at which a group has roles.
const indexGroup = "group"

var groupMemberKind = entity.Kind[GroupMember, NewGroupMember, GroupMemberPatch]{
	Records: &groupMemberRecords, One: "groupMember", Many: "groups that are members", Resource: "member",
	Missing: memberMissing, Bad: &InvalidAccessControlRequest,
	Members: func(m *GroupMember, n *NewGroupMember, p *GroupMemberPatch) []entity.Member {
		return []entity.Member{
			entity.Distinct("roleIds", &m.RoleIDs, &n.RoleIDs, &p.RoleIDs).Required().Valid(checkRoleIDs,
				schema.List(1, MaxRoles, schema.Value{})).
				Refers(&roleRecords),
		}
	},
	AfterCreate: func(m *GroupMember, n *NewGroupMember, c *problem.Checks) {
		c.Need("groupId", n.GroupID, MaxText)
		m.ID = n.GroupID
	},
	Taken: func(m *GroupMember) error {
		return taken("memberExists", "member",
			problem.BadValue("groupId", "The group '%s' is a member of the twin already.", m.ID))
	},
}

func groupMemberFamily(s *Service) family[GroupMember, NewGroupMember, GroupMemberPatch] {
	return family[GroupMember, NewGroupMember, GroupMemberPatch]{
		Kind: &groupMemberKind, s: s, permission: PermissionManageMembers, transition: s.judgeGroupMember, grants: true,
		max: MaxGroups,
		show: func(tx records.Reading, twinID string) func(*GroupMember) error {
			roles := shownRoles(tx, twinID)
			return func(m *GroupMember) (err error) {
				m.Roles, err = roles(m.RoleIDs)
				return err
			}
		},
		stamp: func(_ context.Context, m *GroupMember, twinID string) { m.twinID, m.CreatedDateTime = twinID, s.now() },
	}
}

// judgeGroupMember judges which roles a group is given and loses, and emits the events.
func (s *Service) judgeGroupMember(u *records.Update, j *judge.Judge, t *Twin, stored, m *GroupMember) error {
	givenIDs, takenIDs := difference(stored.roleIDs(), m.roleIDs())
	given, err := assignable(u, j, t, givenIDs)
	if err != nil {
		return err
	}
	taken, err := assignable(u, j, t, takenIDs)
	if err != nil {
		return err
	}
	if stored == nil {
		return m.enter(u, j, t, given)
	}
	g, err := groupFor(u, t, stored.ID)
	if err != nil {
		return err
	}
	if g != nil && s.isIn(j, g) {
		if err := s.keepsOwner(u, j, t, taken, ownership{group: g.ID, at: t.ID}); err != nil {
			return err
		}
	}
	if m == nil {
		return stored.emitRemoved(u, j, t)
	}
	groupMember := &Member{ID: m.ID, MemberType: twinplatform.Group}
	if err := emitAssigned(u, j, t.target(), groupMember, given); err != nil {
		return err
	}
	return emitUnassigned(u, j, t.target(), groupMember, taken)
}

// enter makes a group a member of a twin.
func (m *GroupMember) enter(u *records.Update, j *judge.Judge, t *Twin, roles []*Role) error {
	g, err := groupFor(u, t, m.ID)
	if err != nil {
		return err
	}
	if g == nil {
		return problem.With(InvalidAccessControlRequest,
			problem.BadValue("groupId", "Neither the twin nor its account has a group with the id '%s'.", m.ID))
	}
	places := 0
	for range groupMemberRecords.IDs(u, allAccounts, indexGroup, g.ID) {
		if places++; places >= MaxGroupTwins {
			return conflict("LimitExceeded", "The group has reached the limit of twins at which it has roles.")
		}
	}
	m.GroupName, m.GroupDescription = g.Name, g.Description
	return emitAdded(u, j, t.target(), &Member{ID: m.ID, MemberType: twinplatform.Group}, roles)
}

func (m *GroupMember) emitRemoved(u *records.Update, j *judge.Judge, t *Twin) error {
	return j.Emit(u, t.target(), event.MemberRemoved{
		MemberID: m.ID, EventCreatedBy: callerID(j),
		MemberType: twinplatform.Group,
	})
}

// groupFor is the group with an id that can have roles at a twin: one of the twin itself, or
// of its account. It is nil where there is none.
func groupFor(tx records.Reading, t *Twin, groupID string) (*Group, error) {
	for _, of := range slices.Compact([]string{t.ID, t.account()}) {
		if of == "" {
			continue
		}
		if g, err := found(groupRecords.Value(tx, allAccounts, recordID(of, groupID))); g != nil || err != nil {
			return g, err
		}
	}
	return nil, nil
}

// roleIDs are the roles of a group, which need not be a member.
func (m *GroupMember) roleIDs() []string {
	if m == nil {
		return nil
	}
	return m.RoleIDs
}

// GroupMember returns a group that has roles at a twin (GET
// /access-control/twins/{id}/members/groups/{memberId}). Errors: TeamMemberNotFound; twinNotFound.
func (s *Service) GroupMember(ctx context.Context, twinID, groupID string) (twinplatform.Record[GroupMember], error) {
	return callsOf(s).groupMembers.get(ctx, twinID, groupID)
}

// GroupMembers lists the groups that have roles at a twin by id (GET
// /access-control/twins/{id}/members/groups). Those with roles at the twins above, which
// they hold here too, are not among them.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top, skip).
func (s *Service) GroupMembers(ctx context.Context, twinID string, q GroupQuery) (twinplatform.Page[GroupMember],
	error,
) {
	return callsOf(s).groupMembers.list(ctx, twinID, q.ListOptions, q.Skip)
}

// NewGroupMember asks for roles of a group at a twin.
type NewGroupMember struct {
	// GroupID names a group of the twin or of its account.
	GroupID string `json:"groupId"`
	// RoleIDs names at least one role of the twin.
	RoleIDs []string `json:"roleIds"`
}

// AddGroupMembers gives groups roles at a twin, all of them or none (POST
// /access-control/twins/{id}/members/groups). It needs PermissionManageMembers, and the
// permissions of the roles, of which there are at most 100 all together, each counted as often as
// it is given.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (members; groupId, roleIds
// of each) or InvalidValue, one for each wrong property, also for a group that is neither of the
// twin nor of its account; twinNotFound; InsufficientPermissions; memberExists with InvalidValue
// (groupId); LimitExceeded.
func (s *Service) AddGroupMembers(ctx context.Context, twinID string,
	ns []NewGroupMember,
) (added []twinplatform.Record[GroupMember], err error) {
	if err := checkGroupMembers(ns); err != nil {
		return nil, err
	}
	f := &callsOf(s).groupMembers
	err = s.change(ctx, func(u *records.Update, j *judge.Judge) error {
		t, err := permitted(u, j, twinID, PermissionManageMembers)
		if err != nil {
			return err
		}
		if err := s.permissionsChange(j, t.ofAccount(), ""); err != nil {
			return err
		}
		for _, n := range ns { // before anything is written
			if _, err := assignable(u, j, t, n.RoleIDs); err != nil {
				return err
			}
		}
		added = nil
		for _, n := range ns {
			m, err := f.requested(ctx, twinID, n)
			if err != nil {
				return err
			}
			rec, err := f.shown(u, twinID)(f.insert(u, j, t, m))
			if err != nil {
				return err
			}
			added = append(added, rec)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

func checkGroupMembers(ns []NewGroupMember) error {
	var c problem.Checks
	if len(ns) == 0 {
		c.Missing("members")
	}
	roles := 0
	for i, n := range ns {
		c.At("members", i)
		groupMemberKind.CheckNew(&n, &c)
		roles += len(n.RoleIDs)
	}
	if c.At("", 0); roles > MaxAssignments {
		c.Bad("members", "A request gives at most %d roles.", MaxAssignments)
	}
	return c.Err(InvalidAccessControlRequest)
}

// GroupMemberPatch changes the roles of a group at a twin: what is left out stays.
type GroupMemberPatch struct {
	// RoleIDs replaces the group's roles; at least one is left.
	RoleIDs twinplatform.Optional[[]string] `json:"roleIds,omitzero"`
}

// UpdateGroupMember changes which roles a group has at a twin (PATCH
// /access-control/twins/{id}/members/groups/{memberId}). It needs PermissionManageMembers, and
// the permissions of the roles that it gives and takes.
//
// Errors: as AddGroupMembers; TeamMemberNotFound; VersionMismatch; LastOwner for an owner by the
// group who gives up a twin that no other owner, here or above, could manage.
func (s *Service) UpdateGroupMember(ctx context.Context, twinID, groupID string, p GroupMemberPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[GroupMember], error) {
	return callsOf(s).groupMembers.update(ctx, twinID, groupID, p, pre)
}

// DeleteGroupMember takes all roles at a twin from a group, which stays (DELETE
// /access-control/twins/{id}/members/groups/{memberId}). It needs PermissionManageMembers, and
// the permissions of the roles.
//
// Errors: twinNotFound; TeamMemberNotFound; InsufficientPermissions; LastOwner as for
// UpdateGroupMember; VersionMismatch.
func (s *Service) DeleteGroupMember(ctx context.Context, twinID, groupID string,
	pre ...twinplatform.Precondition,
) error {
	return callsOf(s).groupMembers.remove(ctx, twinID, groupID, pre)
}
