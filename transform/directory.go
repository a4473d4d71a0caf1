package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// ModelDirectory reports which models and saved views there are. Like a TwinDirectory and
// an authorizer, one that is twinplatform.Transactional is asked within the transaction
// that acts on the answer, any other before it.
type ModelDirectory interface {
	LookupModel(ctx context.Context, modelID string) (m models.Model, ok bool, err error)
	LookupSavedView(ctx context.Context, savedViewID string) (v models.SavedView, ok bool, err error)
}

// noMembers grants nothing on single models: the members of those that are registered do
// not apply to models of other registries.
type noMembers struct{}

func (noMembers) Transactional() {}

// AllowedOnModel implements models.ModelAuthorizer.
func (noMembers) AllowedOnModel(context.Context, twinplatform.Principal, string, twinplatform.Target, string) (bool,
	error,
) {
	return false, nil
}

// lookupModel returns the model of a project that has an id, or nil, no matter who knows it.
func (c caller) lookupModel(project twinplatform.Target, id string) (*models.Model, error) {
	if c.s.directory == nil {
		return c.ModelOf(project, id)
	}
	m, err := c.foreignModel(id)
	if err != nil || m == nil || m.TwinID != project.TwinID {
		return nil, err
	}
	return m, nil
}

// expectSides declares the models and the saved view that a configuration names.
func (c caller) expectSides(conf *Configuration) {
	if c.s.directory != nil || !records.Remote(c.tx) {
		return
	}
	r := &conf.References
	c.ExpectModels(area.Key(conf.SourceAccountID, r.SourceModelID), area.Key(conf.TargetAccountID, r.TargetModelID))
	c.ExpectView(area.Key(conf.SourceAccountID, r.SavedViewID))
	c.Expect(twinplatform.Target{TwinID: r.SourceProjectID, AccountID: conf.SourceAccountID})
	c.Expect(twinplatform.Target{TwinID: r.TargetProjectID, AccountID: conf.TargetAccountID})
}

// lookupView returns the saved view of a model that has an id, or nil, no matter who knows
// it.
func (c caller) lookupView(accountID string, m *models.Model, id string) (*models.SavedView, error) {
	if c.s.directory == nil {
		return c.ViewOf(accountID, m, id)
	}
	v, err := foreign(c, viewCalled(id), id, c.s.directory.LookupSavedView)
	if err != nil || v == nil || string(v.ModelID) != m.ID {
		return nil, err
	}
	return v, nil
}

// Questions to a ModelDirectory.
type (
	modelCalled string
	viewCalled  string
)

func (c caller) foreignModel(id string) (*models.Model, error) {
	return foreign(c, modelCalled(id), id, c.s.directory.LookupModel)
}

// foreign returns what a ModelDirectory knows by an id, or nil.
func foreign[T any](c caller, question any, id string, lookup func(context.Context, string) (T, bool, error)) (*T,
	error,
) {
	return judge.Ask(c.Judge, c.s.directory, question, func(ctx context.Context) (*T, error) {
		v, ok, err := lookup(ctx, id)
		if !ok || err != nil {
			return nil, err
		}
		return &v, nil
	})
}
