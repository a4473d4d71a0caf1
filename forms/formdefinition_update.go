package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
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
func (s *Service) UpdateFormDefinition(ctx context.Context, id string, p FormDefinitionPatch,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[FormDefinition], err error) {
	var c problem.Checks
	definitionKind.CheckPatch(id, &p, &c)
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return res, err
	}
	return s.writeLinked(ctx, func(u *records.Update, j *judge) (rec twinplatform.Record[FormDefinition], err error) {
		d, err := j.permittedDefinition(id, upsert)
		if err != nil {
			return rec, err
		}
		return definitionKind.Modify(u, inAccount(d.AccountID), id, twinplatform.ConditionOf(pre...), &p)
	})
}
