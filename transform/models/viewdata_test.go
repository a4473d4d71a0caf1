package models_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// spatial is a view as a viewer describes it, with numbers that a float cannot hold and
// names in no order.
const spatial = `{"spatialView":{"origin":[12.30,-0.0,1e3],"camera":{"lens":45.000,"eye":[1,2,3]},` +
	`"categories":{"enabled":["piers"],"disabled":["Décks <&>"]},"extents":[9007199254740993,1,1],"a":null},"angles":{}}`

func TestDataOfViewsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	n := models.NewSavedView{ID: "kept", ModelID: "source-model", DisplayName: "Kept", Data: spatial}
	res, err := w.CreateSavedView(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range []twinplatform.Record[models.SavedView]{res.Records[0], w.View("kept")} {
		if diff := cmp.Diff(models.ViewData(spatial), rec.Value.Data); diff != "" || !strings.Contains(string(rec.JSON), `"savedViewData":`+spatial) {
			t.Errorf("the data (-want +got):\n%s\n%s", diff, rec.JSON)
		}
	}
	const flat = `{"drawing":{"baseModel":"0x1","origin":[0,0]}}`
	var patch models.SavedViewPatch
	if err := json.Unmarshal([]byte(`{"savedViewData": {"drawing": {"baseModel": "0x1", "origin": [0, 0]}}}`), &patch); err != nil {
		t.Fatal(err)
	}
	if _, err := w.UpdateSavedView(ctx, "kept", patch); err != nil || w.View("kept").Value.Data != flat {
		t.Errorf("changed to %s: %v", w.View("kept").Value.Data, err)
	}
	if _, err := w.UpdateSavedView(ctx, "kept", models.SavedViewPatch{Data: twinplatform.Null[models.ViewData]()}); err != nil {
		t.Error(err)
	}
	if rec := w.View("kept"); rec.Value.Data != "" || strings.Contains(string(rec.JSON), "savedViewData") {
		t.Errorf("cleared, it is %s", rec.JSON)
	}
}

func TestViewsShowTheirData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const emphasised = `{"legacy":{"models":{"enabled":["ground"],"disabled":["roof"]},"neverDrawn":["e1"],"alwaysDrawn":["e2"],"isAlwaysDrawnExclusive":true,` +
		`"perModelCategoryVisibility":[{"modelId":"ground","categoryId":"doors","visible":false}]}}`
	for _, tt := range []struct {
		name string
		data models.ViewData
		view models.View
		want models.View
	}{
		{"categories of a spatial view", spatial, models.View{}, models.View{ShownCategories: []string{"piers"}, HiddenCategories: []string{"Décks <&>"}}},
		{"models, emphasis and overrides", emphasised, models.View{}, models.View{
			ShownModels: []string{"ground"}, HiddenModels: []string{"roof"}, NeverDrawn: []string{"e1"}, AlwaysDrawn: []string{"e2"}, Exclusive: true,
			CategoryOverrides: []models.CategoryOverride{{Category: "doors", SubModelID: "ground"}},
		}},
		{"a view next to the data counts", spatial, models.View{HiddenCategories: []string{"walls"}}, models.View{HiddenCategories: []string{"walls"}}},
		{"of nothing that is known", `{"sheet":{"categories":7,"models":[],"width":1}}`, models.View{}, models.View{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := w.CreateSavedView(t.Context(), models.NewSavedView{ModelID: "source-model", DisplayName: tt.name, Data: tt.data, View: tt.view})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want.Normal(), res.Value().View); diff != "" {
				t.Errorf("the view (-want +got):\n%s", diff)
			}
		})
	}
}

