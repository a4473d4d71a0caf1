package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// DeleteConfiguration removes a configuration with its transformations. What they have
// brought into the target stays. From its return on, the configuration is gone; many
// transformations are removed in steps that survive a restart. It needs
// PermissionModelsWrite at the target, on the project or on the model.
//
// Errors: ConfigurationNotFound; InsufficientPermissions; ConfigurationInUse while a
// transformation of it is under way; VersionMismatch.
func (s *Service) DeleteConfiguration(ctx context.Context, id string, pre ...twinplatform.Precondition) error {
	return s.bench.Call(ctx, func(j *judge.Judge) error {
		f := forgetting{ConfigurationID: id}
		_, err := longOf(s).forgetRuns.Start(ctx,
			jobs.Spec{AtOnce: true, Subjects: []string{id}, Open: func(u *records.Update) (records.Scope, error) {
				c, err := s.callerOf(j.In(u), u).deletable(id, twinplatform.ConditionOf(pre...))
				return area.InAccount(c.AccountID), err
			}}, &f)
		return err
	})
}

// deletable returns a configuration that the caller may delete, as nothing uses it.
func (c caller) deletable(id string, cond twinplatform.Condition) (*Configuration, error) {
	rec, err := c.visible(id)
	if err != nil {
		return &rec.Value, err
	}
	r := &rec.Value.References
	target, _, err := c.TwinOf(rec.Value.AccountID, r.TargetProjectID)
	if err == nil {
		err = problem.Needs(PermissionModelsWrite).Unless(c.HoldsOn(target, r.TargetModelID, PermissionModelsWrite))
	}
	if err != nil {
		return &rec.Value, err
	}
	if err := configurationRecords.Check(c.tx, area.AllAccounts, id, cond); err != nil {
		return &rec.Value, configurationKind.Missing.Or(err)
	}
	for other, err := range transformationRecords.Find(c.tx, area.AllAccounts, "active",
		area.Key(rec.Value.TargetAccountID, r.TargetModelID)) {
		switch {
		case err != nil:
			return &rec.Value, err
		case other.ConfigurationID == id:
			return &rec.Value, errConfigurationInUse
		}
	}
	return &rec.Value, nil
}

var errConfigurationInUse = problem.Conflict("ConfigurationInUse", "configurationId",
	"A transformation of the configuration is under way. Abort it, or wait for its end.")

// forgetting is what the journal keeps of the deletion of a configuration.
type forgetting struct {
	ConfigurationID string `json:"configurationId"`
	Deleted         bool   `json:"deleted"` // what is left is to delete its transformations
}

// removeConfiguration removes a configuration, and then its transformations.
func (s *Service) removeConfiguration(u *records.Update, w *jobs.Work[forgetting, Configuration]) (jobs.Progress,
	error,
) {
	f := w.Payload
	if !f.Deleted {
		if err := configurationRecords.Delete(u, area.AllAccounts, f.ConfigurationID); err != nil {
			return jobs.Progress{}, configurationKind.Missing.Or(err)
		}
		f.Deleted = true
		w.Payload = f
	}
	whole, err := transformationKind.RemoveFound(u, area.AllAccounts, "configuration", f.ConfigurationID,
		records.NewStep(u))
	if !whole || err != nil {
		return jobs.Progress{Percent: 50}, err
	}
	return jobs.Done, nil
}
