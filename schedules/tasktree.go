package schedules

import (
	"errors"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// progress is how far a step has come.
type progress = jobs.Progress

var done = jobs.Done

// stepOf is what a step of a deletion has come to.
func stepOf(d *entity.Deletion, whole bool, err error) (progress, error) {
	switch {
	case err != nil:
		return progress{}, err
	case whole:
		return done, nil
	}
	return progressOf(d.Total-len(d.IDs), d.Total), nil
}

// progressOf is n of total, and not done.
func progressOf(n, total int) progress { return progress{Percent: n * 100 / max(total, 1)} }

func missingRecord(err error) bool { return errors.Is(err, records.ErrNotFound) }

func reversed[T any](in []T) []T {
	out := slices.Clone(in)
	slices.Reverse(out)
	return out
}

var errCircle = errors.New("schedules: circle of parents")

// ancestors are the ids of the tasks above a task. It fails with errCircle when
// the task is among them.
func ancestors(tx records.Reading, s records.Scope, id string) (map[string]bool, error) {
	above := make(map[string]bool)
	for at := id; ; {
		t, err := taskRecords.Value(tx, s, at)
		if err != nil {
			return nil, err
		}
		if t.ParentID == "" {
			return above, nil
		}
		if at = string(t.ParentID); at == id || above[at] {
			return nil, errCircle
		}
		above[at] = true
	}
}

// subtree yields the ids of a task and of all tasks below it.
func subtree(tx records.Reading, s records.Scope, id string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for stack := []string{id}; len(stack) > 0; {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(at, nil) {
				return
			}
			stack = slices.AppendSeq(stack, taskRecords.IDs(tx, s, "parent", at))
		}
	}
}
