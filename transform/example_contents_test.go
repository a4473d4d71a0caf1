package transform_test

import (
	"context"
	"fmt"
	"iter"
	"log"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// drawings are models that a program has read from elsewhere: each has one changeset,
// and is never written to. What goes to other models is kept in a registry.
type drawings struct {
	elements map[string][]models.Element // by their models
	kept     *transform.Service
}

func (d drawings) LookupModel(ctx context.Context, id string) (models.Model, bool, error) {
	if d.elements[id] != nil {
		return models.Model{ID: id, TwinID: "office"}, true, nil
	}
	rec, err := d.kept.Models().Model(ctx, id)
	return rec.Value, err == nil, nil
}

func (d drawings) LookupSavedView(_ context.Context, id string) (models.SavedView, bool, error) {
	doors := models.View{ShownCategories: []string{"doors"}}
	return models.SavedView{ID: id, ModelID: "drawing", ChangesetIndex: 1, Shared: true, View: doors}, id == "doors", nil
}

func (d drawings) Source(_ context.Context, id string) (models.Source, error) {
	return drawing(d.elements[id]), nil
}

func (d drawings) Target(ctx context.Context, id string) (models.Target, error) {
	return d.kept.Models().Target(ctx, id)
}

// drawing is the content of one of them: its elements, in the order of their ids.
type drawing []models.Element

func (d drawing) Read(_ context.Context, _ string, fn func(models.Content) error) error {
	return fn(d)
}

func (d drawing) Changeset() models.Changeset {
	return models.Changeset{ID: "imported", Index: 1, ElementCount: len(d)}
}

func (d drawing) Element(id string) (*models.Element, error) {
	for _, e := range d {
		if e.ID == id {
			return &e, nil
		}
	}
	return nil, nil
}

func (drawing) Geometry(e *models.Element) ([]byte, error) { return []byte("shape of " + e.ID), nil }

func (d drawing) Elements(after string) iter.Seq2[*models.Element, error] {
	return func(yield func(*models.Element, error) bool) {
		for _, e := range d {
			if e.ID > after && !yield(&e, nil) {
				return
			}
		}
	}
}

func (drawing) Changed(string, string) iter.Seq2[models.Change, error] {
	return func(func(models.Change, error) bool) {} // nothing since the import
}

// Models of a program's own are transformed without a copy of them in the platform.
func ExampleContents() {
	ctx := context.Background()
	kept := transform.New(memory.New(), transform.Config{})
	if _, err := kept.Models().CreateModel(ctx, models.NewModel{ID: "site", TwinID: "tower", DisplayName: "Site"}); err != nil {
		log.Fatal(err)
	}
	drawn := drawings{kept: kept, elements: map[string][]models.Element{"drawing": {
		{ID: "door", Class: "Door", Category: "doors", ParentID: "wall", CreatedIndex: 1, GeometryHash: "d1"},
		{ID: "wall", Class: "Wall", Category: "walls", CreatedIndex: 1, GeometryHash: "w1"},
		{ID: "window", Class: "Window", Category: "windows", ParentID: "wall", CreatedIndex: 1, GeometryHash: "n1"},
	}}}
	svc := transform.New(memory.New(), transform.Config{Models: drawn, Contents: drawn})
	doors, err := svc.CreateConfiguration(ctx, transform.NewConfiguration{
		TransformName: "Doors to site", Comment: "Doors as drawn",
		SourceProjectID: "office", SourceModelID: "drawing", TargetProjectID: "tower", TargetModelID: "site",
		TransformParameters: &transform.NewParameters{SavedViewID: "doors"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		run, err := svc.RunTransformation(ctx, transform.NewTransformation{ConfigurationID: doors.Value().ID})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(run.Value().Status, "inserted", run.Value().Report.InsertedCount)
	}
	for e, err := range twinplatform.AllIn(ctx, kept.Models().Elements, "site", models.ElementQuery{Class: "Door"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Class, "below", e.ParentID != "", "of", e.Category)
	}
	// Output:
	// Succeeded inserted 4
	// Succeeded inserted 0
	// Door below true of doors
}
