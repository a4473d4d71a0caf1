package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Owners lists the members of a twin that are its owners, by id (GET
// /access-control/twins/{id}/members/owners).
//
// Errors: as Members.
func (s *Service) Owners(ctx context.Context, twinID string, q MemberQuery) (page twinplatform.Page[Member],
	err error,
) {
	var owner string
	err = s.read(ctx, twinID, func(v *records.View, _ twinplatform.Record[Twin]) (err error) {
		owner, err = ownerRoleOf(v, twinID) // which never changes
		return err
	})
	if err != nil {
		return page, err
	}
	return callsOf(s).members.among(ctx, twinID, q.Skip, records.Query[Member]{
		ListOptions: q.ListOptions, Filter: "owners",
		Match: func(m *Member) bool { return slices.Contains(m.RoleIDs, owner) },
	})
}

// NewOwner asks for an owner of a twin.
type NewOwner struct {
	// Email is who it is to be, of at most 255 characters. It is required unless there
	// is an ID, that of the principal.
	Email string `json:"email"`
	ID    string `json:"id"`
}

// AddOwner gives a principal the automatic owner role of a twin (POST
// /access-control/twins/{id}/members/owners). A member keeps its other roles; one who
// is an owner already stays one. A principal that is not known by its address is invited to the
// role, as AddMembers does it. It needs PermissionManageMembers, and what owners hold,
// which is everything.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (email) or
// InvalidValue (email, id); twinNotFound; InsufficientPermissions; invitationExists with
// InvalidValue (email), as for CreateInvitation; LimitExceeded.
func (s *Service) AddOwner(ctx context.Context, twinID string, n NewOwner) (added AddedMembers, err error) {
	a, err := s.askedOwner(ctx, twinID, n)
	if err != nil {
		return added, err
	}
	err = s.change(ctx, func(u *records.Update, j *judge.Judge) error {
		t, owner, err := ownersToManage(u, j, twinID)
		if err != nil {
			return err
		}
		added = AddedMembers{}
		return a.own(s, u, j, t, owner, &added)
	})
	if err != nil {
		return AddedMembers{}, err
	}
	return added, nil
}

// ownersToManage is a twin whose members the caller may manage, with the id of its owner role.
func ownersToManage(u *records.Update, j *judge.Judge, twinID string) (t *Twin, owner string, err error) {
	if t, err = permitted(u, j, twinID, PermissionManageMembers); err == nil {
		owner, err = ownerRoleOf(u, twinID)
	}
	return t, owner, err
}

// own makes a principal an owner, or invites them to become one.
func (a joining) own(s *Service, u *records.Update, j *judge.Judge, t *Twin, owner string, added *AddedMembers) error {
	if a.invitation != nil {
		a.invitation.RoleIDs = []string{owner}
		return a.add(s, u, j, t, added)
	}
	before, err := found(memberRecords.Value(u, allAccounts, recordID(t.ID, a.member.ID)))
	if err != nil {
		return err
	}
	if before == nil {
		a.member.RoleIDs = []string{owner}
		return a.add(s, u, j, t, added)
	}
	rec, err := s.setRoles(u, j, t, before, entity.Once(append(slices.Clone(before.RoleIDs), owner)))
	added.Members = append(added.Members, rec)
	return err
}

// askedOwner is the member or the invitation that a request for an owner comes to, its
// role aside.
func (s *Service) askedOwner(ctx context.Context, twinID string, n NewOwner) (a joining, err error) {
	var c problem.Checks
	m := NewMember{ID: n.ID, Email: twinplatform.NullString(n.Email), RoleIDs: []string{"that of owners"}}
	checkJoining(m, &c)
	if err := c.Err(InvalidAccessControlRequest); err != nil {
		return a, err
	}
	account, _, err := s.TwinAccount(ctx, twinID)
	if err != nil {
		return a, err
	}
	return s.joining(ctx, twinID, account, m, "")
}

// RemoveOwner takes the owner role from a member of a twin (DELETE
// /access-control/twins/{id}/members/owners/{memberId}), which stays a member if it has
// other roles there. It needs PermissionManageMembers, and what owners hold.
//
// Errors: twinNotFound; TeamMemberNotFound, also for a member that is no owner;
// InsufficientPermissions; LastOwner as for DeleteMember; VersionMismatch.
func (s *Service) RemoveOwner(ctx context.Context, twinID, memberID string, pre ...twinplatform.Precondition) error {
	return s.change(ctx, func(u *records.Update, j *judge.Judge) error {
		t, owner, err := ownersToManage(u, j, twinID)
		if err != nil {
			return err
		}
		m, err := memberRecords.Value(u, allAccounts, recordID(twinID, memberID))
		if err != nil {
			return memberMissing.Or(err)
		}
		if !slices.Contains(m.RoleIDs, owner) {
			return memberMissing.Err()
		}
		if err := memberRecords.Check(u, t.scope(), recordID(twinID, memberID),
			twinplatform.ConditionOf(pre...)); err != nil {
			return memberMissing.Or(err)
		}
		rest := slices.DeleteFunc(slices.Clone(m.RoleIDs), func(id string) bool { return id == owner })
		if len(rest) > 0 {
			_, err = s.setRoles(u, j, t, m, rest)
			return err
		}
		if err := s.judgeMember(u, j, t, m, nil); err != nil {
			return err
		}
		return memberRecords.Erase(u, t.scope(), recordID(twinID, memberID))
	})
}

// setRoles gives a member other roles.
func (s *Service) setRoles(u *records.Update, j *judge.Judge, t *Twin, m *Member,
	roleIDs []string,
) (rec twinplatform.Record[Member], err error) {
	changed := *m
	changed.RoleIDs = roleIDs
	if err := s.judgeMember(u, j, t, m, &changed); err != nil {
		return rec, err
	}
	return callsOf(s).members.shown(u, t.ID)(memberRecords.Put(u, t.scope(), &changed))
}
