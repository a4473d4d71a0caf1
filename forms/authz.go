package forms

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	judges "github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The permissions of the forms area, held on a twin, or over the forms that a single definition has
// in a twin, where definition security is specified. Organization administrators hold all of them.
// A caller that holds any of them may view.
const (
	PermissionView   = twinplatform.PermissionFormsView
	PermissionCreate = twinplatform.PermissionFormsCreate
	PermissionModify = twinplatform.PermissionFormsModify
	// PermissionAssign lets a caller change who a form is assigned to.
	PermissionAssign = twinplatform.PermissionFormsAssign
	// PermissionApprove lets a caller change a form's status and assignees.
	PermissionApprove = twinplatform.PermissionFormsApprove
	// PermissionFull covers everything that can be done with forms.
	PermissionFull = twinplatform.PermissionFormsFull
	// PermissionComment lets a caller add comments and attachments.
	PermissionComment = twinplatform.PermissionFormsComment
	PermissionDelete  = twinplatform.PermissionFormsDelete
	// PermissionDefine lets a caller create, change, secure and delete form
	// definitions. It does not come with PermissionFull.
	PermissionDefine = twinplatform.PermissionFormsDefine
)

// permissionSeeTwin lets a caller see a twin. A caller that does not see a twin sees
// nothing in it.
const permissionSeeTwin = twinplatform.PermissionTwinsRead

// anyPermission are the permissions of which each lets a caller view.
var anyPermission = []string{
	PermissionView, PermissionFull, PermissionCreate, PermissionModify, PermissionAssign, PermissionApprove,
	PermissionComment, PermissionDelete, PermissionDefine,
}

// judge says, within the transaction that acts on it, what the caller may do.
type judge struct {
	*judges.Judge
	env     *twinplatform.Env
	tx      records.Reading
	service *Service
	caller  twinplatform.Principal
	limited bool // by what it may do; the system is not
}

// view runs fn over one committed state.
func (s *Service) view(ctx context.Context, fn func(*records.View, *judge) error) error {
	return s.bench().View(ctx, func(v *records.View, j *judges.Judge) error { return fn(v, s.judge(v, j)) })
}

// update runs fn in a transaction that writes. fn may run again.
func (s *Service) update(ctx context.Context, fn func(*records.Update, *judge) error) error {
	return s.bench().Update(ctx, func(u *records.Update, j *judges.Judge) error { return fn(u, s.judge(u, j)) })
}

// write returns the record that fn writes in a transaction.
func write[T any](ctx context.Context, s *Service,
	fn func(*records.Update, *judge) (twinplatform.Record[T], error),
) (twinplatform.Result[T], error) {
	return judges.Write(ctx, s.bench(),
		func(u *records.Update, j *judges.Judge) (twinplatform.Record[T], error) { return fn(u, s.judge(u, j)) })
}

func (s *Service) bench() judges.Bench {
	return judges.Bench{DB: s.db, Env: s.env, Twins: s.cfg.Twins}
}

func (s *Service) judge(tx records.Reading, j *judges.Judge) *judge {
	caller, limited := j.Caller()
	return &judge{j, &s.env, tx, s, caller, limited}
}

// rights are what the caller may do in a twin.
type rights struct {
	j         *judge
	target    twinplatform.Target
	unlimited bool // the system, or an organization administrator
}

// in returns what the caller may do in a twin that it names; ok is false when there
// is no such twin.
func (j *judge) in(twinID string) (r *rights, ok bool, err error) {
	return j.inOf(j.caller.AccountID, twinID)
}

// inOf is in for the twin of a definition of an account, or of one of its forms.
func (j *judge) inOf(accountID, twinID string) (r *rights, ok bool, err error) {
	r = &rights{j: j}
	if r.target, ok, err = j.TwinOf(accountID, twinID); err != nil || !ok {
		return nil, false, err
	}
	r.unlimited = !j.limited || j.env.Administers(j.caller, r.target.AccountID)
	return r, true, nil
}

// any reports whether the caller holds one of the permissions on the twin.
func (r *rights) any(permissions ...string) (bool, error) {
	if r.unlimited {
		return true, nil
	}
	return r.j.AllowedAny(r.target, permissions...)
}

