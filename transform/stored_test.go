package transform_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// storedWorld fills a store with every type of record, deleted ones among them.
func storedWorld(t *testing.T, store storage.Store) *transform.Service {
	t.Helper()
	n := 0
	id := func() string { n++; return fmt.Sprintf("id-%04d", n) }
	svc := transform.New(store, transform.Config{Env: twinplatform.Env{Now: func() time.Time { return noon }, NewID: id, NewGUID: id}, Twins: twins{"source", "target"}, Roles: roles{"reader": {"models_read"}, "writer": {"models_write"}}})
	must := recordstest.Must(t)
	ctx := t.Context()
	for _, m := range []models.NewModel{
		{ID: "source-model", TwinID: "source", DisplayName: recordstest.Name, Description: "all"},
		{ID: "target-model", TwinID: "target", DisplayName: "x"},
		{ID: "gone", TwinID: "target", DisplayName: "x"},
	} {
		_, err := svc.Models().CreateModel(ctx, m)
		must(err)
	}
	for _, v := range []models.NewSavedView{
		{ID: "shared", ModelID: "source-model", DisplayName: recordstest.Name, Shared: true},
		{ID: "private", ModelID: "source-model", DisplayName: "x"},
		{ID: "gone", ModelID: "gone", DisplayName: "x"},
	} {
		_, err := svc.Models().CreateSavedView(ctx, v)
		must(err)
	}
	for range 2 {
		_, err := svc.CreateConfiguration(ctx, wanted())
		must(err)
	}
	page, err := svc.Configurations(ctx, transform.ConfigurationQuery{ProjectID: "target"})
	must(err)
	all, err := page.Values()
	must(err)
	must(svc.DeleteConfiguration(ctx, all[1].ID))
	must(svc.Models().DeleteModel(ctx, "gone"))
	for _, n := range storedChangesets() {
		_, err := svc.Models().CreateChangeset(ctx, "source-model", n)
		must(err)
	}
	_, err = svc.Models().CreateSavedView(ctx, models.NewSavedView{
		ID: "walls", ModelID: "source-model", DisplayName: "Walls", Shared: true, ChangesetID: "one", View: models.View{
			AlwaysDrawn: []string{"wall"}, NeverDrawn: []string{"door"}, Exclusive: true, ShownCategories: []string{"walls"}, HiddenCategories: []string{"doors"},
			ShownModels: []string{"physical"}, HiddenModels: []string{"other"}, CategoryOverrides: []models.CategoryOverride{{Category: "walls", SubModelID: "physical", Visible: true}},
		},
	})
	must(err)
	_, err = svc.Models().CreateViewGroup(ctx, models.NewViewGroup{ID: "inside", ModelID: "source-model", DisplayName: recordstest.Name, Shared: true})
	must(err)
	for _, tag := range []string{"approved", "gone"} {
		_, err = svc.Models().CreateViewTag(ctx, models.NewViewTag{ID: tag, ModelID: "source-model", DisplayName: recordstest.Name})
		must(err)
	}
	_, err = svc.Models().UpdateSavedView(ctx, "walls", models.SavedViewPatch{GroupID: twinplatform.Set("inside"), TagIDs: twinplatform.Set([]string{"gone", "approved"})})
	must(err)
	must(svc.Models().DeleteViewTag(ctx, "gone"))
	_, err = svc.Models().SetViewExtension(ctx, "walls", models.NewViewExtension{ExtensionName: "markup/1", Data: recordstest.Name})
	must(err)
	_, err = svc.Models().SetViewImage(ctx, "walls", strings.NewReader(modelstest.Dots(2, 1)))
	must(err)
	_, err = svc.RunTransformation(ctx, transform.NewTransformation{ConfigurationID: all[0].ID})
	must(err)
	_, err = svc.Models().CreateNamedVersion(ctx, "source-model", models.NewNamedVersion{ID: "first", Name: recordstest.Name, ChangesetID: "one", Description: "as agreed"})
	must(err)
	_, err = svc.Models().CreateModelMember(ctx, "source-model", models.NewModelMember{ID: "ann/bob", RoleIDs: []string{"reader", "writer"}})
	must(err)
	_, err = svc.Models().CreateModelMember(ctx, "source-model", models.NewModelMember{ID: "gone", RoleIDs: []string{"reader"}})
	must(err)
	must(svc.Models().DeleteModelMember(ctx, "source-model", "gone"))
	return svc
}

