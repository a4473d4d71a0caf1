package platform_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
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

// What is imported as glTF is played in its own shape, and what has a box alone as that.
func TestImportedElementsArePlayedInTheirOwnShape(t *testing.T) {
	t.Parallel()
	m := newMembered(t, platform.Config{})
	ctx := t.Context()
	d := gltf.NewDraft()
	red := d.AddMaterial([]byte(`{"name":"brick","pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}}`))
	d.Show(d.AddNode(gltf.NewNode{
		Name: "wall", TRS: gltf.Rest, Mesh: d.AddBlock("block", gltf.Box{Max: [3]float64{4, 3, 1}}, red), Extras: []byte(`{"id":"wall"}`),
	}))
	var glb bytes.Buffer
	if err := d.Write(&glb); err != nil {
		t.Fatal(err)
	}
	house, err := gltf.Read(&glb, gltf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	elements, _, err := models.GLTFElements(house, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	made[twinplatform.Result[models.Changeset]](t)(m.Transform.Models().CreateChangeset(ctx, "model", models.NewChangeset{
		Inserted: append(elements, models.NewElement{ID: "gate", Class: "Gate", BoundingBox: &models.Box{High: models.Point{X: 1, Y: 2, Z: 3}}}),
	}))
	made[twinplatform.Result[schedules.Schedule]](t)(m.Schedules.CreateSchedule(ctx, schedules.NewSchedule{
		ID: "plan", Name: "Plan", TwinID: tower, Elapsed: true, ModelID: "model",
	}))
	start, day := twinplatform.At(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)), int32(86_400)
	plan := m.Schedules.In("plan")
	made[twinplatform.Result[schedules.Task]](t)(plan.CreateTask(ctx, schedules.NewTask{ID: "lay", Name: "Lay", Type: schedules.Work, PlannedStart: start, PlannedDuration: &day}))
	site := animation.In(plan)
	for _, id := range []string{"wall", "gate", "none"} {
		made[twinplatform.Result[animation.Binding]](t)(site.CreateBinding(ctx, animation.NewBinding{AnimatedEntityID: id, TaskID: "lay"}))
	}
	film, err := site.Film(ctx, animation.FilmQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if film.Entities != 2 || film.LeftOut != 1 || !bytes.Contains(film.GLB, []byte(`"brick"`)) {
		t.Errorf("it shows %d entities without %d", film.Entities, film.LeftOut)
	}
	if _, err := animation.In(plan).Film(m.as("stranger"), animation.FilmQuery{}); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a stranger gets %v", err)
	}
}
