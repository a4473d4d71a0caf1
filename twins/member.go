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
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Member is a person or a service application who has roles at a twin.
type Member struct {
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // when it became one
	// up to MaxText characters; null when there is none
	DisplayName twinplatform.NullString `json:"displayName"`
	// an address of up to MaxText characters; null when there is none
	Email twinplatform.NullString `json:"email"`
	// ID is the id of the principal.
	ID         string                     `json:"id"`
	MemberType twinplatform.PrincipalKind `json:"memberType"` // User or Service; never changes
	// RoleIDs are the member's roles at the twin, at least one, as they were sent. What it
	// may do there follows from these and from its roles at the twins above.
	RoleIDs []string `json:"roleIds"`
	// Roles are the roles with these ids. They are not stored with the member, whose
	// version changes when one of them does.
	Roles []Role `json:"roles,omitempty"`

	// AccountID is the account that the principal has come from: only as a principal of
	// that one it holds what its roles hold. It is that of the twin for the principal that was added,
	// and for the principal that accepted an invitation, or made the twin, its own. In a twin that
	// belongs to no account, no principal who was added has one, and each counts whatever
	// account it has. It is not on the wire.
	AccountID string `json:"-"`

	renewed int
	twinID  string
}

// is reports whether a principal is the member, at a twin of an account.
func (m *Member) is(p who, account string) bool {
	of := cmp.Or(m.AccountID, account)
	return of == "" || of == p.account
}

// who is whom the member lets in, at a twin of an account.
func (m *Member) who(account string) who {
	return who{m.ID, cmp.Or(m.AccountID, account)}
}

// hiddenMember is what is stored of a member in addition to its wire form. Renewed counts
// how often its roles have changed, and gives the record a new version.
type hiddenMember struct {
	AccountID records.OmitZero[string] `json:"accountId,omitzero"`
	Renewed   *int                     `json:"renewed"`
	TwinID    *string                  `json:"twinId"`
}

var memberRecords = records.Collection[Member]{
	Name: "members", Untracked: true,
	ID: func(m *Member) string { return recordID(m.twinID, m.ID) },
	Hidden: func(m *Member) any {
		return &hiddenMember{records.OmitZero[string]{Of: &m.AccountID}, &m.renewed, &m.twinID}
	},
	Indexes: []records.Index[Member]{
		{Name: indexPrincipal, Value: func(m *Member) string { return m.ID }},
		{Name: indexTwin, Value: func(m *Member) string { return m.twinID }},
	},
}

// The indexes of members; invitations and repositories have the latter too.
const (
	indexPrincipal = "principal"
	indexTwin      = "twin"
)

var memberKind = entity.Kind[Member, NewMember, MemberPatch]{
	Records: &memberRecords, One: "member", Many: "members", Resource: "member",
	Missing: memberMissing, Bad: &InvalidAccessControlRequest,
	Members: func(m *Member, n *NewMember, p *MemberPatch) []entity.Member {
		return []entity.Member{
			entity.Text("id", &m.ID, &n.ID, nil).Max(MaxText).Valid((*problem.Checks).Segment).Person(),
			entity.Enum("memberType", &m.MemberType, &n.MemberType, nil, memberTypes).Default(twinplatform.User),
			entity.Text("displayName", &m.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxText).Person(),
			entity.Text("email", &m.Email, &n.Email, &p.Email).Max(MaxText).Valid(checkEmail, email).Person(),
			entity.Distinct("roleIds", &m.RoleIDs, &n.RoleIDs, &p.RoleIDs).Required().Valid(checkRoleIDs,
				schema.List(1, MaxRoles, schema.Value{})).
				Refers(&roleRecords),
		}
	},
	Taken: func(m *Member) error {
		return taken("memberExists", "member", problem.BadValue("id", "'%s' is a member of the twin already.", m.ID))
	},
}

var memberTypes = []twinplatform.PrincipalKind{twinplatform.User, twinplatform.Service}

// checkRoleIDs checks how many roles a principal is given.
func checkRoleIDs(c *problem.Checks, name string, ids []string) {
	if len(ids) > MaxRoles {
		c.Bad(name, "A twin has at most %d roles.", MaxRoles)
	}
}

// email is what checkEmail takes of one that is not empty.
var email = schema.Pattern(`^[^ \t\r\n]+@[^@ \t\r\n]+$`, "name@example.com")

// checkEmail checks an address that may be empty. Whether it exists is not the
// platform's to say.
func checkEmail(c *problem.Checks, name, address string) {
	at := strings.LastIndexByte(address, '@')
	if address != "" && (at < 1 || at == len(address)-1 || strings.ContainsAny(address, " \t\r\n")) {
		c.Bad(name, "The value of '%s' is no email address.", name)
	}
}

