package twins

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Role is a set of permissions that members of a twin can be given.
type Role struct {
	Description twinplatform.NullString `json:"description"` // up to MaxText characters; null when there is none
	// DisplayName is unique within the twin.
	DisplayName string `json:"displayName"`
	ID          string `json:"id"` // a GUID
	// Permissions are sorted. Those of the owner role are the ones that the
	// platform asks for; its members may do everything else as well.
	Permissions []string `json:"permissions"`

	// Owner marks the automatic role of a twin's owners. It is not on the wire.
	Owner bool `json:"-"`

	twinID string
}

// holds are the permissions that the role's members have.
func (r *Role) holds() []string {
	if r.Owner {
		return []string{PermissionAll}
	}
	return r.Permissions
}

type hiddenRole struct {
	Owner  *bool   `json:"owner"`
	TwinID *string `json:"twinId"`
}

var roleRecords = records.Collection[Role]{
	Name: "roles", Unlisted: true,
	ID:     func(r *Role) string { return joined(r.twinID, r.ID) },
	Hidden: func(r *Role) any { return &hiddenRole{&r.Owner, &r.twinID} },
}

// joined is the id of a record that belongs to a twin. Ids of principals and
// accounts come from elsewhere and may hold anything, a slash too.
func joined(twinID, id string) string {
	return records.Join(url.PathEscape(twinID), url.PathEscape(id))
}

// ownerRole is the automatic role of a new twin.
func (s *Service) ownerRole(twinID string) *Role {
	return &Role{
		ID: s.env.NewGUID(), DisplayName: "Owner", Description: "Full access to the twin and to those below it.",
		Permissions: Permissions(), Owner: true, twinID: twinID,
	}
}

// Role returns a role of a twin. Errors: RoleNotFound; twinNotFound.
func (s *Service) Role(ctx context.Context, twinID, roleID string) (rec twinplatform.Record[Role], err error) {
	return get(ctx, s, twinID, roleMissing, &roleRecords, roleID)
}

// RoleQuery says which roles to list.
type RoleQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many roles from the beginning.
	Skip int
}

// Roles lists the roles of a twin by id (GET /access-control/twins/{id}/roles).
// Those of the twins above are not among them.
//
// Errors: twinNotFound; InvalidAccessControlRequest with InvalidValue (top,
// skip).
func (s *Service) Roles(ctx context.Context, twinID string, q RoleQuery) (twinplatform.Page[Role], error) {
	return list(ctx, s, twinID, "roles", &roleRecords, q.ListOptions, q.Skip)
}

// NewRole asks for a role.
type NewRole struct {
	// DisplayName is required, has at most 255 characters and is unique within
	// the twin.
	DisplayName string `json:"displayName"`
	// Description has at most 255 characters.
	Description twinplatform.NullString `json:"description"`
	// Permissions are at most 200 names of at most 100 letters, digits and signs
	// among "_-.:" each. The platform asks for those that Permissions lists.
	Permissions []string `json:"permissions"`
}

// CreateRole makes a role (POST /access-control/twins/{id}/roles). It needs
// PermissionManageRoles, and the permissions of the role itself.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (displayName)
// or InvalidValue, one for each wrong property; twinNotFound;
// InsufficientPermissions; roleExists with InvalidValue (displayName);
// LimitExceeded.
func (s *Service) CreateRole(ctx context.Context, twinID string, n NewRole) (res twinplatform.Result[Role], err error) {
	r := &Role{DisplayName: n.DisplayName, Description: n.Description, Permissions: sorted(n.Permissions), twinID: twinID}
	if err := r.check(); err != nil {
		return res, err
	}
	r.ID = s.env.NewGUID()
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageRoles)
		if err != nil {
			return err
		}
		if err := s.requireAll(ctx, t.target(), r.Permissions...); err != nil {
			return err
		}
		n, err := checkRoleName(u, r)
		if err != nil {
			return err
		}
		if n >= MaxRoles {
			return limitExceeded("roles", MaxRoles)
		}
		rec, err := roleRecords.Insert(u, area, r)
		res.Records = []twinplatform.Record[Role]{rec}
		return err
	})
	return onlyIf(res, err)
}

