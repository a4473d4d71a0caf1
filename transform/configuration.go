package transform

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// FilterBySavedView is the type of configurations that filter the geometry of a
// model by a saved view.
const FilterBySavedView = "FilterBySavedView"

// ViewMode is what becomes of content that is newer than the saved view.
type ViewMode string

// The view modes.
const (
	// IncludeNewContent lets newer content through; it is the default.
	IncludeNewContent ViewMode = "IncludeNewContent"
	// FilterContent filters newer content out.
	FilterContent ViewMode = "FilterContent"
)

var viewModes = []ViewMode{IncludeNewContent, FilterContent}

// Configuration is what a transformation is to do. Its references are not on the stored
// wire: package httpapi renders them as links.
type Configuration struct {
	// Comment becomes the comment of the changeset that a run makes.
	Comment             string                `json:"comment"`
	CreatedDateTime     twinplatform.DateTime `json:"createdDateTime"`   // set by the platform
	Deleted             bool                  `json:"deleted,omitempty"` // true in deltas alone
	ID                  string                `json:"id"`                // chosen by the platform; sorts by creation
	ModifiedDateTime    twinplatform.DateTime `json:"modifiedDateTime"`  // CreatedDateTime until it is changed
	TransformName       string                `json:"transformName"`     // 1 to MaxName characters
	TransformParameters Parameters            `json:"transformParameters"`
	// TransformType is FilterBySavedView.
	TransformType string `json:"transformType"`

	References References `json:"-"` // what it connects; links on the wire

	// SourceAccountID and TargetAccountID are the accounts within which the ids of
	// the models are unique; empty where they are unique over all accounts. They are
	// not on the wire.
	SourceAccountID string `json:"-"`
	TargetAccountID string `json:"-"`
	// AccountID is the account of the target project; empty where that has none.
	AccountID string `json:"-"`
}

// Parameters holds the parameters of the transformation FilterBySavedView.
type Parameters struct {
	ViewMode ViewMode `json:"viewMode"` // IncludeNewContent unless it was chosen
}

// References are the ids of what a configuration connects.
type References struct {
	SourceProjectID string `json:"sourceProjectId"` // a twin
	SourceModelID   string `json:"sourceModelId"`   // the model that is filtered
	TargetProjectID string `json:"targetProjectId"` // a twin
	TargetModelID   string `json:"targetModelId"`   // the model that the content goes to; not the source
	SavedViewID     string `json:"savedViewId"`     // a shared view of the source model
}

var configurationRecords = records.Collection[Configuration]{
	Name: "configurations",
	Part: func(c *Configuration) string { return c.AccountID },
	ID:   func(c *Configuration) string { return c.ID },
	Hidden: func(c *Configuration) any {
		return &hiddenConfiguration{
			&c.References,
			records.OmitZero[string]{Of: &c.SourceAccountID},
			records.OmitZero[string]{Of: &c.TargetAccountID},
			records.OmitZero[string]{Of: &c.AccountID},
		}
	},
	MarkDeleted: func(c *Configuration) { c.Deleted = true },
	Indexes: []records.Index[Configuration]{
		{Name: "sourceModel", Value: func(c *Configuration) string {
			return area.Key(c.SourceAccountID,
				c.References.SourceModelID)
		}},
		{Name: "targetModel", Value: func(c *Configuration) string {
			return area.Key(c.TargetAccountID,
				c.References.TargetModelID)
		}},
		{Name: "targetProject", Value: func(c *Configuration) string { return c.References.TargetProjectID }},
	},
}

type hiddenConfiguration struct {
	*References
	SourceAccountID records.OmitZero[string] `json:"sourceAccountId,omitzero"`
	TargetAccountID records.OmitZero[string] `json:"targetAccountId,omitzero"`
	AccountID       records.OmitZero[string] `json:"accountId,omitzero"`
}

var configurationKind = entity.Kind[Configuration, NewConfiguration, none]{
	Records: &configurationRecords, One: "configuration", Many: "configurations", Resource: "configuration",
	Missing: problem.NotFound("ConfigurationNotFound", "configurationId", "configuration"), Bad: &InvalidRequest,
	Members: func(c *Configuration, n *NewConfiguration, _ *none) []entity.Member {
		r := &c.References
		return []entity.Member{
			entity.Text("transformName", &c.TransformName, &n.TransformName, nil).Max(MaxName).Required(),
			entity.Text("sourceProjectId", &r.SourceProjectID, &n.SourceProjectID,
				nil).Max(MaxID).Required().Refers(entity.Elsewhere("twins")),
			entity.Text("sourceModelId", &r.SourceModelID, &n.SourceModelID,
				nil).Max(MaxID).Required().Refers(entity.Elsewhere("models")),
			entity.Text("targetProjectId", &r.TargetProjectID, &n.TargetProjectID,
				nil).Max(MaxID).Required().Refers(entity.Elsewhere("twins")),
			entity.Text("targetModelId", &r.TargetModelID, &n.TargetModelID,
				nil).Max(MaxID).Required().Refers(entity.Elsewhere("models")),
			entity.Text("comment", &c.Comment, &n.Comment, nil).Max(MaxComment).Required(),
		}
	},
	AfterCreate: func(c *Configuration, n *NewConfiguration, checks *problem.Checks) {
		if n.SourceModelID != "" && n.SourceModelID == n.TargetModelID {
			checks.Bad("targetModelId", "A model cannot be filtered into itself.")
		}
		p := n.TransformParameters
		if p == nil {
			checks.Missing("transformParameters")
			return
		}
		checks.Need("transformParameters.savedViewId", p.SavedViewID, MaxID)
		mode := cmp.Or(p.ViewMode, IncludeNewContent)
		problem.OneOf(checks, "transformParameters.viewMode", mode, viewModes)
		c.TransformType, c.TransformParameters.ViewMode, c.References.SavedViewID = FilterBySavedView, mode,
			p.SavedViewID
	},
}

// NewConfiguration asks for a configuration. All of it is required but ViewMode.
type NewConfiguration struct {
	// TransformName has at most 255 characters.
	TransformName   string `json:"transformName"`
	SourceProjectID string `json:"sourceProjectId"` // required; a twin
	SourceModelID   string `json:"sourceModelId"`   // required; a model of the project
	TargetProjectID string `json:"targetProjectId"` // required; a twin
	TargetModelID   string `json:"targetModelId"`   // required; a model of the project
	// Comment has at most 1,000 characters.
	Comment             string         `json:"comment"`
	TransformParameters *NewParameters `json:"transformParameters"` // required
}

// NewParameters gives FilterBySavedView its parameters.
type NewParameters struct {
	// SavedViewID names a shared saved view of the source model.
	SavedViewID string `json:"savedViewId"`
	// ViewMode is IncludeNewContent when empty.
	ViewMode ViewMode `json:"viewMode"`
}
