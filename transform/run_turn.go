package transform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Two processes may work on one transformation, and one of them may die or fall behind at any
// point. What keeps them in step is the record of the transformation: once that records that it is
// done, or about to commit, no process writes to its draft; and the process that ends it without a
// changeset records that before the draft is dropped. Its entry in the journal stays until the
// draft is gone.

// transforming is what the journal keeps of a transformation.
type transforming struct {
	progress

	ID string `json:"id"`
	// Target is what the store calls the target model and TargetModelID its id, for when
	// the configuration is gone.
	Target        string `json:"target,omitempty"`
	TargetModelID string `json:"targetModelId,omitempty"`
}

// draftOf is the id of the changeset that a transformation makes.
func draftOf(transformationID string) string {
	sum := sha256.Sum256([]byte("transformation " + transformationID))
	return hex.EncodeToString(sum[:20])
}

// transformStep does a part of a transformation.
func (s *Service) transformStep(ctx context.Context, w transforming) (transforming, jobs.Progress, error) {
	t, first, err := s.queued(ctx, w)
	switch {
	case err != nil:
		return w, jobs.Progress{}, err
	case t == nil || t.Status.Done():
		return w, jobs.Done, s.leave(ctx, w, t)
	case !first:
		return w, jobs.Progress{Waits: true}, nil
	}
	run, err := s.engineOf(ctx, t)
	done := false
	if err == nil {
		done, err = run.step(ctx, &w.progress)
	}
	if t.Committing && err != nil && !passes(ctx, err) {
		err = errors.Join(s.withdraw(ctx, w.ID), err)
	}
	if done || err != nil {
		return w, jobs.Progress{Done: done}, err
	}
	return w, jobs.Progress{Percent: w.percent()}, nil
}

// passes reports whether what has failed may well succeed another time.
func passes(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, twinplatform.Unavailable)
}

// withdraw reports that a transformation cannot be committed after all.
func (s *Service) withdraw(ctx context.Context, id string) error {
	return s.db.Update(ctx, func(u *records.Update) error {
		_, err := transformationRecords.Modify(u, area.AllAccounts, id, "", func(t *Transformation) error {
			t.Committing = t.Committing && t.Status.Done()
			return nil
		})
		return err
	})
}

func (p *progress) percent() int {
	if p.Total == 0 {
		return 0
	}
	return min(100*p.Processed/p.Total, 99)
}

// queued is a transformation, nil where there is none, and whether it is the next to run.
func (s *Service) queued(ctx context.Context, w transforming) (t *Transformation, first bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		records.Declare(v, transformationRecords.NeedsIndexed(area.AllAccounts, "active", w.Target)...)
		t, err = transformationRecords.Lookup(v, area.AllAccounts, w.ID)
		if t == nil || err != nil {
			return err
		}
		for other := range transformationRecords.IDs(v, area.AllAccounts, "active", t.Target) {
			first = other == w.ID
			break
		}
		return nil
	})
	return t, first, err
}

// leave drops what is left of a transformation that is done, t, or forgotten. It
// returns the failure of one that failed.
func (s *Service) leave(ctx context.Context, w transforming, t *Transformation) error {
	target, err := s.targetOf(ctx, w, t)
	if err == nil && target != nil {
		err = target.Discard(ctx, draftOf(w.ID))
	}
	if errors.Is(err, twinplatform.NotFound) {
		err = nil // it went with the model
	}
	if err == nil && t != nil && t.Failure != nil {
		err = t.Failure
	}
	return err
}

// targetOf is where a transformation writes to; nil where that is not known.
func (s *Service) targetOf(ctx context.Context, w transforming, t *Transformation) (models.Target, error) {
	if s.contents != nil && w.TargetModelID != "" {
		return s.contents.Target(ctx, w.TargetModelID)
	}
	if w.Target == "" && t != nil {
		w.Target = t.Target
	}
	if w.Target == "" || s.directory != nil {
		return nil, nil
	}
	return s.models.Entrusted(area.AllAccounts, w.Target, writer{w.ID}), nil
}

// transformFailed reports a transformation that failed, and drops what it wrote. It
// continues where another process has ended it otherwise, or has begun to commit it.
func (s *Service) transformFailed(ctx context.Context, w transforming, failure *twinplatform.Error) (goesOn bool,
	err error,
) {
	var t *Transformation
	err = s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		goesOn = false
		rec, err := transformationRecords.Modify(u, area.AllAccounts, w.ID, "", func(t *Transformation) error {
			switch {
			case t.Status.Done():
				goesOn = t.Status != Failed
				return errOver
			case t.Committing:
				goesOn = true
				return errOver
			}
			t.Status, t.FinishedDateTime, t.Failure = Failed, s.now(), failure
			t.ErrorCode, t.ErrorMessage = twinplatform.NullString(failure.Code), jobs.Describe(failure)
			return nil
		})
		t = &rec.Value
		if err != nil {
			return err
		}
		conf, err := configurationRecords.Lookup(u, area.AllAccounts, t.ConfigurationID)
		if conf == nil || err != nil {
			return err
		}
		err = s.callerOf(j, u).completed(u, conf, w.ID, Failed)
		if errors.Is(err, twinplatform.NotFound) {
			return nil // with the target's twin all who would receive it are gone
		}
		return err
	})
	switch {
	case errors.Is(err, errOver), errors.Is(err, records.ErrNotFound):
		t = nil
	case err != nil:
		return false, err
	}
	if goesOn {
		return true, nil
	}
	if err = s.leave(ctx, w, t); passes(ctx, err) {
		return false, err
	}
	return false, nil // the failure, or that of a target which keeps what it has
}