func memberFamily(s *Service) family[Member, NewMember, MemberPatch] {
	return family[Member, NewMember, MemberPatch]{
		Kind: &memberKind, s: s, permission: PermissionManageMembers, transition: s.judgeMember, max: MaxMembers,
		show: func(tx records.Reading, twinID string) func(*Member) error {
			roles := shownRoles(tx, twinID)
			return func(m *Member) (err error) {
				m.Roles, err = roles(m.RoleIDs)
				return err
			}
		},
		stamp: func(_ context.Context, m *Member, twinID string) { m.twinID, m.CreatedDateTime = twinID, s.now() },
		gone:  lostMembership,
	}
}

// judgeMember judges which roles a principal is given and loses, and emits its event.
func (s *Service) judgeMember(u *records.Update, j *judge.Judge, t *Twin, stored, m *Member) error {
	givenIDs, takenIDs := difference(stored.roleIDs(), m.roleIDs())
	if err := s.permissionsChange(j, t.ofAccount(), cmp.Or(stored, m).ID); err != nil {
		return err
	}
	given, err := assignable(u, j, t, givenIDs)
	if err != nil {
		return err
	}
	taken, err := assignable(u, j, t, takenIDs)
	if err != nil {
		return err
	}
	switch {
	case stored == nil:
		if m.AccountID == "" {
			m.AccountID = t.account()
		}
		if err := newMembership(u, m.ID); err != nil {
			return err
		}
		return emitAdded(u, j, t.target(), m, given)
	case m == nil:
		if err := s.mayLeave(u, j, t, stored, taken); err != nil {
			return err
		}
		if err := lostMembership(u, stored); err != nil {
			return err
		}
		if err := s.withdrawInvitations(u, j, t, stored); err != nil {
			return err
		}
		if err := s.endMembership(j, t, stored); err != nil {
			return err
		}
		return j.Emit(u, t.target(), event.MemberRemoved{
			MemberID: stored.ID, EventCreatedBy: callerID(j), MemberType: stored.MemberType,
		})
	}
	if err := s.mayLeave(u, j, t, stored, taken); err != nil {
		return err
	}
	if err := emitAssigned(u, j, t.target(), m, given); err != nil {
		return err
	}
	return emitUnassigned(u, j, t.target(), m, taken)
}

// endMembership takes from a principal who is removed from a twin the grants on single
// records of the twin: else it would keep a part of the twin by them.
func (s *Service) endMembership(j *judge.Judge, t *Twin, m *Member) error {
	return s.tell(j, func(ctx context.Context, h twinplatform.TwinHolder) error {
		if h, ok := h.(twinplatform.MembershipHolder); ok {
			return h.EndMembership(ctx, t.ID, m.ID)
		}
		return nil
	})
}

// permissionsChange tells the other domains, before anything of it is written, that it is about
// to change what principals may do: see [twinplatform.PermissionsHolder].
func (s *Service) permissionsChange(j *judge.Judge, at twinplatform.Target, principalID string) error {
	return s.tell(j, func(ctx context.Context, h twinplatform.TwinHolder) error {
		if h, ok := h.(twinplatform.PermissionsHolder); ok {
			return h.PermissionsChange(ctx, at, principalID)
		}
		return nil
	})
}

// tell calls fn for each of the other domains, within the transaction.
func (s *Service) tell(j *judge.Judge, fn func(context.Context, twinplatform.TwinHolder) error) error {
	for _, h := range *s.holders.Load() {
		_, err := judge.Ask(j, nil, nil, func(ctx context.Context) (struct{}, error) { return struct{}{}, fn(ctx, h) })
		if err != nil {
			return err
		}
	}
	return nil
}

// roleIDs are the roles of a principal, who need not be a member.
func (m *Member) roleIDs() []string {
	if m == nil {
		return nil
	}
	return m.RoleIDs
}

// difference returns what is in after alone, and what is in before alone.
func difference(before, after []string) (added, removed []string) {
	added = slices.DeleteFunc(slices.Clone(after), func(id string) bool { return slices.Contains(before, id) })
	removed = slices.DeleteFunc(slices.Clone(before), func(id string) bool { return slices.Contains(after, id) })
	return added, removed
}

// makeOwner makes the creator of a twin its owner.
func (s *Service) makeOwner(u *records.Update, j *judge.Judge, t *Twin, owner *Role, p twinplatform.Principal) error {
	m := memberKind.New(&NewMember{
		ID: p.ID, MemberType: p.Kind, DisplayName: twinplatform.NullString(p.DisplayName), RoleIDs: []string{owner.ID},
	})
	m.twinID, m.CreatedDateTime, m.AccountID = t.ID, s.now(), p.AccountID
	if _, err := memberRecords.Insert(u, t.scope(), m); err != nil {
		return err
	}
	if err := newMembership(u, m.ID); err != nil {
		return err
	}
	return emitAdded(u, j, t.target(), m, []*Role{owner})
}

// Member returns a member of a twin. Errors: TeamMemberNotFound; twinNotFound.
func (s *Service) Member(ctx context.Context, twinID, memberID string) (rec twinplatform.Record[Member], err error) {
	return callsOf(s).members.get(ctx, twinID, memberID)
}

// MemberQuery selects the members to list.
type MemberQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many members from the beginning.
	Skip int
	// MemberType lists the members of this type; empty means of both.
	MemberType twinplatform.PrincipalKind
}

