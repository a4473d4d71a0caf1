// Package scheduling finds when the tasks of a schedule are to be done: it reschedules the plan by its logic, shows
// before what that would do, and says why a task is where it is.
//
//	svc := schedules.New(store, schedules.Config{}, scheduling.Feature)
//	_, err := scheduling.In(svc.In(scheduleID)).Reschedule(ctx, scheduling.Rescheduling{})
//
// A schedule whose settings say IsAutomatic is rescheduled after each change of its plan. Package cpm has the rules.
// MaxBatch and MaxTop are limits of package schedules, and so are the permissions.
package scheduling

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
)

// core is what package schedules shows to those who schedule its plans.
var core = schedules.Inside(model.Key{})

// Feature is what the service of schedules knows of scheduling. Without it no plan is rescheduled.
var Feature = model.Feature{
	Calls:   func(area model.Area) model.Calls { return rescheduling.NewScheduler(area) },
	Follows: func(area model.Area) model.Follower { return model.CallsOf[*rescheduling.Scheduler](area) },
}

// Plan is the plan of one schedule.
type Plan struct {
	plans *rescheduling.Plans
	id    string
}

// In is the plan of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{rescheduling.Of(plan.Area()), plan.ID()} }

// Registered fails where the service of a schedule was made without Feature: then Reschedule panics, and no schedule
// becomes automatic.
func Registered(plan schedules.Plan) error {
	return model.Registered[*rescheduling.Scheduler](plan.Area())
}

// Rescheduling asks for the dates of a schedule to be found again.
type Rescheduling struct {
	// TaskIDs are up to MaxBatch tasks that alone are rescheduled, with all others where
	// they are; empty for all tasks.
	TaskIDs []string `json:"taskIds"`
	// WhatIf are constraints that up to MaxBatch tasks have in place of their own in a dry run, which alone takes them.
	WhatIf []WhatIf `json:"whatIf,omitempty"`
}

// WhatIf is the constraint that a task would have. A type without the date that it needs holds nothing.
type WhatIf struct {
	ConstraintEarlyDate twinplatform.DateTime    `json:"constraintEarlyDate"`
	ConstraintLateDate  twinplatform.DateTime    `json:"constraintLateDate"`
	ConstraintType      schedules.ConstraintType `json:"constraintType"` // required
	TaskID              string                   `json:"taskId"`         // required
}

func (r *Rescheduling) check() error {
	if len(r.TaskIDs) > 0 {
		if err := model.CheckBatch("taskIds", len(r.TaskIDs)); err != nil {
			return err
		}
	}
	if len(r.WhatIf) > 0 {
		return model.CheckBatch("whatIf", len(r.WhatIf))
	}
	return nil
}

// held are the constraints of a dry run.
func (r *Rescheduling) held() (all []rescheduling.Held, err error) {
	var c problem.Checks
	for i, w := range r.WhatIf {
		c.At("whatIf", i)
		c.Need("taskId", w.TaskID, problem.MaxID)
		if c.GivenText("constraintType", string(w.ConstraintType)) {
			problem.OneOf(&c, "constraintType", w.ConstraintType, core.ConstraintTypes)
		}
		h := rescheduling.Held{TaskID: w.TaskID, Type: w.ConstraintType, Early: w.ConstraintEarlyDate}
		h.Late = w.ConstraintLateDate
		all = append(all, h)
	}
	return all, c.Err(schedules.InvalidRequest)
}

// errNotDry is what a rescheduling fails with that is to write what follows from constraints that tasks do not have.
var errNotDry = model.Invalid(problem.BadValue("whatIf",
	"'whatIf' is for a dry run. Set the constraints of the tasks, and reschedule then."))

// have checks that the tasks are there.
func (r *Rescheduling) have(tx records.Reading, s records.Scope) error {
	for _, id := range r.TaskIDs {
		if err := hasTask(tx, s, "taskIds", id); err != nil {
			return err
		}
	}
	for i := range r.WhatIf {
		if err := hasTask(tx, s, "whatIf", r.WhatIf[i].TaskID); err != nil {
			return err
		}
	}
	return nil
}

// hasTask fails for a task that is not there, which a member of the request names.
func hasTask(tx records.Reading, s records.Scope, target, id string) error {
	has, err := core.Tasks.Has(tx, s, id)
	if err == nil && !has {
		err = model.NoneOf("TaskNotFound", target, "task", id).Err()
	}
	return err
}

// Reschedule puts the tasks of a schedule where its logic wants them, as a long-running
// operation (POST …/tasks/reschedule): the links and their lags, the constraints, the
// calendars, the progress and the data date, by the rules of the ProjectScheduling. It
// changes the planned dates of tasks that have not begun; a task above others gets their
// span. SchedulingAnalyses shows from then on what else is found of each task; after a
// rescheduling of only some tasks it shows nothing new.
//
// A task that nothing precedes and no constraint holds stays where it is planned, one with
// CannotReschedule stays whatever its links require, and StartAsap moves to the earliest date
// that there is for it. Dates of tasks that others change while it continues count, too. A
// large schedule is rescheduled in steps between which other transactions run, and no reader
// sees half of it: it sees the plan before or after with all analyses, which raises the
// PlanRevision of the schedule. Plans of more than 400 hammocks, and those that others change
// all the time, are written in steps that are seen. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidValue (taskIds, whatIf), InvalidParameter
// (scheduleId, of another type than v10) or MissingRequiredProperty (startDate, where it
// is not known when the schedule begins); ScheduleNotFound; TaskNotFound;
// InsufficientPermissions; ScheduleNotInitialized; CircularDependency, where the links
// and the tasks above others go round in a circle, with a circle in its message;
// LimitExceeded, as of CriticalPath.
func (p Plan) Reschedule(ctx context.Context, r Rescheduling) (res twinplatform.Result[schedules.Task], err error) {
	if err := r.check(); err != nil {
		return res, err
	}
	if len(r.WhatIf) > 0 {
		return res, errNotDry
	}
	s := model.CallsOf[*rescheduling.Scheduler](p.plans.Area)
	err = s.Bench().Call(ctx, func(j *judge.Judge) error {
		w := rescheduling.Rescheduling{TaskIDs: r.TaskIDs}
		started, err := s.Reschedule.Start(ctx,
			jobs.Spec{
				Subjects: model.Unique(r.TaskIDs), Keep: true, Contention: model.Contention(p.id),
				Open: func(u *records.Update) (records.Scope, error) {
					sc, err := s.Changeable(u, j, p.id)
					if err == nil {
						err = model.V10Only(sc)
					}
					if err == nil {
						_, err = s.Ready(u, sc.Place, false)
					}
					if err == nil {
						err = r.have(u, sc.Scope)
					}
					if err != nil {
						return "", err
					}
					w.Place = sc.Place
					return sc.Scope, nil
				},
			}, &w)
		res = twinplatform.Pending[schedules.Task](started.Operation, started.Wait)
		return err
	})
	return res, err
}
