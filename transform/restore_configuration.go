package transform

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// RestoredConfiguration is a configuration that was elsewhere.
type RestoredConfiguration struct {
	ID string // required: what it has brought into a target belongs to that
	NewConfiguration
	// CreatedDateTime is the present when left out, and not known when null;
	// ModifiedDateTime is CreatedDateTime when left out.
	CreatedDateTime, ModifiedDateTime twinplatform.Optional[twinplatform.DateTime]
}

// RestoreConfiguration makes a configuration that was elsewhere, with its id. Its saved
// view need not be there any more. It needs what CreateConfiguration needs. The REST API
// has no operation for it.
//
// Errors: as CreateConfiguration, with MissingRequiredProperty or InvalidValue (id) too;
// ConfigurationExists.
func (s *Service) RestoreConfiguration(ctx context.Context,
	n RestoredConfiguration,
) (twinplatform.Result[Configuration], error) {
	var c problem.Checks
	c.Need("id", n.ID, MaxID)
	c.ID("id", n.ID)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[Configuration]{}, err
	}
	return create(ctx, s, &configurationKind, n.NewConfiguration,
		func(c caller, u *records.Update, v Configuration) (rec twinplatform.Record[Configuration], err error) {
			v.ID, v.CreatedDateTime = n.ID, s.now()
			n.CreatedDateTime.Apply(&v.CreatedDateTime)
			v.ModifiedDateTime = v.CreatedDateTime
			n.ModifiedDateTime.Apply(&v.ModifiedDateTime)
			both, err := c.checkSides(&v)
			if err != nil {
				return rec, err
			}
			rec, err = configurationRecords.Insert(u, area.InAccount(both.targetAccount), &v)
			return rec, already(err, "ConfigurationExists", "id", "A configuration with this id exists already.")
		})
}

// RestoreTransformation puts the record of a transformation that has ended elsewhere to
// its configuration, with its report. It runs nothing and emits no event. It needs
// PermissionModelsWrite at the target, on the project or on the model. The REST API has
// no operation for it.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty (id,
// configurationId) or InvalidValue (id, status); ConfigurationNotFound;
// InsufficientPermissions; TransformationExists.
func (s *Service) RestoreTransformation(ctx context.Context, t Transformation) (rec twinplatform.Record[Transformation],
	err error,
) {
	if err := t.checkRestored(); err != nil {
		return rec, err
	}
	t.Deleted, t.Committing, t.Report.TransformID = false, t.Status == Succeeded, t.ID
	err = s.update(ctx, func(u *records.Update, c caller) error {
		conf, err := c.visible(t.ConfigurationID)
		if err != nil {
			return err
		}
		r := &conf.Value.References
		at, _, err := c.TwinOf(conf.Value.AccountID, r.TargetProjectID)
		if err == nil {
			err = problem.Needs(PermissionModelsWrite).Unless(c.HoldsOn(at, r.TargetModelID, PermissionModelsWrite))
		}
		if err != nil {
			return err
		}
		t.Target, t.AccountID = area.Key(conf.Value.TargetAccountID, r.TargetModelID), at.AccountID
		rec, err = transformationRecords.Insert(u, area.AllAccounts, &t)
		return already(err, "TransformationExists", "id", "A transformation with this id exists already.")
	})
	return rec, err
}

func (t *Transformation) checkRestored() error {
	var c problem.Checks
	c.Need("id", t.ID, MaxID)
	c.ID("id", t.ID)
	c.Need("configurationId", t.ConfigurationID, MaxID)
	if problem.OneOf(&c, "status", t.Status, transformationStatuses); !t.Status.Done() {
		c.Bad("status", "Only a transformation that has ended is restored.")
	}
	return c.Err(InvalidRequest)
}

// already is the conflict of a record that is there.
func already(err error, code, at, message string) error {
	if errors.Is(err, records.ErrExists) {
		return problem.Conflict(code, at, message)
	}
	return err
}
