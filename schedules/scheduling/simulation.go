package scheduling

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
)

// Simulation is what rescheduling would do to a schedule.
type Simulation struct {
	// Causes are why the schedule would end at another time than now, as those of a FinishMove; MoveDays is by how
	// many of its working days, and RemainderDays what no cause explains.
	Causes []analysis.FinishCause `json:"causes"`
	// Finish is when the last task ends, and FinishNow when it ends as planned now: null where no task has a date.
	Finish        twinplatform.DateTime `json:"finish"`
	FinishNow     twinplatform.DateTime `json:"finishNow"`
	MoveDays      float64               `json:"moveDays"`
	RemainderDays float64               `json:"remainderDays"`
	Start         twinplatform.DateTime `json:"start"` // before which nothing is scheduled
	// TaskChangeCount is how many tasks would change, and TaskChanges are MaxTop of them at most: those first whose
	// start or finish moves the farthest.
	TaskChangeCount int          `json:"taskChangeCount"`
	TaskChanges     []TaskChange `json:"taskChanges"`
	// Warnings are MaxTop at most, those of StartNotHeld first: half of these, and half of the names, are of others where
	// there are so many.
	Warnings []SchedulingWarning `json:"warnings"`
}

// MaxNamed is of how many changes, and of how many warnings, a Simulation has the names: those of the others are
// empty, since a name may be long.
const MaxNamed = 200

// TaskChange is what would become of the planned dates of a task.
type TaskChange struct {
	IsWBS           bool                    `json:"isWbs"`           // it has tasks below it, and moves with them
	Name            string                  `json:"name"`            // of the first 200; empty for the others
	PlannedDuration *int32                  `json:"plannedDuration"` // in seconds
	PlannedFinish   twinplatform.DateTime   `json:"plannedFinish"`
	PlannedStart    twinplatform.DateTime   `json:"plannedStart"`
	TaskID          string                  `json:"taskId"`
	UserDefinedID   twinplatform.NullString `json:"userDefinedId"` // of the first 200; null for the others
	// Was is what they are.
	Was TaskDates `json:"was"`
}

// moved is how far the start or the finish moves.
func (c *TaskChange) moved() time.Duration {
	start, finish := c.PlannedStart.Sub(c.Was.PlannedStart.Time), c.PlannedFinish.Sub(c.Was.PlannedFinish.Time)
	return max(start.Abs(), finish.Abs())
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
	Code cpm.WarningCode `json:"code"` // such as NoPredecessor, or StartNotHeld
	// Name is that of the task, or of the successor of the link, whose predecessor has the other name. The first
	// 200 warnings have names.
	Name            string                  `json:"name"`
	PredecessorName twinplatform.NullString `json:"predecessorName"` // null for a warning of a task
	TaskID          twinplatform.NullString `json:"taskId"`          // null for a warning of a link
	TaskLinkID      twinplatform.NullString `json:"taskLinkId"`      // null for a warning of a task
}

// StartNotHeld is a task that is planned to start later than anything holds it, such as one whose start was typed without
// a constraint that holds it: a rescheduling moves it to an earlier time, and no predecessor of it moves. A task as late as
// possible is none: it is held by what is behind it.
const StartNotHeld cpm.WarningCode = "StartNotHeld"

// Simulate reports what Reschedule would do, also with other constraints than tasks have (WhatIf), and changes nothing
// (POST …/tasks/reschedule?dryRun=true). It needs no more than PermissionRead.
//
// Errors: as Reschedule, except for InsufficientPermissions and ScheduleNotInitialized; InvalidSchedulesRequest with
// InvalidValue or MissingRequiredProperty (whatIf[i].taskId, whatIf[i].constraintType).
func (p Plan) Simulate(ctx context.Context, r Rescheduling) (sim Simulation, err error) {
	if err := r.check(); err != nil {
		return sim, err
	}
	held, err := r.held()
	if err != nil {
		return sim, err
	}
	err = p.plans.Planned(ctx, p.id, func(v *records.View, n *rescheduling.Network) error {
		if err := r.have(v, n.Scope); err != nil {
			return err
		}
		t, err := n.Try(ctx, r.TaskIDs, held)
		if err != nil {
			return err
		}
		sim = simulation(t)
		return nil
	})
	return sim, err
}

