package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// RolePatch changes a role: what is left out stays, null clears.
type RolePatch struct {
	DisplayName twinplatform.Optional[string]   `json:"displayName,omitzero"` // not empty; unique within the twin
	Description twinplatform.Optional[string]   `json:"description,omitzero"` // null clears it
	Permissions twinplatform.Optional[[]string] `json:"permissions,omitzero"` // in the place of all; null clears them
}

// UpdateRole changes a role (PATCH /access-control/twins/{id}/roles/{roleId}). It
// needs PermissionManageRoles, and the permissions that the role has before and
// after. The owner role never changes.
//
// Errors: as CreateRole; RoleNotFound; VersionMismatch; OwnerRole.
func (s *Service) UpdateRole(ctx context.Context, twinID, roleID string, p RolePatch, pre ...twinplatform.Precondition) (res twinplatform.Result[Role], err error) {
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageRoles)
		if err != nil {
			return err
		}
		rec, err := roleRecords.Modify(u, area, joined(twinID, roleID), twinplatform.IfMatchHeader(pre...), func(r *Role) error {
			if r.Owner {
				return errOwnerRole
			}
			needed := r.holds()
			p.apply(r)
			if err := r.check(); err != nil {
				return err
			}
			if err := s.requireAll(ctx, t.target(), slices.Concat(needed, r.holds())...); err != nil {
				return err
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
