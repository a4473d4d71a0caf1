package statuses

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// A recorded status is marked critical until a time that may be given. The mark is ended as
// any other change is made, by Run in time, and by whatever else is written to the schedule
// if that comes first.

// criticalUntil is the index of recorded statuses by the end of their mark.
const criticalUntil = "criticalUntil"

// inFuture checks the end of a mark that is given.
func inFuture(c *problem.Checks, until, now twinplatform.DateTime) {
	if until = twinplatform.At(until.Time); !until.IsZero() && !until.After(now.Time) {
		c.Bad(criticalUntil, "A status is marked critical until a time in the future.")
	}
}

// endsAlone checks that what ends is there.
func (h *StatusHistoryItem) endsAlone(c *problem.Checks) {
	if !h.IsCritical && !h.CriticalUntil.IsZero() {
		c.Bad(criticalUntil, "Only a status that is critical has a time until which it is.")
	}
}

// firstEnd is when the first mark of a schedule ends; zero where none does.
func firstEnd(tx records.Reading, s records.Scope) (at twinplatform.DateTime, err error) {
	for first := range historyRecords.ValuesFrom(tx, s, criticalUntil, "") {
		return twinplatform.ParseDateTime(first)
	}
	return at, nil
}

// endMarks ends the marks of a schedule that are over by now, as many as the step does. It
// reports whether that is all, and when the next one ends; zero where none does.
func endMarks(
	u *records.Update, s records.Scope, now twinplatform.DateTime, step *records.Step,
) (next twinplatform.DateTime, whole bool, err error) {
	for until := range historyRecords.ValuesFrom(u, s, criticalUntil, "") {
		if until > model.Sortable(now) {
			next, err = twinplatform.ParseDateTime(until)
			return next, err == nil, err
		}
		for id := range historyRecords.IDs(u, s, criticalUntil, until) {
			if more, err := step.Next(model.RowBytes); !more || err != nil {
				return next, false, err
			}
			rec, err := historyKind.Modify(u, s, id, "", &StatusHistoryItemPatch{IsCritical: twinplatform.Set(false)})
			if err != nil {
				return next, false, err
			}
			step.Spend(len(rec.Value.Note))
		}
	}
	return next, true, nil
}
