package rescheduling

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// automatic is what the reschedulings that follow changes have in common.
type automatic struct {
	settings records.Cache[schedules.ProjectScheduling]
	// asked are the operations that changes of this process have asked for, by scope.
	asked sync.Map
}

// Needs implements model.Follower.
func (*Scheduler) Needs(s records.Scope) []records.Need {
	return core.Settings.Needs(s, core.SettingsID)
}

// Ask implements model.Follower: it asks for the rescheduling of a schedule that is automatic, in the transaction of
// a change.
func (s *Scheduler) Ask(u *records.Update, at model.Place) error {
	set, err := s.automatic.settings.Value(u, core.Settings, at.Scope, core.SettingsID)
	if model.IsMissing(err) || err == nil && !set.IsAutomatic {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := model.Dues.Lookup(u, at.Scope, model.DueID)
	if err != nil {
		return err
	}
	if now == nil {
		spec := jobs.Spec{Scope: at.Scope, Contention: model.Contention(at.ScheduleID)}
		id, err := s.Reschedule.Follow(u, spec, &Rescheduling{Place: at, Automatic: true})
		if err != nil {
			return err
		}
		now = &model.Due{OperationID: id}
		if _, err := model.Dues.Put(u, at.Scope, now); err != nil {
			return err
		}
	}
	s.automatic.asked.Store(at.Scope, now.OperationID)
	return nil
}

// Carry implements model.Follower: it does the rescheduling that a change has asked for, before the call for the change
// returns, unless its caller is not patient enough. The operation has the outcome; the change
// is done in any case.
func (s *Scheduler) Carry(ctx context.Context, at model.Place) (op twinplatform.Operation, goesOn bool) {
	id, ok := s.automatic.asked.LoadAndDelete(at.Scope)
	if !ok {
		return op, false
	}
	return s.Jobs.Carry(model.Contended(ctx, at.ScheduleID), at.Scope, id.(string))
}

// finished ends an automatic rescheduling that has seen all of the plan, and reports
// false where there is more of it by now.
func (s *Plans) finished(ctx context.Context, w *Rescheduling, revision uint64) (finished bool, err error) {
	err = s.DB.Update(ctx, func(u *records.Update) error {
		changed, err := planChanged(u, w.Scope, revision)
		if finished = !changed; err != nil || changed {
			return err
		}
		return model.Dues.Erase(u, w.Scope, model.DueID)
	})
	return finished, err
}

// planChanged reports whether there is more of a plan than at a revision.
func planChanged(tx records.Reading, s records.Scope, since uint64) (changed bool, err error) {
	of := []*records.Table{
		core.Tasks.Table(), core.TaskLinks.Table(), core.Settings.Table(), core.Calendars.Table(),
		core.Assignments.Table(), core.Resources.Table(),
	}
	if records.Remote(tx) {
		for _, t := range of {
			records.Declare(tx, t.NeedsOfChanges(s, since, 1)...)
		}
	}
	for _, t := range of {
		if changed, err = changedSince(tx, s, t, since); changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}

func changedSince(tx records.Reading, s records.Scope, t *records.Table, since uint64) (bool, error) {
	for _, err := range t.Changes(tx, s, since) {
		return err == nil, err
	}
	return false, nil
}

// rescheduleFailed leaves what was written: each task is where the plan wanted it when it
// was written. Of what is staged and was not committed no one has seen anything, and nothing
// is left. The next change asks for another rescheduling.
func (s *Plans) rescheduleFailed(ctx context.Context, w Rescheduling, _ *twinplatform.Error) (goesOn bool,
	err error,
) {
	if w.Stage != 0 || w.Folds {
		if err := s.clearStage(ctx, &w); err != nil {
			return false, err
		}
	}
	if !w.Automatic {
		return false, nil
	}
	return false, s.DB.Update(ctx, func(u *records.Update) error {
		if _, err := s.Ready(u, w.Place, true); model.IsMissing(err) || err != nil {
			return nil // it went with the schedule
		}
		return model.Dues.Erase(u, w.Scope, model.DueID)
	})
}

// Analyze writes some of the analyses of the plan as it is by now, whose dates stay
// those of the planner, and adds to written how many. A plan that cannot be scheduled has none.
func (s *Plans) Analyze(ctx context.Context, at model.Place, written *int) (again bool, err error) {
	r := Rescheduling{Place: at, once: true}
	todo, err := s.toReschedule(ctx, &r, math.MaxInt)
	if refused := (*twinplatform.Error)(nil); errors.As(err, &refused) || model.IsMissing(err) {
		s.networks().rest(at.Scope)
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if todo.Moves = nil; todo.empty() {
		s.networks().rest(at.Scope)
	}
	again = !todo.empty() && *written <= writesPerTask*todo.tasks // while others change the plan
	for more := s.Turn(); !todo.empty() && err == nil && more(); {
		n := 0
		n, err = s.writeDates(ctx, &r, todo)
		*written += n
	}
	return again, err
}

// importTurn is how long a step of an import makes transactions of two milliseconds. The store
// is read between steps, and what is written behind that copies what readers see.
const importTurn = 250 * time.Millisecond

// leastTransactions and mostTransactions are how many it makes however long they take, and at
// most.
const (
	leastTransactions = 32
	mostTransactions  = 128
)

// Turn decides before each transaction of a step of an import whether the step makes it.
func (s *Plans) Turn() func() bool {
	n, until := 0, s.Env.Now().Add(importTurn)
	return func() bool {
		n++
		return n <= leastTransactions || n <= mostTransactions && s.Env.Now().Before(until)
	}
}

// Planned calls fn with the network of a schedule of type v10 that the caller may read.
func (s *Plans) Planned(ctx context.Context, scheduleID string, fn func(*records.View, *Network) error) error {
	return s.Read(s.WithPlan(ctx), scheduleID, model.ScheduleMissing, func(v *records.View, sc *model.Schedule) error {
		if err := model.V10Only(sc); err != nil {
			return err
		}
		return s.At(v, sc, func(n *Network) error { return fn(v, n) })
	})
}
