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

// MaxQueued is how many transformations of one target may be under way and waiting.
const MaxQueued = 100

var (
	errUnderWay = problem.Conflict("TransformationInProgress", "configurationId",
		"Another transformation of the target model is under way.")
	errQueueFull = problem.Conflict("TransformationInProgress", "configurationId",
		"Too many transformations of the target model are waiting.")
)

// RunTransformation runs a configuration: the first time it brings all that the view
// lets through of the source into the target, later what has changed since. Filtered-out
// elements are removed from the target and newly visible ones inserted, by one changeset;
// what is above them is kept, with geometry and properties that are not mandatory
// cleared. What others have put into the target stays. Its end,
// also one by failure or CancelTransformation, is delivered as transformations.jobCompleted.v1.
//
// One transformation of a target runs at a time. It is done when the call returns,
// or by Run with Env.Background, and its record has the outcome. It needs
// PermissionModelsRead at the source and PermissionModelsWrite at the target, on the
// project or on the model.
//
// Errors: InvalidTransformationsRequest with MissingRequiredProperty or InvalidValue
// (configurationId), as for a configuration whose saved view is gone or no longer
// shared; ConfigurationNotFound; InsufficientPermissions; TransformationInProgress.
func (s *Service) RunTransformation(ctx context.Context, n NewTransformation) (res twinplatform.Result[Transformation],
	err error,
) {
	if _, err := transformationKind.Make(n); err != nil {
		return res, err
	}
	w := transforming{ID: s.env.NewID()}
	var rec twinplatform.Record[Transformation]
	var started twinplatform.Result[struct{}]
	err = s.bench.Call(ctx, func(j *judge.Judge) (err error) {
		rec = twinplatform.Record[Transformation]{}
		started, err = longOf(s).transform.Start(ctx,
			jobs.Spec{Subjects: []string{w.ID}, Open: func(u *records.Update) (in records.Scope, err error) {
				rec, err = s.callerOf(j.In(u), u).begin(u, &w, n)
				return area.InAccount(rec.Value.AccountID), err
			}}, &w)
		return err
	})
	if rec.ETag == "" {
		return res, err
	}
	ended, err2 := s.latest(ctx, w.ID)
	switch {
	case err2 == nil && ended.Value.Status.Done():
		return twinplatform.Done(ended), nil // its record has the outcome
	case err != nil:
		return res, err
	}
	res = twinplatform.Pending[Transformation](started.Operation, started.Wait)
	res.Records = []twinplatform.Record[Transformation]{rec}
	return res, nil
}

// latest is a transformation as it is by now.
func (s *Service) latest(ctx context.Context, id string) (rec twinplatform.Record[Transformation], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = transformationRecords.Get(v, area.AllAccounts, id)
		return err
	})
	return rec, err
}

// begin accepts a transformation, and completes what the journal keeps of it.
func (c caller) begin(u *records.Update, w *transforming, n NewTransformation) (rec twinplatform.Record[Transformation],
	err error,
) {
	conf, err := c.visible(n.ConfigurationID)
	if err != nil {
		return rec, err
	}
	c.expectSides(&conf.Value)
	if records.Remote(u) {
		account := conf.Value.TargetAccountID // that of the target's project
		records.Declare(u, transformationRecords.NeedsIndexed(area.AllAccounts, "active",
			area.Key(account, conf.Value.References.TargetModelID))...)
		records.Declare(u, transformationRecords.NeedsOfNew(area.InAccount(account), w.ID)...)
	}
	r := &conf.Value.References
	source, at, err := c.checkSide(side{"source", r.SourceProjectID, r.SourceModelID, PermissionModelsRead})
	if err != nil {
		return rec, err
	}
	_, to, err := c.checkSide(side{"target", r.TargetProjectID, r.TargetModelID, PermissionModelsWrite})
	if err != nil {
		return rec, err
	}
	view, err := c.lookupView(at.AccountID, source, r.SavedViewID)
	if err != nil {
		return rec, err
	}
	var checks problem.Checks
	if view == nil || !view.Shared {
		checks.Bad("configurationId", "The saved view of the configuration is gone, or no longer shared.")
	}
	if err := checks.Err(InvalidRequest); err != nil {
		return rec, err
	}
	t := Transformation{
		ID: w.ID, ConfigurationID: conf.Value.ID, CreatedDateTime: c.s.now(), Status: Created,
		Target: area.Key(conf.Value.TargetAccountID, r.TargetModelID), AccountID: to.AccountID,
		Report: Report{TransformID: w.ID},
	}
	w.Target, w.TargetModelID = t.Target, r.TargetModelID
	ahead := 0
	for range transformationRecords.IDs(u, area.AllAccounts, "active", t.Target) {
		ahead++
	}
	switch {
	case ahead > 0 && !n.Queue:
		return rec, errUnderWay
	case ahead >= MaxQueued:
		return rec, errQueueFull
	}
	return transformationRecords.Insert(u, area.AllAccounts, &t)
}
