package transform_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/transform/transformtest"
)

// plainModel is a model of a program's own: all elements as of each changeset. It is
// valid for one caller at a time.
type plainModel struct {
	states []plainState
	draft  *plainDraft // nil while none is open
	// refusal is what puts of elements are refused with; nil means that they are taken.
	refusal error
}

type plainState struct {
	changeset models.Changeset
	elements  map[string]models.Element
	changed   []string
}

// plainDraft is the state that comes next, and the one before it.
type plainDraft struct {
	plainState

	before  map[string]models.Element
	refusal error
}

func newPlainModel() *plainModel { return &plainModel{states: []plainState{{}}} }

func (m *plainModel) latest() plainState { return m.states[len(m.states)-1] }

// index is that of a changeset; behind all where there is none.
func (m *plainModel) index(id string) int {
	i := slices.IndexFunc(m.states, func(s plainState) bool { return s.changeset.ID == id })
	if i < 0 {
		return len(m.states)
	}
	return i
}

var errNoChangeset = &twinplatform.Error{Kind: twinplatform.NotFound, Code: "ChangesetNotFound", Message: "There is no such changeset."}

func (m *plainModel) Read(_ context.Context, id string, fn func(models.Content) error) error {
	at := len(m.states) - 1
	if id != "" {
		at = m.index(id)
	}
	if at == len(m.states) {
		return errNoChangeset
	}
	return fn(plainContent{m, m.states[at]})
}

type plainContent struct {
	m *plainModel
	plainState
}

func (c plainContent) Changeset() models.Changeset { return c.changeset }

func (s plainState) Element(id string) (*models.Element, error) {
	e, ok := s.elements[id]
	if e.Geometry = nil; !ok {
		return nil, nil
	}
	return &e, nil
}

func (s plainState) Geometry(e *models.Element) ([]byte, error) {
	return s.elements[e.ID].Geometry, nil
}

func (c plainContent) Elements(after string) iter.Seq2[*models.Element, error] {
	return c.beginning("", after)
}

func (s plainState) beginning(prefix, after string) iter.Seq2[*models.Element, error] {
	return func(yield func(*models.Element, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(s.elements)) {
			if id <= after || !strings.HasPrefix(id, prefix) {
				continue
			}
			if !yield(s.Element(id)) {
				return
			}
		}
	}
}

func (c plainContent) Changed(since, after string) iter.Seq2[models.Change, error] {
	return func(yield func(models.Change, error) bool) {
		from := c.m.index(since)
		if from == len(c.m.states) {
			yield(models.Change{}, errNoChangeset)
			return
		}
		skip, _ := strconv.Atoi(after)
		place := 0
		for _, s := range c.m.states[from+1 : c.changeset.Index+1] {
			for _, id := range s.changed {
				if place++; place > skip && !yield(models.Change{ElementID: id, Place: strconv.Itoa(place)}, nil) {
					return
				}
			}
		}
	}
}

func (m *plainModel) Write(_ context.Context, id string, fn func(models.Draft) error) error {
	conflict := &twinplatform.Error{Kind: twinplatform.Conflict, Code: "ChangesetInProgress", Message: "Another draft is open, or it was committed."}
	if m.index(id) < len(m.states) || m.draft != nil && m.draft.changeset.ID != id {
		return conflict
	}
	last := m.latest()
	next := &plainDraft{before: last.elements, refusal: m.refusal, plainState: plainState{elements: maps.Clone(last.elements)}}
	next.changeset = models.Changeset{ID: id, Index: len(m.states), ParentID: twinplatform.NullString(last.changeset.ID)}
	if m.draft != nil {
		next.elements = maps.Clone(m.draft.elements)
	}
	if next.elements == nil {
		next.elements = make(map[string]models.Element)
	}
	if err := fn(next); err != nil {
		return err
	}
	m.draft = next
	return nil
}

func (d *plainDraft) Elements(prefix, after string) iter.Seq2[*models.Element, error] {
	return d.beginning(prefix, after)
}

func (d *plainDraft) Needed(id string) (bool, error) {
	for e := range maps.Values(d.elements) {
		if string(e.ParentID) == id || string(e.ScopeID) == id {
			return true, nil
		}
	}
	return false, nil
}

