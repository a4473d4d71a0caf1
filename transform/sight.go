package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// sight is what a caller sees and may do within one transaction.
type sight struct {
	*judge.Judge
	s  *Service
	tx records.Reading
}

func (s *Service) view(ctx context.Context, fn func(*records.View, sight) error) error {
	return s.bench.View(ctx, func(v *records.View, j *judge.Judge) error { return fn(v, sight{j, s, v}) })
}

func (s *Service) update(ctx context.Context, fn func(*records.Update, sight) error) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error { return fn(u, sight{j, s, u}) })
}

// project is a twin as the caller sees it.
type project struct {
	target  twinplatform.Target // where permissions on it are asked for
	exists  bool
	visible bool // to the caller; never without existing
}

func (c sight) project(twinID string) (p project, err error) {
	if p.target, p.exists, err = c.Twin(twinID); err != nil || !p.exists {
		return p, err
	}
	p.visible, err = c.AllowedAny(p.target, PermissionProjectRead, PermissionModelsRead, PermissionModelsWrite)
	return p, err
}

// readable reports whether the caller may read the models of a project.
func (c sight) readable(twinID string) (bool, error) {
	return c.Holds(twinID, PermissionModelsRead, PermissionModelsWrite)
}

// require fails unless the caller holds a permission at the target.
func (c sight) require(permission string, target twinplatform.Target) error {
	allowed, err := c.Allowed(permission, target)
	if err == nil && !allowed {
		err = refuse.Forbidden
	}
	return err
}

type onModel struct {
	permission, modelID string
	target              twinplatform.Target
}

// holdsOnModel reports whether the caller holds one of the permissions on a single
// model of a project.
func (c sight) holdsOnModel(target twinplatform.Target, modelID string, permissions ...string) (bool, error) {
	p, ok := c.Caller()
	if !ok || c.s.grants == nil {
		return false, nil
	}
	for _, permission := range permissions {
		allowed, err := judge.Ask(c.Judge, c.s.grants, onModel{permission, modelID, target}, func(ctx context.Context) (bool, error) {
			return c.s.grants.AllowedOnModel(ctx, p, permission, target, modelID)
		})
		if allowed || err != nil {
			return allowed, err
		}
	}
	return false, nil
}
