package schedules

import (
	"context"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// planning is what a service knows of plans that it schedules.
type planning struct {
	networks   networks
	automatic  automatic
	reschedule jobs.Kind[rescheduling, struct{}]
}

func planningOf(s *Service) *planning { return s.planning.(*planning) }

func definePlanning(s *Service) *planning {
	s.followedByRescheduling()
	return &planning{
		networks: networks{most: keptTasks, mostShown: shownTasks},
		reschedule: jobs.DefineOutside(s.jobs, "schedule.reschedule", jobs.Outside[rescheduling]{
			Step: s.rescheduleStep, Failed: s.rescheduleFailed, Alone: true,
		}, "tasks.reschedule").Holdable(),
	}
}

// due records that a schedule is to be rescheduled by itself, and which operation does
// it. It is there from the change that asks for it until a rescheduling that has seen
// every change, so that many changes are followed by one.
type due struct {
	OperationID string `json:"operationId"`
}

var dueRecords = records.Collection[due]{
	Name: "rescheduling-due", Untracked: true,
	ID: func(*due) string { return dueID },
}

// dueID is the id of the one record.
const dueID = "due"

// automatic is what the reschedulings that follow changes have in common.
type automatic struct {
	settings records.Cache[ProjectScheduling]
	// asked are the operations that changes of this process have asked for, by scope.
	asked sync.Map
}

// followedByRescheduling marks the changes after which an automatic schedule is
// rescheduled.
func (s *Service) followedByRescheduling() {
	for _, k := range []*model.Rules{
		familiesOf(s).tasks.createOne.Rules, familiesOf(s).tasks.Many.Rules,
		familiesOf(s).tasks.update.Rules, familiesOf(s).tasks.Deletion.Rules,
		familiesOf(s).taskLinks.Many.Rules, familiesOf(s).taskLinks.update.Rules, familiesOf(s).taskLinks.delete.Rules,
		familiesOf(s).scheduling.Rules, familiesOf(s).calendars.update.Rules,
		familiesOf(s).assignments.One.Rules, familiesOf(s).assignments.Many.Rules,
		familiesOf(s).assignments.update.Rules,
		familiesOf(s).assignments.Patches.Rules, familiesOf(s).assignments.Deletion.Rules,
		familiesOf(s).resources.update.Rules, familiesOf(s).resources.Deletion.Rules,
	} {
		k.Follows = following{s}
	}
}

// following is the rescheduling that follows a change.
type following struct{ s *Service }

var _ model.Follower = following{}

func (f following) Needs(s records.Scope) []records.Need {
	return projectSchedulingRecords.Needs(s, projectSchedulingID)
}

// Ask asks for the rescheduling of a schedule that is automatic, in the transaction of
// a change.
func (f following) Ask(u *records.Update, at model.Place) error {
	calls := planningOf(f.s)
	set, err := calls.automatic.settings.Value(u, &projectSchedulingRecords, at.Scope, projectSchedulingID)
	if missingRecord(err) || err == nil && !set.IsAutomatic {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := dueRecords.Lookup(u, at.Scope, dueID)
	if err != nil {
		return err
	}
	if now == nil {
		spec := jobs.Spec{Scope: at.Scope, Contention: model.Contention(at.ScheduleID)}
		id, err := calls.reschedule.Follow(u, spec, &rescheduling{Place: at, Automatic: true})
		if err != nil {
			return err
		}
		now = &due{OperationID: id}
		if _, err := dueRecords.Put(u, at.Scope, now); err != nil {
			return err
		}
	}
	calls.automatic.asked.Store(at.Scope, now.OperationID)
	return nil
}

// Carry does the rescheduling that a change has asked for, before the call for the change
// returns, unless its caller is not patient enough. The operation has the outcome; the change
// is done in any case.
func (f following) Carry(ctx context.Context, at model.Place) (op twinplatform.Operation, goesOn bool) {
	id, ok := planningOf(f.s).automatic.asked.LoadAndDelete(at.Scope)
	if !ok {
		return op, false
	}
	return f.s.jobs.Carry(model.Contended(ctx, at.ScheduleID), at.Scope, id.(string))
}

// finished ends an automatic rescheduling that has seen all of the plan, and reports
// false where there is more of it by now.
func (s *Service) finished(ctx context.Context, w *rescheduling, revision uint64) (finished bool, err error) {
	err = s.db.Update(ctx, func(u *records.Update) error {
		changed, err := planChanged(u, w.Scope, revision)
		if finished = !changed; err != nil || changed {
			return err
		}
		return dueRecords.Erase(u, w.Scope, dueID)
	})
	return finished, err
}

// planChanged reports whether there is more of a plan than at a revision.
func planChanged(tx records.Reading, s records.Scope, since uint64) (changed bool, err error) {
	for _, of := range []func() (bool, error){
		func() (bool, error) { return changedSince(tx, s, &taskRecords, since) },
		func() (bool, error) { return changedSince(tx, s, &taskLinkRecords, since) },
		func() (bool, error) { return changedSince(tx, s, &projectSchedulingRecords, since) },
		func() (bool, error) { return changedSince(tx, s, &calendarRecords, since) },
		func() (bool, error) { return changedSince(tx, s, &assignmentRecords, since) },
		func() (bool, error) { return changedSince(tx, s, &resourceRecords, since) },
	} {
		if changed, err = of(); changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}

func changedSince[T any](tx records.Reading, s records.Scope, c *records.Collection[T], since uint64) (bool, error) {
	for _, err := range c.Changes(tx, s, since) {
		return err == nil, err
	}
	return false, nil
}

// rescheduleFailed leaves what was written: each task is where the plan wanted it when it
// was written. Of what is staged and was not committed no one has seen anything, and nothing
// is left. The next change asks for another rescheduling.
func (s *Service) rescheduleFailed(ctx context.Context, w rescheduling, _ *twinplatform.Error) (goesOn bool,
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
	return false, s.db.Update(ctx, func(u *records.Update) error {
		if _, err := s.ready(u, w.Place, true); missingRecord(err) || err != nil {
			return nil // it went with the schedule
		}
		return dueRecords.Erase(u, w.Scope, dueID)
	})
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

// turn decides before each transaction of a step of an import whether the step makes it.
func (s *Service) turn() func() bool {
	n, until := 0, s.env.Now().Add(importTurn)
	return func() bool {
		n++
		return n <= leastTransactions || n <= mostTransactions && s.env.Now().Before(until)
	}
}

// Simulation is what rescheduling would do to a schedule.
type Simulation struct {
	// Start is before when nothing is scheduled, and Finish when the last task ends.
	Finish twinplatform.DateTime `json:"finish"`
	Start  twinplatform.DateTime `json:"start"`
	// TaskChangeCount is how many tasks would change, and TaskChanges are the first MaxTop
	// of them by id.
	TaskChangeCount int                 `json:"taskChangeCount"`
	TaskChanges     []TaskChange        `json:"taskChanges"`
	Warnings        []SchedulingWarning `json:"warnings"` // MaxTop at most
}

// TaskChange is what would become of the planned dates of a task.
type TaskChange struct {
	PlannedDuration *int32                `json:"plannedDuration"` // in seconds
	PlannedFinish   twinplatform.DateTime `json:"plannedFinish"`
	PlannedStart    twinplatform.DateTime `json:"plannedStart"`
	TaskID          string                `json:"taskId"`
	// Was is what they are.
	Was TaskDates `json:"was"`
}

// TaskDates are those of a task.
type TaskDates struct {
	PlannedDuration *int32                `json:"plannedDuration"` // in seconds
	PlannedFinish   twinplatform.DateTime `json:"plannedFinish"`
	PlannedStart    twinplatform.DateTime `json:"plannedStart"`
}

// SchedulingWarning is something that a planner is to know of a schedule whose dates were
// found all the same.
type SchedulingWarning struct {
	Code       cpm.WarningCode         `json:"code"`       // such as NoPredecessor
	TaskID     twinplatform.NullString `json:"taskId"`     // null for a warning of a link
	TaskLinkID twinplatform.NullString `json:"taskLinkId"` // null for a warning of a task
}

// Simulate reports what Reschedule would do, and changes nothing (POST
// …/tasks/reschedule?dryRun=true). It needs no more than PermissionRead.
//
// Errors: as Reschedule, except for InsufficientPermissions and ScheduleNotInitialized.
func (p Plan) Simulate(ctx context.Context, r Rescheduling) (sim Simulation, err error) {
	if err := r.check(); err != nil {
		return sim, err
	}
	err = p.s.planned(ctx, p.id, func(v *records.View, n *network) error {
		if err := r.have(v, n.scope); err != nil {
			return err
		}
		f, err := n.foundFor(ctx, r.TaskIDs)
		if err != nil {
			return err
		}
		sim = n.simulation(f, r.TaskIDs)
		return nil
	})
	return sim, err
}

// planned calls fn with the network of a schedule of type v10 that the caller may read.
func (s *Service) planned(ctx context.Context, scheduleID string, fn func(*records.View, *network) error) error {
	return s.read(s.withPlan(ctx), scheduleID, scheduleMissing, func(v *records.View, sc *Schedule) error {
		if err := v10Only(sc); err != nil {
			return err
		}
		return planningOf(s).networks.at(v, sc, func(n *network) error { return fn(v, n) })
	})
}

func (n *network) simulation(f *solution, taskIDs []string) Simulation {
	todo := n.todo(f, taskIDs, len(n.tasks))
	sim := Simulation{
		Start: n.calendars.global(f.start), Finish: n.calendars.global(f.finish()),
		TaskChangeCount: len(todo.moves), TaskChanges: []TaskChange{}, Warnings: []SchedulingWarning{},
	}
	for i := range todo.moves[:min(len(todo.moves), MaxTop)] {
		m := &todo.moves[i]
		var filled filledTask
		was := n.fill(&filled, m.number)
		next := *was
		m.apply(n.calendars.working(&next), &next)
		sim.TaskChanges = append(sim.TaskChanges, TaskChange{
			TaskID: next.ID, PlannedStart: next.PlannedStart, PlannedFinish: next.PlannedFinish,
			PlannedDuration: next.PlannedDuration,
			Was: TaskDates{
				PlannedStart: was.PlannedStart, PlannedFinish: was.PlannedFinish,
				PlannedDuration: was.PlannedDuration,
			},
		})
	}
	for _, w := range f.Warnings() {
		if len(sim.Warnings) == MaxTop {
			break
		}
		warning := SchedulingWarning{Code: w.Code}
		if w.Task >= 0 {
			warning.TaskID = twinplatform.NullString(n.tasks[w.Task].taskID())
		}
		if w.Link >= 0 {
			warning.TaskLinkID = twinplatform.NullString(n.links[w.Link].id)
		}
		sim.Warnings = append(sim.Warnings, warning)
	}
	return sim
}