func (d *plainDraft) Put(e models.Element) error {
	if d.refusal != nil {
		return d.refusal
	}
	was := d.elements[e.ID]
	if e.Geometry == nil && e.GeometryHash != "" {
		e.Geometry = was.Geometry
	}
	e.GeometryHash = twinplatform.NullString(hex.EncodeToString(e.Geometry))
	if e.CreatedIndex = was.CreatedIndex; was.ID == "" {
		e.CreatedIndex = d.changeset.Index
	}
	d.elements[e.ID] = e
	return nil
}

func (d *plainDraft) Delete(id string) error {
	delete(d.elements, id)
	return nil
}

func (m *plainModel) Commit(_ context.Context, id, description string) (models.Changeset, error) {
	if i := m.index(id); i < len(m.states) {
		return m.states[i].changeset, nil
	}
	d := m.draft
	if d == nil || d.changeset.ID != id {
		return models.Changeset{}, nil
	}
	m.draft = nil
	c := &d.changeset
	for id, e := range d.elements {
		was, there := d.before[id]
		switch {
		case !there:
			c.InsertedCount++
		case !reflect.DeepEqual(was, e):
			c.UpdatedCount++
		default:
			continue
		}
		d.changed = append(d.changed, id)
	}
	for id := range d.before {
		if _, left := d.elements[id]; !left {
			c.DeletedCount++
			d.changed = append(d.changed, id)
		}
	}
	if len(d.changed) == 0 {
		return models.Changeset{}, nil
	}
	slices.Sort(d.changed)
	c.ElementCount, c.Description = len(d.elements), twinplatform.NullString(description)
	m.states = append(m.states, d.plainState)
	return *c, nil
}

func (m *plainModel) Discard(_ context.Context, id string) error {
	if m.draft != nil && m.draft.changeset.ID == id {
		m.draft = nil
	}
	return nil
}

func TestModelsOfAProgramKeepThePromises(t *testing.T) {
	t.Parallel()
	transformtest.Run(t, func(*testing.T) transformtest.Model { return newPlainModel() })
}

// plainModels are the models of a program, all of one project, with a view of each.
type plainModels map[string]*plainModel

func (p plainModels) LookupModel(_ context.Context, id string) (models.Model, bool, error) {
	_, ok := p[id]
	return models.Model{ID: id, TwinID: "source"}, ok, nil
}

func (p plainModels) LookupSavedView(_ context.Context, id string) (models.SavedView, bool, error) {
	model, ok := strings.CutPrefix(id, "no doors of ")
	return models.SavedView{ID: id, ModelID: twinplatform.NullString(model), Shared: true, View: models.View{HiddenCategories: []string{"doors"}}}, ok && p[model] != nil, nil
}

func (p plainModels) Source(_ context.Context, id string) (models.Source, error) {
	if id == "broken" {
		return nil, errors.New("the disk is gone")
	}
	if id == "without content" {
		return nil, nil
	}
	return p[id], nil
}

func (p plainModels) Target(_ context.Context, id string) (models.Target, error) {
	return p[id], nil
}

func (p plainModels) put(t *testing.T, model, changeset string, change func(models.Draft) error) {
	t.Helper()
	err := p[model].Write(t.Context(), changeset, change)
	if err == nil {
		_, err = p[model].Commit(t.Context(), changeset, "")
	}
	if err != nil {
		t.Fatal(err)
	}
}

func shaped(id, category, parent string) models.Element {
	return models.Element{ID: id, Class: "Part", Category: twinplatform.NullString(category), ParentID: twinplatform.NullString(parent), Geometry: []byte("shape of " + id)}
}

// configure makes a configuration from a model into the model site.
func (p plainModels) configure(t *testing.T, source string) (*transform.Service, string) {
	t.Helper()
	svc := transform.New(memory.New(), transform.Config{Twins: twins{"source"}, Models: p, Contents: p})
	res, err := svc.CreateConfiguration(t.Context(), transform.NewConfiguration{
		TransformName: "No doors", Comment: "as designed", SourceProjectID: "source", SourceModelID: source, TargetProjectID: "source", TargetModelID: "site",
		TransformParameters: &transform.NewParameters{SavedViewID: "no doors of " + source},
	})
	if err != nil {
		t.Fatal(err)
	}
	return svc, res.Value().ID
}

