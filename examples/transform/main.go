// Command transform filters a model into another one by a saved view, changes the
// model, and lets the target follow.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	tower, err := p.Twins.CreateTwin(ctx,
		twins.NewTwin{Class: twins.Endeavor, SubClass: twins.Project, DisplayName: "Tower"})
	if err != nil {
		return err
	}
	twin, svc, registry := tower.Value().ID, p.Transform, p.Transform.Models()
	for _, id := range []string{"design", "doors"} {
		if _, err := registry.CreateModel(ctx, models.NewModel{ID: id, TwinID: twin, DisplayName: id}); err != nil {
			return err
		}
	}
	change := func(n models.NewChangeset) error { _, err := registry.CreateChangeset(ctx, "design", n); return err }
	if err := change(models.NewChangeset{Inserted: []models.NewElement{
		{ID: "wall", Class: "Wall", Category: "walls"},
		{ID: "door", Class: "Door", Category: "doors", ParentID: "wall"},
		{ID: "roof", Class: "Roof", Category: "roofs"},
	}}); err != nil {
		return err
	}
	view := models.NewSavedView{
		ID: "view", ModelID: "design", DisplayName: "Doors", Shared: true,
		View: models.View{ShownCategories: []string{"doors"}},
	}
	if _, err := registry.CreateSavedView(ctx, view); err != nil {
		return err
	}
	conf, err := svc.CreateConfiguration(ctx, transform.NewConfiguration{
		TransformName: "Doors", Comment: "Only doors", SourceProjectID: twin, SourceModelID: "design",
		TargetProjectID: twin, TargetModelID: "doors",
		TransformParameters: &transform.NewParameters{SavedViewID: view.ID, ViewMode: transform.FilterContent},
	})
	if err != nil {
		return err
	}
	transformed := func() error {
		done, err := svc.RunTransformation(ctx, transform.NewTransformation{ConfigurationID: conf.Value().ID})
		if err != nil {
			return err
		}
		t := done.Value()
		_, err = fmt.Fprintf(out, "%s: looked at %d elements; inserted %d, updated %d, deleted %d\n",
			t.Status, t.TotalElementCount, t.Report.InsertedCount, t.Report.UpdatedCount, t.Report.DeletedCount)
		return err
	}
	if err := transformed(); err != nil { // the door, with the wall that it is in, and where they come from
		return err
	}
	if err := change(models.NewChangeset{Deleted: []string{"door"}}); err != nil {
		return err
	}
	return transformed() // neither is left
}
