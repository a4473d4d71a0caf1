package schedules

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// What a caller may do is judged in the transaction that acts on it: whatever is
// taken back before the transaction begins is taken back for it too.

func (s *Service) bench() judge.Bench { return judge.Bench{DB: s.db, Env: s.env, Twins: s.twins} }

// read runs fn over a schedule that is visible to the caller, in one transaction. m is
// the error where there is none.
func (s *Service) read(ctx context.Context, id string, m *problem.Absent, fn func(*records.View, *Schedule) error) error {
	return s.bench().View(ctx, func(v *records.View, j *judge.Judge) error {
		sc, err := s.visible(v, j, id, m)
		if err != nil {
			return err
		}
		return fn(v, sc)
	})
}

// changeable returns the schedule with an id, within a transaction that may change
// it on behalf of the caller.
func (s *Service) changeable(tx judge.Transaction, j *judge.Judge, id string) (*Schedule, error) {
	j = j.In(tx)
	sc, err := s.visible(tx, j, id, scheduleMissing)
	if err != nil {
		return nil, err
	}
	return sc, mayModify(j, sc.target())
}

// still checks that a schedule which an earlier transaction found changeable is so yet:
// by now another one may have its id.
func (s *Service) still(tx judge.Transaction, j *judge.Judge, id string, sc *Schedule) error {
	now, err := s.changeable(tx, j, id)
	if err == nil && now.scope() != sc.scope() {
		err = scheduleMissing.Err()
	}
	return err
}

func mayModify(j *judge.Judge, at twinplatform.Target) error {
	return problem.Needs(PermissionModify).Unless(j.Allowed(PermissionModify, at))
}

// twin returns where permissions on a twin are asked for, and whether the twin is
// visible to the caller.
func (s *Service) twin(j *judge.Judge, twinID string) (at twinplatform.Target, visible bool, err error) {
	at, visible, err = j.Twin(twinID)
	if err != nil || !visible {
		return at, false, err
	}
	visible, err = j.Allowed(PermissionRead, at)
	return at, visible, err
}

// ready checks within a transaction that the schedule which the work was
// accepted for is still there and takes changes. Work that has begun is carried
// through, whatever the state has become.
func (s *Service) ready(tx records.Reading, p model.Place, begun bool) (*Schedule, error) {
	sc, err := knownOf(s).schedules.Value(tx, &scheduleRecords, allAccounts, cmp.Or(p.Key, p.ScheduleID))
	if err != nil {
		return nil, scheduleMissing.Or(err)
	}
	if sc.scope() != p.Scope {
		return nil, scheduleMissing.Err()
	}
	if sc.State != Ready && !begun {
		return nil, notInitialized(sc.State)
	}
	return sc, nil
}

func (sc *Schedule) place() model.Place {
	return model.Place{ScheduleID: sc.ID, Key: scheduleKey(sc), Scope: sc.scope(), StatusIDs: sc.TaskStatusIDs}
}

// notInitialized refuses a write to a schedule that is not ready for one.
func notInitialized(state State) error {
	return problem.Conflict("ScheduleNotInitialized", "", fmt.Sprintf("The schedule is not initialized. Its current state is %s.", state))
}

// plotOn is the account of a twin that the caller may make a schedule for.
func (s *Service) plotOn(j *judge.Judge, twinID string) (accountID string, err error) {
	at, visible, err := s.twin(j, twinID)
	if err == nil && !visible {
		err = noTwin()
	}
	if err == nil {
		err = mayModify(j, at)
	}
	return at.AccountID, err
}

// noTwin refuses to make a schedule for a twin.
func noTwin() error { return invalid(problem.BadValue("twinId", "The twin is not available.")) }
