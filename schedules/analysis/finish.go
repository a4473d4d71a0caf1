package analysis

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// FinishMove is why a schedule finishes at another time than one of its baselines. Move,
// what the causes contribute and the remainder are in seconds of the schedule's working
// time; the causes and the remainder add up to the move.
type FinishMove struct {
	BaselineFinish twinplatform.DateTime `json:"baselineFinish"` // of the last task; null where no task has a date
	BaselineID     string                `json:"baselineId"`
	// Causes are the tasks and task links of the driving path that changed, from its
	// beginning: those of a later finish on the path of the schedule, those of an earlier
	// one on that of the baseline.
	Causes []FinishCause         `json:"causes"`
	Finish twinplatform.DateTime `json:"finish"`
	Move   int64                 `json:"move"`
	// MoveDays is the move in working days of the schedule.
	MoveDays float64 `json:"moveDays"`
	// Remainder is what no change on the path explains: how much earlier than the finish the
	// path ended in the other plan, where something else held the finish.
	Remainder     int64   `json:"remainder"`
	RemainderDays float64 `json:"remainderDays"`
	// ToBaselineID is the baseline that the other is compared with; null for the schedule as
	// it is.
	ToBaselineID twinplatform.NullString `json:"toBaselineId"`
}

// FinishCause is a task or a task link that moves the finish.
type FinishCause struct {
	Contribution     int64   `json:"contribution"` // to the move; below zero makes it earlier
	ContributionDays float64 `json:"contributionDays"`
	// Name names the task, or the successor of the task link.
	Name string `json:"name"`
	// PredecessorID and TaskLinkID are null for a task.
	PredecessorID   twinplatform.NullString `json:"predecessorId"`
	PredecessorName twinplatform.NullString `json:"predecessorName"`
	Reason          compare.Reason          `json:"reason"`
	TaskID          string                  `json:"taskId"` // of the task, or of the successor
	TaskLinkID      twinplatform.NullString `json:"taskLinkId"`
	UserDefinedID   twinplatform.NullString `json:"userDefinedId"`
}

// FinishMoveQuery selects what a baseline is compared with.
type FinishMoveQuery struct {
	ToBaselineID string // another baseline; empty is the schedule as it is
}

// FinishMove reports why a schedule finishes at another time than one of its baselines, or one
// baseline than another (GET …/baselines/{baselineId}/finish-move): which tasks and task links
// on the driving path changed, and by how much each moves the finish, as in compare.Finish.
//
// Errors: as CompareBaseline, except for top and skip.
func (p Plan) FinishMove(ctx context.Context, baselineID string, q FinishMoveQuery) (m FinishMove, err error) {
	err = p.both(ctx, baselineID, q.ToBaselineID, func(baseline, plan *dated.Plan, cal model.Clock) error {
		m = FinishMoveOf(compare.Finish(baseline, plan), cal)
		m.BaselineID, m.ToBaselineID = baselineID, twinplatform.NullString(q.ToBaselineID)
		return nil
	})
	return m, err
}

// FinishMoveOf is why one plan ends at another time than another, in times of the world. It names no baselines.
func FinishMoveOf(from *compare.FinishMove, cal interface {
	Global(t worktime.Time) twinplatform.DateTime
},
) FinishMove {
	days := func(seconds int64) float64 { return float64(seconds) / float64(from.Day) }
	m := FinishMove{
		BaselineFinish: cal.Global(from.BaselineFinish), Finish: cal.Global(from.Finish), Causes: make([]FinishCause,
			len(from.Causes)),
		Move: from.Move, MoveDays: days(from.Move), Remainder: from.Remainder, RemainderDays: days(from.Remainder),
	}
	for i, c := range from.Causes {
		m.Causes[i] = FinishCause{
			Contribution: c.By, ContributionDays: days(c.By), Reason: c.Reason, TaskID: c.TaskID, Name: c.Name,
			UserDefinedID: twinplatform.NullString(c.Code), TaskLinkID: twinplatform.NullString(c.LinkID),
			PredecessorID:   twinplatform.NullString(c.PredecessorID),
			PredecessorName: twinplatform.NullString(c.PredecessorName),
		}
	}
	return m
}
