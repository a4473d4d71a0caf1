package models_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

type ctx = context.Context

// covers: operations elements.list elements.get
func TestModelIsReadAsOfEveryChangesetOfARandomHistory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		h := modelstest.NewHistory(t, seed)
		for range 12 {
			h.Step()
		}
		for i, changeset := range h.Made {
			all := h.AllElements("source-model", models.ElementQuery{ChangesetID: changeset})
			if diff := gocmp.Diff(slices.Sorted(maps.Keys(h.States[i])), slices.Sorted(maps.Keys(all)), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d, as of %s: %s", seed, changeset, diff)
			}
			for id, want := range h.States[i] {
				got, err := h.Element(t.Context(), "source-model", id, changeset)
				geometry, _ := want.Geometry.Get()
				if err != nil || got.Value.Class != want.Class || got.Value.ParentID != want.ParentID || string(got.Value.Geometry) != string(geometry) ||
					got.Value.Properties["Mark"] != want.Properties["Mark"] {
					t.Errorf("seed %d, as of %s: got %+v, %v; want %+v", seed, changeset, got.Value, err, want)
				}
				if all[id].Geometry != nil || all[id].GeometryHash != got.Value.GeometryHash {
					t.Errorf("seed %d: the list has %+v", seed, all[id])
				}
			}
			for _, q := range []models.ElementQuery{{Class: "Class1"}, {Category: "c2"}, {ParentID: "0x3"}, {Class: "Class0", Category: "c0"}} {
				q.ChangesetID = changeset
				want := map[string]bool{}
				for id, e := range h.States[i] {
					if (q.Class == "" || e.Class == q.Class) && (q.Category == "" || string(e.Category) == q.Category) && (q.ParentID == "" || string(e.ParentID) == q.ParentID) {
						want[id] = true
					}
				}
				if diff := gocmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(h.AllElements("source-model", q))), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("seed %d, %+v: %s", seed, q, diff)
				}
			}
		}
	}
}

// covers: operations changesets.list changesets.get elementChanges.list
func TestChangesetsCountTheirChangesAndAreOrdered(t *testing.T) {
	t.Parallel()
	h := modelstest.NewHistory(t, 1)
	for range 10 {
		h.Step()
	}
	before := 0
	for i, id := range h.Made {
		rec, err := h.Changeset(t.Context(), "source-model", id)
		if err != nil {
			t.Fatal(err)
		}
		c := rec.Value
		want := models.Changeset{ID: id, Index: i + 1, ElementCount: len(h.States[i]), CreatedDateTime: twinplatform.At(modelstest.Noon)}
		if i > 0 {
			want.ParentID = twinplatform.NullString(h.Made[i-1])
		}
		if diff := gocmp.Diff(want, c, cmpopts.IgnoreFields(c, "InsertedCount", "UpdatedCount", "DeletedCount")); diff != "" {
			t.Error(diff)
		}
		if got := before + c.InsertedCount - c.DeletedCount; got != c.ElementCount {
			t.Errorf("%s: %d elements after %d by the counts of %+v", id, got, c.ElementCount, c)
		}
		before = c.ElementCount
		kinds := map[models.ChangeKind]int{}
		for ch, err := range twinplatform.All(t.Context(), func(ctx ctx, q models.ElementChangeQuery) (twinplatform.Page[models.ElementChange], error) {
			return h.ElementChanges(ctx, "source-model", id, q)
		}, models.ElementChangeQuery{ListOptions: twinplatform.ListOptions{Top: 2}}) {
			if err != nil {
				t.Fatal(err)
			}
			kinds[ch.Change]++
		}
		if diff := gocmp.Diff([]int{c.InsertedCount, c.UpdatedCount, c.DeletedCount}, []int{kinds["Inserted"], kinds["Updated"], kinds["Deleted"]}); diff != "" {
			t.Error(diff)
		}
	}
	page, err := h.Changesets(t.Context(), "source-model", models.ChangesetQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for c := range page.OnPage() {
		ids = append(ids, c.ID)
	}
	if diff := gocmp.Diff(h.Made, ids); diff != "" {
		t.Error(diff)
	}
	h.Step()
	if page, err = h.Changesets(t.Context(), "source-model", models.ChangesetQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}}); err != nil || page.Len() != 1 {
		t.Errorf("the delta has %d changesets, %v", page.Len(), err)
	}
}

