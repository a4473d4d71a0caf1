package models_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// restoring yields changes.
func restoring(changes ...models.RestoredChange) iter.Seq2[models.RestoredChange, error] {
	return func(yield func(models.RestoredChange, error) bool) {
		for _, ch := range changes {
			if !yield(ch, nil) {
				return
			}
		}
	}
}

func inserted(id, parent string) models.RestoredChange {
	return models.RestoredChange{Kind: models.Inserted, Element: models.NewElement{ID: id, Class: "Part", ParentID: twinplatform.NullString(parent)}}
}

// TestRestoredChangesetIsOfAnySizeAndAppearsWhole has each element come before the one
// that it is a part of, in more than one transaction.
func TestRestoredChangesetIsOfAnySizeAndAppearsWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const count = 3_000
	rec, err := w.RestoreChangeset(t.Context(), "source-model", models.RestoredChangeset{ID: "one", Description: "from elsewhere", Changes: func(yield func(models.RestoredChange, error) bool) {
		for i := range count {
			parent := ""
			if i%100 != 99 {
				parent = fmt.Sprintf("e%04d", i+1)
			}
			if page, err := w.Changesets(t.Context(), "source-model", models.ChangesetQuery{}); err != nil || page.Len() != 0 {
				t.Errorf("before it is whole, %d changesets are there, %v", page.Len(), err)
				return
			}
			if !yield(inserted(fmt.Sprintf("e%04d", i), parent), nil) {
				return
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := rec.Value
	want := models.Changeset{ID: "one", Index: 1, Description: "from elsewhere", CreatedDateTime: twinplatform.At(modelstest.Noon), ElementCount: count, InsertedCount: count}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if e, err := w.Element(t.Context(), "source-model", "e0007", ""); err != nil || e.Value.ParentID != "e0008" {
		t.Errorf("%+v, %v", e.Value, err)
	}
}

func TestRestoredChangesetKeepsWhatNoOtherCould(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	aspects := []models.Aspect{{Kind: models.ElementAspect, Identifier: "0x1", SourceID: "origin"}}
	wide := &models.Box{High: models.Point{X: 9, Y: 9, Z: 9}}
	wall := models.RestoredChange{Kind: models.Inserted, Aspects: aspects, Element: models.NewElement{ID: "wall", Class: "Wall", Geometry: twinplatform.Set([]byte("brick"))}}
	same := wall
	same.Kind, same.Element.Geometry = models.Updated, twinplatform.Optional[[]byte]{}
	for _, r := range []models.RestoredChangeset{
		{ID: "one", Extents: wide, Changes: restoring(wall)},
		{ID: "two", Changes: restoring(same)},
		{ID: "three"},
		{ID: "four", Changes: restoring(models.RestoredChange{Kind: models.Removed, Element: models.NewElement{ID: "wall"}})},
	} {
		if _, err := w.RestoreChangeset(w.As("ann", "models_write", "source-model"), "source-model", r); err != nil {
			t.Fatal(err)
		}
	}
	page, err := w.Changesets(t.Context(), "source-model", models.ChangesetQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for c := range page.OnPage() {
		got = append(got, fmt.Sprintf("%s by %s: %d %d %d, %d, %v", c.ID, c.CreatedBy, c.InsertedCount, c.UpdatedCount, c.DeletedCount, c.ElementCount, *c.Extents == *wide))
	}
	want := []string{"one by ann: 1 0 0, 1, true", "two by ann: 0 1 0, 1, true", "three by ann: 0 0 0, 1, true", "four by ann: 0 0 1, 0, true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	e, err := w.Element(t.Context(), "source-model", "wall", "three")
	if err != nil || string(e.Value.Geometry) != "brick" || !slices.Equal(e.Value.Aspects, aspects) || e.Value.ChangesetID != "two" {
		t.Errorf("%+v, %v", e.Value, err)
	}
}

func TestRestoringThatIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	failure := errors.New("the file ends")
	deleted := func(id string) models.RestoredChange {
		return models.RestoredChange{Kind: models.Removed, Element: models.NewElement{ID: id}}
	}
	updated := inserted("none", "")
	updated.Kind = models.Updated
	for name, tt := range map[string]struct {
		id      string
		changes iter.Seq2[models.RestoredChange, error]
		want    error
	}{
		"without an id":                  {"", nil, twinplatform.Unprocessable},
		"an id that is there":            {"first", nil, twinplatform.Conflict},
		"an element that is there":       {"x", restoring(inserted("floor", "")), twinplatform.Unprocessable},
		"an element that is not there":   {"x", restoring(updated), twinplatform.Unprocessable},
		"nothing to delete":              {"x", restoring(deleted("none")), twinplatform.Unprocessable},
		"an element twice":               {"x", restoring(inserted("a", ""), inserted("a", "")), twinplatform.Unprocessable},
		"a kind that there is not":       {"x", restoring(models.RestoredChange{Kind: "Moved", Element: models.NewElement{ID: "a", Class: "A"}}), twinplatform.Unprocessable},
		"an element without a class":     {"x", restoring(models.RestoredChange{Kind: models.Inserted, Element: models.NewElement{ID: "a"}}), twinplatform.Unprocessable},
		"a part of what is not there":    {"x", restoring(inserted("a", ""), inserted("b", "none")), twinplatform.Unprocessable},
		"a part of itself":               {"x", restoring(inserted("a", "b"), inserted("b", "a")), twinplatform.Unprocessable},
		"deleting what others are below": {"x", restoring(deleted("floor")), twinplatform.Unprocessable},
		"a failure among the changes": {"x", func(yield func(models.RestoredChange, error) bool) {
			yield(inserted("a", ""), nil)
			yield(models.RestoredChange{}, failure)
		}, failure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			before := models.NewChangeset{ID: "first", Inserted: []models.NewElement{{ID: "floor", Class: "Slab"}, {ID: "wall", Class: "Wall", ParentID: "floor"}}}
			if _, err := w.CreateChangeset(t.Context(), "source-model", before); err != nil {
				t.Fatal(err)
			}
			if _, err := w.RestoreChangeset(t.Context(), "source-model", models.RestoredChangeset{ID: tt.id, Changes: tt.changes}); !errors.Is(err, tt.want) {
				t.Fatalf("got %v", err)
			}
			rec, err := w.CreateChangeset(t.Context(), "source-model", models.NewChangeset{Inserted: []models.NewElement{{ID: "a", Class: "A"}}})
			if err != nil || rec.Value().Index != 2 || rec.Value().ElementCount != 3 {
				t.Errorf("after that: %+v, %v", rec.Records, err)
			}
		})
	}
}

func TestRestoredViewIsAsOfTheChangesetItWasMadeAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"one", "two"} {
		if _, err := w.CreateChangeset(t.Context(), "source-model", models.NewChangeset{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range []string{"", "one", "two"} {
		res, err := w.RestoreSavedView(t.Context(), models.NewSavedView{ID: "of " + of, ModelID: "source-model", DisplayName: "x", ChangesetID: of})
		if err != nil || string(res.Value().ChangesetID) != of || res.Value().ChangesetIndex != map[string]int{"one": 1, "two": 2}[of] {
			t.Errorf("%q: %+v, %v", of, res.Records, err)
		}
	}
}