func TestTransformationsRunBetweenModelsOfAProgram(t *testing.T) {
	t.Parallel()
	plain := plainModels{"design": newPlainModel(), "site": newPlainModel()}
	svc, configuration := plain.configure(t, "design")
	run := func(want transform.Report) {
		t.Helper()
		res, err := svc.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: configuration})
		if err != nil || res.Value().Status != transform.Succeeded {
			t.Fatalf("%+v, %v", res.Records, err)
		}
		want.TransformID = res.Value().ID
		if diff := cmp.Diff(want, res.Value().Report); diff != "" {
			t.Errorf("after %s: %s", plain["design"].latest().changeset.ID, diff)
		}
	}
	holds := func(want ...string) {
		t.Helper()
		var got []string
		for id, e := range plain["site"].latest().elements {
			if _, of, ok := strings.Cut(id, "."); ok {
				got = append(got, fmt.Sprintf("%s %s", of, e.Geometry))
			} else if !strings.Contains(id, ":") {
				got = append(got, id)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	plain.put(t, "site", "by hand", func(d models.Draft) error { return d.Put(shaped("crane", "cranes", "")) })
	plain.put(t, "design", "one", func(d models.Draft) error {
		return errors.Join(d.Put(shaped("house", "", "")), d.Put(shaped("wall", "walls", "house")), d.Put(shaped("door", "doors", "wall")))
	})
	run(transform.Report{Full: true, InsertedCount: 4}) // two elements and two of the origin
	holds("crane", "house ", "wall shape of wall")
	run(transform.Report{})
	plain.put(t, "design", "two", func(d models.Draft) error {
		return errors.Join(d.Put(shaped("slab", "slabs", "house")), d.Put(shaped("door", "walls", "wall")))
	})
	run(transform.Report{InsertedCount: 2, UpdatedCount: 1})
	holds("crane", "door shape of door", "house ", "slab shape of slab", "wall shape of wall")
	plain.put(t, "design", "three", func(d models.Draft) error { return errors.Join(d.Delete("door"), d.Delete("wall")) })
	run(transform.Report{DeletedCount: 2, UpdatedCount: 1})
	holds("crane", "house ", "slab shape of slab")
	if got := plain["site"].latest().changeset; got.Description != "as designed" {
		t.Errorf("the changeset of the run is %+v", got)
	}
}

func TestRunOfModelsWithoutContentFailsAndTouchesNothing(t *testing.T) {
	t.Parallel()
	for source, code := range map[string]string{"without content": "InvalidTransformationsRequest", "broken": "InternalError"} {
		plain := plainModels{source: newPlainModel(), "site": newPlainModel()}
		svc, configuration := plain.configure(t, source)
		res, err := svc.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: configuration})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Value(); got.Status != transform.Failed || string(got.ErrorCode) != code || strings.Contains(got.ErrorMessage, "disk") {
			t.Errorf("%s: %+v", source, got)
		}
		if len(plain["site"].states) != 1 || plain["site"].draft != nil {
			t.Errorf("%s: the target was written to", source)
		}
	}
}

func TestFailedRunNamesTheElementAndTheReason(t *testing.T) {
	t.Parallel()
	plain := plainModels{"design": newPlainModel(), "site": newPlainModel()}
	svc, configuration := plain.configure(t, "design")
	plain.put(t, "design", "one", func(d models.Draft) error { return d.Put(shaped("wall", "walls", "")) })
	refusal := models.InvalidModelRequest
	refusal.Details = []twinplatform.Detail{{Code: "InvalidValue", Target: "elements", Message: "The element 'wall' is above itself."}}
	plain["site"].refusal = &refusal
	res, err := svc.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: configuration})
	if err != nil {
		t.Fatal(err)
	}
	read, err := svc.Transformation(t.Context(), res.Value().ID)
	if err != nil {
		t.Fatal(err)
	}
	got, want := read.Value, "The model request is invalid. The element 'wall' is above itself."
	if got.Status != transform.Failed || got.ErrorCode != "InvalidModelRequest" || got.ErrorMessage != want {
		t.Errorf("the run is %+v", got)
	}
}
