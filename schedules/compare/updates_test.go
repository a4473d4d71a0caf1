package compare_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// update is a monthly update of one plan: a copy of the project, with other ids and GUIDs.
func update(t *testing.T, n int) *dated.Plan {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "planner", "testdata", "updates", fmt.Sprintf("update-%d.xer", n)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	plan, err := planner.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := plan.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return s.Dated()
}

func TestUpdatesThatAreCopiesOfTheProjectHaveTheSameTasks(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][3]string{
		// added, removed, and those that are called otherwise
		2: {},
		3: {"A1365, 2.3 Level 2", "A1260"},
		4: {"", "", "A1340→B1340"},
		5: {},
	} {
		before, after := update(t, n-1), update(t, n)
		var got [3]string
		note := func(to *string, text string) {
			if *to != "" {
				*to += ", "
			}
			*to += text
		}
		for _, x := range compare.Plans(before, after).Tasks {
			name := x.Code
			if x.Kind == cpm.Summary {
				name = "2." + x.Code + " " + x.Name
			}
			switch x.Change {
			case compare.Added:
				note(&got[0], name)
			case compare.Removed:
				note(&got[1], name)
			}
		}
		for i, at := range dated.Match(after, before) {
			if x := &after.Tasks[i]; at != dated.None && x.Code != before.Tasks[at].Code && x.Kind != cpm.Summary {
				note(&got[2], before.Tasks[at].Code+"→"+x.Code)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("update %d (-want +got):\n%s", n, diff)
		}
	}
}

func TestAnActivityThatBecameAMilestoneIsChanged(t *testing.T) {
	t.Parallel()
	for _, x := range compare.Plans(update(t, 3), update(t, 4)).Tasks {
		if x.Code == "A1280" {
			if x.Change != compare.Changed || x.Kind != cpm.FinishMilestone || x.Variance.Duration >= 0 {
				t.Errorf("it is %s, a %v, and takes %d s longer", x.Change, x.Kind, x.Variance.Duration)
			}
			return
		}
	}
	t.Error("it is not in the comparison")
}

func TestUpdatesHaveTheBaselineOfTheUpdateBefore(t *testing.T) {
	t.Parallel()
	p := update(t, 5)
	p.SetBaseline(update(t, 4))
	for i := range p.Tasks {
		if p.Tasks[i].Baseline.Start == 0 && p.Tasks[i].Start != 0 {
			t.Errorf("%s has no baseline", p.Tasks[i].Label())
		}
	}
}
