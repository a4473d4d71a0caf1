package forms

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// FormDefinitionStatus is what can be done with a definition.
type FormDefinitionStatus string

// The statuses of a definition. It may be moved from any of them to any other.
const (
	Draft       FormDefinitionStatus = "Draft"       // the layout can be edited; forms cannot be filled out
	Maintenance FormDefinitionStatus = "Maintenance" // as Draft, for one that was in use
	Approved    FormDefinitionStatus = "Approved"    // forms can be filled out; the layout is fixed
	Archived    FormDefinitionStatus = "Archived"    // neither
)

var definitionStatuses = []FormDefinitionStatus{Draft, Approved, Maintenance, Archived}

// LayoutEditable reports whether the layout can be changed.
func (s FormDefinitionStatus) LayoutEditable() bool { return s == Draft || s == Maintenance }

// CanFillOut reports whether forms can be created.
func (s FormDefinitionStatus) CanFillOut() bool { return s == Approved }

// RFI is the type of requests for information. It is the only one that the platform
// names; a program may use others.
const RFI = "RFI"

// ShareType is where a definition can be used besides its own twin. Once it is shared,
// this never changes.
type ShareType string

// The share types.
const (
	NotShared ShareType = ""          // null: in its own twin alone
	ReadOnly  ShareType = "ReadOnly"  // in every twin of the account; the layout is edited from its own
	ReadWrite ShareType = "ReadWrite" // in every twin of the account, and edited from any
)

var shareTypes = []ShareType{ReadOnly, ReadWrite}

// MarshalJSON writes null for NotShared.
func (t ShareType) MarshalJSON() ([]byte, error) { return twinplatform.NullString(t).MarshalJSON() }

// UnmarshalJSON reads null as NotShared.
func (t *ShareType) UnmarshalJSON(b []byte) error {
	return (*twinplatform.NullString)(t).UnmarshalJSON(b)
}

// ErrorStatus is whether the layout of a definition is faulty.
type ErrorStatus string

// The error statuses.
const (
	NoError      ErrorStatus = "None"
	Warning      ErrorStatus = "Warning"  // may prevent correct display
	Faulty       ErrorStatus = "Error"    // may prevent correct function
	Critical     ErrorStatus = "Critical" // may prevent correct function
	UnknownError ErrorStatus = "Unknown"
)

var errorStatuses = []ErrorStatus{NoError, Warning, Faulty, Critical, UnknownError}

// FormDefinition is what forms of one type are made from.
type FormDefinition struct {
	// Links are there only when the definition is editable and the caller may
	// edit definitions.
	Links       *DefinitionLinks `json:"_links,omitempty"`
	DisplayName string           `json:"displayName"` // 1 to MaxName characters
	ErrorStatus ErrorStatus      `json:"errorStatus"` // of its layout; set by SetLayout
	ID          string           `json:"id"`          // chosen by the platform
	// IDPrefix is before the number of each form; the prefix follows the type when it is
	// empty.
	IDPrefix  twinplatform.NullString `json:"idPrefix"`
	ShareType ShareType               `json:"shareType"` // null for its own twin alone; set once
	Status    FormDefinitionStatus    `json:"status"`    // Approved alone takes new forms
	// Type is the type of the forms, such as RFI.
	Type string `json:"type"`

	// Discipline is the discipline of the forms. It is on the wire of the forms alone.
	Discipline string `json:"-"`
	// TwinID and AccountID are where the definition was made. They are not on
	// the wire.
	TwinID    string `json:"-"`
	AccountID string `json:"-"`

	layouts  int       // that were set: another layout is another version
	security *Security // in the definition's own twin; nil where the permissions on it hold
}

// DefinitionLinks lead from a definition to related places.
type DefinitionLinks struct {
	Design Link `json:"design"` // where the layout is edited
}

// Link leads to a related place.
type Link struct {
	// Href is an address; one that begins with a slash is relative to that of
	// the REST API.
	Href string `json:"href"`
}

