package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// A client may send a record back as it read it. So the bodies of creates and
// patches know every member of the record: what the platform sets itself is taken
// when it is as it would be anyway, and refused by its name otherwise.

// AsRead are the members of a record that no patch changes. A patch may hold them
// unchanged; null is ignored.
type AsRead = model.AsRead

// TaskAsRead are the members of a task that follow from its others.
type TaskAsRead struct {
	ActualDuration            twinplatform.Optional[int32]                 `json:"actualDuration,omitzero"` // in seconds
	Deleted                   twinplatform.Optional[bool]                  `json:"deleted,omitzero"`        // false
	DurationType              twinplatform.Optional[string]                `json:"durationType,omitzero"`   // FixedDuration
	EstimatedFinish           twinplatform.Optional[twinplatform.DateTime] `json:"estimatedFinish,omitzero"`
	IsWBS                     twinplatform.Optional[bool]                  `json:"isWbs,omitzero"`                     // whether it has children or IsSummary
	ProgressType              twinplatform.Optional[string]                `json:"progressType,omitzero"`              // AutomaticProgress
	RemainingPhysicalQuantity twinplatform.Optional[float64]               `json:"remainingPhysicalQuantity,omitzero"` // 0 or more
}

// hold holds the members to those of a task as it was and as it is to be.
func (r *TaskAsRead) hold(c *problem.Checks, was, is *Task) {
	problem.AsIs(c, "isWbs", r.IsWBS, was.IsWBS)
	problem.AsIs(c, "remainingPhysicalQuantity", r.RemainingPhysicalQuantity, was.RemainingPhysicalQuantity, is.RemainingPhysicalQuantity)
}

// having are the values that are not null.
func having(values ...*int32) (out []int32) {
	for _, v := range values {
		if v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// TaskOrder would place a new task among its siblings. Tasks are kept by their
// ids, so it is refused.
type TaskOrder struct {
	TaskID       string `json:"taskId"`       // refused in any case
	TaskPosition string `json:"taskPosition"` // refused in any case
}
