package twins

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
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
	// Type distinguishes the automatic role from those that were made. It follows from
	// Owner and is not stored.
	Type RoleType `json:"type,omitempty"`

	// Owner marks the automatic role of a twin's owners. It is not on the wire.
	Owner bool `json:"-"`

	twinID string
}

// RoleType is where a role comes from.
type RoleType string

// The types of roles.
const (
	// SystemRole is the automatic role of a twin's owners.
	SystemRole RoleType = "System"
	// CustomRole is a role that was made by a request.
	CustomRole RoleType = "Custom"
)

var roleTypes = []RoleType{SystemRole, CustomRole}

// showType sets what kind of role it is.
func (r *Role) showType() {
	if r.Type = CustomRole; r.Owner {
		r.Type = SystemRole
	}
}

// holds are the permissions that the role's members have. No role holds none.
func (r *Role) holds() []string {
	switch {
	case r == nil:
		return nil
	case r.Owner:
		return []string{PermissionAll}
	}
	return r.Permissions
}

type hiddenRole struct {
	Owner  *bool   `json:"owner"`
	TwinID *string `json:"twinId"`
}

var roleRecords = records.Collection[Role]{
	Name: "roles", Untracked: true,
	ID:     func(r *Role) string { return recordID(r.twinID, r.ID) },
	Hidden: func(r *Role) any { return &hiddenRole{&r.Owner, &r.twinID} },
}

var roleKind = entity.Kind[Role, NewRole, RolePatch]{
	Records: &roleRecords, One: "role", Many: "roles", Resource: "role",
	Missing: roleMissing, Bad: &InvalidAccessControlRequest,
	Members: func(r *Role, n *NewRole, p *RolePatch) []entity.Member {
		return []entity.Member{
			entity.Text("displayName", &r.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxText).Required(),
			entity.Text("description", &r.Description, &n.Description, &p.Description).Max(MaxText),
			entity.Set("permissions", &r.Permissions, &n.Permissions, &p.Permissions).Valid(checkPermissions,
				schema.List(0, MaxPermissions,
					schema.Length(1, MaxPermission).And(schema.Pattern(`^[A-Za-z0-9_.:-]*$`, PermissionManageRoles)))),
		}
	},
	Sealed: func(r *Role) error {
		if r.Owner {
			return errOwnerRole
		}
		return nil
	},
}

var errOwnerRole = conflict("OwnerRole",
	"The automatic owner role can be given and taken, but not be changed or deleted.")

func checkPermissions(c *problem.Checks, name string, permissions []string) {
	if len(permissions) > MaxPermissions {
		c.Bad(name, "A role has at most %d permissions.", MaxPermissions)
	}
	if slices.ContainsFunc(permissions, malformed) {
		c.Bad(name, "A permission is 1 to %d letters, digits and signs among '_-.:'.", MaxPermission)
	}
}

func roleFamily(s *Service) family[Role, NewRole, RolePatch] {
	return family[Role, NewRole, RolePatch]{
		Kind: &roleKind, s: s, permission: PermissionManageRoles, transition: s.judgeRole, grants: true,
		show: func(records.Reading, string) func(*Role) error {
			return func(r *Role) error { r.showType(); return nil }
		},
		stamp: func(_ context.Context, r *Role, twinID string) { r.ID, r.twinID = s.env.NewGUID(), twinID },
	}
}

// judgeRole judges a change of a role: it needs the permissions that the role has
// before and after.
func (s *Service) judgeRole(u *records.Update, j *judge.Judge, t *Twin, stored, r *Role) error {
	if err := s.checkKnown(stored, r); err != nil {
		return err
	}
	if err := requireAll(j, t.target(), append(slices.Clone(stored.holds()), r.holds()...)...); err != nil {
		return err
	}
	if r == nil {
		return s.checkUnused(u, stored)
	}
	n, err := checkRoleName(u, r)
	if err == nil && stored == nil && n >= MaxRoles {
		err = limitExceeded("roles", MaxRoles)
	}
	return err
}

// checkKnown checks that a role comes to hold known permissions alone. Those that it held
// before stay: the program that runs the platform may know fewer by now.
func (s *Service) checkKnown(stored, r *Role) error {
	if r == nil || r.Owner {
		return nil
	}
	var before []string
	if stored != nil {
		before = stored.Permissions
	}
	var c problem.Checks
	for _, p := range r.Permissions {
		if !slices.Contains(s.permissions, p) && !slices.Contains(before, p) {
			c.Bad("permissions", "%s", problem.Unknown("permission", p, s.permissions))
		}
	}
	return c.Err(InvalidAccessControlRequest)
}

// checkUnused checks that no member and no open invitation has a role.
func (s *Service) checkUnused(tx records.Reading, r *Role) error {
	for g, err := range granteesOf(tx, "", r.twinID, s.ended) {
		if err != nil {
			return err
		}
		if slices.Contains(g.roleIDs, r.ID) {
			return conflict("RoleInUse", "The role is held by a member or an invitation.")
		}
	}
	return nil
}

// checkRoleName checks that no other role of the twin has the role's name, and
// returns how many roles there are.
func checkRoleName(tx records.Reading, r *Role) (n int, err error) {
	for other, err := range roleRecords.All(tx, allAccounts, recordID(r.twinID, "")) {
		if err != nil {
			return 0, err
		}
		if n++; other.ID != r.ID && other.DisplayName == r.DisplayName {
			return 0, taken("roleExists", "role",
				problem.BadValue("displayName", "The value '%s' of 'displayName' is that of another role of the twin.",
					r.DisplayName))
		}
	}
	return n, nil
}

