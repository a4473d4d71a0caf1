package scheduling

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
)

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
	err = p.plans.Planned(ctx, p.id, func(v *records.View, n *rescheduling.Network) error {
		if err := r.have(v, n.Scope); err != nil {
			return err
		}
		f, err := n.FoundFor(ctx, r.TaskIDs)
		if err != nil {
			return err
		}
		sim = simulation(n, f, r.TaskIDs)
		return nil
	})
	return sim, err
}

func simulation(n *rescheduling.Network, f *rescheduling.Solution, taskIDs []string) Simulation {
	todo := n.Todo(f, taskIDs, len(n.Tasks))
	sim := Simulation{
		Start: n.Calendars.Global(f.Begin), Finish: n.Calendars.Global(f.End()),
		TaskChangeCount: len(todo.Moves), TaskChanges: []TaskChange{}, Warnings: []SchedulingWarning{},
	}
	for i := range todo.Moves[:min(len(todo.Moves), schedules.MaxTop)] {
		m := &todo.Moves[i]
		var filled rescheduling.Filled
		was := n.Fill(&filled, m.Number)
		next := *was
		m.Apply(&next)
		n.Calendars.Settle(&next)
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
		if len(sim.Warnings) == schedules.MaxTop {
			break
		}
		warning := SchedulingWarning{Code: w.Code}
		if w.Task >= 0 {
			warning.TaskID = twinplatform.NullString(n.Tasks[w.Task].TaskID())
		}
		if w.Link >= 0 {
			warning.TaskLinkID = twinplatform.NullString(n.Links[w.Link].ID)
		}
		sim.Warnings = append(sim.Warnings, warning)
	}
	return sim
}
