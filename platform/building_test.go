package platform_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

// firstPlan is the schedule of the world of j30File.
const firstPlan = "mp-j30-a2-nr1"

// shownAt counts what is there at a time, by the beginning of the names.
func shownAt(t *testing.T, p *platform.Platform, day string) (there map[string]int, all map[string]animation.EntityState) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	q := animation.StateQuery{Time: twinplatform.At(at.Add(12 * time.Hour))}
	q.ModelID, q.Top = "building", 1000
	page, err := animation.In(p.Schedules.In(firstPlan)).At(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	there, all = make(map[string]int), make(map[string]animation.EntityState)
	for s, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Warnings) != 0 {
			t.Errorf("%s has warnings: %v", s.AnimatedEntityID, s.Warnings)
		}
		all[s.AnimatedEntityID] = s
		if class, _, _ := strings.Cut(s.AnimatedEntityID, "-"); s.IsPresent {
			there[class]++
		}
	}
	return there, all
}

func TestBuildingOfTheFirstWorldIsBuiltByItsPlan(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{})
	seed(t, p, worldFrom(t, j30File))
	for day, want := range map[string]map[string]int{
		"2025-12-31": {},
		"2026-05-01": {"footing": 20, "slab": 20, "column": 80, "wall": 56, "roof": 12},
	} {
		if got, all := shownAt(t, p, day); len(all) != 195 || !maps.Equal(got, want) {
			t.Errorf("on %s there are %v of %d, not %v", day, got, len(all), want)
		}
	}
	there, all := shownAt(t, p, "2026-02-10")
	if there["crane"] != 3 || there["scaffold"] != 4 || there["footing"] != 20 || there["column"] < 20 || there["roof"] != 0 {
		t.Errorf("half way there are %v", there)
	}
	if all["crane-jib"].Matrix == nil || !slices.Equal(all["crane-jib"].Matrix, all["crane-base"].Matrix) {
		t.Errorf("the crane does not move as one: %v, %v", all["crane-jib"].Matrix, all["crane-base"].Matrix)
	}
	growing := 0
	for _, s := range all {
		if s.Growth != nil && s.Growth.Plane != nil {
			growing++
		}
	}
	if growing == 0 {
		t.Error("nothing grows half way")
	}
}

// What stands on something is not begun before that.
func TestBuildingRisesFromTheGround(t *testing.T) {
	t.Parallel()
	w := worldFrom(t, j30File)
	starts := make(map[string]time.Time)
	tasks := make(map[string]time.Time)
	for _, task := range w.Schedules[0].Tasks {
		tasks[task.ID] = task.PlannedStart.Time
	}
	for _, b := range w.Schedules[0].AnimationBindings {
		if _, known := starts[b.AnimatedEntityID]; !known {
			starts[b.AnimatedEntityID] = tasks[b.TaskID]
		}
	}
	for upper, lower := range map[string]string{
		"column-0-0-0": "footing-0-0", "slab-1-0": "column-0-0-0", "column-1-0-0": "slab-1-0", "wall-0-f-0": "slab-1-0",
		"column-3-4-3": "slab-3-3", "roof-0-0": "column-3-4-3", "wall-3-f-0": "roof-3-2",
	} {
		if starts[upper].IsZero() || starts[upper].Before(starts[lower]) {
			t.Errorf("%s begins at %v, before %s at %v", upper, starts[upper], lower, starts[lower])
		}
	}
}

func TestBuildingFollowsFromThePlanAlone(t *testing.T) {
	t.Parallel()
	var texts []string
	for range 2 {
		text, err := json.Marshal(worldFrom(t, j30File))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Errorf("read again it is another world:\n%s", diff)
	}
}

func TestBuildingThatNothingBuildsIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ seed, says string }{
		"no such schedule": {`{"buildings": [{"scheduleId": "none", "modelId": "m"}]}`, `buildings[0]: there is no schedule "none"`},
		"no planned work": {
			`{"schedules": [{"id": "s", "name": "S", "twinId": "t", "tasks": [{"id": "a", "name": "A", "type": "Work"}]}],
			"buildings": [{"scheduleId": "s", "modelId": "m"}]}`, "is planned to take time",
		},
		"an animation": {
			`{"schedules": [{"id": "s", "name": "S", "twinId": "t", "animationBindings": [{"animatedEntityId": "e", "taskId": "a"}]}],
			"buildings": [{"scheduleId": "s", "modelId": "m"}]}`, "has an animation already",
		},
		"a schedule of another model": {
			`{"schedules": [{"id": "s", "name": "S", "twinId": "t", "modelId": "other", "tasks": [
			{"id": "a", "name": "A", "type": "Work", "plannedStart": "2026-01-05T08:00:00Z", "plannedDuration": 60}]}],
			"buildings": [{"scheduleId": "s", "modelId": "m"}]}`, `is tied to the model "other"`,
		},
		"no model": {
			`{"schedules": [{"id": "s", "name": "S", "twinId": "t", "tasks": [
			{"id": "a", "name": "A", "type": "Work", "plannedStart": "2026-01-05T08:00:00Z", "plannedDuration": 60}]}],
			"buildings": [{"scheduleId": "s"}]}`, "modelId",
		},
		"an unknown member": {`{"buildings": [{"scheduleId": "s", "storeys": 7}]}`, "storeys"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := platform.ReadWorld(strings.NewReader(c.seed)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it is %v, not %q", err, c.says)
			}
		})
	}
}
