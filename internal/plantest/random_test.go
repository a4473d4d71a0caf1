package plantest_test

import (
	"bytes"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/plantest"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestRandomPlansHaveWhatExportsAreHeldTo counts what some random plans of each format have of the
// rarer members, since a property says nothing of what no plan has.
func TestRandomPlansHaveWhatExportsAreHeldTo(t *testing.T) {
	t.Parallel()
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		has := make(map[string]int)
		count := func(what string, is bool) {
			if has[what] += 0; is {
				has[what]++
			}
		}
		for seed := range uint64(60) {
			content, err := plantest.Random(seed, format)
			if err != nil {
				t.Fatal(err)
			}
			p, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			start, finish := make(map[string]worktime.Time), make(map[string]worktime.Time)
			for i := range p.Tasks {
				start[p.Tasks[i].ID], finish[p.Tasks[i].ID] = p.Tasks[i].File.Start, p.Tasks[i].File.Finish
			}
			count("unit", p.Resources[1].Unit != "")
			for _, a := range p.Assignments {
				count("assignment that begins later", a.Start > start[a.TaskID])
				count("assignment that ends earlier", a.Finish < finish[a.TaskID])
				count("assignment with the dates of its task", a.Start == start[a.TaskID] && a.Finish == finish[a.TaskID])
			}
			count("second baseline", len(p.Baselines) > 1)
			for _, b := range p.Baselines {
				count("current baseline", b.Current)
				count("baseline that is not current", !b.Current)
				if format != planner.MSPDI {
					count("links of a baseline", len(b.Links) > 1)
				}
				for _, x := range b.Tasks {
					count("cost in a baseline", x.Cost != 0)
					count("work in a baseline", x.Work != 0)
					count("task in a baseline", x.TaskID != "")
					if format != planner.MSPDI {
						count("float in a baseline", x.TotalFloat != nil)
						count("task that is gone", x.TaskID == "")
					}
				}
			}
		}
		for what, n := range has {
			if n < 5 {
				t.Errorf("%s: random plans have %d times a %s", format, n, what)
			}
		}
	}
}
