package forms

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Form is a form that was made from a definition. Optional properties that were
// never set are not on the wire; those that were cleared are null.
type Form struct {
	// Assignee is the primary assignee, one of Assignees.
	Assignee  twinplatform.Optional[Person]     `json:"assignee,omitzero"`
	Assignees twinplatform.Optional[[]Assignee] `json:"assignees,omitzero"`
	// BoundingBox is the region that the form is about.
	BoundingBox *BoundingBox `json:"boundingBox,omitempty"`
	// CreatedBy is the name of the creator of the form.
	CreatedBy       string                        `json:"createdBy"`
	CreatedDateTime twinplatform.DateTime         `json:"createdDateTime"`      // set by the platform
	Description     twinplatform.Optional[string] `json:"description,omitzero"` // up to MaxDescription characters
	// Discipline and Type are those of the definition.
	Discipline string `json:"discipline,omitempty"`
	// DisplayName is the subject, or the number where there is none.
	DisplayName string                                       `json:"displayName"`
	DueDate     twinplatform.Optional[twinplatform.DateTime] `json:"dueDate,omitzero"` // by when action is due
	// FormID is the id of the definition.
	FormID string `json:"formId"`
	// chosen by the platform; sorts by creation
	ID                   string                `json:"id"`
	LastModifiedBy       string                `json:"lastModifiedBy"`       // the name of who changed it last
	LastModifiedDateTime twinplatform.DateTime `json:"lastModifiedDateTime"` // CreatedDateTime until it is changed
	Location             *Location             `json:"location,omitempty"`   // on the Earth
	// ModelEventDateTime is the time represented in a 4D model.
	ModelEventDateTime twinplatform.Optional[twinplatform.DateTime] `json:"modelEventDateTime,omitzero"`
	ModelPin           *ModelPin                                    `json:"modelPin,omitempty"` // a point in a model
	// how a model is looked at
	ModelView *ModelView `json:"modelView,omitempty"`
	// Number is the prefix of the definition and a number that no other form
	// of the twin has or had with this prefix: RFI-00042.
	Number       string        `json:"number"`
	Properties   Properties    `json:"properties,omitempty"`   // of the type, or of users; up to MaxPropertiesBytes
	SourceEntity *SourceEntity `json:"sourceEntity,omitempty"` // the one file or model element that it is about
	// State follows from Status by the workflow of the type.
	State  State  `json:"state"`
	Status string `json:"status"`
	// StatusColor is a hint of the form #rrggbb.
	StatusColor string                        `json:"statusColor,omitempty"`
	Subject     twinplatform.Optional[string] `json:"subject,omitzero"` // up to MaxText characters
	Type        string                        `json:"type"`

	// TwinID is where the form is. It is not on the wire.
	TwinID string `json:"-"`
	// CreatedByID and LastModifiedByID are empty for the system. They are not
	// on the wire.
	CreatedByID      string `json:"-"`
	LastModifiedByID string `json:"-"`
}

// Assignee is one of those that a form is assigned to.
type Assignee struct {
	DisplayName string `json:"displayName"` // up to MaxName characters
	ID          string `json:"id"`          // a GUID
	// IsRole is true for a role and false for a user.
	IsRole bool `json:"isRole"`
}

// FormSummary is what a list shows of a form.
type FormSummary struct {
	Discipline  string `json:"discipline"` // of the definition
	DisplayName string `json:"displayName"`
	ID          string `json:"id"`
	State       State  `json:"state"` // Open, Closed or Draft
	Type        string `json:"type"`  // of the definition

	// FormID is the id of the definition. It is not on the wire.
	FormID string `json:"-"`
}

func (f *Form) summary() *FormSummary {
	return &FormSummary{
		ID: f.ID, DisplayName: f.DisplayName, Type: f.Type, Discipline: f.Discipline, State: f.State, FormID: f.FormID,
	}
}

// hiddenForm is what is stored of a form in addition to its wire form.
type hiddenForm struct {
	CreatedByID      *string `json:"createdById"`
	LastModifiedByID *string `json:"lastModifiedById"`
	TwinID           *string `json:"twinId"`
}

// Lists go over the summaries, which are small and indexed; the forms
// themselves are only ever got by id. Both are in the scope of their twin.
var formRecords = records.Collection[Form]{
	Name: "forms", Untracked: true,
	ID:     func(f *Form) string { return f.ID },
	Hidden: func(f *Form) any { return &hiddenForm{&f.CreatedByID, &f.LastModifiedByID, &f.TwinID} },
}

// Indexes of the summaries.
const (
	byDefinition = "definition"
	byType       = "type"
	byDiscipline = "discipline"
	byState      = "state"
)

var summaryRecords = records.Collection[FormSummary]{
	Name: "summaries", Untracked: true,
	ID:     func(f *FormSummary) string { return f.ID },
	Hidden: func(f *FormSummary) any { return &f.FormID },
	Indexes: []records.Index[FormSummary]{
		{Name: byDefinition, Value: func(f *FormSummary) string { return f.FormID }},
		{Name: byType, Value: func(f *FormSummary) string { return f.Type }},
		{Name: byDiscipline, Value: func(f *FormSummary) string { return f.Discipline }},
		{Name: byState, Value: func(f *FormSummary) string { return string(f.State) }},
	},
}

// formPlace is where a form is.
type formPlace struct {
	DefinitionID string `json:"definitionId"`
	ID           string `json:"id"` // of the form
	TwinID       string `json:"twinId"`
}

var formPlaces = records.Collection[formPlace]{
	Name: "places", Unversioned: true,
	ID: func(p *formPlace) string { return p.ID },
	Indexes: []records.Index[formPlace]{{
		Name:  byDefinition,
		Value: func(p *formPlace) string { return p.DefinitionID },
	}},
}

// scope holds the form itself.
func (p *formPlace) scope() records.Scope { return inTwin(p.TwinID) }

// inner holds what belongs to the form: comments, attachments, audit trail.
func (p *formPlace) inner() records.Scope { return inForm(p.ID) }
