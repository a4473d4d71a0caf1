package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

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
// Errors: as CreateMember; MemberNotFound; VersionMismatch; LastOwner for an owner who
// gives up a twin that no other owner, here or above, could manage.
func (s *Service) UpdateMember(ctx context.Context, twinID, memberID string, p MemberPatch, pre ...twinplatform.Precondition) (res twinplatform.Result[Member], err error) {
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageMembers)
		if err != nil {
			return err
		}
		rec, err := memberRecords.Modify(u, area, joined(twinID, memberID), twinplatform.IfMatchHeader(pre...), func(m *Member) error {
			before := *m
			p.apply(m)
			if err := m.check(); err != nil {
				return err
			}
			return s.reassign(ctx, u, t, m, &before)
		})
		res.Records = []twinplatform.Record[Member]{rec}
		return memberMissing.Or(err)
	})
	return onlyIf(res, err)
}

func (p *MemberPatch) apply(m *Member) {
	if p.DisplayName.Present() {
		m.DisplayName = twinplatform.NullString(p.DisplayName.Or(""))
	}
	if p.Email.Present() {
		m.Email = twinplatform.NullString(p.Email.Or(""))
	}
	if p.RoleIDs.Present() {
		m.RoleIDs = sorted(p.RoleIDs.Or(nil))
	}
}

// reassign checks and tells which roles a member was given and lost.
func (s *Service) reassign(ctx context.Context, u *records.Update, t *Twin, m, before *Member) error {
	givenIDs, takenIDs := difference(before.RoleIDs, m.RoleIDs)
	given, err := s.assignable(ctx, u, t, givenIDs)
	if err != nil {
		return err
	}
	taken, err := s.assignable(ctx, u, t, takenIDs)
	if err != nil {
		return err
	}
	if err := s.mayLeave(ctx, u, t, before, taken); err != nil {
		return err
	}
	for _, r := range given {
		if err := s.emitMember(ctx, u, roleAssigned, t.target(), m, r); err != nil {
			return err
		}
	}
	for _, r := range taken {
		if err := s.emitMember(ctx, u, roleUnassigned, t.target(), m, r); err != nil {
			return err
		}
	}
	return nil
}

// difference returns what is in after alone, and what is in before alone.
func difference(before, after []string) (added, removed []string) {
	added = slices.DeleteFunc(slices.Clone(after), func(id string) bool { return slices.Contains(before, id) })
	removed = slices.DeleteFunc(slices.Clone(before), func(id string) bool { return slices.Contains(after, id) })
	return added, removed
}
