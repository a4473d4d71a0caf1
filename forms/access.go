package forms

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// The permissions of the forms area, held on a twin, or on single definitions
// where definition security is specified. Organization administrators hold all
// of them. Whoever holds any of them may view.
const (
	PermissionView   = "Forms_ViewAccess"
	PermissionCreate = "Forms_CreateAccess"
	PermissionModify = "Forms_ModifyAccess"
	// PermissionAssign lets a caller change who a form is assigned to.
	PermissionAssign = "Forms_AssignAccess"
	// PermissionApprove lets a caller change a form's status and assignees.
	PermissionApprove = "Forms_ApproveAccess"
	// PermissionFull covers everything that can be done with forms.
	PermissionFull = "Forms_FullAccess"
	// PermissionComment lets a caller add comments and attachments.
	PermissionComment = "Forms_CommentAccess"
	PermissionDelete  = "Forms_DeleteForms"
	// PermissionDefine lets a caller create, change, secure and delete form
	// definitions. It does not come with PermissionFull.
	PermissionDefine = "Forms_ManageDefinitions"
)

// anyPermission are the permissions of which each lets a caller view.
var anyPermission = []string{
	PermissionView, PermissionFull, PermissionCreate, PermissionModify, PermissionAssign, PermissionApprove,
	PermissionComment, PermissionDelete, PermissionDefine,
}

// rights are what the caller may do in a twin. They are asked for outside any
// transaction.
type rights struct {
	s         *Service
	target    twinplatform.Target
	caller    twinplatform.Principal
	unlimited bool // the system, or an organization administrator
	known     map[string]bool
}

// rightsIn returns what the caller may do in a twin; ok is false when there is
// no such twin.
func (s *Service) rightsIn(ctx context.Context, twinID string) (r *rights, ok bool, err error) {
	r = &rights{s: s, target: twinplatform.Target{TwinID: twinID}, known: make(map[string]bool)}
	if s.cfg.Twins != nil {
		if r.target.AccountID, ok, err = s.cfg.Twins.TwinAccount(ctx, twinID); err != nil || !ok {
			return nil, false, err
		}
	}
	var limited bool
	r.caller, limited = twinplatform.PrincipalFrom(ctx)
	r.unlimited = !limited || r.s.env.Administers(r.caller, r.target.AccountID)
	return r, true, nil
}

// any reports whether the caller holds one of the permissions on the twin.
func (r *rights) any(ctx context.Context, permissions ...string) (bool, error) {
	if r.unlimited {
		return true, nil
	}
	for _, p := range permissions {
		held, asked := r.known[p]
		if !asked {
			var err error
			if held, err = r.s.env.Allowed(ctx, p, r.target); err != nil {
				return false, err
			}
			r.known[p] = held
		}
		if held {
			return true, nil
		}
	}
	return false, nil
}

// over reports whether the caller holds one of the permissions, or
// PermissionFull, over the forms of a definition: on the twin, or where the
// definition is secured, by what it grants.
func (r *rights) over(ctx context.Context, d *FormDefinition, permissions ...string) (bool, error) {
	if r.unlimited {
		return true, nil
	}
	permissions = append(slices.Clone(permissions), PermissionFull)
	if d.Security == nil {
		return r.any(ctx, permissions...)
	}
	return d.grants(r.caller.ID, permissions), nil
}

// views reports whether the caller may view the forms of a definition.
func (r *rights) views(ctx context.Context, d *FormDefinition) (bool, error) {
	return r.over(ctx, d, anyPermission...)
}

// formAccess is a form that the caller may view.
type formAccess struct {
	formPlace
	definition *FormDefinition
	rights     *rights
}

// visibleForm returns a form that the caller may view. To everybody else it does
// not exist.
func (s *Service) visibleForm(ctx context.Context, formID string) (*formAccess, error) {
	a := &formAccess{}
	err := s.db.View(ctx, func(v *records.View) error {
		p, err := formPlaces.Value(v, formsScope, formID)
		if err != nil {
			return formMissing.Or(err)
		}
		a.formPlace = *p
		a.definition, err = definitionRecords.Value(v, definitionsScope, p.DefinitionID)
		return formMissing.Or(err)
	})
	if err != nil {
		return nil, err
	}
	var ok bool
	if a.rights, ok, err = s.rightsIn(ctx, a.TwinID); err != nil {
		return nil, err
	}
	if ok {
		ok, err = a.rights.views(ctx, a.definition)
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, formMissing.Err()
	}
	return a, nil
}

// need checks that the caller holds one of the permissions over a form.
func (a *formAccess) need(ctx context.Context, permissions ...string) error {
	allowed, err := a.rights.over(ctx, a.definition, permissions...)
	if err == nil && !allowed {
		return refuse.Forbidden
	}
	return err
}

// allowedForm returns a form over which the caller holds one of the permissions.
func (s *Service) allowedForm(ctx context.Context, formID string, permissions ...string) (*formAccess, error) {
	a, err := s.visibleForm(ctx, formID)
	if err != nil {
		return nil, err
	}
	return a, a.need(ctx, permissions...)
}

// Person is who a form is assigned to, or who did something.
type Person struct {
	// DisplayName is the id where none is given.
	DisplayName string `json:"displayName"`
	// ID is a GUID.
	ID string `json:"id"`
}

// systemName is the name under which a program without a principal acts.
const systemName = "System"

// callerOf returns who acts; the system has no id.
func callerOf(ctx context.Context) Person {
	p, ok := twinplatform.PrincipalFrom(ctx)
	switch {
	case !ok:
		return Person{DisplayName: systemName}
	case p.DisplayName == "":
		return Person{DisplayName: p.ID, ID: p.ID}
	}
	return Person{DisplayName: p.DisplayName, ID: p.ID}
}
