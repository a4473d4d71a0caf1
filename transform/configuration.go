package transform

import (
	"cmp"
	"context"
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
	CreatedDateTime     twinplatform.DateTime `json:"createdDateTime"`
	Deleted             bool                  `json:"deleted,omitempty"`
	ID                  string                `json:"id"`
	ModifiedDateTime    twinplatform.DateTime `json:"modifiedDateTime"`
	TransformName       string                `json:"transformName"`
	TransformParameters Parameters            `json:"transformParameters"`
	// TransformType is FilterBySavedView.
	TransformType string `json:"transformType"`

	References References `json:"-"`
}

// Parameters are those of FilterBySavedView.
type Parameters struct {
	ViewMode ViewMode `json:"viewMode"`
}

// References are the ids of what a configuration ties together.
type References struct {
	SourceProjectID string `json:"sourceProjectId"`
	SourceModelID   string `json:"sourceModelId"`
	TargetProjectID string `json:"targetProjectId"`
	TargetModelID   string `json:"targetModelId"`
	SavedViewID     string `json:"savedViewId"`
}

var configurationRecords = records.Collection[Configuration]{
	Name:        "configurations",
	ID:          func(c *Configuration) string { return c.ID },
	Hidden:      func(c *Configuration) any { return &c.References },
	MarkDeleted: func(c *Configuration) { c.Deleted = true },
	Indexes: []records.Index[Configuration]{
		{Name: "sourceModel", Value: func(c *Configuration) string { return c.References.SourceModelID }},
		{Name: "targetModel", Value: func(c *Configuration) string { return c.References.TargetModelID }},
		{Name: "targetProject", Value: func(c *Configuration) string { return c.References.TargetProjectID }},
	},
}

// NewConfiguration asks for a configuration. All of it is required but ViewMode.
type NewConfiguration struct {
	// TransformName has at most 255 characters.
	TransformName   string `json:"transformName"`
	SourceProjectID string `json:"sourceProjectId"`
	SourceModelID   string `json:"sourceModelId"`
	TargetProjectID string `json:"targetProjectId"`
	TargetModelID   string `json:"targetModelId"`
	// Comment has at most 1,000 characters.
	Comment             string         `json:"comment"`
	TransformParameters *NewParameters `json:"transformParameters"`
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
		return c.Err(errConfiguration)
	}
	c.Need("transformParameters.savedViewId", n.TransformParameters.SavedViewID, MaxID)
	switch n.TransformParameters.ViewMode {
	case "", IncludeNewContent, FilterContent:
	default:
		c.Bad("transformParameters.viewMode", "The value of 'viewMode' is one of %s, %s.", IncludeNewContent, FilterContent)
	}
	return c.Err(errConfiguration)
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
	for _, side := range []side{
		{"source", n.SourceProjectID, n.SourceModelID, PermissionModelsRead},
		{"target", n.TargetProjectID, n.TargetModelID, PermissionModelsWrite},
	} {
		if err := s.checkSide(ctx, side); err != nil {
			return res, err
		}
	}
	if err := s.checkView(ctx, n.TransformParameters.SavedViewID, n.SourceModelID); err != nil {
		return res, err
	}
	now := s.now()
	c := Configuration{
		ID: s.env.NewID(), TransformName: n.TransformName, Comment: n.Comment,
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
	err = s.db.Update(ctx, func(u *records.Update) error {
		if err := s.checkModels(u, &c.References); err != nil {
			return err
		}
		rec, err := configurationRecords.Insert(u, area, &c)
		res.Records = []twinplatform.Record[Configuration]{rec}
		return err
	})
	if err != nil {
		return twinplatform.Result[Configuration]{}, err
	}
	return res, nil
}

// checkModels checks that models of the registry were not removed meanwhile.
func (s *Service) checkModels(u *records.Update, r *References) error {
	if s.models != ModelDirectory(registry{s}) {
		return nil
	}
	for target, id := range map[string]string{"sourceModelId": r.SourceModelID, "targetModelId": r.TargetModelID} {
		has, err := modelRecords.Has(u, area, id)
		if err != nil {
			return err
		}
		if !has {
			return noModel(target).Err()
		}
	}
	return nil
}

// side is the source or the target of a configuration.
type side struct {
	name, projectID, modelID string
	permission               string
}

// checkSide checks that project and model are there for the caller, and that the
// caller may do with them what the configuration needs.
func (s *Service) checkSide(ctx context.Context, side side) error {
	twin, err := s.project(ctx, side.projectID)
	if err != nil {
		return err
	}
	if !twin.exists {
		return noModel(side.name + "ProjectId").Err()
	}
	m, found, err := s.models.LookupModel(ctx, side.modelID)
	if err != nil {
		return err
	}
	found = found && m.TwinID == side.projectID
	allowed, err := s.env.Allowed(ctx, side.permission, twin.target)
	if err == nil && !allowed && found {
		allowed, err = s.onModel(ctx, side.modelID, side.permission)
	}
	switch {
	case err != nil:
		return err
	case !twin.visible && !allowed:
		return noModel(side.name + "ProjectId").Err()
	case !found:
		return noModel(side.name + "ModelId").Err()
	case !allowed:
		return refuse.Forbidden
	}
	return nil
}

