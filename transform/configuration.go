package transform

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// FilterBySavedView is the type of configurations that filter the geometry of a
// model by a saved view.
const FilterBySavedView = "FilterBySavedView"

// ViewMode says what becomes of content that is newer than the saved view.
type ViewMode string

// The view modes.
const (
	// IncludeNewContent lets newer content through; it is the default.
	IncludeNewContent ViewMode = "IncludeNewContent"
	// FilterContent filters newer content out.
	FilterContent ViewMode = "FilterContent"
)

// Configuration says what a transformation is to do. Its references are not on
// the stored wire: package httpapi renders them as links.
type Configuration struct {
	// Comment is that of the changeset which a run makes.
	Comment             string                `json:"comment"`
	CreatedDateTime     twinplatform.DateTime `json:"createdDateTime"`   // set by the platform
	Deleted             bool                  `json:"deleted,omitempty"` // true in deltas alone
	ID                  string                `json:"id"`                // chosen by the platform; sorts by creation
	ModifiedDateTime    twinplatform.DateTime `json:"modifiedDateTime"`  // CreatedDateTime until it is changed
	TransformName       string                `json:"transformName"`     // 1 to MaxName characters
	TransformParameters Parameters            `json:"transformParameters"`
	// TransformType is FilterBySavedView.
	TransformType string `json:"transformType"`

	References References `json:"-"` // what it ties together; links on the wire

	// SourceAccountID and TargetAccountID are the accounts within which the ids of
	// the models are unique; empty where they are unique over all accounts. They are
	// not on the wire.
	SourceAccountID string `json:"-"`
	TargetAccountID string `json:"-"`
}

type hiddenConfiguration Configuration

type hiddenConfigurationFields struct {
	References
	SourceAccountID string `json:"sourceAccountId,omitempty"`
	TargetAccountID string `json:"targetAccountId,omitempty"`
}

func (h *hiddenConfiguration) MarshalJSON() ([]byte, error) {
	return json.Marshal(hiddenConfigurationFields{h.References, h.SourceAccountID, h.TargetAccountID})
}

func (h *hiddenConfiguration) UnmarshalJSON(b []byte) error {
	var f hiddenConfigurationFields
	err := json.Unmarshal(b, &f)
	h.References, h.SourceAccountID, h.TargetAccountID = f.References, f.SourceAccountID, f.TargetAccountID
	return err
}

// Parameters are those of FilterBySavedView.
type Parameters struct {
	ViewMode ViewMode `json:"viewMode"` // IncludeNewContent unless it was chosen
}

// References are the ids of what a configuration ties together.
type References struct {
	SourceProjectID string `json:"sourceProjectId"` // a twin
	SourceModelID   string `json:"sourceModelId"`   // the model that is filtered
	TargetProjectID string `json:"targetProjectId"` // a twin
	TargetModelID   string `json:"targetModelId"`   // the model that the content goes to; not the source
	SavedViewID     string `json:"savedViewId"`     // a shared view of the source model
}

