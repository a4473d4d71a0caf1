package transform_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

type ctx = context.Context

// keys counts what the store has under a prefix.
func (w *world) keys(prefix string) (n int) {
	w.t.Helper()
	err := w.store.View(w.t.Context(), func(r storage.Reader) error {
		n = 0
		for range r.Scan(prefix, "") {
			n++
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// history is a random history of a model beside what it has to be at each changeset.
type history struct {
	*world
	r          *rand.Rand
	now        map[string]models.NewElement
	changesets []string                       // ids, the first one first
	states     []map[string]models.NewElement // as of each of them
}

func (h *history) id() string { return fmt.Sprintf("0x%x", h.r.IntN(24)) }

// free reports whether an element may stand below another.
func (h *history) free(id, above string) bool {
	e, ok := h.now[above]
	if !ok || above == id {
		return false
	}
	return (e.ParentID == "" || h.free(id, string(e.ParentID))) && (e.ScopeID == "" || h.free(id, string(e.ScopeID)))
}

func (h *history) element(id string) models.NewElement {
	n := models.NewElement{
		ID: id, Class: fmt.Sprint("Class", h.r.IntN(3)), Category: twinplatform.NullString(fmt.Sprint("c", h.r.IntN(3))),
		Geometry:   twinplatform.Set([]byte(fmt.Sprint("geometry ", h.r.IntN(5)))),
		Properties: models.ElementProperties{"Mark": fmt.Sprint(h.r.IntN(5))},
	}
	if h.r.IntN(4) == 0 {
		n.Category = ""
	}
	if h.r.IntN(2) == 0 {
		n.SubModelID = twinplatform.NullString(fmt.Sprint("m", h.r.IntN(2)))
	}
	if up := h.id(); h.free(id, up) {
		n.ParentID = twinplatform.NullString(up)
	}
	if up := h.id(); h.free(id, up) {
		n.ScopeID = twinplatform.NullString(up)
	}
	return n
}

// step makes a changeset.
func (h *history) step() {
	h.t.Helper()
	n := models.NewChangeset{ID: fmt.Sprint("change-", len(h.changesets))}
	used := map[string]bool{}
	for range 1 + h.r.IntN(6) {
		id := h.id()
		_, there := h.now[id]
		leaf := !slices.ContainsFunc(slices.Collect(maps.Values(h.now)), func(e models.NewElement) bool { return string(e.ParentID) == id || string(e.ScopeID) == id })
		switch {
		case used[id]:
			continue
		case !there:
			h.now[id] = h.element(id)
			n.Inserted = append(n.Inserted, h.now[id])
		case leaf && h.r.IntN(2) == 0:
			delete(h.now, id)
			n.Deleted = append(n.Deleted, id)
		default:
			h.now[id] = h.element(id)
			n.Updated = append(n.Updated, models.ElementUpdate(h.now[id]))
		}
		used[id] = true
	}
	if _, err := h.Models().CreateChangeset(h.t.Context(), "source-model", n); err != nil {
		h.t.Fatalf("%+v: %v", n, err)
	}
	h.changesets, h.states = append(h.changesets, n.ID), append(h.states, maps.Clone(h.now))
}

func newHistory(t *testing.T, seed uint64) *history {
	return &history{world: newWorld(t), r: rand.New(rand.NewPCG(seed, 1)), now: map[string]models.NewElement{}}
}

// elements are all elements of a list, read in small pages.
func (w *world) elements(modelID string, q models.ElementQuery) map[string]models.Element {
	w.t.Helper()
	q.Top = 3
	out := map[string]models.Element{}
	for e, err := range twinplatform.AllIn(w.t.Context(), w.Models().Elements, modelID, q) {
		if err != nil {
			w.t.Fatal(err)
		}
		if _, twice := out[e.ID]; twice {
			w.t.Errorf("%s is listed twice", e.ID)
		}
		out[e.ID] = e
	}
	return out
}

// covers: operations elements.list elements.get
func TestModelIsReadAsOfEveryChangesetOfARandomHistory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		h := newHistory(t, seed)
		for range 12 {
			h.step()
		}
		for i, changeset := range h.changesets {
			all := h.elements("source-model", models.ElementQuery{ChangesetID: changeset})
			if diff := gocmp.Diff(slices.Sorted(maps.Keys(h.states[i])), slices.Sorted(maps.Keys(all)), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d, as of %s: %s", seed, changeset, diff)
			}
			for id, want := range h.states[i] {
				got, err := h.Models().Element(t.Context(), "source-model", id, changeset)
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
				for id, e := range h.states[i] {
					if (q.Class == "" || e.Class == q.Class) && (q.Category == "" || string(e.Category) == q.Category) && (q.ParentID == "" || string(e.ParentID) == q.ParentID) {
						want[id] = true
					}
				}
				if diff := gocmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(h.elements("source-model", q))), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("seed %d, %+v: %s", seed, q, diff)
				}
			}
		}
	}
}