// onModel reports whether the caller holds one of the permissions on a single
// model.
func (s *Service) onModel(ctx context.Context, modelID string, permissions ...string) (bool, error) {
	p, ok := twinplatform.PrincipalFrom(ctx)
	if !ok || s.grants == nil {
		return false, nil
	}
	for _, permission := range permissions {
		if allowed, err := s.grants.AllowedOnModel(ctx, p, permission, modelID); allowed || err != nil {
			return allowed, err
		}
	}
	return false, nil
}

// checkView checks that a saved view is shared and of the source model.
func (s *Service) checkView(ctx context.Context, savedViewID, modelID string) error {
	view, ok, err := s.models.LookupSavedView(ctx, savedViewID)
	if err != nil {
		return err
	}
	var c refuse.Checks
	switch {
	case !ok || view.ModelID != modelID:
		c.Bad("transformParameters.savedViewId", "The source model has no such saved view.")
	case !view.Shared:
		c.Bad("transformParameters.savedViewId", "The saved view is not shared.")
	}
	return c.Err(errConfiguration)
}

// Configuration returns a configuration. Errors: ConfigurationNotFound, also for
// a caller who may see neither the target project nor the target model.
func (s *Service) Configuration(ctx context.Context, id string) (rec twinplatform.Record[Configuration], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = configurationRecords.Get(v, area, id)
		return errNoConfiguration.Or(err)
	})
	if err != nil {
		return rec, err
	}
	twin, err := s.project(ctx, rec.Value.References.TargetProjectID)
	visible := twin.visible
	if err == nil && twin.exists && !visible {
		visible, err = s.onModel(ctx, rec.Value.References.TargetModelID, PermissionModelsRead, PermissionModelsWrite)
	}
	if err == nil && !visible {
		err = errNoConfiguration.Err()
	}
	if err != nil {
		return twinplatform.Record[Configuration]{}, err
	}
	return rec, nil
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
// or InvalidValue ($top, $skip, $continuationToken, $deltaToken).
func (s *Service) Configurations(ctx context.Context, q ConfigurationQuery) (page twinplatform.Page[Configuration], err error) {
	var c refuse.Checks
	if q.Skip < 0 {
		c.Bad("$skip", "The number of configurations to leave out is 0 or more.")
	}
	projectID := q.ProjectID
	if projectID == "" && q.TargetModelID != "" {
		m, _, err := s.models.LookupModel(ctx, q.TargetModelID)
		if err != nil {
			return page, err
		}
		projectID = m.TwinID
	} else {
		c.Need("projectId", projectID, MaxID)
	}
	if err := c.Err(errConfiguration); err != nil {
		return page, err
	}
	twin, err := s.project(ctx, projectID)
	if err != nil {
		return page, err
	}
	query := records.Query[Configuration]{
		ListOptions: q.ListOptions, Skip: q.Skip, Op: "configurations", MaxTop: MaxTop, Index: "targetProject", Equals: projectID,
	}
	if q.TargetModelID != "" {
		query.Index, query.Equals = "targetModel", q.TargetModelID
		query.Filter = projectID
		query.Match = func(c *Configuration) bool { return c.References.TargetProjectID == projectID }
	}
	visible := twin.visible
	if twin.exists && !visible && q.TargetModelID != "" {
		if visible, err = s.onModel(ctx, q.TargetModelID, PermissionModelsRead, PermissionModelsWrite); err != nil {
			return page, err
		}
	}
	if !visible {
		query.Equals = nobody
	}
	err = s.db.View(ctx, func(v *records.View) error {
		page, err = configurationRecords.List(v, area, query)
		return paging.Listed(err, errConfiguration)
	})
	return page, err
}

// DeleteConfiguration removes a configuration. It needs PermissionModelsWrite at
// the target, on the project or on the model.
//
// Errors: ConfigurationNotFound; InsufficientPermissions.
func (s *Service) DeleteConfiguration(ctx context.Context, id string) error {
	rec, err := s.Configuration(ctx, id)
	if err != nil {
		return err
	}
	twin, err := s.project(ctx, rec.Value.References.TargetProjectID)
	if err != nil {
		return err
	}
	if err := s.require(ctx, PermissionModelsWrite, twin.target); errors.Is(err, twinplatform.Forbidden) {
		allowed, grantErr := s.onModel(ctx, rec.Value.References.TargetModelID, PermissionModelsWrite)
		if grantErr != nil || !allowed {
			return cmp.Or(grantErr, err)
		}
	} else if err != nil {
		return err
	}
	return s.db.Update(ctx, func(u *records.Update) error {
		return errNoConfiguration.Or(configurationRecords.Delete(u, area, id))
	})
}
