package models

import (
	"context"
	"sync"

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

	newID func() string // nil for a caller that makes nothing
}

// read returns what fn reads in one committed state.
func read[T any](ctx context.Context, s *Service, fn func(caller) (T, error)) (T, error) {
	return judge.Read(ctx, s.bench,
		func(v *records.View, j *judge.Judge) (T, error) { return fn(caller{Judge: j, s: s, tx: v}) })
}

// create makes the record that a request asks for. insert adds it in a transaction, whose caller
// has one new id however often that runs: what is read of an id is then read once.
func create[T, N, P any](ctx context.Context, s *Service, k *entity.Kind[T, N, P], n N,
	insert func(caller, *records.Update, T) (twinplatform.Record[T], error),
) (res twinplatform.Result[T], err error) {
	v, err := k.Make(n)
	if err != nil {
		return res, err
	}
	newID := sync.OnceValue(s.env.NewGUID)
	return judge.Write(ctx, s.bench, func(u *records.Update, j *judge.Judge) (twinplatform.Record[T], error) {
		return insert(caller{Judge: j, s: s, tx: u, newID: newID}, u, v)
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
	return s.bench.Update(ctx, func(u *records.Update,
		j *judge.Judge,
	) error {
		return fn(u, caller{Judge: j, s: s, tx: u})
	})
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
	return target, problem.Needs(PermissionModelsWrite).Unless(c.HoldsOn(target, m.ID, PermissionModelsWrite))
}
