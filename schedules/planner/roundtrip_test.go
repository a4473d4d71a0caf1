package planner_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// plans are those of all files of testdata, and random ones of both formats, by what they
// are called.
func plans(t *testing.T, randoms uint64) map[string]*planner.Plan {
	t.Helper()
	files, err := filepath.Glob("testdata/*.x*")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	all := make(map[string]*planner.Plan)
	for _, name := range files {
		all[name] = read(t, filepath.Base(name), planner.Options{Page: planner.UTF8})
	}
	for _, f := range []planner.Format{planner.XER, planner.MSPDI} {
		for seed := range randoms {
			all[fmt.Sprintf("random %s %d", f, seed)] = random(seed, f)
		}
	}
	return all
}

// levels are how deep the tasks of a plan lie, by their ids. The node that P6 has for a
// project is no task of Microsoft Project: it is left out where there is one project.
func levels(p *planner.Plan) map[string]int {
	all := make(map[string]int, len(p.Tasks))
	root := ""
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if p.Format == planner.XER && len(p.Projects) == 1 && root == "" && t.ParentID == "" && t.Kind == cpm.Summary &&
			t.Name == p.Projects[0].Name {
			root = t.ID
			continue
		}
		all[t.ID] = all[t.ParentID] + 1
	}
	return all
}

// TestRoundTripsAddNoLevelAndKeepNumbers takes plans to the other tool and back, three times.
func TestRoundTripsAddNoLevelAndKeepNumbers(t *testing.T) {
	t.Parallel()
	o := planner.Options{Page: planner.UTF8}
	for name, p := range plans(t, 15) {
		there := planner.MSPDI
		if p.Format == planner.MSPDI {
			there = planner.XER
		} else {
			p, _ = written(t, p, planner.XER, o)
		}
		if len(p.Projects) > 1 { // they become one
			q, _ := written(t, p, there, o)
			p, _ = written(t, q, planner.XER, o)
		}
		q := p
		for trip := range 3 {
			q, _ = written(t, q, there, o)
			q, _ = written(t, q, p.Format, o)
			if diff := cmp.Diff(levels(p), levels(q)); diff != "" {
				t.Errorf("%s, after %d trips by %s: (-want +got)\n%s", name, trip+1, there, diff)
				break
			}
		}
	}
}
