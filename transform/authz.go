package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// caller is who a call is made for, with what it sees and may do within one
// transaction.
type caller struct {
	*judge.Judge
	s  *Service
	tx records.Reading
}

// read returns what fn reads in one committed state.
func read[T any](ctx context.Context, s *Service, fn func(caller) (T, error)) (T, error) {
	return judge.Read(ctx, s.bench, func(v *records.View, j *judge.Judge) (T, error) { return fn(caller{j, s, v}) })
}

// create makes the record that a request asks for. insert adds it in a transaction.
func create[T, N, P any](ctx context.Context, s *Service, k *entity.Kind[T, N, P], n N, insert func(caller, *records.Update, T) (twinplatform.Record[T], error)) (res twinplatform.Result[T], err error) {
	v, err := k.Make(n)
	if err != nil {
		return res, err
	}
	return judge.Write(ctx, s.bench, func(u *records.Update, j *judge.Judge) (twinplatform.Record[T], error) {
		return insert(caller{j, s, u}, u, v)
	})
}

// createIn makes the record that a request asks for in a model that the caller may
// change. insert adds it in a transaction.
func createIn[T, N any](
	ctx context.Context, s *Service, k *entity.Kind[T, N, none], modelID string, n N,
	insert func(c caller, u *records.Update, m *Model, at twinplatform.Target, v T) (twinplatform.Record[T], error),
) (twinplatform.Result[T], error) {
	return create(ctx, s, k, n, func(c caller, u *records.Update, v T) (rec twinplatform.Record[T], err error) {
		m, at, err := c.changeableModel(modelID)
		if err != nil {
			return rec, err
		}
		return insert(c, u, m, at, v)
	})
}

// recordOf is a value as what is read from a store.
func recordOf[T any](v T, etag string) (twinplatform.Record[T], error) {
	text, err := wire.Marshal(v)
	return twinplatform.Record[T]{Value: v, ETag: etag, JSON: text}, err
}

func (s *Service) update(ctx context.Context, fn func(*records.Update, caller) error) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error { return fn(u, caller{j, s, u}) })
}

// project is a twin as the caller sees it.
type project struct {
	target  twinplatform.Target // where permissions on it are asked for
	exists  bool
	visible bool // to the caller; never without existing
}

// project is the twin that the caller names.
func (c caller) project(twinID string) (p project, err error) {
	caller, _ := c.Caller()
	return c.projectOf(caller.AccountID, twinID)
}

// projectOf is the twin that a record of an account names.
func (c caller) projectOf(accountID, twinID string) (p project, err error) {
	if p.target, p.exists, err = c.TwinOf(accountID, twinID); err != nil || !p.exists {
		return p, err
	}
	p.visible, err = c.AllowedAny(p.target, PermissionProjectRead, PermissionModelsRead, PermissionModelsWrite)
	return p, err
}

// seesModel reports whether the caller may read a model: by the permissions on its
// project or, where those say nothing, on the model.
func (c caller) seesModel(m *Model) (bool, error) {
	target, exists, err := c.TwinOf(m.AccountID, m.TwinID)
	if err != nil || !exists {
		return false, err
	}
	if ok, err := c.AllowedAny(target, PermissionModelsRead, PermissionModelsWrite); ok || err != nil {
		return ok, err
	}
	return c.holdsOnModel(target, m.ID, PermissionModelsRead, PermissionModelsWrite)
}

// seesTarget reports whether the caller sees what goes to a model of a project, which a
// record of the account names.
func (c caller) seesTarget(accountID, projectID, modelID string) (bool, error) {
	twin, err := c.projectOf(accountID, projectID)
	if err != nil || twin.visible || !twin.exists {
		return twin.visible, err
	}
	return c.holdsOnModel(twin.target, modelID, PermissionModelsRead, PermissionModelsWrite)
}

// holdsOn reports whether the caller holds a permission on a project, or on one of
// its models; an empty id is that of no model.
func (c caller) holdsOn(target twinplatform.Target, modelID, permission string) (bool, error) {
	if ok, err := c.Allowed(permission, target); ok || err != nil || modelID == "" {
		return ok, err
	}
	return c.holdsOnModel(target, modelID, permission)
}

// changeableModel returns a model that the caller may change, and where it is.
func (c caller) changeableModel(modelID string) (*Model, twinplatform.Target, error) {
	m, err := c.visibleModel(modelID)
	if err != nil {
		return nil, twinplatform.Target{}, err
	}
	target, err := c.changeable(m)
	return m, target, err
}

// changeable fails unless the caller may change a model, and says where that is.
func (c caller) changeable(m *Model) (twinplatform.Target, error) {
	target, _, err := c.TwinOf(m.AccountID, m.TwinID)
	if err != nil {
		return target, err
	}
	return target, problem.Needs(PermissionModelsWrite).Unless(c.holdsOn(target, m.ID, PermissionModelsWrite))
}

type onModel struct {
	permission, modelID string
	target              twinplatform.Target
}

// holdsOnModel reports whether the caller holds one of the permissions on a single
// model of a project.
func (c caller) holdsOnModel(target twinplatform.Target, modelID string, permissions ...string) (bool, error) {
	p, ok := c.Caller()
	switch {
	case !ok:
		return false, nil
	case c.s.grants == nil:
		return c.holdsAsMember(p, target, modelID, permissions)
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
