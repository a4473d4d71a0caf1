package schedules

import (
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// checkBatch checks the number of items in a batch or a list of ids.
func checkBatch(target string, n int) error {
	if n == 0 {
		return invalid(problem.Missing(target))
	}
	if n > MaxBatch {
		return invalid(problem.BadValue(target, "At most %d items can be given at once.", MaxBatch))
	}
	return nil
}

// unique is a list of ids without repetitions.
func unique(ids []string) []string {
	if len(ids) < 2 {
		return ids
	}
	seen := make(map[string]bool, len(ids))
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		was := seen[id]
		seen[id] = true
		return was
	})
}

// progress is how far a step has come.
type progress = jobs.Progress

var done = jobs.Done

// progressOf is n of total, and not done.
func progressOf(n, total int) progress { return progress{Percent: n * 100 / max(total, 1)} }

// stepOf is what a step of a deletion has come to.
func stepOf(d *entity.Deletion, whole bool, err error) (progress, error) {
	switch {
	case err != nil:
		return progress{}, err
	case whole:
		return done, nil
	}
	return progressOf(max(d.Total-len(d.IDs), 0), d.Total), nil
}

func missingRecord(err error) bool { return errors.Is(err, records.ErrNotFound) }
