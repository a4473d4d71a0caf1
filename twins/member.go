package twins

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Member is somebody who has roles at a twin.
type Member struct {
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // when it became one
	DisplayName     twinplatform.NullString `json:"displayName"`     // up to MaxText characters; null when there is none
	Email           twinplatform.NullString `json:"email"`           // an address of up to MaxText characters; null when there is none
	// ID is the id of the principal.
	ID         string                     `json:"id"`
	MemberType twinplatform.PrincipalKind `json:"memberType"` // User or Service; never changes
	// RoleIDs are the member's roles at the twin, at least one, sorted. What it
	// may do there follows from these and from its roles at the twins above.
	RoleIDs []string `json:"roleIds"`

	twinID string
}

type hiddenMember struct {
	TwinID *string `json:"twinId"`
}

var memberRecords = records.Collection[Member]{
	Name: "members", Unlisted: true,
	ID:     func(m *Member) string { return joined(m.twinID, m.ID) },
	Hidden: func(m *Member) any { return &hiddenMember{&m.twinID} },
	Indexes: []records.Index[Member]{
		{Name: indexPrincipal, Value: func(m *Member) string { return m.ID }},
		{Name: indexTwin, Value: func(m *Member) string { return m.twinID }},
	},
}

// The indexes of members; invitations have the latter too.
const (
	indexPrincipal = "principal"
	indexTwin      = "twin"
)

// Member returns a member of a twin. Errors: MemberNotFound; twinNotFound.
func (s *Service) Member(ctx context.Context, twinID, memberID string) (rec twinplatform.Record[Member], err error) {
	return get(ctx, s, twinID, memberMissing, &memberRecords, memberID)
}

// MemberQuery says which members to list.
type MemberQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many members from the beginning.
	Skip int
}

// Members lists the members of a twin by id (GET
// /access-control/twins/{id}/members). Those of the twins above, who have their
// permissions here too, are not among them.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top,
// skip).
func (s *Service) Members(ctx context.Context, twinID string, q MemberQuery) (twinplatform.Page[Member], error) {
	return list(ctx, s, twinID, "members", &memberRecords, q.ListOptions, q.Skip)
}

// NewMember asks for a member.
type NewMember struct {
	// ID is that of the principal, and required; it has at most 255 characters.
	ID string `json:"id"`
	// MemberType is twinplatform.User when empty.
	MemberType twinplatform.PrincipalKind `json:"memberType"`
	// DisplayName and Email have at most 255 characters.
	DisplayName twinplatform.NullString `json:"displayName"`
	Email       twinplatform.NullString `json:"email"`
	// RoleIDs names at least one role of the twin.
	RoleIDs []string `json:"roleIds"`
}

// CreateMember makes somebody a member of a twin (POST
// /access-control/twins/{id}/members). It needs PermissionManageMembers, and the
// permissions of the roles.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (id, roleIds)
// or InvalidValue, one for each wrong property; twinNotFound;
// InsufficientPermissions; memberExists with InvalidValue (id); LimitExceeded.
func (s *Service) CreateMember(ctx context.Context, twinID string, n NewMember) (res twinplatform.Result[Member], err error) {
	m := s.newMember(twinID, n)
	if err := m.check(); err != nil {
		return res, err
	}
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageMembers)
		if err != nil {
			return err
		}
		rec, err := s.addMember(ctx, u, t, m)
		res.Records = []twinplatform.Record[Member]{rec}
		return err
	})
	return onlyIf(res, err)
}

func (s *Service) newMember(twinID string, n NewMember) *Member {
	m := &Member{
		ID: n.ID, MemberType: n.MemberType, DisplayName: n.DisplayName, Email: n.Email, RoleIDs: sorted(n.RoleIDs), twinID: twinID,
		CreatedDateTime: s.now(),
	}
	if m.MemberType == "" {
		m.MemberType = twinplatform.User
	}
	return m
}

// addMember writes a new member.
func (s *Service) addMember(ctx context.Context, u *records.Update, t *Twin, m *Member) (rec twinplatform.Record[Member], err error) {
	roles, err := s.assignable(ctx, u, t, m.RoleIDs)
	if err != nil {
		return rec, err
	}
	rec, err = memberRecords.Insert(u, area, m)
	if errors.Is(err, records.ErrExists) {
		err = taken("memberExists", "member", refuse.BadValue("id", "'%s' is a member of the twin already.", m.ID))
	}
	if err != nil {
		return rec, err
	}
	if err := checkLimit(u, &memberRecords, t.ID, MaxMembers); err != nil {
		return rec, err
	}
	return rec, s.emitAdded(ctx, u, t.target(), m, roles)
}

// makeOwner makes the creator of a twin its owner.
func (s *Service) makeOwner(ctx context.Context, u *records.Update, t *Twin, p twinplatform.Principal) error {
	for r, err := range roleRecords.All(u, area, joined(t.ID, "")) {
		if err != nil {
			return err
		}
		m := s.newMember(t.ID, NewMember{
			ID: p.ID, MemberType: p.Kind, DisplayName: twinplatform.NullString(p.DisplayName), RoleIDs: []string{r.ID},
		})
		if _, err := memberRecords.Insert(u, area, m); err != nil {
			return err
		}
		return s.emitAdded(ctx, u, t.target(), m, []*Role{r})
	}
	return nil
}

// DeleteMember takes all roles at a twin from a member (DELETE
// /access-control/twins/{id}/members/{memberId}). Roles at the twins above stay.
// It needs PermissionManageMembers, and the permissions of the roles.
//
// Errors: twinNotFound; MemberNotFound; InsufficientPermissions; LastOwner for an
// owner who leaves a twin that no other owner, here or above, could manage.
func (s *Service) DeleteMember(ctx context.Context, twinID, memberID string) error {
	return s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageMembers)
		if err != nil {
			return err
		}
		m, err := memberRecords.Value(u, area, joined(twinID, memberID))
		if err != nil {
			return memberMissing.Or(err)
		}
		roles, err := s.assignable(ctx, u, t, m.RoleIDs)
		if err != nil {
			return err
		}
		if err := s.mayLeave(ctx, u, t, m, roles); err != nil {
			return err
		}
		if err := memberRecords.Erase(u, area, joined(twinID, memberID)); err != nil {
			return err
		}
		return s.emitMember(ctx, u, memberRemoved, t.target(), m, nil)
	})
}

var memberTypes = []twinplatform.PrincipalKind{twinplatform.User, twinplatform.Service}

func (m *Member) check() error {
	c := checks{family: &InvalidAccessControlRequest}
	c.Need("id", m.ID, MaxText)
	refuse.OneOf(&c.Checks, "memberType", m.MemberType, memberTypes)
	c.AtMost("displayName", string(m.DisplayName), MaxText)
	c.email(string(m.Email))
	c.roleIDs(m.RoleIDs)
	return c.err()
}

// roleIDs checks a list of roles that must name some.
func (c *checks) roleIDs(ids []string) {
	switch {
	case len(ids) == 0:
		c.Missing("roleIds")
	case len(ids) > MaxRoles:
		c.Bad("roleIds", "A twin has at most %d roles.", MaxRoles)
	}
}

// email checks an address that may be empty. Whether it exists is not the
// platform's to say.
func (c *checks) email(address string) {
	c.AtMost("email", address, MaxText)
	at := strings.LastIndexByte(address, '@')
	if address != "" && (at < 1 || at == len(address)-1 || strings.ContainsAny(address, " \t\r\n")) {
		c.Bad("email", "The value of 'email' is no email address.")
	}
}
