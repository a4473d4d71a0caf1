package platform_test

import (
	"encoding/xml"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// TestSeededPlanHasTheDatesOfItsPlanner holds every task of the seeded plan to the dates
// that Microsoft Project has written into the plan that the seed was made of.
func TestSeededPlanHasTheDatesOfItsPlanner(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../schedules/planner/testdata/mspdi-mp_j30_a2_nr1.xml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tasks []struct {
			UID           int
			Start, Finish string
		} `xml:"Tasks>Task"`
	}
	if err := xml.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	type dates struct{ Start, Finish string }
	want := make(map[string]dates)
	for _, task := range file.Tasks {
		if task.UID > 0 { // which is the project
			want["task-"+strconv.Itoa(task.UID)] = dates{task.Start, task.Finish}
		}
	}
	p := opened(t, platform.Config{})
	seed(t, p, worldFrom(t, j30File))
	got := make(map[string]dates)
	for task, err := range twinplatform.All(t.Context(), p.Schedules.In("mp-j30-a2-nr1").Tasks, schedules.TaskQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		d := dates{task.PlannedStart.Format("2006-01-02T15:04:05"), task.PlannedFinish.Format("2006-01-02T15:04:05")}
		switch task.Type { // which have one date
		case schedules.StartKeyDate:
			d.Finish = d.Start
		case schedules.FinishKeyDate:
			d.Start = d.Finish
		}
		got[task.ID] = d
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Microsoft Project +twinplatform):\n%s", diff)
	}
	if want := (dates{"2026-01-01T09:00:00", "2026-01-08T19:00:00"}); len(got) != 64 || got["task-2"] != want {
		t.Errorf("%d tasks, of which the second is from %v", len(got), got["task-2"])
	}
}
