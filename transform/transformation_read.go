package transform

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
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
func (c caller) visibleTransformation(id string) (rec twinplatform.Record[Transformation], conf Configuration, err error) {
	var none twinplatform.Record[Transformation]
	if rec, err = transformationRecords.Get(c.tx, allAccounts, id); err != nil {
		return none, conf, transformationKind.Missing.Or(err)
	}
	of, err := configurationRecords.Lookup(c.tx, allAccounts, rec.Value.ConfigurationID)
	if err != nil || of == nil {
		return none, conf, transformationKind.Missing.Unless(false, err)
	}
	r := &of.References
	if err := transformationKind.Missing.Unless(c.seesTarget(r.TargetProjectID, r.TargetModelID)); err != nil {
		return none, conf, err
	}
	return rec, *of, nil
}

// TransformationReport says what a transformation did, or has done so far. Errors:
// TransformationNotFound.
func (s *Service) TransformationReport(ctx context.Context, id string) (Report, error) {
	rec, err := s.Transformation(ctx, id)
	return rec.Value.Report, err
}

// TransformationQuery says which transformations to list.
type TransformationQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many from the beginning.
	Skip int
	// ConfigurationID lists those of a configuration; required unless TargetModelID is
	// given.
	ConfigurationID string
	// TargetModelID lists those into one model.
	TargetModelID string
	// Status lists those in one state; empty means all.
	Status TransformationStatus
}

// Transformations lists transformations of a configuration or into a model by their
// creation. A configuration or a model that the caller may not see has none.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty (configurationId)
// or InvalidValue (status, top, skip, continuation, delta).
func (s *Service) Transformations(ctx context.Context, q TransformationQuery) (page twinplatform.Page[Transformation], err error) {
	var c problem.Checks
	c.Skip(q.Skip, "transformations to leave out")
	if q.ConfigurationID == "" && q.TargetModelID == "" {
		c.Need("configurationId", "", MaxID)
	}
	if q.Status != "" {
		problem.OneOf(&c, "status", q.Status, transformationStatuses)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	return read(ctx, s, func(c caller) (page twinplatform.Page[Transformation], err error) {
		query, err := c.listedTransformations(q)
		if err != nil {
			return page, err
		}
		return transformationKind.List(c.tx, allAccounts, paging, query)
	})
}

// listedTransformations is what of a query the caller may see.
func (c caller) listedTransformations(q TransformationQuery) (query records.Query[Transformation], err error) {
	query = records.Query[Transformation]{ListOptions: q.ListOptions, Skip: q.Skip, Index: "configuration", Equals: nobody}
	target := ""
	if q.TargetModelID != "" {
		m, err := c.visibleTarget(ConfigurationQuery{TargetModelID: q.TargetModelID})
		if err != nil || m == nil {
			return query, err
		}
		target = m.key()
		query.Index, query.Equals = "target", target
	}
	if q.ConfigurationID != "" {
		conf, err := c.visible(q.ConfigurationID)
		if err != nil {
			query.Index, query.Equals = "configuration", nobody
			if errors.Is(err, twinplatform.NotFound) {
				err = nil
			}
			return query, err
		}
		query.Index, query.Equals = "configuration", conf.Value.ID
	}
	query.Filter = strings.Join([]string{target, string(q.Status)}, "\x00")
	query.Match = func(t *Transformation) bool {
		return (target == "" || t.Target == target) && (q.Status == "" || t.Status == q.Status)
	}
	return query, nil
}

// CancelTransformation aborts a transformation that is not done: the target stays as
// it was. It needs PermissionModelsWrite at the target, on the project or on the
// model.
//
// Errors: TransformationNotFound; InsufficientPermissions; TransformationEnded.
func (s *Service) CancelTransformation(ctx context.Context, id string) (twinplatform.Record[Transformation], error) {
	var rec twinplatform.Record[Transformation]
	err := s.update(ctx, func(u *records.Update, c caller) error {
		_, conf, err := c.visibleTransformation(id)
		if err != nil {
			return err
		}
		r := &conf.References
		target, _, err := c.Twin(r.TargetProjectID)
		if err == nil {
			err = problem.ForbiddenUnless(c.holdsOn(target, r.TargetModelID, PermissionModelsWrite))
		}
		if err != nil {
			return err
		}
		rec, err = transformationRecords.Modify(u, allAccounts, id, "", func(t *Transformation) error {
			if t.Status.Done() || t.Committing {
				return errEnded
			}
			t.Status, t.FinishedDateTime = Aborted, c.s.now()
			return nil
		})
		return err
	})
	return rec, err
}

var errEnded = problem.Conflict("TransformationEnded", "transformationId", "The transformation is done, or about to be. It can no longer be aborted.")
