package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// deriveHammocks derives the dates of the hammocks that a change has left stale,
// in the transaction of the change.
func deriveHammocks(u *records.Update, s records.Scope, stale *plan.Stale) error {
	r := readPlan(u, s)
	ids, err := stale.Tasks(r)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := records.Interrupted(u); err != nil {
			return err
		}
		t, err := taskRecords.Value(u, s, id)
		if missingRecord(err) {
			continue // deleted by the change
		}
		if err != nil {
			return err
		}
		if !t.Type.hammock() {
			continue
		}
		start, finish, err := plan.HammockDates(r, r, id, t.Type.kind())
		if err != nil {
			return err
		}
		if _, err = taskRecords.Modify(u, s, id, "", func(t *Task) error {
			t.span(twinplatform.At(start), twinplatform.At(finish))
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// span sets the dates of a hammock and what follows from them.
func (t *Task) span(start, finish twinplatform.DateTime) {
	t.PlannedStart, t.PlannedFinish, t.PlannedDuration = start, finish, nil
	if !start.IsZero() && !finish.IsZero() {
		t.PlannedDuration = between(start, finish)
	}
	t.derive()
}
