package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Transformation returns a transformation. Errors: TransformationNotFound, also for a
// caller who may see neither the target project nor the target model.
func (s *Service) Transformation(ctx context.Context, id string) (twinplatform.Record[Transformation], error) {
	return read(ctx, s, func(c caller) (twinplatform.Record[Transformation], error) {
		rec, _, err := c.visibleTransformation(id)
		return rec, err
	})
}

// visibleTransformation is a transformation that the caller may see, with its
// configuration.
func (c caller) visibleTransformation(id string) (rec twinplatform.Record[Transformation], conf Configuration,
	err error,
) {
	var none twinplatform.Record[Transformation]
	if rec, err = transformationRecords.Get(c.tx, area.AllAccounts, id); err != nil {
		return none, conf, transformationKind.Missing.Or(err)
	}
	of, err := configurationRecords.Lookup(c.tx, area.AllAccounts, rec.Value.ConfigurationID)
	if err != nil || of == nil {
		return none, conf, transformationKind.Missing.Unless(false, err)
	}
	r := &of.References
	if err := transformationKind.Missing.Unless(c.seesTarget(of.AccountID, r.TargetProjectID,
		r.TargetModelID)); err != nil {
		return none, conf, err
	}
	return rec, *of, nil
}

// TransformationReport reports what a transformation did, or has done so far. Errors:
// TransformationNotFound.
func (s *Service) TransformationReport(ctx context.Context, id string) (Report, error) {
	rec, err := s.Transformation(ctx, id)
	return rec.Value.Report, err
}

// CancelTransformation aborts a transformation that is not done: the target stays as
// it was. It needs PermissionModelsWrite at the target, on the project or on the
// model.
//
// Errors: TransformationNotFound; InsufficientPermissions; TransformationEnded;
// VersionMismatch.
func (s *Service) CancelTransformation(ctx context.Context, id string,
	pre ...twinplatform.Precondition,
) (twinplatform.Record[Transformation], error) {
	var rec twinplatform.Record[Transformation]
	w := transforming{ID: id}
	err := s.update(ctx, func(u *records.Update, c caller) error {
		_, conf, err := c.visibleTransformation(id)
		if err != nil {
			return err
		}
		r := &conf.References
		w.TargetModelID = r.TargetModelID
		target, _, err := c.TwinOf(conf.AccountID, r.TargetProjectID)
		if err == nil {
			err = problem.Needs(PermissionModelsWrite).Unless(c.HoldsOn(target, r.TargetModelID, PermissionModelsWrite))
		}
		if err != nil {
			return err
		}
		rec, err = transformationRecords.Modify(u, area.AllAccounts, id, twinplatform.ConditionOf(pre...),
			func(t *Transformation) error {
				if t.Status.Done() || t.Committing {
					return errEnded
				}
				t.Status, t.FinishedDateTime = Aborted, c.s.now()
				return nil
			})
		if err != nil {
			return problem.Precondition(err)
		}
		return c.completed(u, &conf, id, Aborted)
	})
	if err == nil && !s.env.Background {
		// No caller may be at it to do so. What fails is left to the next process.
		_ = s.leave(ctx, w, &rec.Value)
	}
	return rec, err
}

var errEnded = problem.Conflict("TransformationEnded", "transformationId",
	"The transformation is done, or about to be. It can no longer be aborted.")