// DeleteRole removes a role (DELETE /access-control/twins/{id}/roles/{roleId}).
// It needs PermissionManageRoles, and the permissions of the role.
//
// Errors: twinNotFound; RoleNotFound; InsufficientPermissions; OwnerRole;
// RoleInUse for a role that a member or an invitation has.
func (s *Service) DeleteRole(ctx context.Context, twinID, roleID string) error {
	return s.change(ctx, func(ctx context.Context, u *records.Update) error {
		t, err := s.permitted(ctx, u, twinID, PermissionManageRoles)
		if err != nil {
			return err
		}
		r, err := roleRecords.Value(u, area, joined(twinID, roleID))
		if err != nil {
			return roleMissing.Or(err)
		}
		if r.Owner {
			return errOwnerRole
		}
		if err := s.requireAll(ctx, t.target(), r.holds()...); err != nil {
			return err
		}
		used, err := roleInUse(u, twinID, roleID)
		if err != nil {
			return err
		}
		if used {
			return conflict("RoleInUse", "The role is held by a member or an invitation.")
		}
		return roleRecords.Erase(u, area, joined(twinID, roleID))
	})
}

var errOwnerRole = conflict("OwnerRole", "The automatic owner role can be given and taken, but not be changed or deleted.")

// roleInUse reports whether a member or an invitation has a role.
func roleInUse(tx records.Reading, twinID, roleID string) (bool, error) {
	for m, err := range memberRecords.All(tx, area, joined(twinID, "")) {
		if err != nil || slices.Contains(m.RoleIDs, roleID) {
			return err == nil, err
		}
	}
	for i, err := range invitationRecords.All(tx, area, joined(twinID, "")) {
		if err != nil || slices.Contains(i.RoleIDs, roleID) {
			return err == nil, err
		}
	}
	return false, nil
}

func (r *Role) check() error {
	c := checks{family: &InvalidAccessControlRequest}
	c.Need("displayName", r.DisplayName, MaxText)
	c.AtMost("description", string(r.Description), MaxText)
	if len(r.Permissions) > MaxPermissions {
		c.Bad("permissions", "A role has at most %d permissions.", MaxPermissions)
	}
	for _, permission := range r.Permissions {
		if !wellFormed(permission) {
			c.Bad("permissions", "A permission is 1 to %d letters, digits and signs among '_-.:'.", MaxPermission)
			break
		}
	}
	return c.err()
}

// checkRoleName checks that no other role of the twin has the role's name, and
// returns how many roles there are.
func checkRoleName(tx records.Reading, r *Role) (n int, err error) {
	for other, err := range roleRecords.All(tx, area, joined(r.twinID, "")) {
		if err != nil {
			return 0, err
		}
		if n++; other.ID != r.ID && other.DisplayName == r.DisplayName {
			return 0, taken("roleExists", "role", refuse.BadValue("displayName", "Another role of the twin has the displayName '%s'.", r.DisplayName))
		}
	}
	return n, nil
}

// rolesOf returns roles of a twin. One that is not there is a wrong value of the
// request.
func rolesOf(tx records.Reading, twinID string, ids []string) ([]*Role, error) {
	c := checks{family: &InvalidAccessControlRequest}
	roles := make([]*Role, 0, len(ids))
	for _, id := range ids {
		r, err := roleRecords.Value(tx, area, joined(twinID, id))
		switch {
		case errors.Is(err, records.ErrNotFound):
			c.Bad("roleIds", "The twin has no role with the id '%s'.", id)
		case err != nil:
			return nil, err
		default:
			roles = append(roles, r)
		}
	}
	return roles, c.err()
}

// permissionsOf are the permissions of roles, taken together.
func permissionsOf(roles []*Role) (all []string) {
	for _, r := range roles {
		all = append(all, r.holds()...)
	}
	return all
}

// sorted is a set of texts in its one form.
func sorted(texts []string) []string {
	out := slices.Clone(texts)
	slices.SortFunc(out, strings.Compare)
	if out = slices.Compact(out); out == nil {
		return []string{}
	}
	return out
}