// rolesOf returns roles of a twin. One that is not there is a wrong value of the
// request.
func rolesOf(tx records.Reading, twinID string, ids []string) ([]*Role, error) {
	var c problem.Checks
	roles := make([]*Role, 0, len(ids))
	for _, id := range ids {
		r, err := found(roleRecords.Value(tx, allAccounts, recordID(twinID, id)))
		if err != nil {
			return nil, err
		}
		if r == nil {
			c.Bad("roleIds", "The twin has no role with the id '%s'.", id)
		}
		roles = append(roles, r)
	}
	return roles, c.Err(InvalidAccessControlRequest)
}

// shownRoles returns what finds roles of a twin as members show them.
func shownRoles(tx records.Reading, twinID string) func(ids []string) ([]Role, error) {
	known := make(map[string]*Role)
	return func(ids []string) (shown []Role, err error) {
		for _, id := range ids {
			r, ok := known[id]
			if !ok {
				if r, err = found(roleRecords.Value(tx, allAccounts, recordID(twinID, id))); err != nil {
					return nil, err
				}
				known[id] = r
			}
			if r != nil {
				shown = append(shown, *r)
				shown[len(shown)-1].showType()
			}
		}
		return shown, nil
	}
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
	return callsOf(s).roles.get(ctx, twinID, roleID)
}

// RolePermissions reports what a role of a twin holds, and false where the twin has no
// such role: the models of a twin have members with its roles. Like Allowed it asks for
// no permission, and reads through the transaction that the context carries.
func (s *Service) RolePermissions(ctx context.Context, twinID, roleID string) (permissions []string, ok bool,
	err error,
) {
	err = s.db.View(ctx, func(v *records.View) error {
		r, err := found(roleRecords.Value(v, allAccounts, recordID(twinID, roleID)))
		if ok = r != nil; ok {
			if permissions = r.Permissions; r.Owner {
				permissions = Permissions()
			}
		}
		return err
	})
	return permissions, ok, err
}

// RoleQuery selects the roles to list.
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
	return callsOf(s).roles.list(ctx, twinID, q.ListOptions, q.Skip)
}

// NewRole asks for a role.
type NewRole struct {
	// DisplayName is required, has at most 255 characters and is unique within
	// the twin.
	DisplayName string `json:"displayName"`
	// Description has at most 255 characters.
	Description twinplatform.NullString `json:"description"`
	// Permissions are at most 200 names of at most 100 letters, digits and signs
	// among "_-.:" each, of those that Permissions lists or Config.Permissions adds.
	Permissions []string `json:"permissions"`
}

// CreateRole makes a role (POST /access-control/twins/{id}/roles). It needs
// PermissionManageRoles, and the permissions of the role itself.
//
// Errors: InvalidAccessControlRequest with MissingRequiredProperty (displayName)
// or InvalidValue, one for each wrong property; twinNotFound;
// InsufficientPermissions; roleExists with InvalidValue (displayName);
// LimitExceeded.
func (s *Service) CreateRole(ctx context.Context, twinID string, n NewRole) (twinplatform.Result[Role], error) {
	return callsOf(s).roles.create(ctx, twinID, n)
}

// RolePatch changes a role: what is left out stays, null clears.
type RolePatch struct {
	DisplayName twinplatform.Optional[string]   `json:"displayName,omitzero"` // not empty; unique within the twin
	Description twinplatform.Optional[string]   `json:"description,omitzero"` // null clears it
	Permissions twinplatform.Optional[[]string] `json:"permissions,omitzero"` // in place of all; null clears them
}

// UpdateRole changes a role (PATCH /access-control/twins/{id}/roles/{roleId}). It
// needs PermissionManageRoles, and the permissions that the role has before and
// after. The owner role never changes. Members and invitations that show the role have
// new versions when the call returns.
//
// Errors: as CreateRole; RoleNotFound; VersionMismatch; OwnerRole.
func (s *Service) UpdateRole(ctx context.Context, twinID, roleID string, p RolePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Role], error) {
	var rec twinplatform.Record[Role]
	err := s.bench.Call(ctx, func(j *judge.Judge) error {
		_, err := callsOf(s).renewals.Start(ctx,
			jobs.Spec{
				AtOnce: true, Subjects: []string{twinID, roleID},
				Open: func(u *records.Update) (in records.Scope, err error) {
					rec, in, err = callsOf(s).roles.changed(u, j.In(u), twinID, roleID, p, pre)
					if err == nil {
						err = completed(u, j)
					}
					return in, err
				},
			}, &renewal{TwinID: twinID, RoleID: roleID})
		return err
	})
	if err != nil {
		return twinplatform.Result[Role]{}, err
	}
	return twinplatform.Done(rec), nil
}

// DeleteRole removes a role (DELETE /access-control/twins/{id}/roles/{roleId}).
// It needs PermissionManageRoles, and the permissions of the role.
//
// Errors: twinNotFound; RoleNotFound; InsufficientPermissions; OwnerRole;
// RoleInUse for a role that a member or an invitation has; VersionMismatch.
func (s *Service) DeleteRole(ctx context.Context, twinID, roleID string, pre ...twinplatform.Precondition) error {
	return callsOf(s).roles.remove(ctx, twinID, roleID, pre)
}
