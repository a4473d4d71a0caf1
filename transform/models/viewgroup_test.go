package models_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// idsOf are the ids of the views of a page, and where to continue.
func idsOf(t *testing.T, svc *models.Service, q models.SavedViewQuery) (ids []string, next, delta string) {
	t.Helper()
	page, err := svc.SavedViews(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for v := range page.OnPage() {
		id := v.ID
		if v.Deleted {
			id = "no longer " + id
		}
		ids = append(ids, id)
	}
	return ids, page.Next, page.Delta
}

func TestListOfAGroupIsPagedAndFollowed(t *testing.T) {
	t.Parallel()
	w, ctx := sorted(t)
	for _, id := range []string{"alcove", "windows"} {
		if _, err := w.CreateSavedView(ctx, models.NewSavedView{ID: id, ModelID: "source-model", DisplayName: id, GroupID: "inside"}); err != nil {
			t.Fatal(err)
		}
	}
	inside := models.SavedViewQuery{ModelID: "source-model", GroupID: "inside", ListOptions: twinplatform.ListOptions{Top: 2}}
	first, next, _ := idsOf(t, w.Service, inside)
	inside.Continuation = next
	second, _, delta := idsOf(t, w.Service, inside)
	if diff := cmp.Diff([][]string{{"alcove", "doors"}, {"windows"}}, [][]string{first, second}); diff != "" {
		t.Error(diff)
	}
	for id, p := range map[string]models.SavedViewPatch{
		"doors": {GroupID: twinplatform.Null[string]()}, "private": {GroupID: twinplatform.Set("inside")}, "shared": {DisplayName: twinplatform.Set("Beside it")},
	} {
		if _, err := w.UpdateSavedView(ctx, id, p); err != nil {
			t.Fatal(err)
		}
	}
	inside.Continuation, inside.Delta, inside.Top = "", delta, 0
	changed, _, _ := idsOf(t, w.Service, inside)
	slices.Sort(changed)
	if diff := cmp.Diff([]string{"no longer doors", "private"}, changed); diff != "" {
		t.Error(diff)
	}
}

func TestViewFromBeforeAccountsJoinsGroupsAndTags(t *testing.T) {
	t.Parallel()
	store := recordstest.Load(t, recordstest.Text(t, "..", "v1", "store.txt"))
	svc := transform.New(store, transform.Config{Twins: modelstest.Twins{"source", "target"}}).Models()
	ctx := t.Context()
	for _, err := range []error{
		errorOf(svc.CreateViewGroup(ctx, models.NewViewGroup{ID: "inside", ModelID: "source-model", DisplayName: "Inside"})),
		errorOf(svc.CreateViewGroup(ctx, models.NewViewGroup{ID: "elsewhere", ModelID: "target-model", DisplayName: "Elsewhere"})),
		errorOf(svc.CreateViewTag(ctx, models.NewViewTag{ID: "approved", ModelID: "source-model", DisplayName: "Approved"})),
		errorOf(svc.UpdateSavedView(ctx, "shared", models.SavedViewPatch{GroupID: twinplatform.Set("inside"), TagIDs: twinplatform.Set([]string{"approved"})})),
		errorOf(svc.CreateSavedView(ctx, models.NewSavedView{ID: "doors", ModelID: "source-model", DisplayName: "Doors", GroupID: "inside"})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	inside := models.SavedViewQuery{ModelID: "source-model", GroupID: "inside"}
	if ids, _, _ := idsOf(t, svc, inside); !cmp.Equal(ids, []string{"doors", "shared"}) && !cmp.Equal(ids, []string{"shared", "doors"}) {
		t.Errorf("in the group are %v", ids)
	}
	for _, group := range []string{"elsewhere", "side", "absent"} {
		_, err := svc.UpdateSavedView(ctx, "private", models.SavedViewPatch{GroupID: twinplatform.Set(group)})
		if twinplatform.AsError(err).Code != "InvalidSavedViewRequest" {
			t.Errorf("%s: %v", group, err)
		}
	}
	if err := svc.DeleteViewGroup(ctx, "inside"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"shared", "doors"} {
		if v, err := svc.SavedView(ctx, id); err != nil || v.Value.GroupID != "" {
			t.Errorf("%s is in %q: %v", id, v.Value.GroupID, err)
		}
	}
	v, err := svc.SavedView(ctx, "shared")
	if diff := cmp.Diff([]models.TagOfView{{DisplayName: "Approved", ID: "approved"}}, v.Value.Tags); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}
