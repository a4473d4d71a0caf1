package schedules

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// deletions are all collections of a schedule that remember what was deleted
// from them.
var deletions = []interface {
	Purge(u *records.Update, s records.Scope, until uint64, limit int) (int, error)
}{
	&taskRecords, &taskLinkRecords, &baselineRecords, &entity3DRecords, &synchronizerRecords,
	&resourceRecords, &groupRecords, &memberRecords,
	&statusCategoryRecords, &statusSetRecords, &statusItemRecords,
	&userFieldRecords, taskValues, resourceValues, groupValues, entity3DValues,
}

// purgeMarks say how far a schedule had come at earlier purges.
type purgeMarks struct {
	Marks []purgeMark `json:"marks"` // oldest first
}

// purgeMark is a moment of a schedule.
type purgeMark struct {
	At       twinplatform.DateTime `json:"at"`
	Revision uint64                `json:"revision"`
}

// maxPurgeMarks is how many moments are kept. When there are more, every other
// one is let go.
const maxPurgeMarks = 256

var purgeRecords = records.Collection[purgeMarks]{
	Name: "purges", Unlisted: true,
	ID: func(*purgeMarks) string { return "marks" },
}

// PurgeDeleted forgets what was deleted from a schedule longer ago than so, and
// the operations that ended longer ago, and gives back their space. A delta
// token from before a forgotten deletion is refused from then on, with
// InvalidValue and a message that asks to list anew.
//
// When something was deleted is known only from one call to the next: whatever
// was deleted between two calls counts as deleted at the later one. So a
// program calls PurgeDeleted every now and then, say once a day with thirty
// days; the first call forgets nothing, unless olderThan is 0, which forgets
// every deletion so far. The REST API has no operation for it. It needs
// PermissionModify.
//
// Errors: ScheduleNotFound, InsufficientPermissions, InvalidSchedulesRequest
// with InvalidValue (olderThan).
func (s *Service) PurgeDeleted(ctx context.Context, scheduleID string, olderThan time.Duration) error {
	if olderThan < 0 {
		return invalid(refuse.BadValue("olderThan", "An age is 0 or more."))
	}
	sc, err := s.changeable(ctx, scheduleID, scheduleMissing)
	if err != nil {
		return err
	}
	until, err := s.markPurge(ctx, sc, olderThan)
	if err != nil {
		return err
	}
	before := s.now().Add(-olderThan)
	err = s.purgeInSteps(ctx, sc, func(u *records.Update) (int, error) {
		return s.jobs.Forget(u, sc.scope(), before, rowsPerStep)
	})
	if err != nil || until == 0 {
		return err
	}
	for _, c := range deletions {
		err := s.purgeInSteps(ctx, sc, func(u *records.Update) (int, error) {
			return c.Purge(u, sc.scope(), until, rowsPerStep)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// purgeInSteps calls purge until it forgets less than a step's worth.
func (s *Service) purgeInSteps(ctx context.Context, sc *Schedule, purge func(*records.Update) (int, error)) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(u *records.Update) error {
			if err := s.ready(u, sc.place(), true); err != nil {
				return err
			}
			n, err := purge(u)
			more = n == rowsPerStep
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// markPurge keeps the present moment and returns the revision that was the
// present so long ago.
func (s *Service) markPurge(ctx context.Context, sc *Schedule, olderThan time.Duration) (until uint64, err error) {
	now := s.now()
	err = s.db.Update(ctx, func(u *records.Update) error {
		until = 0
		if err := s.ready(u, sc.place(), true); err != nil {
			return err
		}
		revision, err := sc.scope().Revision(u)
		if err != nil {
			return err
		}
		kept, err := purgeRecords.Value(u, sc.scope(), "marks")
		if missingRecord(err) {
			kept, err = &purgeMarks{}, nil
		}
		if err != nil {
			return err
		}
		marks := append(kept.Marks, purgeMark{At: now, Revision: revision})
		for len(marks) > 0 && !marks[0].At.After(now.Add(-olderThan)) {
			until, marks = marks[0].Revision, marks[1:]
		}
		if len(marks) > maxPurgeMarks {
			marks = everyOther(marks)
		}
		_, err = purgeRecords.Put(u, sc.scope(), &purgeMarks{Marks: marks})
		return err
	})
	return until, err
}

// everyOther leaves out every other mark, and never the latest.
func everyOther(marks []purgeMark) []purgeMark {
	var left []purgeMark
	for i, m := range marks {
		if (len(marks)-1-i)%2 == 0 {
			left = append(left, m)
		}
	}
	return left
}