func TestListingOfElementsStaysAtTheChangesetAtWhichItBegan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Change(models.NewChangeset{Inserted: []models.NewElement{{ID: "a", Class: "C"}, {ID: "b", Class: "C"}, {ID: "c", Class: "C"}}})
	q := models.ElementQuery{ListOptions: twinplatform.ListOptions{Top: 1}}
	first, err := w.Elements(t.Context(), "source-model", q)
	if err != nil {
		t.Fatal(err)
	}
	w.Change(models.NewChangeset{Deleted: []string{"b"}, Inserted: []models.NewElement{{ID: "aa", Class: "C"}}})
	q.Continuation, q.Top = first.Next, 10
	rest, err := w.Elements(t.Context(), "source-model", q)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for e := range rest.OnPage() {
		ids = append(ids, e.ID)
	}
	if diff := gocmp.Diff([]string{"b", "c"}, ids); diff != "" {
		t.Error(diff)
	}
	q.Continuation = "2" + strings.TrimPrefix(first.Next, "1")
	if _, err := w.Elements(t.Context(), "source-model", q); !errors.Is(err, twinplatform.Unprocessable) {
		t.Errorf("a token of another changeset is taken: %v", err)
	}
}

// Of the reasons, one is the specification's "a changeset with the given id already
// existing".
//
// covers: operations changesets.create
func TestWrongChangesetsAreRefusedWithEveryReasonAndChangeNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := w.Change(models.NewChangeset{ID: "one", Inserted: []models.NewElement{
		{ID: "floor", Class: "Slab"}, {ID: "room", Class: "Space", ParentID: "floor"}, {ID: "door", Class: "Door", ParentID: "room", ScopeID: "floor"},
	}})
	many := make([]string, models.MaxChanges+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for name, test := range map[string]struct {
		n    models.NewChangeset
		code string
		want []string
	}{
		"an id that is taken":          {models.NewChangeset{ID: "one"}, "ChangesetExists", nil},
		"a parent that is not latest":  {models.NewChangeset{ParentID: "zero"}, "ChangesetConflict", nil},
		"an element that is there":     {models.NewChangeset{Inserted: []models.NewElement{{ID: "room", Class: "Space"}}}, "InvalidModelRequest", []string{"InvalidValue inserted[0].id"}},
		"updates of what is not there": {models.NewChangeset{Updated: []models.ElementUpdate{{ID: "roof", Class: "Slab"}}}, "InvalidModelRequest", []string{"InvalidValue updated[0].id"}},
		"deletes what is not there":    {models.NewChangeset{Deleted: []string{"roof"}}, "InvalidModelRequest", []string{"InvalidValue deleted[0].id"}},
		"leaves parts":                 {models.NewChangeset{Deleted: []string{"floor"}}, "InvalidModelRequest", []string{"InvalidValue deleted[0].id"}},
		"refers to nothing": {
			models.NewChangeset{Inserted: []models.NewElement{{ID: "w", Class: "Wall", ParentID: "roof"}, {ID: "x", Class: "Wall", ScopeID: "roof"}}},
			"InvalidModelRequest",
			[]string{"InvalidValue inserted[0].parentId", "InvalidValue inserted[1].scopeId"},
		},
		"a cycle": {
			models.NewChangeset{Updated: []models.ElementUpdate{{ID: "floor", Class: "Slab", ParentID: "door"}}},
			"InvalidModelRequest",
			[]string{"InvalidValue updated[0].parentId"},
		},
		"an element twice": {
			models.NewChangeset{Updated: []models.ElementUpdate{{ID: "door", Class: "Door"}}, Deleted: []string{"door"}},
			"InvalidModelRequest",
			[]string{"InvalidValue deleted[0].id"},
		},
		"too many elements": {models.NewChangeset{Deleted: many}, "InvalidModelRequest", []string{"InvalidValue inserted"}},
		"wrong properties": {
			models.NewChangeset{Inserted: []models.NewElement{
				{
					ID: "a/b", FederationGUID: "x", BoundingBox: &models.Box{Low: models.Point{X: math.NaN()}}, MandatoryProperties: []string{"Mark"},
					Code: twinplatform.NullString(strings.Repeat("x", models.MaxName+1)), Geometry: twinplatform.Set(make([]byte, models.MaxGeometryBytes+1)),
				},
				{ID: "b", Class: "C", Properties: models.ElementProperties{"Mark": strings.Repeat("x", models.MaxPropertiesBytes)}},
			}},
			"InvalidModelRequest",
			[]string{
				"InvalidValue inserted[0].boundingBox", "InvalidValue inserted[0].code", "InvalidValue inserted[0].federationGuid", "InvalidValue inserted[0].geometry",
				"InvalidValue inserted[0].id", "InvalidValue inserted[0].mandatoryProperties", "InvalidValue inserted[1].properties", "MissingRequiredProperty inserted[0].class",
			},
		},
	} {
		_, err := w.CreateChangeset(t.Context(), "source-model", test.n)
		e, ok := errors.AsType[*twinplatform.Error](err)
		if !ok || e.Code != test.code {
			t.Errorf("%s: got %v, want %s", name, err, test.code)
			continue
		}
		var got []string
		for _, d := range e.Details {
			got = append(got, d.Code+" "+d.Target)
		}
		slices.SortFunc(got, cmp.Compare[string])
		if diff := gocmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	page, err := w.Changesets(t.Context(), "source-model", models.ChangesetQuery{})
	if all, _ := page.Values(); err != nil || len(all) != 1 || gocmp.Diff(one, all[0]) != "" {
		t.Errorf("the model has the changesets %+v, %v", all, err)
	}
	if len(w.AllElements("source-model", models.ElementQuery{})) != 3 {
		t.Error("a refused changeset has changed the model")
	}
}

// covers: operations models.extents
func TestExtentsHoldEveryBoxAndNeverShrink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	box := func(low, high float64) *models.Box {
		return &models.Box{Low: models.Point{X: low, Y: low, Z: low}, High: models.Point{X: high, Y: high, Z: high}}
	}
	if got, err := w.Extents(t.Context(), "source-model", ""); err != nil || got != nil {
		t.Errorf("an empty model takes %+v, %v", got, err)
	}
	one := w.Change(models.NewChangeset{Inserted: []models.NewElement{{ID: "a", Class: "C", BoundingBox: box(0, 2)}, {ID: "b", Class: "C", BoundingBox: box(1, 5)}}})
	w.Change(models.NewChangeset{Deleted: []string{"b"}, Inserted: []models.NewElement{{ID: "c", Class: "C", BoundingBox: box(-3, 0)}}})
	for at, want := range map[string]*models.Box{one.ID: box(0, 5), "": box(-3, 5)} {
		got, err := w.Extents(t.Context(), "source-model", at)
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("as of %q: %v %s", at, err, diff)
		}
	}
}

func TestChangesOfAModelAreEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := w.Change(models.NewChangeset{ID: "one", Inserted: []models.NewElement{{ID: "a", Class: "C"}}})
	if _, err := w.CreateNamedVersion(w.As("ann", "models_write", "source"), "source-model", models.NewNamedVersion{ID: "v1", Name: "First"}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`models.changesReady.v1 source {"changesetId":"one","changesetIndex":"1","modelId":"source-model"}`,
		`models.namedVersionCreated.v1 source {"changesetId":"one","changesetIndex":"1","modelId":"source-model","userId":"ann","versionId":"v1"}`,
	}
	if diff := gocmp.Diff(want, w.Events()[2:]); diff != "" {
		t.Errorf("%s after %+v", diff, one)
	}
}

// covers: operations namedVersions.create namedVersions.list namedVersions.get
func TestNamedVersionsHaveUniqueNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{Name: "None"}); !modelstest.IsCode(err, "ChangesetNotFound") {
		t.Errorf("a model without changesets: %v", err)
	}
	w.Change(models.NewChangeset{ID: "one"})
	made, err := w.CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{Name: "First", Description: "as agreed"})
	want := models.NamedVersion{
		ID: made.Value().ID, Name: "First", Description: "as agreed", ChangesetID: "one", ChangesetIndex: 1, CreatedDateTime: twinplatform.At(modelstest.Noon),
	}
	if diff := gocmp.Diff(want, made.Value()); err != nil || diff != "" {
		t.Error(err, diff)
	}
	read, err := w.NamedVersion(t.Context(), "source-model", want.ID)
	if diff := gocmp.Diff(want, read.Value); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for target, n := range map[string]models.NewNamedVersion{"name": {ID: "other", Name: "First"}, "id": {ID: want.ID, Name: "Second"}} {
		_, err := w.CreateNamedVersion(t.Context(), "source-model", n)
		if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Code != "NamedVersionExists" || e.Target != target {
			t.Errorf("%+v is not refused for its %s: %+v", n, target, err)
		}
	}
	if _, err := w.CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{ID: want.ID, Name: "First"}); !modelstest.IsCode(err, "NamedVersionExists") {
		t.Errorf("a version with both of another: %v", err)
	}
	if _, err := w.CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{Name: "Third", ChangesetID: "two"}); !modelstest.IsCode(err, "ChangesetNotFound") {
		t.Errorf("a name of a missing changeset: %v", err)
	}
	page, err := w.NamedVersions(t.Context(), "source-model", models.NamedVersionQuery{})
	if err != nil || page.Len() != 1 {
		t.Errorf("%d versions, %v", page.Len(), err)
	}
}

