package platform_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// The elements of a model of the platform show the tasks of a schedule of it, cut by their boxes.
func TestElementsOfAModelShowTheTasksOfASchedule(t *testing.T) {
	t.Parallel()
	m := newMembered(t, platform.Config{})
	ctx := t.Context()
	made[twinplatform.Result[models.Changeset]](t)(m.Transform.Models().CreateChangeset(ctx, "model", models.NewChangeset{Inserted: []models.NewElement{
		{ID: "wall", Class: "Wall", Category: "walls", Code: "A10", BoundingBox: &models.Box{Low: models.Point{Z: 2}, High: models.Point{X: 1, Y: 1, Z: 6}}},
		{ID: "mark", Class: "Mark", Code: "A20"},
	}}))
	made[twinplatform.Result[schedules.Schedule]](t)(m.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: tower, Elapsed: true}))
	start, day := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), int32(86_400)
	plan := m.Schedules.In("plan")
	made[twinplatform.Result[schedules.Task]](t)(plan.CreateTask(ctx, schedules.NewTask{
		ID: "lay", Name: "Lay", Type: schedules.Work, UserDefinedID: "A10", PlannedStart: twinplatform.At(start), PlannedDuration: &day,
	}))
	site := animation.In(plan)
	made[twinplatform.Result[animation.AppearanceProfile]](t)(site.CreateAppearanceProfile(ctx, animation.NewAppearanceProfile{
		ID: "install", Name: "Install", Action: animation.InstallAction,
		ActiveAppearance: &animation.ActiveAppearance{GrowthSimulation: &animation.GrowthSimulation{Mode: animation.BottomTopGrowth}},
	}))
	rule := animation.BindingMatch{ModelID: "model", AppearanceProfileID: "install"}
	preview, err := site.PreviewMatch(ctx, rule)
	if diff := cmp.Diff([]animation.Match{{AnimatedEntityID: "wall", TaskID: "lay"}}, preview.Bound); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	made[twinplatform.Result[animation.Binding]](t)(site.MatchBindings(ctx, rule))
	q := animation.StateQuery{Time: twinplatform.At(start.Add(12 * time.Hour))}
	q.ModelID = "model"
	states, err := made[twinplatform.Page[animation.EntityState]](t)(site.At(ctx, q)).Values()
	if err != nil || len(states) != 1 || states[0].Growth.Plane == nil || states[0].Growth.Plane.Offset != 4 {
		t.Errorf("half way the wall is %+v, %v", states, err)
	}
	q.ModelID = "nowhere"
	if _, err := site.At(ctx, q); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("by a model that is not there: %v", err)
	}
	if _, err := animation.In(plan).PreviewMatch(m.as("stranger"), rule); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a stranger sees %v", err)
	}
}
