package forms

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Security says who may do what with the forms of a definition, in every twin.
// It takes the place of the permissions on the twin.
type Security struct {
	Grants []Grant `json:"grants"`
}

// Grant gives permissions over the forms of a definition to a principal.
type Grant struct {
	// Permissions are of the forms area.
	Permissions []string `json:"permissions"`
	PrincipalID string   `json:"principalId"`
}

// SetSecurity specifies the security of a definition, or with nil leaves it to
// the permissions on the twin again. It needs PermissionDefine on the
// definition's twin.
//
// Errors: FormDefinitionNotFound; InsufficientPermissions; InvalidFormDefRequest
// with InvalidValue (grants).
func (s *Service) SetSecurity(ctx context.Context, definitionID string, sec *Security) (res twinplatform.Result[FormDefinition], err error) {
	var c refuse.Checks
	if sec != nil {
		sec.check(&c)
	}
	if err := c.Err(definitionRequest); err != nil {
		return res, err
	}
	if _, err := s.editableDefinition(ctx, definitionID, definitionMissing); err != nil {
		return res, err
	}
	var rec twinplatform.Record[FormDefinition]
	err = s.db.Update(ctx, func(u *records.Update) error {
		rec, err = definitionRecords.Modify(u, definitionsScope, definitionID, "", func(d *FormDefinition) error {
			d.Security = sec
			return nil
		})
		return definitionMissing.Or(err)
	})
	if err != nil {
		return res, err
	}
	res.Records = []twinplatform.Record[FormDefinition]{rec}
	return res, nil
}

// Security returns the security of a definition; nil where the permissions on
// the twin hold. It needs PermissionDefine on the definition's twin.
//
// Errors: FormDefinitionNotFound, InsufficientPermissions.
func (s *Service) Security(ctx context.Context, definitionID string) (*Security, error) {
	d, err := s.editableDefinition(ctx, definitionID, definitionMissing)
	if err != nil {
		return nil, err
	}
	return d.Security, nil
}

func (sec *Security) check(c *refuse.Checks) {
	const maxGrants = 1_000
	if len(sec.Grants) > maxGrants {
		c.Bad("grants", "A definition has at most %d grants.", maxGrants)
		return
	}
	for _, g := range sec.Grants {
		if g.PrincipalID == "" || len(g.PrincipalID) > MaxName {
			c.Bad("grants", "A grant names a principal.")
		}
		for _, p := range g.Permissions {
			if !slices.Contains(anyPermission, p) {
				c.Bad("grants", "'%.100s' is not a permission of the forms area.", p)
			}
		}
	}
}

// secured are the definitions with security that can be used in a twin, by what
// they mean to the caller.
type secured struct{ granted, refused map[string]bool }

// secured finds out within a transaction which of the secured definitions grant
// something to the caller.
func (r *rights) secured(tx records.Reading) (sec secured, err error) {
	sec = secured{granted: make(map[string]bool), refused: make(map[string]bool)}
	for d, err := range definitionRecords.Find(tx, definitionsScope, bySecured, accountKey(r.target.AccountID)) {
		switch {
		case err != nil:
			return sec, err
		case !d.usableIn(r.target):
		case d.grants(r.caller.ID, anyPermission):
			sec.granted[d.ID] = true
		default:
			sec.refused[d.ID] = true
		}
	}
	return sec, nil
}

// names is a set of ids as a text.
func names(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ",")
}
