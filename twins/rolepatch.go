package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// RolePatch changes a role: what is left out stays, null clears.
type RolePatch struct {
	DisplayName twinplatform.Optional[string]   `json:"displayName,omitzero"`
	Description twinplatform.Optional[string]   `json:"description,omitzero"`
	Permissions twinplatform.Optional[[]string] `json:"permissions,omitzero"`

	// IfMatch, when given, is the ETag that the role must have.
	IfMatch string `json:"-"`
}

// UpdateRole changes a role (PATCH /access-control/twins/{id}/roles/{roleId}). It
// needs PermissionManageRoles, and the permissions that the role has before and
// after. The owner role never changes.
//
// Errors: as CreateRole; RoleNotFound; VersionMismatch; OwnerRole.
func (s *Service) UpdateRole(ctx context.Context, twinID, roleID string, p RolePatch) (res twinplatform.Result[Role], err error) {
	t, err := s.permitted(ctx, twinID, PermissionManageRoles)
	if err != nil {
		return res, err
	}
	before, err := s.Role(ctx, twinID, roleID)
	if err != nil {
		return res, err
	}
	given, _ := p.Permissions.Get()
	known, err := s.holds(ctx, t.target(), slices.Concat(before.Value.holds(), given))
	if err != nil {
		return res, err
	}
	err = s.change(ctx, func(u *records.Update) error {
		rec, err := roleRecords.Modify(u, area, joined(twinID, roleID), p.IfMatch, func(r *Role) error {
			if r.Owner {
				return errOwnerRole
			}
			if !known.cover(r.holds()) {
				return refuse.Forbidden
			}
			p.apply(r)
			if err := r.check(); err != nil {
				return err
			}
			if !known.cover(r.holds()) {
				return refuse.Forbidden
			}
			_, err := checkRoleName(u, r)
			return err
		})
		res.Records = []twinplatform.Record[Role]{rec}
		return roleMissing.Or(err)
	})
	return onlyIf(res, err)
}

func (p *RolePatch) apply(r *Role) {
	if p.DisplayName.Present() {
		r.DisplayName = p.DisplayName.Or("")
	}
	if p.Description.Present() {
		r.Description = twinplatform.NullString(p.Description.Or(""))
	}
	if p.Permissions.Present() {
		r.Permissions = sorted(p.Permissions.Or(nil))
	}
}
