package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// DeleteModel removes a model with its saved views and all that it holds, and emits
// models.modelDeleted.v1. From its return on, the model is gone; a large one is cleared
// away in steps that survive a restart. It needs PermissionModelsWrite on the model or
// its twin.
//
// Errors: ModelNotFound; InsufficientPermissions; ModelInUse while a
// configuration names the model; VersionMismatch.
func (s *Service) DeleteModel(ctx context.Context, modelID string, pre ...twinplatform.Precondition) error {
	return s.bench.Call(ctx, func(j *judge.Judge) error {
		var r removal
		_, err := knownOf(s).deletion.Start(ctx,
			jobs.Spec{
				AtOnce: true, Subjects: []string{modelID},
				Open: func(u *records.Update) (in records.Scope, err error) {
					r, err = caller{Judge: j.In(u), s: s, tx: u}.removalOf(u, modelID, twinplatform.ConditionOf(pre...))
					return area.InAccount(r.AccountID), err
				},
			}, &r)
		return err
	})
}

// removal is what the journal keeps of the deletion of a model.
type removal struct {
	Model     string              `json:"model"` // its key
	AccountID string              `json:"accountId"`
	Content   records.Scope       `json:"content"`
	Event     *twinplatform.Event `json:"event"`
	Deleted   bool                `json:"deleted"` // what is left is to erase what it held
}

// removalOf is the deletion of a model that nothing names.
func (c caller) removalOf(u *records.Update, modelID string, cond twinplatform.Condition) (r removal, err error) {
	c.expectAccount()
	m, at, err := c.changeableModel(modelID)
	if err == nil {
		err = c.expectRemoval(u, m)
	}
	if err != nil {
		return r, err
	}
	if err := modelRecords.Check(u, area.InAccount(m.AccountID), m.key(), cond); err != nil {
		return r, modelKind.Missing.Or(err)
	}
	if err := c.s.uses.ModelUnused(u, m.key()); err != nil {
		return r, err
	}
	e, err := c.deletionOf(m, at)
	if err != nil {
		return r, err
	}
	return removal{Model: m.key(), AccountID: m.AccountID, Content: m.content(), Event: &e}, nil
}

// removeModel removes views of a model, with the last of them the model, and then
// what it held.
func (s *Service) removeModel(u *records.Update, w *jobs.Work[removal, Model]) (jobs.Progress, error) {
	r := w.Payload
	if !r.Deleted {
		in, step := area.InAccount(r.AccountID), records.NewStep(u)
		if whole, err := savedViewKind.RemoveFound(u, in, "model", r.Model, step); !whole || err != nil {
			return jobs.Progress{}, err
		}
		if whole, err := viewGroupKind.RemoveFound(u, in, "model", r.Model, step); !whole || err != nil {
			return jobs.Progress{}, err
		}
		if whole, err := viewTagKind.RemoveFound(u, in, "model", r.Model, step); !whole || err != nil {
			return jobs.Progress{}, err
		}
		if err := modelRecords.Delete(u, in, r.Model); err != nil {
			return jobs.Progress{}, modelKind.Missing.Or(err)
		}
		if err := u.Emit(*r.Event); err != nil {
			return jobs.Progress{}, err
		}
		r.Deleted = true
		w.Payload = r
	}
	if r.Content == "" {
		return jobs.Done, nil
	}
	more, err := r.Content.Erase(u)
	if err != nil || more {
		return jobs.Progress{Percent: 50}, err
	}
	return jobs.Done, nil
}