// roles are the same in every twin.
type roles map[string][]string

func (r roles) RolePermissions(_ context.Context, _, id string) (permissions []string, ok bool, err error) {
	permissions, ok = r[id]
	return permissions, ok, nil
}

// storedChangesets insert, update and delete elements with every property.
func storedChangesets() []models.NewChangeset {
	wall := models.NewElement{
		ID: "wall", Class: "Wall", Category: "walls", ParentID: "floor", ScopeID: "floor", SubModelID: "physical", Code: "W-1",
		FederationGUID: "8f2c4d10-6a41-4c4e-9d0a-2f9f0b7f8a11", BoundingBox: &models.Box{High: models.Point{X: 1.5, Y: 2, Z: 3}},
		Geometry: twinplatform.Set([]byte("brick")), Properties: models.ElementProperties{"Mark": recordstest.Name, "Height": 3.5}, MandatoryProperties: []string{"Mark"},
	}
	moved := wall
	moved.BoundingBox, moved.Geometry = nil, twinplatform.Optional[[]byte]{}
	return []models.NewChangeset{
		{ID: "one", Description: recordstest.Name, Inserted: []models.NewElement{{ID: "floor", Class: "Slab"}, wall, {ID: "door", Class: "Door"}}},
		{ID: "two", ParentID: "one", Updated: []models.ElementUpdate{models.ElementUpdate(moved)}, Deleted: []string{"door"}},
	}
}

// readContent reads what the source model holds, as of each of its changesets.
func readContent(t *testing.T, svc *transform.Service) (lines []string) {
	t.Helper()
	ctx := t.Context()
	changesets, err := svc.Models().Changesets(ctx, "source-model", models.ChangesetQuery{})
	if err != nil {
		t.Fatal(err)
	}
	lines = append(lines, fmt.Sprintf("%s", changesets.JSON()))
	for c := range changesets.OnPage() {
		elements, err := svc.Models().Elements(ctx, "source-model", models.ElementQuery{ChangesetID: c.ID})
		if err != nil {
			t.Fatal(err)
		}
		changes, err := svc.Models().ElementChanges(ctx, "source-model", c.ID, models.ElementChangeQuery{})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", c.ID, elements.JSON(), changes.JSON()))
	}
	runs, err := svc.Transformations(ctx, transform.TransformationQuery{TargetModelID: "target-model"})
	if err != nil {
		t.Fatal(err)
	}
	for run := range runs.OnPage() {
		lines = append(lines, fmt.Sprintf("%s %+v", runs.JSON(), run.Report))
	}
	versions, err := svc.Models().NamedVersions(ctx, "source-model", models.NamedVersionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	members, err := svc.Models().ModelMembers(ctx, "source-model", models.ModelMemberQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range members.JSON() {
		lines = append(lines, fmt.Sprintf("member %s", m))
	}
	wall, _ := svc.Models().Element(ctx, "source-model", "wall", "")
	return append(lines, fmt.Sprintf("%s", versions.JSON()), fmt.Sprintf("geometry of the wall: %s", wall.Value.Geometry))
}

// readEverything reads all that the stored world holds.
func readEverything(t *testing.T, svc *transform.Service) (lines []string) {
	t.Helper()
	ctx := t.Context()
	must := recordstest.Must(t)
	for _, twinID := range []string{"source", "target"} {
		page, err := svc.Models().Models(ctx, models.ModelQuery{TwinID: twinID})
		must(err)
		lines = append(lines, fmt.Sprintf("%s", page.JSON()))
	}
	views, err := svc.Models().SavedViews(ctx, models.SavedViewQuery{ModelID: "source-model"})
	must(err)
	lines = append(lines, fmt.Sprintf("%s", views.JSON()))
	for _, q := range []transform.ConfigurationQuery{{ProjectID: "target"}, {TargetModelID: "target-model"}} {
		page, err := svc.Configurations(ctx, q)
		must(err)
		values, err := page.Values()
		must(err)
		for i, c := range values {
			lines = append(lines, fmt.Sprintf("%s %+v", page.JSON()[i], c.References))
		}
	}
	return append(lines, readContent(t, svc)...)
}

var storedFormat = recordstest.Stored{
	World: func(t *testing.T, store storage.Store) { storedWorld(t, store) },
	Read: func(t *testing.T, store storage.Store) []string {
		return readEverything(t, transform.New(store, transform.Config{}))
	},
	Kinds: transform.Kinds(),
}

func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, nil)
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}
