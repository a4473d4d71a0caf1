package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// MemberPatch changes a member: what is left out stays, null clears.
type MemberPatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"`
	Email       twinplatform.Optional[string] `json:"email,omitzero"`
	// RoleIDs replaces the member's roles; at least one is left.
	RoleIDs twinplatform.Optional[[]string] `json:"roleIds,omitzero"`

	// IfMatch, when given, is the ETag that the member must have.
	IfMatch string `json:"-"`
}

// UpdateMember changes a member (PATCH
// /access-control/twins/{id}/members/{memberId}). It needs
// PermissionManageMembers, and the permissions of the roles that it gives and
// takes.
//
// Errors: as AddMember; MemberNotFound; VersionMismatch.
func (s *Service) UpdateMember(ctx context.Context, twinID, memberID string, p MemberPatch) (res twinplatform.Result[Member], err error) {
	t, err := s.permitted(ctx, twinID, PermissionManageMembers)
	if err != nil {
		return res, err
	}
	rec, err := s.Member(ctx, twinID, memberID)
	if err != nil {
		return res, err
	}
	after := rec.Value
	p.apply(&after)
	if err := after.check(); err != nil {
		return res, err
	}
	given, taken := difference(rec.Value.RoleIDs, after.RoleIDs)
	known, err := s.authorityOver(ctx, t, slices.Concat(given, taken))
	if err != nil {
		return res, err
	}
	err = s.change(ctx, func(u *records.Update) error {
		var before []string
		rec, err := memberRecords.Modify(u, area, joined(twinID, memberID), p.IfMatch, func(m *Member) error {
			before = m.RoleIDs
			p.apply(m)
			return nil
		})
		if err != nil {
			return memberMissing.Or(err)
		}
		res.Records = []twinplatform.Record[Member]{rec}
		return s.reassign(ctx, u, t, &rec.Value, before, known)
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
func (s *Service) reassign(ctx context.Context, u *records.Update, t *Twin, m *Member, before []string, known authority) error {
	given, taken := difference(before, m.RoleIDs)
	for _, moved := range []struct {
		eventType string
		roleIDs   []string
	}{{roleAssigned, given}, {roleUnassigned, taken}} {
		roles, err := rolesOf(u, t.ID, moved.roleIDs)
		if err != nil {
			return err
		}
		if !known.cover(permissionsOf(roles)) {
			return refuse.Forbidden
		}
		for _, r := range roles {
			if err := s.emitMember(ctx, u, moved.eventType, t.target(), m, r); err != nil {
				return err
			}
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
