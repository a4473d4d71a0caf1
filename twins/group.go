package twins

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Group is a set of people of an account who are given roles together. One of a twin is
// given roles at that twin alone, one of the twin of an account at every twin of the account.
// Without roles it gives nothing.
type Group struct {
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // set by the platform
	// up to MaxText characters; null when there is none
	Description twinplatform.NullString `json:"description"`
	ID          string                  `json:"id"` // a GUID
	// Members are who is in the group, at most MaxGroupPeople, by id.
	Members []GroupPerson `json:"members"`
	// Name is unique within the twin.
	Name string `json:"name"`

	asked   People // of a request
	refused error  // of a request that names people who are not known
	twinID  string
}

// GroupPerson is who is in a group: a principal of the account of the group's twin, and no
// principal of another account with the same id.
type GroupPerson struct {
	// as it was known when it was added; null when there is none
	DisplayName twinplatform.NullString    `json:"displayName"`
	Email       twinplatform.NullString    `json:"email"`      // also
	ID          string                     `json:"id"`         // of the principal
	MemberType  twinplatform.PrincipalKind `json:"memberType"` // User or Service
}

var groupRecords = records.Collection[Group]{
	Name: "groups", Untracked: true,
	ID:      func(g *Group) string { return recordID(g.twinID, g.ID) },
	Hidden:  func(g *Group) any { return &ofTwin{&g.twinID} },
	Indexes: []records.Index[Group]{{Name: indexTwin, Value: func(g *Group) string { return g.twinID }}},
}

var groupMissing = problem.NotFound("GroupNotFound", "twinGroupId", "group")

var groupKind = entity.Kind[Group, NewGroup, GroupPatch]{
	Records: &groupRecords, One: "group", Many: "groups", Resource: "group",
	Missing: groupMissing, Bad: &InvalidAccessControlRequest,
	Members: func(g *Group, n *NewGroup, p *GroupPatch) []entity.Member {
		return []entity.Member{
			entity.Text("name", &g.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Text("description", &g.Description, &n.Description, &p.Description).Max(MaxText),
			entity.Value("members", &g.asked, &n.Members, &p.Members).Valid(checkPeople,
				schema.List(0, MaxGroupPeople, schema.Value{})),
		}
	},
}

// checkPeople checks who is to be in a group, by addresses and ids.
func checkPeople(c *problem.Checks, name string, people People) {
	if len(people) > MaxGroupPeople {
		c.Bad(name, "A group has at most %d members.", MaxGroupPeople)
	}
	for _, one := range people {
		if strings.TrimSpace(one) == "" {
			c.Bad(name, "A member of a group has an address or an id.")
			continue
		}
		c.AtMost(name, one, MaxText)
		c.Segment(name, one)
	}
}

func groupFamily(s *Service) family[Group, NewGroup, GroupPatch] {
	return family[Group, NewGroup, GroupPatch]{
		Kind: &groupKind, s: s, permission: PermissionManageMembers, transition: s.judgeGroup, grants: true,
		max: MaxGroups,
		stamp: func(_ context.Context, g *Group, twinID string) {
			g.ID, g.twinID, g.CreatedDateTime = s.env.NewGUID(), twinID, s.now()
		},
		gone: func(u *records.Update, g *Group) error {
			account, err := s.accountAt(u, g.twinID)
			if err != nil {
				return err
			}
			return leaveGroup(u, account, g, g.Members)
		},
	}
}

// judgeGroup judges a change of a group. Who is in it has its roles: so no one lets people
// in, or puts them out, who could not give and take what the group holds wherever it does.
func (s *Service) judgeGroup(u *records.Update, j *judge.Judge, t *Twin, stored, g *Group) error {
	if g != nil {
		if err := cmp.Or(g.refused, checkGroupName(u, g)); err != nil {
			return err
		}
	}
	came, went := g.without(stored), stored.without(g)
	if stored == nil {
		return joinGroup(u, t, g, came)
	}
	places, err := s.placesOf(u, stored)
	if err != nil {
		return err
	}
	if g == nil || len(came)+len(went) > 0 {
		if err := s.mayChangePeople(u, j, places, stored, g); err != nil {
			return err
		}
	}
	for i := range places {
		if err := places[i].follow(u, j, g); err != nil {
			return err
		}
	}
	if err := joinGroup(u, t, stored, came); err != nil {
		return err
	}
	return leaveGroup(u, t.account(), stored, went)
}

// without are the people of a group who are not in another; neither need be there.
func (g *Group) without(other *Group) (people []GroupPerson) {
	if g == nil {
		return nil
	}
	for _, p := range g.Members {
		if other == nil || !other.has(p.ID) {
			people = append(people, p)
		}
	}
	return people
}

// has reports whether a principal of the group's account is in it.
func (g *Group) has(principalID string) bool {
	return slices.ContainsFunc(g.Members, func(p GroupPerson) bool { return p.ID == principalID })
}

// person is a principal as the group has it.
func (g *Group) person(principalID string) GroupPerson {
	return g.Members[slices.IndexFunc(g.Members, func(p GroupPerson) bool { return p.ID == principalID })]
}

// checkGroupName checks that no other group of the twin has the group's name.
func checkGroupName(tx records.Reading, g *Group) error {
	for other, err := range groupRecords.All(tx, allAccounts, recordID(g.twinID, "")) {
		if err != nil {
			return err
		}
		if other.ID != g.ID && other.Name == g.Name {
			return taken("groupExists", "group",
				problem.BadValue("name", "Another group of the twin has the name '%s'.", g.Name))
		}
	}
	return nil
}

// groupPlace is a twin at which a group has roles.
type groupPlace struct {
	twin   *Twin
	member *GroupMember
}

// placesOf are all of a group.
func (s *Service) placesOf(tx records.Reading, g *Group) (places []groupPlace, err error) {
	for id := range groupMemberRecords.IDs(tx, allAccounts, indexGroup, g.ID) {
		m, err := groupMemberRecords.Value(tx, allAccounts, id)
		if err != nil {
			return nil, err
		}
		t, err := twinRecords.Value(tx, allAccounts, m.twinID)
		if err != nil {
			return nil, err
		}
		places = append(places, groupPlace{t, m})
	}
	return places, nil
}

// mayChangePeople fails unless the caller may give and take what a group holds, and while an
// owner by the group alone would leave a twin without one. g is nil for a group that goes.
func (s *Service) mayChangePeople(tx records.Reading, j *judge.Judge, places []groupPlace, stored, g *Group) error {
	gives := s.isIn(j, stored) && (g == nil || len(g.Members) == 0)
	for _, at := range places {
		roles, err := assignable(tx, j, at.twin, at.member.RoleIDs)
		if err == nil {
			err = requireAll(j, at.twin.target(), PermissionManageMembers)
		}
		if err != nil {
			return err
		}
		if !gives {
			continue
		}
		if err := s.keepsOwner(tx, j, at.twin, roles, ownership{group: stored.ID}); err != nil {
			return err
		}
	}
	return nil
}

// isIn reports whether the caller is in a group, by its id.
func (s *Service) isIn(j *judge.Judge, g *Group) bool { return g.has(callerID(j)) }

// follow carries a change of a group to a twin where it has roles. g is nil for one that
// goes.
func (at *groupPlace) follow(u *records.Update, j *judge.Judge, g *Group) error {
	if g == nil {
		if err := groupMemberRecords.Erase(u, at.twin.scope(), groupMemberRecords.ID(at.member)); err != nil {
			return err
		}
		return at.member.emitRemoved(u, j, at.twin)
	}
	if at.member.GroupName == g.Name && at.member.GroupDescription == g.Description {
		return nil
	}
	at.member.GroupName, at.member.GroupDescription = g.Name, g.Description
	_, err := groupMemberRecords.Put(u, at.twin.scope(), at.member)
	return err
}

// Group returns a group of a twin (GET /access-control/twins/{id}/groups/{twinGroupId}).
// Errors: GroupNotFound; twinNotFound.
func (s *Service) Group(ctx context.Context, twinID, groupID string) (twinplatform.Record[Group], error) {
	return callsOf(s).groups.get(ctx, twinID, groupID)
}

// GroupQuery selects the groups to list.
type GroupQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many groups from the beginning.
	Skip int
}

