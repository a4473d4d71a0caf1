package platform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Model is a model of a twin with all that it holds.
type Model struct {
	models.NewModel
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	// who has roles at the model alone
	Members       []ModelMember  `json:"members,omitempty"`
	Changesets    []Changeset    `json:"changesets,omitempty"`    // in the order in which they were made
	NamedVersions []NamedVersion `json:"namedVersions,omitempty"` // of changesets of the model
	// ViewGroups and ViewTags are what its saved views are sorted by.
	ViewGroups []ViewGroup `json:"savedViewGroups,omitempty"`
	ViewTags   []ViewTag   `json:"savedViewTags,omitempty"`
}

// ModelMember is a member of a model. Roles names roles of the twin of the model by
// their display names; the automatic one is called Owner.
type ModelMember struct {
	Roles []string `json:"roles"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	models.NewModelMember
}

// Changeset is a changeset of a model: what it inserted, updated and deleted, of any
// size.
type Changeset struct {
	ID          string                  `json:"id"` // required
	Description twinplatform.NullString `json:"description"`
	// a principal; null for the platform itself
	CreatedBy twinplatform.NullString `json:"createdBy"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	// Extents are wider than what the elements take where these took more before.
	Extents  *models.Box `json:"extents,omitempty"`
	Inserted []Element   `json:"inserted,omitempty"`
	Updated  []Element   `json:"updated,omitempty"` // whole; their geometry stays where it is left out
	Deleted  []string    `json:"deleted,omitempty"` // ids
}

// Element is an element as a changeset made it.
type Element struct {
	models.NewElement
	Aspects []models.Aspect `json:"aspects,omitempty"` // noted by transformations
}

// NamedVersion is a changeset of a model with a name.
type NamedVersion struct {
	models.NewNamedVersion
	// a principal; null for the platform itself
	CreatedBy twinplatform.NullString `json:"createdBy"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
}

// ViewGroup is a group of saved views of a model.
type ViewGroup struct {
	models.NewViewGroup
	// a principal; null for the platform itself
	CreatedBy twinplatform.NullString `json:"createdBy"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
}

// ViewTag is a tag of saved views of a model.
type ViewTag struct {
	models.NewViewTag
	// a principal; null for the platform itself
	CreatedBy twinplatform.NullString `json:"createdBy"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
}

// SavedView is a view of a model, or of a twin alone.
type SavedView struct {
	models.NewSavedView
	// Extensions are what programs keep with the view.
	Extensions []models.NewViewExtension `json:"extensions,omitempty"`
	// ChangesetID is the changeset at which the view was made. It is the latest one of
	// the model when empty, and none when null.
	ChangesetID twinplatform.Optional[string] `json:"changesetId,omitzero"`
	// TwinID is the twin of the model, where several accounts have models of its
	// id. Empty means that of the first model of the world with the id. A view without a
	// model is of this twin.
	TwinID string `json:"twinId,omitempty"`
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
}

// Configuration is a configuration of transformations with those that have ended. Its
// saved view need not be there any more. A transformation that is run after the seeding
// continues from the last one, since the target says up to where that came.
type Configuration struct {
	ID string `json:"id"` // required; no other of the world has it
	transform.NewConfiguration
	// the moment of the seeding when left out, none when null
	CreatedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"createdDateTime,omitzero"`
	// ModifiedDateTime is CreatedDateTime when left out, and none when null.
	ModifiedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"modifiedDateTime,omitzero"`
	Transformations  []Transformation                             `json:"transformations,omitempty"`
}

// Transformation is a transformation that has ended: Succeeded, Failed or Aborted.
type Transformation struct {
	transform.Transformation
	Report transform.Report `json:"report"`
}
