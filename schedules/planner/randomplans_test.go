package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// byID compares plans whatever the order of what is in them.
var byID = cmp.Options{
	withoutWarnings,
	cmpopts.SortSlices(func(a, b planner.Calendar) bool { return a.ID < b.ID }),
	cmpopts.SortSlices(func(a, b planner.Task) bool { return a.ID < b.ID }),
	cmpopts.SortSlices(func(a, b planner.Link) bool { return a.ID < b.ID }),
	cmpopts.SortSlices(func(a, b planner.Code) bool { return a.ID < b.ID }),
	cmpopts.SortSlices(func(a, b planner.CodeValue) bool { return a.ID < b.ID }),
	cmpopts.SortSlices(func(a, b planner.Expense) bool { return a.ID < b.ID }),
}

func TestPlansOfWhatAFormatHoldsAreWrittenWithoutLoss(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		for seed := range seeds(30) {
			p := random(seed, f)
			q, warnings := written(t, p, f, planner.Options{Page: planner.UTF8})
			q.Tables = nil // what every file says
			if diff := cmp.Diff(p, q, byID); diff != "" || len(warnings)+len(q.Warnings) > 0 {
				t.Fatalf("plan %d as %s: %v %v (-want +got)\n%s", seed, f, warnings, q.Warnings, diff)
			}
		}
	}
}

// TestPlansOfAnotherFormatAreWrittenOnceWithLoss writes plans in the other formats: what
// that holds of them it continues to hold.
func TestPlansOfAnotherFormatAreWrittenOnceWithLoss(t *testing.T) {
	t.Parallel()
	for _, from := range formats {
		for _, to := range formats {
			for seed := range seeds(30) {
				if from == to {
					continue
				}
				q, _ := written(t, random(seed, from), to, planner.Options{Page: planner.UTF8})
				again, warnings := written(t, q, to, planner.Options{Page: planner.UTF8})
				if diff := cmp.Diff(q, again, withoutWarnings); diff != "" || len(warnings) > 0 {
					t.Fatalf("plan %d from %s as %s: %v (-want +got)\n%s", seed, from, to, warnings, diff)
				}
			}
		}
	}
}