var configurationRecords = records.Collection[Configuration]{
	Name:        "configurations",
	ID:          func(c *Configuration) string { return c.ID },
	Hidden:      func(c *Configuration) any { return (*hiddenConfiguration)(c) },
	MarkDeleted: func(c *Configuration) { c.Deleted = true },
	Indexes: []records.Index[Configuration]{
		{Name: "sourceModel", Value: func(c *Configuration) string { return key(c.SourceAccountID, c.References.SourceModelID) }},
		{Name: "targetModel", Value: func(c *Configuration) string { return key(c.TargetAccountID, c.References.TargetModelID) }},
		{Name: "targetProject", Value: func(c *Configuration) string { return c.References.TargetProjectID }},
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

// NewParameters are those of FilterBySavedView.
type NewParameters struct {
	// SavedViewID names a shared saved view of the source model.
	SavedViewID string `json:"savedViewId"`
	// ViewMode is IncludeNewContent when empty.
	ViewMode ViewMode `json:"viewMode"`
}

func (n *NewConfiguration) check() error {
	var c refuse.Checks
	c.Need("transformName", n.TransformName, MaxName)
	c.Need("sourceProjectId", n.SourceProjectID, MaxID)
	c.Need("sourceModelId", n.SourceModelID, MaxID)
	c.Need("targetProjectId", n.TargetProjectID, MaxID)
	c.Need("targetModelId", n.TargetModelID, MaxID)
	c.Need("comment", n.Comment, MaxComment)
	if n.SourceModelID != "" && n.SourceModelID == n.TargetModelID {
		c.Bad("targetModelId", "A model cannot be filtered into itself.")
	}
	if n.TransformParameters == nil {
		c.Need("transformParameters", "", 0)
		return c.Err(InvalidRequest)
	}
	c.Need("transformParameters.savedViewId", n.TransformParameters.SavedViewID, MaxID)
	switch n.TransformParameters.ViewMode {
	case "", IncludeNewContent, FilterContent:
	default:
		c.Bad("transformParameters.viewMode", "The value of 'viewMode' is one of %s, %s.", IncludeNewContent, FilterContent)
	}
	return c.Err(InvalidRequest)
}

// CreateConfiguration makes a configuration for filtering a model by a saved
// view (T1). It runs nothing. It needs PermissionModelsRead at the source and
// PermissionModelsWrite at the target, on the project or on the model.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty or
// InvalidValue for each wrong property, also for a saved view that is not
// shared or not of the source model; ModelNotFound for a project or model that
// is missing or not for the caller to see; InsufficientPermissions.
func (s *Service) CreateConfiguration(ctx context.Context, n NewConfiguration) (res twinplatform.Result[Configuration], err error) {
	if err := n.check(); err != nil {
		return res, err
	}
	now := s.now()
	c := Configuration{
		TransformName: n.TransformName, Comment: n.Comment,
		CreatedDateTime: now, ModifiedDateTime: now, TransformType: FilterBySavedView,
		TransformParameters: Parameters{ViewMode: n.TransformParameters.ViewMode},
		References: References{
			SourceProjectID: n.SourceProjectID, SourceModelID: n.SourceModelID,
			TargetProjectID: n.TargetProjectID, TargetModelID: n.TargetModelID,
			SavedViewID: n.TransformParameters.SavedViewID,
		},
	}
	if c.TransformParameters.ViewMode == "" {
		c.TransformParameters.ViewMode = IncludeNewContent
	}
	err = s.update(ctx, func(u *records.Update, at sight) error {
		rec, err := at.insertConfiguration(u, c)
		res.Records = []twinplatform.Record[Configuration]{rec}
		return err
	})
	if err != nil {
		return twinplatform.Result[Configuration]{}, err
	}
	return res, nil
}

// insertConfiguration adds a configuration whose projects, models and view are there
// for the caller.
func (c sight) insertConfiguration(u *records.Update, n Configuration) (rec twinplatform.Record[Configuration], err error) {
	r := &n.References
	source, at, err := c.checkSide(side{"source", r.SourceProjectID, r.SourceModelID, PermissionModelsRead})
	if err != nil {
		return rec, err
	}
	target, _, err := c.checkSide(side{"target", r.TargetProjectID, r.TargetModelID, PermissionModelsWrite})
	if err != nil {
		return rec, err
	}
	if err := c.checkView(at.AccountID, source, r.SavedViewID); err != nil {
		return rec, err
	}
	n.SourceAccountID, n.TargetAccountID = source.AccountID, target.AccountID
	if n.ID == "" {
		n.ID = c.s.env.NewID()
	}
	return configurationRecords.Insert(u, area, &n)
}

// side is the source or the target of a configuration.
type side struct {
	name, projectID, modelID string
	permission               string
}

// checkSide checks that project and model are there for the caller, and that the
// caller may do with them what the configuration needs.
func (c sight) checkSide(side side) (m *Model, at twinplatform.Target, err error) {
	twin, err := c.project(side.projectID)
	if err != nil {
		return nil, at, err
	}
	if !twin.exists {
		return nil, at, noModel(side.name + "ProjectId").Err()
	}
	if m, err = c.lookupModel(twin.target, side.modelID); err != nil {
		return nil, at, err
	}
	allowed, err := c.Allowed(side.permission, twin.target)
	if err == nil && !allowed && m != nil {
		allowed, err = c.holdsOnModel(twin.target, side.modelID, side.permission)
	}
	switch {
	case err != nil:
	case !twin.visible && !allowed:
		err = noModel(side.name + "ProjectId").Err()
	case m == nil:
		err = noModel(side.name + "ModelId").Err()
	case !allowed:
		err = refuse.Forbidden
	}
	if err != nil {
		return nil, at, err
	}
	return m, twin.target, nil
}

// checkView checks that a saved view is shared and of the source model.
func (c sight) checkView(accountID string, m *Model, savedViewID string) error {
	view, err := c.lookupView(accountID, m, savedViewID)
	if err != nil {
		return err
	}
	var checks refuse.Checks
	switch {
	case view == nil:
		checks.Bad("transformParameters.savedViewId", "The source model has no such saved view.")
	case !view.Shared:
		checks.Bad("transformParameters.savedViewId", "The saved view is not shared.")
	}
	return checks.Err(InvalidRequest)
}

// Configuration returns a configuration. Errors: ConfigurationNotFound, also for
// a caller who may see neither the target project nor the target model.
func (s *Service) Configuration(ctx context.Context, id string) (rec twinplatform.Record[Configuration], err error) {
	err = s.view(ctx, func(_ *records.View, c sight) error {
		rec, _, err = c.configuration(id)
		return err
	})
	return rec, err
}

// configuration returns a configuration that the caller may see, and its target.
func (c sight) configuration(id string) (rec twinplatform.Record[Configuration], at twinplatform.Target, err error) {
	var none twinplatform.Record[Configuration]
	if rec, err = configurationRecords.Get(c.tx, area, id); err != nil {
		return none, at, errNoConfiguration.Or(err)
	}
	twin, err := c.project(rec.Value.References.TargetProjectID)
	visible := twin.visible
	if err == nil && twin.exists && !visible {
		visible, err = c.holdsOnModel(twin.target, rec.Value.References.TargetModelID, PermissionModelsRead, PermissionModelsWrite)
	}
	if err == nil && !visible {
		err = errNoConfiguration.Err()
	}
	if err != nil {
		return none, at, err
	}
	return rec, twin.target, nil
}

// ConfigurationQuery says which configurations to list.
type ConfigurationQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many from the beginning.
	Skip int
	// ProjectID is the target project; required unless TargetModelID is given.
	ProjectID string
	// TargetModelID lists the configurations of one target model.
	TargetModelID string
}

// Configurations lists the configurations of a target project or model by id. A
// project that the caller may not see has none.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty (projectId)
// or InvalidValue (top, skip, continuation, delta).
func (s *Service) Configurations(ctx context.Context, q ConfigurationQuery) (page twinplatform.Page[Configuration], err error) {
	var c refuse.Checks
	if q.Skip < 0 {
		c.Bad(twinplatform.TargetSkip, "The number of configurations to leave out is 0 or more.")
	}
	if q.ProjectID == "" && q.TargetModelID == "" {
		c.Need("projectId", "", MaxID)
	}
	c.AtMost("projectId", q.ProjectID, MaxID)
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	err = s.view(ctx, func(v *records.View, c sight) error {
		query, err := c.listed(q)
		if err != nil {
			return err
		}
		page, err = configurationRecords.List(v, area, query)
		return paging.Listed(err, InvalidRequest)
	})
	return page, err
}

// listed is what of a query the caller may see.
func (c sight) listed(q ConfigurationQuery) (query records.Query[Configuration], err error) {
	query = records.Query[Configuration]{
		ListOptions: q.ListOptions, Skip: q.Skip, Op: "configurations", MaxTop: MaxTop, Index: "targetProject", Equals: q.ProjectID,
	}
	projectID, m := q.ProjectID, (*Model)(nil)
	if projectID == "" {
		if m, err = c.targetModel(q.TargetModelID); err != nil {
			return query, err
		}
		if m != nil {
			projectID = m.TwinID
		}
	}
	twin, err := c.project(projectID)
	if err != nil {
		return query, err
	}
	visible := twin.visible
	if q.TargetModelID != "" && twin.exists {
		if m == nil {
			if m, err = c.lookupModel(twin.target, q.TargetModelID); err != nil {
				return query, err
			}
		}
		if m != nil {
			query.Index, query.Equals = "targetModel", m.key()
		}
		query.Filter = projectID
		query.Match = func(c *Configuration) bool { return c.References.TargetProjectID == projectID }
		if !visible {
			if visible, err = c.holdsOnModel(twin.target, q.TargetModelID, PermissionModelsRead, PermissionModelsWrite); err != nil {
				return query, err
			}
		}
	}
	if !visible || q.TargetModelID != "" && m == nil {
		query.Equals = nobody
	}
	return query, nil
}

// targetModel returns the model that the caller means by an id alone, or nil.
func (c sight) targetModel(id string) (*Model, error) {
	if c.s.models != nil {
		return c.foreignModel(id)
	}
	m, err := c.model(id, func(m *Model) (bool, error) {
		twin, err := c.project(m.TwinID)
		if err != nil || twin.visible || !twin.exists {
			return twin.visible, err
		}
		return c.holdsOnModel(twin.target, m.ID, PermissionModelsRead, PermissionModelsWrite)
	})
	if errors.Is(err, twinplatform.NotFound) {
		return nil, nil
	}
	return m, err
}

// DeleteConfiguration removes a configuration. It needs PermissionModelsWrite at
// the target, on the project or on the model.
//
// Errors: ConfigurationNotFound; InsufficientPermissions.
func (s *Service) DeleteConfiguration(ctx context.Context, id string) error {
	return s.update(ctx, func(u *records.Update, c sight) error {
		rec, at, err := c.configuration(id)
		if err != nil {
			return err
		}
		allowed, err := c.Allowed(PermissionModelsWrite, at)
		if err == nil && !allowed {
			allowed, err = c.holdsOnModel(at, rec.Value.References.TargetModelID, PermissionModelsWrite)
		}
		if err == nil && !allowed {
			err = refuse.Forbidden
		}
		if err != nil {
			return err
		}
		return configurationRecords.Delete(u, area, id)
	})
}
