package forms

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Layout is how the forms of a definition are laid out.
type Layout struct {
	// Definition is JSON that the designer understands, at most 256 KiB.
	Definition string
	// ErrorStatus is the state that the designer sets. Empty means NoError.
	ErrorStatus ErrorStatus
	// TwinID is where the layout is edited from. Empty means the definition's
	// own twin; only ReadWrite definitions can be edited from another.
	TwinID string
}

// layout is stored apart from the definition, so that lists do not read it.
type layout struct {
	Definition string `json:"definition"`
	ID         string `json:"id"` // of the definition
}

var layouts = records.Collection[layout]{
	Name: "layouts", Untracked: true,
	ID: func(l *layout) string { return l.ID },
}

// SetLayout changes the layout of a definition and its error status. It is for
// the designer; the REST API has no operation for it. It needs PermissionDefine
// on the twin that the layout is edited from.
//
// Errors: FormDefinitionNotFound; InsufficientPermissions; FormDefIsClosed when
// the status is neither Draft nor Maintenance; InvalidFormDefRequest with
// InvalidValue (definition, errorStatus); VersionMismatch.
func (s *Service) SetLayout(ctx context.Context, definitionID string, l Layout,
	pre ...twinplatform.Precondition,
) error {
	if l.ErrorStatus == "" {
		l.ErrorStatus = NoError
	}
	var c problem.Checks
	if !json.Valid([]byte(l.Definition)) || len(l.Definition) > MaxLayoutBytes {
		c.Bad("definition", "A layout is JSON of at most %d bytes.", MaxLayoutBytes)
	}
	problem.OneOf(&c, "errorStatus", l.ErrorStatus, errorStatuses)
	l.TwinID, _ = parseGUID(l.TwinID)
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return err
	}
	return s.update(ctx, func(u *records.Update, j *judge) error {
		in, err := j.layoutEditable(definitionID, l.TwinID)
		if err != nil {
			return err
		}
		_, err = definitionRecords.Modify(u, in, definitionID, twinplatform.ConditionOf(pre...),
			func(d *FormDefinition) error {
				if !d.Status.LayoutEditable() {
					return closed(d.Status)
				}
				d.ErrorStatus = l.ErrorStatus
				d.layouts++
				return nil
			})
		if err != nil {
			return definitionMissing.Or(err)
		}
		_, err = layouts.Put(u, in, &layout{ID: definitionID, Definition: l.Definition})
		return err
	})
}

// layoutEditable checks that the caller may edit a layout from a twin, and says
// where its definition is.
func (j *judge) layoutEditable(definitionID, twinID string) (in records.Scope, err error) {
	d, mayEdit, err := j.visibleDefinition(definitionID, definitionMissing)
	if err != nil {
		return "", err
	}
	if twinID != "" && twinID != d.TwinID {
		r, ok, err := j.inOf(d.AccountID, twinID)
		if err != nil {
			return "", err
		}
		mayEdit = false
		if ok && d.ShareType == ReadWrite && d.usableIn(r.target) {
			if mayEdit, err = r.any(PermissionDefine); err != nil {
				return "", err
			}
		}
	}
	if !mayEdit {
		return "", problem.Lacks(PermissionDefine)
	}
	return inAccount(d.AccountID), nil
}

// Layout returns the layout of a definition; it is empty until it is set.
//
// Errors: FormDefinitionNotFound.
func (s *Service) Layout(ctx context.Context, definitionID string) (l Layout, err error) {
	err = s.view(ctx, func(v *records.View, j *judge) error {
		d, _, err := j.visibleDefinition(definitionID, definitionMissing)
		if err != nil {
			return err
		}
		l = Layout{TwinID: d.TwinID, ErrorStatus: d.ErrorStatus}
		stored, err := layouts.Value(v, inAccount(d.AccountID), definitionID)
		switch {
		case errors.Is(err, records.ErrNotFound):
			return nil
		case err == nil:
			l.Definition = stored.Definition
		}
		return err
	})
	return l, err
}
