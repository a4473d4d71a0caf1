package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// caller is who a call is made for, with what it sees and may do within one
// transaction.
type caller struct {
	models.Visibility

	s  *Service
	tx records.Reading
}

// callerOf is the caller of j, within its transaction.
func (s *Service) callerOf(j *judge.Judge, tx records.Reading) caller {
	return caller{s.models.Visibility(j, tx), s, tx}
}

// read returns what fn reads in one committed state.
func read[T any](ctx context.Context, s *Service, fn func(caller) (T, error)) (T, error) {
	return judge.Read(ctx, s.bench, func(v *records.View, j *judge.Judge) (T, error) { return fn(s.callerOf(j, v)) })
}

// create makes the record that a request asks for. insert adds it in a transaction.
func create[T, N, P any](ctx context.Context, s *Service, k *entity.Kind[T, N, P], n N,
	insert func(caller, *records.Update, T) (twinplatform.Record[T], error),
) (res twinplatform.Result[T], err error) {
	v, err := k.Make(n)
	if err != nil {
		return res, err
	}
	return judge.Write(ctx, s.bench, func(u *records.Update, j *judge.Judge) (twinplatform.Record[T], error) {
		return insert(s.callerOf(j, u), u, v)
	})
}

func (s *Service) update(ctx context.Context, fn func(*records.Update, caller) error) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error { return fn(u, s.callerOf(j, u)) })
}

// seesTarget reports whether the caller sees what goes to a model of a project, which a
// record of the account names.
func (c caller) seesTarget(accountID, projectID, modelID string) (bool, error) {
	twin, err := c.ProjectOf(accountID, projectID)
	if err != nil || twin.Visible || !twin.Exists {
		return twin.Visible, err
	}
	return c.HoldsOnModel(twin.Target, modelID, PermissionModelsRead, PermissionModelsWrite)
}
