package forms

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// FormDefinitionPatch changes a form definition: what is left out stays.
type FormDefinitionPatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // 1 to MaxName characters
	// IDPrefix has at most 25 characters; null makes the prefix follow the
	// type.
	IDPrefix twinplatform.Optional[string] `json:"idPrefix,omitzero"`
	// ShareType shares a definition that is not shared yet.
	ShareType twinplatform.Optional[ShareType]            `json:"shareType,omitzero"`
	Status    twinplatform.Optional[FormDefinitionStatus] `json:"status,omitzero"` // null is refused
}

// UpdateFormDefinition changes a form definition (D1, PATCH
// /issues/formDefinitions/{id} and /forms/formDefinitions/{id}). It needs
// PermissionDefine on the definition's twin. While the definition is Approved or
// Archived, and the patch does not move it to Draft or Maintenance, only its
// status and its share type can change.
//
// Errors: UpsertNotSupported for a definition that is missing or not for the
// caller to see; InsufficientPermissions; FormDefIsClosed; VersionMismatch;
// InvalidFormDefRequest with InvalidValue (displayName, status, shareType,
// idPrefix).
func (s *Service) UpdateFormDefinition(ctx context.Context, id string, p FormDefinitionPatch, pre ...twinplatform.Precondition) (res twinplatform.Result[FormDefinition], err error) {
	var c problem.Checks
	p.check(&c)
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return res, err
	}
	return s.writeLinked(ctx, func(u *records.Update, j *judge) (rec twinplatform.Record[FormDefinition], err error) {
		d, err := j.permittedDefinition(id, upsert)
		if err != nil {
			return rec, err
		}
		rec, err = definitionRecords.Modify(u, inAccount(d.AccountID), id, twinplatform.ConditionOf(pre...), p.apply)
		return rec, upsert.Or(err)
	})
}

// check checks what can be said without the definition.
func (p *FormDefinitionPatch) check(c *problem.Checks) {
	c.Holds(schema.Stays("displayName", schema.Length(1, MaxName)))
	if p.DisplayName.Present() {
		if name := p.DisplayName.Or(""); strings.TrimSpace(name) == "" {
			c.Bad("displayName", "The name of a definition cannot be empty.")
		} else {
			c.AtMost("displayName", name, MaxName)
		}
	}
	c.Holds(schema.Stays("status", schema.Value{}))
	if p.Status.Present() {
		problem.OneOf(c, "status", p.Status.Or(""), definitionStatuses)
	}
	if t, ok := p.ShareType.Get(); ok && t != NotShared {
		problem.OneOf(c, "shareType", t, shareTypes)
	}
	checkPrefix(c, p.IDPrefix.Or(""))
}

// apply changes the definition, or says what stands against it.
func (p *FormDefinitionPatch) apply(d *FormDefinition) error {
	before := *d
	d.DisplayName = p.DisplayName.Or(d.DisplayName)
	d.Status = p.Status.Or(d.Status)
	if p.ShareType.Present() {
		d.ShareType = p.ShareType.Or(NotShared)
	}
	if p.IDPrefix.Present() {
		d.IDPrefix = twinplatform.NullString(p.IDPrefix.Or(""))
	}
	if before.ShareType != NotShared && d.ShareType != before.ShareType {
		return problem.With(InvalidDefinitionRequest, problem.BadValue("shareType", "The definition is shared as %s; that can be neither undone nor changed.", before.ShareType))
	}
	edited := d.DisplayName != before.DisplayName || d.IDPrefix != before.IDPrefix
	if edited && !before.Status.LayoutEditable() && !d.Status.LayoutEditable() {
		return closed(before.Status)
	}
	return nil
}