// usableIn reports whether forms of the definition can be in a twin.
func (d *FormDefinition) usableIn(t twinplatform.Target) bool {
	return d.TwinID == t.TwinID || d.ShareType != NotShared && d.AccountID == t.AccountID
}

// prefix is what is before the numbers of forms: the definition's own prefix, or the
// letters and digits of its type.
func (d *FormDefinition) prefix() string {
	if d.IDPrefix != "" {
		return string(d.IDPrefix)
	}
	alphanumeric := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, d.Type)
	if alphanumeric == "" {
		return "Form"
	}
	return alphanumeric[:min(len(alphanumeric), MaxIDPrefix)]
}

// hiddenDefinition is what is stored of a definition in addition to its wire form.
type hiddenDefinition struct {
	AccountID  *string                     `json:"accountId"`
	Discipline *string                     `json:"discipline"`
	Layouts    *int                        `json:"layouts"`
	Security   records.OmitZero[*Security] `json:"security,omitzero"`
	TwinID     *string                     `json:"twinId"`
}

// Indexes of the definitions.
const (
	byAccount = "account" // all
	bySecured = "secured" // those with security, by account
)

var definitionRecords = records.Collection[FormDefinition]{
	Name: "definitions", Untracked: true,
	ID: func(d *FormDefinition) string { return d.ID },
	Hidden: func(d *FormDefinition) any {
		return &hiddenDefinition{
			&d.AccountID, &d.Discipline, &d.layouts,
			records.OmitZero[*Security]{Of: &d.security},
			&d.TwinID,
		}
	},
	Indexes: []records.Index[FormDefinition]{
		{Name: byAccount, Value: func(d *FormDefinition) string { return accountKey(d.AccountID) }},
		{Name: bySecured, Value: func(d *FormDefinition) string {
			if d.security == nil {
				return ""
			}
			return accountKey(d.AccountID)
		}},
	},
}

// definitionKind changes a shared definition no more in how it is shared, and one whose layout
// is fixed only in its status and its share type.
var definitionKind = entity.Kind[FormDefinition, NewFormDefinition, FormDefinitionPatch]{
	Records: &definitionRecords, One: "formDefinition", Many: "formDefinitions", Resource: "form definition",
	Missing: definitionMissing, Bad: &InvalidDefinitionRequest,
	Members: func(d *FormDefinition, n *NewFormDefinition, p *FormDefinitionPatch) []entity.Member {
		return []entity.Member{
			entity.Value("twinId", &d.TwinID, &n.TwinID, nil).Required().Blank(isEmpty).Valid((*problem.Checks).GUID).
				Refers(entity.Elsewhere("twins")),
			entity.Text("displayName", &d.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxName).
				NeverEmptied("The name of a definition cannot be empty."),
			entity.Text("type", &d.Type, &n.Type, nil).Max(MaxName).Required(),
			entity.Text("discipline", &d.Discipline, &n.Discipline, nil).Max(MaxName),
			entity.Text("idPrefix", &d.IDPrefix, &n.IDPrefix, nil).Max(MaxIDPrefix).Valid(checkPrefix),
			entity.Enum("status", &d.Status, &n.Status, &p.Status, definitionStatuses),
			entity.Enum("shareType", &d.ShareType, &n.ShareType, &p.ShareType, shareTypes).Blank(ShareType.isNone),
			// Patches get this error last, requests before the status.
			entity.Text[twinplatform.NullString, string]("idPrefix", &d.IDPrefix, nil, &p.IDPrefix).
				Max(MaxIDPrefix).Valid(checkPrefix),
		}
	},
	AfterCreate: func(d *FormDefinition, _ *NewFormDefinition, _ *problem.Checks) {
		d.TwinID, _ = parseGUID(d.TwinID)
		d.ErrorStatus = NoError
	},
	AfterUpdate: func(d, stored *FormDefinition, _ *FormDefinitionPatch, c *problem.Checks) {
		if stored.ShareType != NotShared && d.ShareType != stored.ShareType {
			c.Bad("shareType", "The definition is shared as %s; that can be neither undone nor changed.",
				stored.ShareType)
		}
	},
	Validate: func(_ records.Reading, _ records.Scope, d, stored *FormDefinition, c *problem.Checks) error {
		if err := c.Err(InvalidDefinitionRequest); err != nil || stored == nil {
			return err
		}
		edited := d.DisplayName != stored.DisplayName || d.IDPrefix != stored.IDPrefix
		if edited && !stored.Status.LayoutEditable() && !d.Status.LayoutEditable() {
			return closed(stored.Status)
		}
		return nil
	},
}