// Groups lists the groups of a twin by id (GET /access-control/twins/{id}/groups). Those of
// the twin's account, which can have roles at the twin too, are listed at the account.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top, skip).
func (s *Service) Groups(ctx context.Context, twinID string, q GroupQuery) (twinplatform.Page[Group], error) {
	return callsOf(s).groups.list(ctx, twinID, q.ListOptions, q.Skip)
}

// NewGroup asks for a group.
type NewGroup struct {
	// Name is required, has at most 255 characters and is unique within the twin.
	Name string `json:"name"`
	// Description has at most 255 characters.
	Description twinplatform.NullString `json:"description"`
	// Members are at most 50 people of the account of the twin, each by an address that is known
	// there, see Config.People, or by the id of the principal, such as that of a program.
	Members People `json:"members"`

	// People are further members as they are to be shown. Only the system may say them.
	People []GroupPerson `json:"-"`
}

// CreateGroup makes a group (POST /access-control/twins/{id}/groups). It needs
// PermissionManageMembers. Its members gain nothing by it before it is given roles.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (name) or InvalidValue,
// one for each wrong property, also for an address of members that no one of the account, or
// more than one, is known by; twinNotFound; InsufficientPermissions; groupExists with
// InvalidValue (name); LimitExceeded.
func (s *Service) CreateGroup(ctx context.Context, twinID string, n NewGroup) (res twinplatform.Result[Group],
	err error,
) {
	g, err := callsOf(s).groups.requested(ctx, twinID, n)
	if err != nil {
		return res, err
	}
	if g.Members, g.refused, err = s.groupPeople(ctx, twinID, n.Members, nil); err != nil {
		return res, err
	}
	if _, named := twinplatform.PrincipalFrom(ctx); !named {
		g.Members = inGroupOrder(append(g.Members, n.People...))
	}
	return callsOf(s).groups.createMade(ctx, twinID, g)
}

