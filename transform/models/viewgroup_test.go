package models_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
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
