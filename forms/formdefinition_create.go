package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// NewFormDefinition asks for a form definition.
type NewFormDefinition struct {
	// DisplayName is required.
	DisplayName string `json:"displayName"`
	Discipline  string `json:"discipline"` // up to MaxName characters
	// IDPrefix has at most 25 characters.
	IDPrefix  twinplatform.NullString `json:"idPrefix"`
	ShareType ShareType               `json:"shareType"` // empty for its own twin alone
	// Status is Draft when empty.
	Status FormDefinitionStatus `json:"status"`
	// TwinID is required: the GUID of an existing twin.
	TwinID string `json:"twinId"`
	// Type is required, such as RFI; the names of types are free.
	Type string `json:"type"`
}

// CreateFormDefinition makes a form definition (POST /forms/formDefinitions). It
// needs PermissionDefine on the twin.
//
// Errors: InvalidFormDefRequest with MissingRequiredProperty (twinId,
// displayName, type) or InvalidValue (twinId, displayName, type, discipline,
// idPrefix, status, shareType); ProjectNotFound; InsufficientPermissions.
func (s *Service) CreateFormDefinition(ctx context.Context,
	n NewFormDefinition,
) (res twinplatform.Result[FormDefinition], err error) {
	if n.Status == "" {
		n.Status = Draft
	}
	d, err := definitionKind.Make(n)
	if err != nil {
		return res, err
	}
	d.ID = s.env.NewID()
	return s.writeLinked(ctx, func(u *records.Update, j *judge) (rec twinplatform.Record[FormDefinition], err error) {
		r, err := j.visibleTwin(d.TwinID, twinMissing)
		if err != nil {
			return rec, err
		}
		if err := r.mustHold(PermissionDefine); err != nil {
			return rec, err
		}
		d.AccountID = r.target.AccountID
		definitionKind.Records.MadeUp(u, inAccount(d.AccountID), d.ID)
		return definitionKind.Insert(u, inAccount(d.AccountID), &d, new(problem.Checks))
	})
}
