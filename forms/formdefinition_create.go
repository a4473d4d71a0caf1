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
	// Type is required.
	Type string `json:"type"`
}

func (n *NewFormDefinition) check(c *problem.Checks) {
	c.Given("twinId", n.TwinID != "")
	c.GUID("twinId", n.TwinID)
	c.Need("displayName", n.DisplayName, MaxName)
	c.Need("type", n.Type, MaxName)
	c.AtMost("discipline", n.Discipline, MaxName)
	checkPrefix(c, string(n.IDPrefix))
	problem.OneOf(c, "status", n.Status, definitionStatuses)
	if n.ShareType != NotShared {
		problem.OneOf(c, "shareType", n.ShareType, shareTypes)
	}
}

func checkPrefix(c *problem.Checks, prefix string) {
	c.AtMost("idPrefix", prefix, MaxIDPrefix)
	if !problem.Printable(prefix) {
		c.Bad("idPrefix", "A prefix has printable characters alone.")
	}
}

// CreateFormDefinition makes a form definition (POST /forms/formDefinitions). It
// needs PermissionDefine on the twin.
//
// Errors: InvalidFormDefRequest with MissingRequiredProperty (twinId,
// displayName, type) or InvalidValue (twinId, displayName, type, discipline,
// idPrefix, status, shareType); ProjectNotFound; InsufficientPermissions.
func (s *Service) CreateFormDefinition(ctx context.Context, n NewFormDefinition) (res twinplatform.Result[FormDefinition], err error) {
	if n.Status == "" {
		n.Status = Draft
	}
	var c problem.Checks
	n.check(&c)
	if err := c.Err(InvalidDefinitionRequest); err != nil {
		return res, err
	}
	twinID, _ := parseGUID(n.TwinID)
	id := s.env.NewID()
	return s.writeLinked(ctx, func(u *records.Update, j *judge) (rec twinplatform.Record[FormDefinition], err error) {
		r, err := j.visibleTwin(twinID, twinMissing)
		if err != nil {
			return rec, err
		}
		if err := r.mustHold(PermissionDefine); err != nil {
			return rec, err
		}
		return definitionRecords.Insert(u, inAccount(r.target.AccountID), &FormDefinition{
			ID: id, DisplayName: n.DisplayName, Type: n.Type, Discipline: n.Discipline, Status: n.Status,
			ShareType: n.ShareType, IDPrefix: n.IDPrefix, ErrorStatus: NoError,
			TwinID: twinID, AccountID: r.target.AccountID,
		})
	})
}
