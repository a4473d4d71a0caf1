package schedules

import (
	"errors"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// linkChecker holds the links of a request to the tasks and to the other links of
// the schedule.
type linkChecker struct {
	r      planReader
	list   string // how targets name the request
	above  *plan.Ancestry
	cycles *plan.CycleDetector
}

func newLinkChecker(tx records.Reading, s records.Scope, list string) *linkChecker {
	r := readPlan(tx, s)
	return &linkChecker{r: r, list: list, above: plan.NewAncestry(r), cycles: plan.NewCycleDetector(r)}
}

// check checks the i-th link. Whether it closes a cycle may be left to finish.
func (k *linkChecker) check(l *TaskLink, i int) error {
	var c problem.Checks
	c.At(k.list, i)
	if l.PredecessorID == l.SuccessorID {
		c.Bad("successorId", "A task cannot be linked to itself.")
		return c.Err(InvalidRequest)
	}
	for _, end := range []struct{ target, id, other string }{
		{"predecessorId", l.PredecessorID, l.SuccessorID},
		{"successorId", l.SuccessorID, l.PredecessorID},
	} {
		if err := model.Names(k.r.tx, k.r.scope, taskRecords.Table(), &c, end.target, "task", end.id); err != nil {
			return err
		}
		below, err := k.above.Below(end.id, end.other)
		if err != nil && !missingRecord(err) {
			return err
		}
		if below {
			c.Bad(end.target, "A task cannot be linked to its ancestor.")
		}
	}
	if err := namesCalendar(k.r.tx, k.r.scope, &c, l.CalendarID, ""); err != nil {
		return err
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	return k.refuse(k.cycles.Add(l.link(), i))
}

// finish checks what was left, once all links are written.
func (k *linkChecker) finish() error { return k.refuse(k.cycles.Finish()) }

// refuse gives a cycle its documented error.
func (k *linkChecker) refuse(err error) error {
	cycle, ok := errors.AsType[*plan.CycleError](err)
	if !ok {
		return err
	}
	var c problem.Checks
	c.At(k.list, cycle.Index)
	c.Bad("successorId", "The link would close the cycle %s.", model.InShort(cycle.Tasks))
	return c.Err(InvalidRequest)
}
