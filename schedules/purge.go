package schedules

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// PurgeDeleted forgets what was deleted from a schedule longer ago than so, and the
// operations that ended longer ago, and gives back their space. A delta token from before
// a forgotten deletion is refused from then on, with InvalidValue and a message that asks
// to list again.
//
// Run does the same for every schedule, with Env.Retain; this is for a program
// that wants the space back earlier. An age of 0 forgets every deletion so far.
// The REST API has no operation for it. It needs PermissionModify.
//
// Errors: ScheduleNotFound, InsufficientPermissions, InvalidSchedulesRequest
// with InvalidValue (olderThan).
func (p Plan) PurgeDeleted(ctx context.Context, olderThan time.Duration) error {
	until, err := p.s.before(olderThan)
	if err != nil {
		return err
	}
	return p.s.bench().Call(ctx, func(j *judge.Judge) error {
		sc, err := p.s.opened(ctx, j, p.id)
		if err != nil {
			return err
		}
		return p.s.db.ForgetIn(ctx, sc.scope(), until, func(u *records.Update) error {
			return p.s.still(u, j, p.id, sc)
		})
	})
}

// opened is the schedule that several transactions of a call are to change.
func (s *Service) opened(ctx context.Context, j *judge.Judge, id string) (sc *Schedule, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		sc, err = s.changeable(v, j, id)
		return err
	})
	return sc, err
}

// PurgeDeletedSchedules does for the list of schedules what PurgeDeleted does for
// what is in one. It is for the system alone.
//
// Errors: InsufficientPermissions, InvalidSchedulesRequest with InvalidValue
// (olderThan).
func (s *Service) PurgeDeletedSchedules(ctx context.Context, olderThan time.Duration) error {
	if _, named := twinplatform.PrincipalFrom(ctx); named {
		return problem.SystemOnly
	}
	until, err := s.before(olderThan)
	if err != nil {
		return err
	}
	return s.db.ForgetIn(ctx, allAccounts, until, func(*records.Update) error { return nil })
}

// before is the time until which what was deleted has an age.
func (s *Service) before(olderThan time.Duration) (time.Time, error) {
	if olderThan < 0 {
		return time.Time{}, invalid(problem.BadValue("olderThan", "An age is 0 or more."))
	}
	return s.now().Add(-olderThan), nil
}