func isEmpty(s string) bool { return s == "" }

func (t ShareType) isNone() bool { return t == NotShared }

func checkPrefix(c *problem.Checks, name, prefix string) {
	if !problem.Printable(prefix) {
		c.Bad(name, "A prefix has printable characters only.")
	}
}

// accountKey is an account in an index, where an empty value would not count.
func accountKey(accountID string) string { return "=" + accountID }

// linked returns a definition with the link to its designer, where it can be
// edited.
func (s *Service) linked(rec twinplatform.Record[FormDefinition], mayEdit bool) (twinplatform.Record[FormDefinition],
	error,
) {
	if !mayEdit || !rec.Value.Status.LayoutEditable() {
		return rec, nil
	}
	rec.Value.Links = &DefinitionLinks{Design: Link{Href: s.cfg.Designer + rec.Value.ID}}
	var err error
	rec.JSON, err = wire.Marshal(rec.Value)
	return rec, err
}

// writeLinked returns the definition that fn writes in a transaction, linked.
func (s *Service) writeLinked(ctx context.Context,
	fn func(*records.Update, *judge) (twinplatform.Record[FormDefinition], error)) (twinplatform.Result[FormDefinition],
	error,
) {
	res, err := write(ctx, s, fn)
	if err == nil {
		res.Records[0], err = s.linked(res.Records[0], true)
	}
	return res, err
}

// FormDefinition returns a form definition (GET /forms/formDefinitions/{id}), with
// the link to its designer where the caller may edit it.
//
// Errors: FormDefinitionNotFound.
func (s *Service) FormDefinition(ctx context.Context, id string) (rec twinplatform.Record[FormDefinition], err error) {
	var mayEdit bool
	err = s.view(ctx, func(v *records.View, j *judge) (err error) {
		var d *FormDefinition
		if d, mayEdit, err = j.visibleDefinition(id, definitionMissing); err != nil {
			return err
		}
		rec, err = definitionRecords.Get(v, inAccount(d.AccountID), id)
		return err
	})
	if err != nil {
		return rec, err
	}
	return s.linked(rec, mayEdit)
}

// DeleteFormDefinition removes a form definition of which there are no forms (DELETE
// /forms/formDefinitions/{id}). It needs PermissionDefine on its twin.
//
// Errors: FormDefinitionNotFound, InsufficientPermissions, FormDefinitionInUse;
// VersionMismatch.
func (s *Service) DeleteFormDefinition(ctx context.Context, id string, pre ...twinplatform.Precondition) error {
	return s.update(ctx, func(u *records.Update, j *judge) error {
		d, err := j.permittedDefinition(id, definitionMissing)
		if err != nil {
			return err
		}
		in := inAccount(d.AccountID)
		return definitionKind.Erase(u, in, id, twinplatform.ConditionOf(pre...), func(d *FormDefinition) error {
			for range formPlaces.IDs(u, allTwins, byDefinition, id) {
				return errInUse
			}
			if err := layouts.Erase(u, in, id); err != nil {
				return err
			}
			return unsecure(u, d)
		})
	})
}