// sees reports whether the caller may see the twin at all. Every forms
// permission on it is enough.
func (r *rights) sees() (bool, error) {
	return r.any(append([]string{permissionSeeTwin}, anyPermission...)...)
}

// over reports whether the caller holds one of the permissions, or
// PermissionFull, over the forms of a definition in the twin: on the twin, or
// where the definition is secured there, by what it grants to those who see the
// twin.
func (r *rights) over(d *FormDefinition, permissions ...string) (bool, error) {
	if r.unlimited {
		return true, nil
	}
	permissions = append(slices.Clone(permissions), PermissionFull)
	sec, err := securityIn(r.j.tx, d, r.target.TwinID)
	switch {
	case err != nil:
		return false, err
	case sec == nil:
		return r.any(permissions...)
	case !sec.grants(r.j.caller.ID, permissions):
		return false, nil
	}
	return r.sees()
}

// views reports whether the caller may view the forms of a definition.
func (r *rights) views(d *FormDefinition) (bool, error) {
	return r.over(d, anyPermission...)
}

// formAccess is a form that the caller may view.
type formAccess struct {
	formPlace
	definition *FormDefinition
	rights     *rights
}

// visibleForm returns a form that the caller may view. To everybody else it does not
// exist.
func (j *judge) visibleForm(formID string) (*formAccess, error) {
	p, err := j.place(formID)
	if err != nil {
		return nil, formMissing.Or(err)
	}
	a := &formAccess{formPlace: *p}
	if a.definition, err = j.definition(p.DefinitionID); err != nil {
		return nil, formMissing.Or(err)
	}
	var ok bool
	if a.rights, ok, err = j.inOf(a.definition.AccountID, a.TwinID); ok && err == nil {
		ok, err = a.rights.views(a.definition)
	}
	if err := formMissing.Unless(ok, err); err != nil {
		return nil, err
	}
	return a, nil
}

// need checks that the caller holds one of the permissions over a form.
func (a *formAccess) need(permissions ...string) error {
	return problem.Needs(permissions...).Unless(a.rights.over(a.definition, permissions...))
}

// permittedForm returns a form over which the caller holds one of the permissions.
func (j *judge) permittedForm(formID string, permissions ...string) (*formAccess, error) {
	a, err := j.visibleForm(formID)
	if err != nil {
		return nil, err
	}
	return a, a.need(permissions...)
}

// visibleTwin returns what the caller may do in a twin where it may view forms:
// all but those of secured definitions, or those of a definition that grants it
// something. To everybody else the twin does not exist.
func (j *judge) visibleTwin(twinID string, m *problem.Absent) (*rights, error) {
	j.expectSecured(twinID)
	r, ok, err := j.in(twinID)
	if err := m.Unless(ok, err); err != nil {
		return nil, err
	}
	if views, err := r.any(anyPermission...); err != nil || views {
		return r, err
	}
	sec, err := r.secured()
	if err := m.Unless(len(sec.granted) > 0, err); err != nil {
		return nil, err
	}
	return r, nil
}

// visibleDefinition returns a definition that the caller may see: one whose forms it may
// view in the definition's own twin, a shared one of its own account, and every one that
// it may edit.
func (j *judge) visibleDefinition(id string, m *problem.Absent) (d *FormDefinition, mayEdit bool, err error) {
	if d, err = j.definition(id); err != nil {
		return nil, false, m.Or(err)
	}
	r, ok, err := j.inOf(d.AccountID, d.TwinID)
	if err != nil {
		return nil, false, err
	}
	if ok {
		if mayEdit, err = r.any(PermissionDefine); err != nil || mayEdit {
			return d, mayEdit, err
		}
		if ok, err = r.views(d); err != nil {
			return nil, false, err
		}
	}
	if !ok {
		ok = d.ShareType != NotShared && d.AccountID != "" && j.caller.AccountID == d.AccountID
	}
	if !ok {
		return nil, false, m.Err()
	}
	return d, false, nil
}

// permittedDefinition returns a definition that the caller may edit.
func (j *judge) permittedDefinition(id string, m *problem.Absent) (*FormDefinition, error) {
	d, mayEdit, err := j.visibleDefinition(id, m)
	if err == nil && !mayEdit {
		err = problem.Lacks(PermissionDefine)
	}
	return d, err
}