func TestViewsFollowTheirDataUntilTheyAreSet(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	if _, err := w.CreateSavedView(ctx, models.NewSavedView{ID: "v", ModelID: "source-model", DisplayName: "V", Data: spatial}); err != nil {
		t.Fatal(err)
	}
	doors := twinplatform.Set(models.ViewData(`{"spatialView":{"categories":{"enabled":["doors"],"disabled":[]}}}`))
	for _, tt := range []struct {
		patch models.SavedViewPatch
		want  models.View
	}{
		{models.SavedViewPatch{Data: doors}, models.View{ShownCategories: []string{"doors"}}},
		{models.SavedViewPatch{View: twinplatform.Set(models.View{HiddenCategories: []string{"walls"}})}, models.View{HiddenCategories: []string{"walls"}}},
		{models.SavedViewPatch{Data: twinplatform.Set(models.ViewData(spatial))}, models.View{HiddenCategories: []string{"walls"}}},
	} {
		res, err := w.UpdateSavedView(ctx, "v", tt.patch)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want.Normal(), res.Value().View); diff != "" {
			t.Errorf("after %+v the view is (-want +got):\n%s", tt.patch, diff)
		}
	}
}

func TestDataOfViewsAreBounded(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	for _, tt := range []struct {
		name string
		data string
	}{
		{"no JSON", `{"a":`},
		{"more than one value", `{} {}`},
		{"no object", `[1]`},
		{"too deep", strings.Repeat(`{"a":`, models.MaxViewDataDepth+1) + "1" + strings.Repeat("}", models.MaxViewDataDepth+1)},
		{"too large", `{"a":"` + strings.Repeat("x", models.MaxViewData) + `"}`},
		{"more categories than a view has", `{"v":{"categories":{"enabled":[` + strings.TrimSuffix(strings.Repeat(`"c",`, models.MaxViewIDs+1), ",") + `]}}}`},
	} {
		_, err := w.CreateSavedView(ctx, models.NewSavedView{ModelID: "source-model", DisplayName: tt.name, Data: models.ViewData(tt.data)})
		if got, ok := errors.AsType[*twinplatform.Error](err); !ok || got.Code != "InvalidSavedViewRequest" || len(got.Details) != 1 || got.Details[0].Target != "savedViewData" {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestViewsOfATwinNeedNoModel(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	twin := "source"
	res, err := w.CreateSavedView(ctx, models.NewSavedView{ID: "site", TwinID: twin, DisplayName: "Site", Data: spatial})
	if err != nil {
		t.Fatal(err)
	}
	if v := w.View("site").Value; v.TwinID != twin || v.ModelID != "" || v.ChangesetIndex != 0 {
		t.Errorf("made as %+v", v)
	}
	var listed []string
	for v, err := range twinplatform.All(ctx, w.SavedViews, models.SavedViewQuery{TwinID: twin}) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, v.ID)
	}
	if diff := cmp.Diff([]string{"site"}, listed); diff != "" {
		t.Errorf("the views of the twin (-want +got):\n%s", diff)
	}
	if what, err := w.Area.HoldsOf(ctx, twin); err != nil || what == "" {
		t.Errorf("the twin has %q: %v", what, err)
	}
	_, err = w.CreateSavedView(ctx, models.NewSavedView{ModelID: "source-model", TwinID: "target", DisplayName: "x"})
	if got, ok := errors.AsType[*twinplatform.Error](err); !ok || got.Code != "InvalidSavedViewRequest" {
		t.Errorf("a model of another twin: %v", err)
	}
	reader := w.As("reader", "models_read", twin)
	if _, err := w.SavedView(reader, "site"); err != nil {
		t.Error(err)
	}
	if got, ok := errors.AsType[*twinplatform.Error](w.DeleteSavedView(reader, "site")); !ok || got.Code != "InsufficientPermissions" {
		t.Errorf("a reader deletes: %v", got)
	}
	if got, ok := errors.AsType[*twinplatform.Error](w.DeleteSavedView(w.As("stranger"), "site")); !ok || got.Code != "SavedViewNotFound" {
		t.Errorf("a stranger deletes: %v", got)
	}
	if _, err := w.UpdateSavedView(ctx, "site", models.SavedViewPatch{DisplayName: twinplatform.Set("All")}, twinplatform.IfMatch(res.Records[0].ETag)); err != nil {
		t.Error(err)
	}
	_, err = w.UpdateSavedView(ctx, "site", models.SavedViewPatch{GroupID: twinplatform.Set("inside")})
	if got, ok := errors.AsType[*twinplatform.Error](err); !ok || got.Code != "InvalidSavedViewRequest" {
		t.Errorf("a group of no model: %v", err)
	}
	if err := w.DeleteSavedView(ctx, "site"); err != nil {
		t.Error(err)
	}
}