// groupPeople are who is meant by addresses and ids in the account of a twin. Who is in the
// group stays as it was known when it came in. Addresses that are not known are refused; the
// caller learns of that once it is known to manage the group, and strangers learn of no one.
func (s *Service) groupPeople(ctx context.Context, twinID string, asked People, g *Group) (people []GroupPerson,
	refused, err error,
) {
	account, _, err := s.TwinAccount(ctx, twinID)
	if err != nil {
		return nil, nil, err
	}
	people = []GroupPerson{}
	var c problem.Checks
	for _, one := range entity.Sorted(asked) {
		if g != nil && g.has(one) {
			people = append(people, g.person(one))
			continue
		}
		var malformed problem.Checks
		if checkEmail(&malformed, "members", one); malformed.Err(InvalidAccessControlRequest) != nil {
			people = append(people, GroupPerson{ID: one, MemberType: twinplatform.User})
			continue
		}
		p, known, err := s.person(ctx, account, one)
		switch {
		case err != nil:
			return nil, nil, err
		case !known || account == "" || p.ID == "":
			c.Bad("members", "The address '%s' is that of no person of the account, or of several.", one)
		default:
			people = append(people, personOf(p))
		}
	}
	return inGroupOrder(people), c.Err(InvalidAccessControlRequest), nil
}

func personOf(p twinplatform.Principal) GroupPerson {
	m := memberOf(p)
	if m.MemberType == "" {
		m.MemberType = twinplatform.User
	}
	return GroupPerson{DisplayName: m.DisplayName, Email: m.Email, ID: m.ID, MemberType: m.MemberType}
}

// inGroupOrder are people by id, each once: who is known by an address before who is not.
func inGroupOrder(people []GroupPerson) []GroupPerson {
	slices.SortStableFunc(people, func(a, b GroupPerson) int {
		if by := strings.Compare(a.ID, b.ID); by != 0 {
			return by
		}
		return strings.Compare(string(b.Email), string(a.Email))
	})
	return slices.CompactFunc(people, func(a, b GroupPerson) bool { return a.ID == b.ID })
}

// GroupPatch changes a group: what is left out stays, null clears.
type GroupPatch struct {
	Name        twinplatform.Optional[string] `json:"name,omitzero"`        // not empty; unique within the twin
	Description twinplatform.Optional[string] `json:"description,omitzero"` // null clears it
	Members     twinplatform.Optional[People] `json:"members,omitzero"`     // in place of all; null clears them
}

// UpdateGroup changes a group (PATCH /access-control/twins/{id}/groups/{twinGroupId}). It
// needs PermissionManageMembers, and to let people in or put them out also at each twin where
// the group has roles, with the permissions of these roles. Who is put out loses what it had
// by the group when the call returns.
//
// Errors: as CreateGroup; GroupNotFound; VersionMismatch; LastOwner for an owner by the group
// who is the last in it, of a twin that no other owner could manage; LimitExceeded for people in
// more groups than MaxGroupsOfPerson.
func (s *Service) UpdateGroup(ctx context.Context, twinID, groupID string, p GroupPatch,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[Group], err error) {
	var c problem.Checks
	if groupKind.CheckPatch(groupID, &p, &c); c.Err(InvalidAccessControlRequest) != nil {
		return callsOf(s).groups.update(ctx, twinID, groupID, p, pre) // which refuses it when all else is well
	}
	var before *Group
	err = s.db.View(ctx, func(v *records.View) (err error) {
		before, err = found(groupRecords.Value(v, allAccounts, recordID(twinID, groupID)))
		return err
	})
	if err != nil {
		return res, err
	}
	people, refused, err := s.groupPeople(ctx, twinID, p.Members.Or(nil), before)
	if err != nil {
		return res, err
	}
	f := &callsOf(s).groups
	return f.change(ctx, twinID, func(u *records.Update, j *judge.Judge, t *Twin) (twinplatform.Record[Group], error) {
		return f.Update(u, t.scope(), recordID(twinID, groupID), twinplatform.ConditionOf(pre...), p,
			func(g, stored *Group) error {
				if g.asked = nil; p.Members.Present() {
					g.Members, g.refused = people, refused
				}
				return s.judgeGroup(u, j, t, stored, g)
			})
	})
}

// DeleteGroup removes a group, and its roles from wherever it has some (DELETE
// /access-control/twins/{id}/groups/{twinGroupId}). It needs what UpdateGroup needs to put
// all out.
//
// Errors: twinNotFound; GroupNotFound; InsufficientPermissions; LastOwner as for UpdateGroup;
// VersionMismatch.
func (s *Service) DeleteGroup(ctx context.Context, twinID, groupID string, pre ...twinplatform.Precondition) error {
	return callsOf(s).groups.remove(ctx, twinID, groupID, pre)
}