// Members lists the members of a twin by id (GET
// /access-control/twins/{id}/members). Those of the twins above, who have their
// permissions here too, are not among them.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top,
// skip, memberType).
func (s *Service) Members(ctx context.Context, twinID string, q MemberQuery) (twinplatform.Page[Member], error) {
	if q.MemberType == "" {
		return callsOf(s).members.list(ctx, twinID, q.ListOptions, q.Skip)
	}
	var c problem.Checks
	problem.OneOf(&c, "memberType", q.MemberType, memberTypes)
	if err := c.Err(InvalidAccessControlRequest); err != nil {
		return twinplatform.Page[Member]{}, err
	}
	return callsOf(s).members.among(ctx, twinID, q.Skip, records.Query[Member]{
		ListOptions: q.ListOptions, Filter: "memberType " + string(q.MemberType),
		Match: func(m *Member) bool { return m.MemberType == q.MemberType },
	})
}

// NewMember asks for a member.
type NewMember struct {
	// ID names the principal, in at most 255 characters. It is required, except for
	// AddMembers where there is an Email.
	ID string `json:"id"`
	// MemberType is twinplatform.User when empty.
	MemberType twinplatform.PrincipalKind `json:"memberType"`
	// DisplayName and Email have at most 255 characters.
	DisplayName twinplatform.NullString `json:"displayName"`
	Email       twinplatform.NullString `json:"email"`
	// RoleIDs names at least one role of the twin.
	RoleIDs []string `json:"roleIds"`

	// AccountID is the account of the principal. Only the system may set it, for
	// principals that want to be members; that of the twin when empty.
	AccountID string `json:"-"`
}

// CreateMember makes a principal a member of a twin (POST
// /access-control/twins/{id}/members). It needs PermissionManageMembers, and the
// permissions of the roles. The member is a principal of the account of the twin: one of
// another account with the same id gains nothing, as people of other accounts come in by
// invitations that they accept.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (id, roleIds)
// or InvalidValue, one for each wrong property, and for an AccountID that a caller says;
// twinNotFound; InsufficientPermissions; memberExists with InvalidValue (id); LimitExceeded.
func (s *Service) CreateMember(ctx context.Context, twinID string, n NewMember) (twinplatform.Result[Member], error) {
	if err := checkIdentified(n); err != nil {
		return twinplatform.Result[Member]{}, err
	}
	m, err := s.requestedMember(ctx, twinID, n)
	if err != nil {
		return twinplatform.Result[Member]{}, err
	}
	return callsOf(s).members.createMade(ctx, twinID, m)
}

// requestedMember is the member that a request asks for.
func (s *Service) requestedMember(ctx context.Context, twinID string, n NewMember) (*Member, error) {
	if _, named := twinplatform.PrincipalFrom(ctx); named && n.AccountID != "" {
		return nil, problem.With(InvalidAccessControlRequest,
			problem.BadValue("accountId", "The system alone adds members of other accounts. Invite them."))
	}
	m, err := callsOf(s).members.requested(ctx, twinID, n)
	if err == nil {
		m.AccountID = n.AccountID
	}
	return m, err
}

// checkIdentified reports the violations of a request for a member when it names no
// principal.
func checkIdentified(n NewMember) error {
	var c problem.Checks
	if strings.TrimSpace(n.ID) == "" {
		c.Missing("id")
		memberKind.CheckNew(&n, &c)
	}
	return c.Err(InvalidAccessControlRequest)
}

// MemberPatch changes a member: what is left out stays, null clears.
type MemberPatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // null clears it
	Email       twinplatform.Optional[string] `json:"email,omitzero"`       // null clears it
	// RoleIDs replaces the member's roles; at least one is left.
	RoleIDs twinplatform.Optional[[]string] `json:"roleIds,omitzero"`
}

// UpdateMember changes a member (PATCH
// /access-control/twins/{id}/members/{memberId}). It needs
// PermissionManageMembers, and the permissions of the roles that it gives and
// takes.
//
// Errors: as CreateMember; TeamMemberNotFound; VersionMismatch; LastOwner for an owner who
// gives up a twin that no other owner, here or above, could manage.
func (s *Service) UpdateMember(ctx context.Context, twinID, memberID string, p MemberPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Member], error) {
	return callsOf(s).members.update(ctx, twinID, memberID, p, pre)
}

// DeleteMember takes all roles at a twin from a member (DELETE
// /access-control/twins/{id}/members/{memberId}). Roles at the twins above stay. The
// open invitations by it to the twin are withdrawn, and those to its address to the twin
// and to those below. Roles at single models of the twin end too.
// It needs PermissionManageMembers, and the permissions of the roles.
//
// Errors: twinNotFound; TeamMemberNotFound; InsufficientPermissions; LastOwner for an
// owner who leaves a twin that no other owner, here or above, could manage; VersionMismatch.
func (s *Service) DeleteMember(ctx context.Context, twinID, memberID string, pre ...twinplatform.Precondition) error {
	return callsOf(s).members.remove(ctx, twinID, memberID, pre)
}
