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
	r.times = workingTimeOf(u, s)
	ids, err := stale.Tasks(r)
	if err != nil {
		return err
	}
	if err := declareHammocks(u, s, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := records.Interrupted(u); err != nil {
			return err
		}
		if err := r.deriveHammock(u, id); err != nil {
			return err
		}
	}
	return nil
}

// deriveHammock derives the dates of a task that may be a hammock.
func (r planReader) deriveHammock(u *records.Update, id string) error {
	t, err := taskRecords.Value(u, r.scope, id)
	if missingRecord(err) {
		return nil // deleted by the change
	}
	if err != nil || !t.Type.hammock() {
		return err
	}
	start, finish, err := plan.HammockDates(r, r, r, id, t.Type.kind())
	if err != nil {
		return err
	}
	w, err := r.times.of(t)
	if err != nil {
		return err
	}
	_, err = taskRecords.Modify(u, r.scope, id, "", func(t *Task) error {
		t.span(w, twinplatform.At(start), twinplatform.At(finish))
		return nil
	})
	return err
}

// span sets the dates of a hammock and what follows from them. It begins and ends in its
// working time, and is empty where there is none between its anchors.
func (t *Task) span(w working, start, finish twinplatform.DateTime) {
	start, finish = w.start(start), w.finish(finish)
	t.PlannedStart, t.PlannedFinish, t.PlannedDuration = start, finish, nil
	if !start.IsZero() && !finish.IsZero() {
		if finish.Before(start.Time) {
			t.PlannedFinish = start
		}
		t.PlannedDuration = w.between(t.PlannedStart, t.PlannedFinish)
	}
	t.derive()
	t.timeIn(w)
}