func simulation(t *rescheduling.Trial) Simulation {
	move := analysis.FinishMoveOf(compare.Finish(t.Plans()), t.Calendars)
	sim := Simulation{
		Start: t.Calendars.Global(t.Found.Begin), Finish: t.Calendars.Global(t.Found.End()), Causes: move.Causes,
		FinishNow: move.BaselineFinish, MoveDays: move.MoveDays, RemainderDays: move.RemainderDays,
		TaskChangeCount: len(t.Moves), TaskChanges: make([]TaskChange, len(t.Moves)), Warnings: []SchedulingWarning{},
	}
	var earlier []int
	for i := range t.Moves {
		var filled rescheduling.Filled
		next := t.Next(&t.Moves[i], &filled)
		was := &filled.Task
		if startsEarlier(&next, was) {
			earlier = append(earlier, t.Moves[i].Number)
		}
		sim.TaskChanges[i] = TaskChange{
			TaskID: next.ID, Name: next.Name, UserDefinedID: twinplatform.NullString(next.UserDefinedID),
			IsWBS: next.IsWBS, PlannedStart: next.PlannedStart, PlannedFinish: next.PlannedFinish,
			PlannedDuration: next.PlannedDuration,
			Was: TaskDates{
				PlannedStart: was.PlannedStart, PlannedFinish: was.PlannedFinish,
				PlannedDuration: was.PlannedDuration,
			},
		}
	}
	slices.SortStableFunc(sim.TaskChanges, func(a, b TaskChange) int { return cmp.Compare(b.moved(), a.moved()) })
	sim.TaskChanges = slices.Clone(sim.TaskChanges[:min(len(sim.TaskChanges), schedules.MaxTop)])
	for i := range sim.TaskChanges[min(len(sim.TaskChanges), MaxNamed):] {
		c := &sim.TaskChanges[MaxNamed+i]
		c.Name, c.UserDefinedID = "", ""
	}
	sim.warnOf(t, unheld(t, earlier), t.Found.Warnings())
	return sim
}

// warnOf adds the warnings of tasks that nothing holds, and others.
func (sim *Simulation) warnOf(t *rescheduling.Trial, unheld []int, others []cpm.Warning) {
	first := make([]cpm.Warning, len(unheld))
	for i, number := range unheld {
		first[i] = cpm.Warning{Code: StartNotHeld, Task: number, Link: -1}
	}
	// of a limit, those that come first have what the others leave, and half of it in any case
	share := func(limit int) int { return min(len(first), max(limit-len(others), limit/2)) }
	named, shown := share(MaxNamed), share(schedules.MaxTop)
	for _, list := range [][]cpm.Warning{
		first[:named], others[:min(len(others), schedules.MaxTop-shown)], first[named:shown],
	} {
		for _, w := range list {
			sim.warn(t, w)
		}
	}
}

// startsEarlier reports whether a planned task would start before it is planned to, and not because of what is behind it.
func startsEarlier(next, was *schedules.Task) bool {
	return next.Status == schedules.Planned && !next.IsWBS && !was.PlannedStart.IsZero() &&
		was.ConstraintType != schedules.StartAlap && was.SecondConstraintType != schedules.StartAlap &&
		next.PlannedStart.Before(was.PlannedStart.Time)
}

// unheld are those of the tasks that would start earlier which nothing holds where they are planned.
func unheld(t *rescheduling.Trial, earlier []int) (all []int) {
	if len(earlier) == 0 {
		return nil
	}
	moves, follows := make([]bool, len(t.Tasks)), make([]bool, len(t.Tasks))
	for i := range t.Moves {
		moves[t.Moves[i].Number] = true
	}
	for i := range t.Links {
		if l := &t.Links[i]; moves[l.Predecessor] {
			follows[l.Successor] = true
		}
	}
	for _, number := range earlier {
		if !behind(t, follows, number) {
			all = append(all, number)
		}
	}
	return all
}

// behind reports whether a task, or one that it is below, is one of those that follow others.
func behind(t *rescheduling.Trial, follows []bool, number int) bool {
	for ok := true; ok; {
		if follows[number] {
			return true
		}
		var filled rescheduling.Filled
		number, ok = t.Find(string(t.Fill(&filled, number).ParentID))
	}
	return false
}

// warn adds a warning of what was found.
func (sim *Simulation) warn(t *rescheduling.Trial, w cpm.Warning) {
	warning := SchedulingWarning{Code: w.Code}
	if w.Task >= 0 {
		warning.TaskID = twinplatform.NullString(t.Tasks[w.Task].TaskID())
		warning.Name = t.Tasks[w.Task].TaskName()
	}
	if w.Link >= 0 {
		l := &t.Links[w.Link]
		warning.TaskLinkID, warning.Name = twinplatform.NullString(l.ID), t.Tasks[l.Successor].TaskName()
		warning.PredecessorName = twinplatform.NullString(t.Tasks[l.Predecessor].TaskName())
	}
	if len(sim.Warnings) >= MaxNamed {
		warning.Name, warning.PredecessorName = "", ""
	}
	sim.Warnings = append(sim.Warnings, warning)
}