// covers: operations changesets.list changesets.get elementChanges.list
func TestChangesetsCountWhatTheyDidAndStandInALine(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 1)
	for range 10 {
		h.step()
	}
	before := 0
	for i, id := range h.changesets {
		rec, err := h.Models().Changeset(t.Context(), "source-model", id)
		if err != nil {
			t.Fatal(err)
		}
		c := rec.Value
		want := models.Changeset{ID: id, Index: i + 1, ElementCount: len(h.states[i]), CreatedDateTime: twinplatform.At(noon)}
		if i > 0 {
			want.ParentID = twinplatform.NullString(h.changesets[i-1])
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
			return h.Models().ElementChanges(ctx, "source-model", id, q)
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
	page, err := h.Models().Changesets(t.Context(), "source-model", models.ChangesetQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for c := range page.OnPage() {
		ids = append(ids, c.ID)
	}
	if diff := gocmp.Diff(h.changesets, ids); diff != "" {
		t.Error(diff)
	}
	h.step()
	if page, err = h.Models().Changesets(t.Context(), "source-model", models.ChangesetQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}}); err != nil || page.Len() != 1 {
		t.Errorf("the delta has %d changesets, %v", page.Len(), err)
	}
}

func TestListingOfElementsStaysAtTheChangesetAtWhichItBegan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.change(models.NewChangeset{Inserted: []models.NewElement{{ID: "a", Class: "C"}, {ID: "b", Class: "C"}, {ID: "c", Class: "C"}}})
	q := models.ElementQuery{ListOptions: twinplatform.ListOptions{Top: 1}}
	first, err := w.Models().Elements(t.Context(), "source-model", q)
	if err != nil {
		t.Fatal(err)
	}
	w.change(models.NewChangeset{Deleted: []string{"b"}, Inserted: []models.NewElement{{ID: "aa", Class: "C"}}})
	q.Continuation, q.Top = first.Next, 10
	rest, err := w.Models().Elements(t.Context(), "source-model", q)
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
	if _, err := w.Models().Elements(t.Context(), "source-model", q); !errors.Is(err, twinplatform.Unprocessable) {
		t.Errorf("a token of another changeset is taken: %v", err)
	}
}

// change makes a changeset of the source model.
func (w *world) change(n models.NewChangeset) models.Changeset {
	w.t.Helper()
	res, err := w.Models().CreateChangeset(w.t.Context(), "source-model", n)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Value()
}

// Of the reasons, one is the specification's "a changeset with the given id already
// existing".
//
// covers: operations changesets.create
func TestWrongChangesetsAreRefusedWithEveryReasonAndChangeNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := w.change(models.NewChangeset{ID: "one", Inserted: []models.NewElement{
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
					Code: twinplatform.NullString(strings.Repeat("x", transform.MaxName+1)), Geometry: twinplatform.Set(make([]byte, models.MaxGeometryBytes+1)),
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
		_, err := w.Models().CreateChangeset(t.Context(), "source-model", test.n)
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
	page, err := w.Models().Changesets(t.Context(), "source-model", models.ChangesetQuery{})
	if all, _ := page.Values(); err != nil || len(all) != 1 || gocmp.Diff(one, all[0]) != "" {
		t.Errorf("the model has the changesets %+v, %v", all, err)
	}
	if len(w.elements("source-model", models.ElementQuery{})) != 3 {
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
	if got, err := w.Models().Extents(t.Context(), "source-model", ""); err != nil || got != nil {
		t.Errorf("an empty model takes %+v, %v", got, err)
	}
	one := w.change(models.NewChangeset{Inserted: []models.NewElement{{ID: "a", Class: "C", BoundingBox: box(0, 2)}, {ID: "b", Class: "C", BoundingBox: box(1, 5)}}})
	w.change(models.NewChangeset{Deleted: []string{"b"}, Inserted: []models.NewElement{{ID: "c", Class: "C", BoundingBox: box(-3, 0)}}})
	for at, want := range map[string]*models.Box{one.ID: box(0, 5), "": box(-3, 5)} {
		got, err := w.Models().Extents(t.Context(), "source-model", at)
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("as of %q: %v %s", at, err, diff)
		}
	}
}

func TestChangesOfAModelAreEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := w.change(models.NewChangeset{ID: "one", Inserted: []models.NewElement{{ID: "a", Class: "C"}}})
	if _, err := w.Models().CreateNamedVersion(w.as("ann", "models_write", "source"), "source-model", models.NewNamedVersion{ID: "v1", Name: "First"}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`models.changesReady.v1 source {"changesetId":"one","changesetIndex":"1","modelId":"source-model"}`,
		`models.namedVersionCreated.v1 source {"changesetId":"one","changesetIndex":"1","modelId":"source-model","userId":"ann","versionId":"v1"}`,
	}
	if diff := gocmp.Diff(want, w.events()[2:]); diff != "" {
		t.Errorf("%s after %+v", diff, one)
	}
}

// events are those that were recorded, as lines.
func (w *world) events() (lines []string) {
	w.t.Helper()
	err := records.New(w.store).View(w.t.Context(), func(v *records.View) error {
		lines = nil
		for e, err := range records.Events(v) {
			if err != nil {
				return err
			}
			lines = append(lines, fmt.Sprintf("%s %s %s", e.Event.Type, e.Event.TwinID, e.Event.Content))
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return lines
}

// covers: operations namedVersions.create namedVersions.list namedVersions.get
func TestNamedVersionsHaveANameOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.Models().CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{Name: "None"}); !isCode(err, "ChangesetNotFound") {
		t.Errorf("a model without changesets: %v", err)
	}
	w.change(models.NewChangeset{ID: "one"})
	made, err := w.Models().CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{Name: "First", Description: "as agreed"})
	want := models.NamedVersion{
		ID: made.Value().ID, Name: "First", Description: "as agreed", ChangesetID: "one", ChangesetIndex: 1, CreatedDateTime: twinplatform.At(noon),
	}
	if diff := gocmp.Diff(want, made.Value()); err != nil || diff != "" {
		t.Error(err, diff)
	}
	read, err := w.Models().NamedVersion(t.Context(), "source-model", want.ID)
	if diff := gocmp.Diff(want, read.Value); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for target, n := range map[string]models.NewNamedVersion{"name": {ID: "other", Name: "First"}, "id": {ID: want.ID, Name: "Second"}} {
		_, err := w.Models().CreateNamedVersion(t.Context(), "source-model", n)
		if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Code != "NamedVersionExists" || e.Target != target {
			t.Errorf("%+v is not refused for its %s: %+v", n, target, err)
		}
	}
	if _, err := w.Models().CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{ID: want.ID, Name: "First"}); !isCode(err, "NamedVersionExists") {
		t.Errorf("a version with both of another: %v", err)
	}
	if _, err := w.Models().CreateNamedVersion(t.Context(), "source-model", models.NewNamedVersion{Name: "Third", ChangesetID: "two"}); !isCode(err, "ChangesetNotFound") {
		t.Errorf("a name of a missing changeset: %v", err)
	}
	page, err := w.Models().NamedVersions(t.Context(), "source-model", models.NamedVersionQuery{})
	if err != nil || page.Len() != 1 {
		t.Errorf("%d versions, %v", page.Len(), err)
	}
}

