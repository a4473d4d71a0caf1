package model

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// CheckBatch checks the number of items in a batch or a list of ids.
func CheckBatch(target string, n int) error {
	if n == 0 {
		return Invalid(problem.Missing(target))
	}
	if n > MaxBatch {
		return Invalid(problem.BadValue(target, "At most %d items can be given at once.", MaxBatch))
	}
	return nil
}

// Unique is a list of ids without repetitions.
func Unique(ids []string) []string {
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

// ProgressOf is n of total, and not done.
func ProgressOf(n, total int) jobs.Progress { return jobs.Progress{Percent: n * 100 / max(total, 1)} }

// StepOf is what a step of a deletion has come to.
func StepOf(d *entity.Deletion, whole bool, err error) (jobs.Progress, error) {
	switch {
	case err != nil:
		return jobs.Progress{}, err
	case whole:
		return jobs.Done, nil
	}
	return ProgressOf(max(d.Total-len(d.IDs), 0), d.Total), nil
}
