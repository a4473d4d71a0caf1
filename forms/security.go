package forms

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Security defines who may do what with the forms that a definition has in one twin.
// There it takes the place of the permissions on the twin, for those who may see the
// twin; everybody else sees none of its forms whatever is granted.
type Security struct {
	Grants []Grant `json:"grants"` // up to 1,000; they give rights only to those whom they name
}

// Grant gives permissions over the forms of a definition in a twin to a
// principal.
type Grant struct {
	// Permissions are of the forms area. There is at least one.
	Permissions []string `json:"permissions"`
	PrincipalID string   `json:"principalId"` // the id of a user or an application
}

// maxGrants is how many grants a definition has in a twin.
const maxGrants = 1_000

// SetSecurity specifies the security of a definition in a twin where it can be used, or
// with nil leaves it to the permissions on the twin again. An empty twinID means the
// definition's own twin. Other twins are not concerned: a shared definition has its own
// security in each.
//
// It needs PermissionDefine on the twin. No one gives what it lacks there: each
// permission that a principal is newly granted the caller holds on the twin itself, and
// to leave it to the permissions on the twin again, which may give anything to anybody,
// takes PermissionFull.
//
// Errors: FormDefinitionNotFound; ProjectNotFound (twinId) for a twin that is
// missing or not for the caller to see; InsufficientPermissions;
// InvalidFormDefRequest with MissingRequiredProperty (security.grants) or
// InvalidValue (grants, and twinId for a twin where the definition cannot be
// used); VersionMismatch.
func (s *Service) SetSecurity(ctx context.Context, definitionID, twinID string, sec *Security,
	pre ...twinplatform.Precondition,
) error {
	twinID, err := checkSecurity(twinID, sec)
	if err != nil {
		return err
	}
	return s.update(ctx, func(u *records.Update, j *judge) error {
		d, r, err := j.securable(definitionID, twinID)
		if err != nil {
			return err
		}
		if err := definitionRecords.Check(u, inAccount(d.AccountID), d.ID,
			twinplatform.ConditionOf(pre...)); err != nil {
			return definitionMissing.Or(err)
		}
		old, err := securityIn(u, d, r.target.TwinID)
		if err != nil {
			return err
		}
		if err := r.mayGive(sec, old); err != nil {
			return err
		}
		return secure(u, d, r.target.TwinID, sec)
	})
}

// Security returns the security of a definition in a twin; nil where the
// permissions on the twin hold. An empty twinID means the definition's own twin.
// It needs PermissionDefine on the twin.
//
// Errors: FormDefinitionNotFound; ProjectNotFound (twinId);
// InsufficientPermissions; InvalidFormDefRequest with InvalidValue (twinId).
func (s *Service) Security(ctx context.Context, definitionID, twinID string) (sec *Security, err error) {
	if twinID, err = checkSecurity(twinID, nil); err != nil {
		return nil, err
	}
	err = s.view(ctx, func(v *records.View, j *judge) error {
		d, r, err := j.securable(definitionID, twinID)
		if err != nil {
			return err
		}
		sec, err = securityIn(v, d, r.target.TwinID)
		return err
	})
	return sec, err
}

// checkSecurity checks what does not need the definition, and returns the twin's id as it
// is compared.
func checkSecurity(twinID string, sec *Security) (string, error) {
	var c problem.Checks
	c.GUID("twinId", twinID)
	if sec != nil {
		sec.check(&c)
	}
	guid, _ := parseGUID(twinID)
	return guid, c.Err(InvalidDefinitionRequest)
}

func (sec *Security) check(c *problem.Checks) {
	// An empty list revokes everything from everyone.
	c.Given("security.grants", sec.Grants != nil)
	c.Holds(schema.May("security.grants", schema.List(0, maxGrants, schema.Value{})))
	if len(sec.Grants) > maxGrants {
		c.Bad("grants", "A definition has at most %d grants.", maxGrants)
		return
	}
	c.Holds(schema.Need("grant.principalId", schema.Length(1, MaxName)))
	c.Holds(schema.Need("grant.permissions", schema.List(1, 0, schema.Value{Enum: anyPermission})))
	for _, g := range sec.Grants {
		if g.PrincipalID == "" || len(g.PrincipalID) > MaxName {
			c.Bad("grants", "A grant names a principal.")
		}
		if len(g.Permissions) == 0 {
			c.Bad("grants", "A grant names at least one permission.")
		}
		for _, p := range g.Permissions {
			if !slices.Contains(anyPermission, p) {
				c.Bad("grants", "%s", problem.Unknown("permission of the forms area", p, anyPermission))
			}
		}
	}
}

// securable returns a definition and what the caller may do in a twin where it
// may set the definition's security.
func (j *judge) securable(definitionID, twinID string) (d *FormDefinition, r *rights, err error) {
	if twinID != "" {
		j.Expect(twinplatform.Target{TwinID: twinID, AccountID: j.caller.AccountID})
	}
	if d, err = j.definition(definitionID); err != nil {
		return nil, nil, definitionMissing.Or(err)
	}
	named := twinID != ""
	if !named {
		twinID = d.TwinID
	}
	r, there, err := j.inOf(d.AccountID, twinID)
	if err != nil {
		return nil, nil, err
	}
	usable := there && d.usableIn(r.target)
	if usable {
		if may, err := r.any(PermissionDefine); err != nil || may {
			return d, r, err
		}
	}
	if _, _, err := j.visibleDefinition(definitionID, definitionMissing); err != nil {
		return nil, nil, err
	}
	if there && named {
		there, err = r.sees()
	}
	switch {
	case err != nil:
	case named && !there:
		err = twinMissing.Err()
	case named && !usable:
		err = problem.With(InvalidDefinitionRequest,
			problem.BadValue("twinId", "The form definition cannot be used in this twin."))
	default:
		err = problem.Lacks(PermissionDefine)
	}
	return nil, nil, err
}

// mayGive checks that the caller holds on the twin all that a security gives in place of
// another, and could give it.
func (r *rights) mayGive(sec, old *Security) error {
	if sec == nil {
		if old == nil {
			return nil
		}
		return r.mustHold(PermissionFull)
	}
	asked := make(map[string]bool)
	for _, g := range sec.Grants {
		for _, p := range g.Permissions {
			if asked[p] || old.grants(g.PrincipalID, impliedBy(p)) {
				continue
			}
			asked[p] = true
			if err := r.mustHold(impliedBy(p)...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rights) mustHold(permissions ...string) error {
	return problem.Needs(permissions...).Unless(r.any(permissions...))
}

// impliedBy are the permissions of which each gives what a permission does.
func impliedBy(permission string) []string {
	switch permission {
	case PermissionView:
		return anyPermission
	case PermissionDefine:
		return []string{PermissionDefine}
	}
	return []string{permission, PermissionFull}
}

// grants reports whether one of the permissions is granted to a principal.
func (sec *Security) grants(principalID string, permissions []string) bool {
	return sec != nil && slices.ContainsFunc(sec.Grants, func(g Grant) bool {
		return g.PrincipalID == principalID && slices.ContainsFunc(g.Permissions, func(p string) bool {
			return slices.Contains(permissions, p)
		})
	})
}
