package twins

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The permissions of the area. A role may hold those of the other areas, and those that
// a program invents for itself and names in Config.Permissions.
//
// A permission that is held at a twin is held at every twin below it. Any
// permission implies PermissionRead; any forms permission implies
// twinplatform.PermissionFormsView, and twinplatform.PermissionFormsFull implies
// all that are for forms but twinplatform.PermissionFormsDefine.
const (
	// PermissionRead lets a caller see a twin, its members and its roles.
	PermissionRead = twinplatform.PermissionTwinsRead
	// PermissionCreate lets a caller make twins below the twin.
	PermissionCreate = twinplatform.PermissionTwinsCreate
	// PermissionModify lets a caller change the twin. Only organization
	// administrators delete one.
	PermissionModify = twinplatform.PermissionTwinsModify
	// PermissionManageMembers lets a caller add, change, remove and invite
	// members, with roles whose permissions it holds itself.
	PermissionManageMembers = twinplatform.PermissionManageMembers
	// PermissionManageRoles lets a caller make, change and delete roles of
	// permissions that it holds itself.
	PermissionManageRoles = twinplatform.PermissionManageRoles
)

// PermissionDelete lets a caller delete a twin. No role holds it, the owner's
// neither: it is asked of an authorizer of the program's own alone.
const PermissionDelete = "twins_delete"

// PermissionAll stands for every permission there is. Only the owner role holds
// it.
const PermissionAll = "*"

// Permissions returns the permissions that the platform asks for, in
// alphabetical order.
func Permissions() []string {
	return []string{
		twinplatform.PermissionFormsApprove, twinplatform.PermissionFormsAssign, twinplatform.PermissionFormsComment,
		twinplatform.PermissionFormsCreate, twinplatform.PermissionFormsDelete, twinplatform.PermissionFormsFull,
		twinplatform.PermissionFormsDefine, twinplatform.PermissionFormsModify, twinplatform.PermissionFormsView,
		PermissionManageMembers, twinplatform.PermissionModelsRead, twinplatform.PermissionModelsWrite,
		twinplatform.PermissionRealityDataCreate, twinplatform.PermissionRealityDataManage,
		twinplatform.PermissionRealityDataUse,
		PermissionManageRoles, twinplatform.PermissionSchedulesModify, twinplatform.PermissionSchedulesRead,
		PermissionCreate, PermissionModify, PermissionRead, twinplatform.PermissionWebhooks,
	}
}

// permissionSet are the permissions that a principal holds.
type permissionSet map[string]bool

const formsPrefix = "Forms_"

// allows reports whether the permission is in the set or implied by it.
func (p permissionSet) allows(permission string) bool {
	switch {
	case p[permission] || p[PermissionAll]:
		return true
	case permission == PermissionRead:
		return len(p) > 0
	case !strings.HasPrefix(permission, formsPrefix):
		return false
	case p[twinplatform.PermissionFormsFull]:
		return permission != twinplatform.PermissionFormsDefine
	case permission != twinplatform.PermissionFormsView:
		return false
	}
	for held := range p {
		if strings.HasPrefix(held, formsPrefix) {
			return true
		}
	}
	return false
}

// malformed reports whether a name cannot be that of a permission.
func malformed(permission string) bool {
	return permission == "" || len(permission) > MaxPermission || strings.ContainsFunc(permission, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("_-.:", r)
	})
}

// PermissionsAt returns what the caller may do at a twin (GET
// /access-control/twins/{id}/permissions): in alphabetical order those of Permissions
// that it holds or that follow from what it holds, and those of its roles, here and
// above, that only the program knows.
//
// Errors: twinNotFound.
func (s *Service) PermissionsAt(ctx context.Context, twinID string) (held []string, err error) {
	err = s.bench.View(ctx, func(v *records.View, j *judge.Judge) error {
		t, err := visible(v, j, twinID)
		if err != nil {
			return err
		}
		held = []string{}
		for _, permission := range Permissions() {
			allowed, err := j.Allowed(permission, t.Value.target())
			if err != nil {
				return err
			}
			if allowed {
				held = append(held, permission)
			}
		}
		if p, named := j.Caller(); named && s.own {
			g, err := s.grantOf(v, whoIs(p), twinID)
			if err != nil {
				return err
			}
			held = slices.AppendSeq(held, maps.Keys(g.held))
		}
		return nil
	})
	held = slices.DeleteFunc(entity.Sorted(held), func(permission string) bool { return permission == PermissionAll })
	return held, err
}