func isCode(err error, code string) bool {
	e, ok := errors.AsType[*twinplatform.Error](err)
	return ok && e.Code == code
}

func TestContentIsForWhoMayReadTheModelOrItsProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.change(models.NewChangeset{ID: "one", Inserted: []models.NewElement{{ID: "a", Class: "C"}}})
	for name, test := range map[string]struct {
		ctx       ctx
		see, make bool
	}{
		"reads the project":  {w.as("a", "models_read", "source"), true, false},
		"writes the project": {w.as("b", "models_write", "source"), true, true},
		"reads the model":    {w.as("c", "models_read", "source-model"), true, false},
		"writes the model":   {w.as("d", "models_write", "source-model"), true, true},
		"sees the project":   {w.as("e", "twins_read", "source"), false, false},
		"is elsewhere":       {w.as("f", "models_write", "target"), false, false},
	} {
		reads := map[string]error{}
		_, reads["element"] = w.Models().Element(test.ctx, "source-model", "a", "")
		_, reads["elements"] = w.Models().Elements(test.ctx, "source-model", models.ElementQuery{})
		_, reads["changeset"] = w.Models().Changeset(test.ctx, "source-model", "one")
		_, reads["changesets"] = w.Models().Changesets(test.ctx, "source-model", models.ChangesetQuery{})
		_, reads["changes"] = w.Models().ElementChanges(test.ctx, "source-model", "one", models.ElementChangeQuery{})
		_, reads["extents"] = w.Models().Extents(test.ctx, "source-model", "")
		_, reads["versions"] = w.Models().NamedVersions(test.ctx, "source-model", models.NamedVersionQuery{})
		for what, err := range reads {
			if test.see && err != nil || !test.see && !isCode(err, "ModelNotFound") {
				t.Errorf("who %s reads %s: %v", name, what, err)
			}
		}
		want := "ModelNotFound"
		if test.see {
			want = "InsufficientPermissions"
		}
		_, err := w.Models().CreateChangeset(test.ctx, "source-model", models.NewChangeset{})
		_, err2 := w.Models().CreateNamedVersion(test.ctx, "source-model", models.NewNamedVersion{Name: name})
		for _, err := range []error{err, err2} {
			if test.make && err != nil || !test.make && !isCode(err, want) {
				t.Errorf("who %s writes: %v", name, err)
			}
		}
	}
}

func TestDeletedModelLeavesNothingOfItsContent(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 3)
	before := h.keys("model-")
	for range 5 {
		h.step()
	}
	if h.keys("model-") == before {
		t.Fatal("the content is kept elsewhere")
	}
	if err := h.Models().DeleteModel(t.Context(), "source-model"); err != nil {
		t.Fatal(err)
	}
	if n := h.keys("model-"); n != 0 {
		t.Errorf("%d keys are left", n)
	}
	if _, err := h.Models().Element(t.Context(), "source-model", "0x1", ""); !isCode(err, "ModelNotFound") {
		t.Errorf("the element is there: %v", err)
	}
}
