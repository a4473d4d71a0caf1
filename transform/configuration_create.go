package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// CreateConfiguration makes a configuration for filtering a model by a saved
// view (T1). It runs nothing. It needs PermissionModelsRead at the source and
// PermissionModelsWrite at the target, on the project or on the model.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty or
// InvalidValue for each wrong property, also for a saved view that is not
// shared or not of the source model; ModelNotFound for a project or model that
// is missing or not for the caller to see; InsufficientPermissions.
func (s *Service) CreateConfiguration(ctx context.Context, n NewConfiguration) (twinplatform.Result[Configuration],
	error,
) {
	return create(ctx, s, &configurationKind, n, caller.insertConfiguration)
}

// insertConfiguration adds a configuration whose projects, models and view are there
// for the caller.
func (c caller) insertConfiguration(u *records.Update, n Configuration) (rec twinplatform.Record[Configuration],
	err error,
) {
	both, err := c.checkSides(&n)
	if err != nil {
		return rec, err
	}
	if err := c.checkView(both.sourceAccount, both.source, n.References.SavedViewID); err != nil {
		return rec, err
	}
	n.ID, n.CreatedDateTime = c.s.env.NewID(), c.s.now()
	n.ModifiedDateTime = n.CreatedDateTime
	return configurationRecords.Append(u, area.InAccount(both.targetAccount), &n)
}

// sides are what a configuration connects.
type sides struct {
	source                       *models.Model
	sourceAccount, targetAccount string // of the projects
}

// checkSides checks both sides of a configuration, and notes of which accounts their
// models are.
func (c caller) checkSides(n *Configuration) (both sides, err error) {
	r := &n.References
	source, at, err := c.checkSide(side{"source", r.SourceProjectID, r.SourceModelID, PermissionModelsRead})
	if err != nil {
		return both, err
	}
	target, to, err := c.checkSide(side{"target", r.TargetProjectID, r.TargetModelID, PermissionModelsWrite})
	if err != nil {
		return both, err
	}
	n.SourceAccountID, n.TargetAccountID, n.AccountID = source.AccountID, target.AccountID, to.AccountID
	return sides{source, at.AccountID, to.AccountID}, nil
}

// side is the source or the target of a configuration.
type side struct {
	name, projectID, modelID string
	permission               string
}

// checkSide checks that project and model are there for the caller, and that the
// caller may do with them what the configuration needs.
func (c caller) checkSide(side side) (m *models.Model, at twinplatform.Target, err error) {
	twin, err := c.Project(side.projectID)
	if err := area.NoModel(side.name+"ProjectId").Unless(twin.Exists, err); err != nil {
		return nil, at, err
	}
	if m, err = c.lookupModel(twin.Target, side.modelID); err != nil {
		return nil, at, err
	}
	modelID := ""
	if m != nil {
		modelID = side.modelID
	}
	allowed, err := c.HoldsOn(twin.Target, modelID, side.permission)
	visible := twin.Visible || allowed
	if !visible && m != nil && err == nil {
		visible, err = c.Sees(m)
	}
	if err := area.NoModel(side.name+"ProjectId").Unless(visible, err); err != nil {
		return nil, at, err
	}
	if m == nil {
		return nil, at, area.NoModel(side.name + "ModelId").Err()
	}
	return m, twin.Target, problem.Needs(side.permission).Unless(allowed, nil)
}

// checkView checks that a saved view is shared and of the source model.
func (c caller) checkView(accountID string, m *models.Model, savedViewID string) error {
	view, err := c.lookupView(accountID, m, savedViewID)
	if err != nil {
		return err
	}
	var checks problem.Checks
	switch {
	case view == nil:
		checks.Bad("transformParameters.savedViewId", "The source model has no such saved view.")
	case !view.Shared:
		checks.Bad("transformParameters.savedViewId", "The saved view is not shared.")
	}
	return checks.Err(InvalidRequest)
}
