package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	judges "github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// FormPatch changes a form.
type FormPatch struct {
	FormFields

	// Restored is what the system knows of a form that comes from elsewhere.
	Restored *RestoredForm `json:"-"`
}

// Form returns a form with every property that was ever set (GET /forms/{id}).
//
// Errors: FormDataNotFound.
func (s *Service) Form(ctx context.Context, id string) (rec twinplatform.Record[Form], err error) {
	ctx = s.reading(ctx, id, func(_ records.Reading,
		in records.Scope,
	) []records.Need {
		return formRecords.Needs(in, id)
	}, nil)
	err = s.view(ctx, func(v *records.View, j *judge) error {
		a, err := j.visibleForm(id)
		if err != nil {
			return err
		}
		rec, err = formRecords.Get(v, a.scope(), id)
		return formMissing.Or(err)
	})
	return rec, err
}

// UpdateForm changes a form (PATCH /forms/{id}). The status needs
// PermissionApprove, assignees PermissionAssign or PermissionApprove, everything
// else PermissionModify or PermissionCreate; PermissionFull covers all. A patch
// that changes nothing leaves the form as it was last modified.
//
// Errors: FormDataNotFound; InsufficientPermissions; VersionMismatch;
// InvalidFormDataRequest with MissingRequiredProperty for a missing part of an
// object, or InvalidValue for every property that has no such value.
func (s *Service) UpdateForm(ctx context.Context, id string, p FormPatch,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[Form], err error) {
	var c problem.Checks
	p.check(&c)
	p.Restored.checkSystem(ctx, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	caller, now := callerOf(ctx), s.now()
	ctx = s.reading(ctx, id, func(_ records.Reading, in records.Scope) []records.Need {
		return append(formRecords.NeedsOfChange(in, id), summaryRecords.NeedsOfNew(in, id)...)
	}, revisionOf)
	return write(ctx, s, func(u *records.Update, j *judge) (rec twinplatform.Record[Form], err error) {
		a, err := j.visibleForm(id)
		if err != nil {
			return rec, err
		}
		if err := p.allowed(a); err != nil {
			return rec, err
		}
		var entries []audited
		rec, err = formRecords.Modify(u, a.scope(), id, twinplatform.ConditionOf(pre...), func(f *Form) error {
			before := *f
			if err := p.apply(f, s.workflow(f.Type)); err != nil {
				return err
			}
			if entries, err = differences(&before, f); err != nil || len(entries) == 0 {
				return err
			}
			f.LastModifiedBy, f.LastModifiedByID, f.LastModifiedDateTime = caller.DisplayName, caller.ID, now
			p.Restored.stamp(f)
			return nil
		})
		if err != nil {
			return rec, formMissing.Or(err)
		}
		if _, err := summaryRecords.Put(u, a.scope(), rec.Value.summary()); err != nil {
			return rec, err
		}
		return rec, s.audit(u, a.inner(), caller, now, entries)
	})
}

// allowed checks that the caller may change all that the patch sends.
func (p *FormPatch) allowed(a *formAccess) error {
	status, assignees, others := p.parts()
	if status {
		if err := a.need(PermissionApprove); err != nil {
			return err
		}
	}
	if assignees {
		if err := a.need(PermissionAssign, PermissionApprove); err != nil {
			return err
		}
	}
	if others || !status && !assignees {
		return a.need(PermissionModify, PermissionCreate)
	}
	return nil
}

// DeleteForm removes a form with its comments, attachments and audit trail
// (DELETE /forms/{id}). It needs PermissionDelete. From its return on the form is
// gone; much content is cleared away in steps that survive a restart.
//
// Errors: FormDataNotFound, InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteForm(ctx context.Context, id string, pre ...twinplatform.Precondition) error {
	ctx = s.reading(ctx, id, func(_ records.Reading,
		in records.Scope,
	) []records.Need {
		return formRecords.NeedsOfChange(in, id)
	}, nil)
	return s.bench().Call(ctx, func(j *judges.Judge) error {
		allowed := func(tx judges.Transaction) (*formAccess, error) {
			return s.judge(tx, j.In(tx)).permittedForm(id, PermissionDelete)
		}
		var p formPlace
		err := s.db.View(ctx, func(v *records.View) error {
			_, err := allowed(v)
			return err
		})
		if err != nil {
			return err
		}
		_, err = knownOf(s).deletion.Start(ctx,
			jobs.Spec{AtOnce: true, Subjects: []string{id}, Open: func(u *records.Update) (records.Scope, error) {
				a, err := allowed(u)
				if err != nil {
					return "", err
				}
				p = a.formPlace
				if err := formRecords.Check(u, a.scope(), id, twinplatform.ConditionOf(pre...)); err != nil {
					return "", formMissing.Or(err)
				}
				return allTwins.Of(a.definition.AccountID), nil
			}}, &p)
		return err
	})
}

func removeForm(u *records.Update, w *jobs.Work[formPlace, Form]) (jobs.Progress, error) {
	p := &w.Payload
	if records.Remote(u) {
		records.Declare(u, needsOfRemoval(p)...)
	}
	if err := formPlaces.Erase(u, allTwins, p.ID); err != nil {
		return jobs.Progress{}, err
	}
	if err := summaryRecords.Erase(u, p.scope(), p.ID); err != nil {
		return jobs.Progress{}, err
	}
	if err := formRecords.Erase(u, p.scope(), p.ID); err != nil {
		return jobs.Progress{}, err
	}
	if more, err := eraseContents(u, p.inner(), ""); err != nil || more {
		return jobs.Progress{Percent: 50}, err
	}
	more, err := p.inner().Erase(u)
	if err != nil || more {
		return jobs.Progress{Percent: 50}, err
	}
	return jobs.Done, nil
}
