package transform

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Run continues work in the background, and what an earlier process left,
// deletes the transformations that ended longer ago than Env.Retain, and forgets what was
// deleted or done longer ago, until ctx is done. It returns nil then, and an error only
// when the store does.
func (s *Service) Run(ctx context.Context) error { return s.jobs.Run(ctx) }

// PurgeDeleted deletes the transformations that ended longer ago than so, and forgets the
// configurations, models, saved views and transformations that were deleted longer ago,
// and gives back their space. A delta token from before a forgotten deletion is refused
// from then on, with InvalidValue and a message that asks to list again. Later
// transformations of a configuration do not need the earlier ones. Run does the same with
// Env.Retain; this is for a program that wants the space back earlier, and for the system
// alone.
//
// Errors: InsufficientPermissions; InvalidTransformationsRequest with InvalidValue
// (olderThan).
func (s *Service) PurgeDeleted(ctx context.Context, olderThan time.Duration) error {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return problem.SystemOnly
	}
	if olderThan < 0 {
		var c problem.Checks
		c.Bad("olderThan", "An age is 0 or more.")
		return c.Err(InvalidRequest)
	}
	until := s.db.Believed().Add(-olderThan)
	for more := true; more; {
		var err error
		if more, err = s.deleteEnded(ctx, until); err != nil {
			return err
		}
	}
	return s.db.ForgetIn(ctx, area.AllAccounts, until, func(*records.Update) error { return nil })
}

// forgetEnded does one step of deleting the transformations that are no longer retained,
// and reports whether there are more.
func (s *Service) forgetEnded(ctx context.Context) (more bool, err error) {
	if s.env.Retain < 0 {
		return false, nil
	}
	return s.deleteEnded(ctx, s.db.Believed().Add(-s.env.Retain))
}

// runsPerLook is how many transformations are found at once to be deleted.
const runsPerLook = 1_000

// deleteEnded does one step of deleting the transformations that ended at a time or
// before. They leave tombstones, which are forgotten as all others are. Where the target
// is synchronized up to is in the target, and in no transformation.
func (s *Service) deleteEnded(ctx context.Context, until time.Time) (more bool, err error) {
	var ids []string
	err = s.db.View(ctx, func(v *records.View) error {
		ids = nil
		for t, err := range transformationRecords.All(v, area.AllAccounts, "") {
			switch {
			case err != nil:
				return err
			case t.CreatedDateTime.After(until) || len(ids) == runsPerLook:
				return nil // ids are in the order of creation
			case t.Status.Done() && !t.FinishedDateTime.After(until):
				ids = append(ids, t.ID)
			}
		}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		more = false
		step := records.NewStep(u)
		for _, id := range ids {
			if within, err := step.Next(0); !within || err != nil {
				more = true
				return err
			}
			if err := transformationRecords.Delete(u, area.AllAccounts, id); err != nil &&
				!errors.Is(err, records.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	return more || len(ids) == runsPerLook, err
}