func TestContentIsForWhoMayReadTheModelOrItsProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Change(models.NewChangeset{ID: "one", Inserted: []models.NewElement{{ID: "a", Class: "C"}}})
	for name, test := range map[string]struct {
		ctx       ctx
		see, make bool
	}{
		"reads the project":  {w.As("a", "models_read", "source"), true, false},
		"writes the project": {w.As("b", "models_write", "source"), true, true},
		"reads the model":    {w.As("c", "models_read", "source-model"), true, false},
		"writes the model":   {w.As("d", "models_write", "source-model"), true, true},
		"sees the project":   {w.As("e", "twins_read", "source"), false, false},
		"is elsewhere":       {w.As("f", "models_write", "target"), false, false},
	} {
		reads := map[string]error{}
		_, reads["element"] = w.Element(test.ctx, "source-model", "a", "")
		_, reads["elements"] = w.Elements(test.ctx, "source-model", models.ElementQuery{})
		_, reads["changeset"] = w.Changeset(test.ctx, "source-model", "one")
		_, reads["changesets"] = w.Changesets(test.ctx, "source-model", models.ChangesetQuery{})
		_, reads["changes"] = w.ElementChanges(test.ctx, "source-model", "one", models.ElementChangeQuery{})
		_, reads["extents"] = w.Extents(test.ctx, "source-model", "")
		_, reads["versions"] = w.NamedVersions(test.ctx, "source-model", models.NamedVersionQuery{})
		for what, err := range reads {
			if test.see && err != nil || !test.see && !modelstest.IsCode(err, "ModelNotFound") {
				t.Errorf("who %s reads %s: %v", name, what, err)
			}
		}
		want := "ModelNotFound"
		if test.see {
			want = "InsufficientPermissions"
		}
		_, err := w.CreateChangeset(test.ctx, "source-model", models.NewChangeset{})
		_, err2 := w.CreateNamedVersion(test.ctx, "source-model", models.NewNamedVersion{Name: name})
		for _, err := range []error{err, err2} {
			if test.make && err != nil || !test.make && !modelstest.IsCode(err, want) {
				t.Errorf("who %s writes: %v", name, err)
			}
		}
	}
}

func TestDeletedModelLeavesNothingOfItsContent(t *testing.T) {
	t.Parallel()
	h := modelstest.NewHistory(t, 3)
	before := h.Keys("model-")
	for range 5 {
		h.Step()
	}
	if h.Keys("model-") == before {
		t.Fatal("the content is kept elsewhere")
	}
	if err := h.DeleteModel(t.Context(), "source-model"); err != nil {
		t.Fatal(err)
	}
	if n := h.Keys("model-"); n != 0 {
		t.Errorf("%d keys are left", n)
	}
	if _, err := h.Element(t.Context(), "source-model", "0x1", ""); !modelstest.IsCode(err, "ModelNotFound") {
		t.Errorf("the element is there: %v", err)
	}
}
