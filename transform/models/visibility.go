package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Visibility is the registry's answer about projects and models within one transaction,
// to package transform: what a caller sees of them and may do with them.
type Visibility struct{ caller }

// Visibility returns what the caller of j may see, as of the transaction.
func (s *Service) Visibility(j *judge.Judge, tx records.Reading) Visibility {
	return Visibility{caller{Judge: j, s: s, tx: tx}}
}

// Project is a twin as a caller sees it.
type Project struct {
	Target  twinplatform.Target // where permissions on it are asked for
	Exists  bool
	Visible bool // to the caller; never without existing
}

// Project is the twin that the caller names.
func (c caller) Project(twinID string) (Project, error) {
	p, _ := c.Caller()
	return c.ProjectOf(p.AccountID, twinID)
}

// ProjectOf is the twin that a record of an account names.
func (c caller) ProjectOf(accountID, twinID string) (p Project, err error) {
	if p.Target, p.Exists, err = c.TwinOf(accountID, twinID); err != nil || !p.Exists {
		return p, err
	}
	p.Visible, err = c.AllowedAny(p.Target, PermissionProjectRead, PermissionModelsRead, PermissionModelsWrite)
	return p, err
}

// Sees reports whether the caller may read a model: by the permissions on its project or,
// where those grant nothing, on the model.
func (c caller) Sees(m *Model) (bool, error) {
	c.foundModel(m)
	target, exists, err := c.TwinOf(m.AccountID, m.TwinID)
	if err != nil || !exists {
		return false, err
	}
	if ok, err := c.AllowedAny(target, PermissionModelsRead, PermissionModelsWrite); ok || err != nil {
		return ok, err
	}
	return c.HoldsOnModel(target, m.ID, PermissionModelsRead, PermissionModelsWrite)
}

// HoldsOn reports whether the caller holds a permission on a project, or on one of its
// models; an empty id asks about the project alone.
func (c caller) HoldsOn(target twinplatform.Target, modelID, permission string) (bool, error) {
	if ok, err := c.Allowed(permission, target); ok || err != nil || modelID == "" {
		return ok, err
	}
	return c.HoldsOnModel(target, modelID, permission)
}

type onModel struct {
	permission, modelID string
	target              twinplatform.Target
}

// HoldsOnModel reports whether the caller holds one of the permissions on a single
// model of a project.
func (c caller) HoldsOnModel(target twinplatform.Target, modelID string, permissions ...string) (bool, error) {
	p, ok := c.Caller()
	switch {
	case !ok:
		return false, nil
	case c.s.grants == nil:
		return c.holdsAsMember(p, target, modelID, permissions)
	}
	for _, permission := range permissions {
		allowed, err := judge.Ask(c.Judge, c.s.grants, onModel{permission, modelID, target},
			func(ctx context.Context) (bool, error) {
				return c.s.grants.AllowedOnModel(ctx, p, permission, target, modelID)
			})
		if allowed || err != nil {
			return allowed, err
		}
	}
	return false, nil
}

// ModelOf returns the model of a project that has an id, or nil, no matter who knows it.
func (c caller) ModelOf(project twinplatform.Target, id string) (*Model, error) {
	for m, err := range modelRegistry.candidates(c, project.AccountID, id) {
		if err != nil || m.TwinID == project.TwinID {
			return m, err
		}
	}
	return nil, nil
}

// ViewOf returns the saved view of a model that has an id, or nil, no matter who knows it.
// accountID names the account of the project.
func (c caller) ViewOf(accountID string, m *Model, id string) (*SavedView, error) {
	for v, err := range savedViews.candidates(c, accountID, id) {
		if err != nil || v.modelKey() == m.key() {
			return v, err
		}
	}
	return nil, nil
}

// Meant returns the model that the caller means by an id of those that sees lets it see,
// or nil.
func (c caller) Meant(id string, sees func(*Model) (bool, error)) (*Model, error) {
	return modelRegistry.resolve(c, id, sees)
}
