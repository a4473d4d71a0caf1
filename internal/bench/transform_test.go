package bench_test

import (
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

var transformRows = []row{
	{"changeset-of-thousand", models.MaxChanges, 50, func(w *world, n int) func(context.Context) error {
		w.model()
		return func(ctx context.Context) error { return w.change(ctx, models.NewChangeset{Inserted: elements(n)}) }
	}},
	{"delete-elements-of-one-parent", models.MaxChanges - 1, 50, func(w *world, n int) func(context.Context) error {
		w.model()
		all := elements(n + 1)
		deleted := []string{all[0].ID}
		for i := range n {
			all[i+1].ParentID = twinplatform.NullString(all[0].ID)
			deleted = append(deleted, all[i+1].ID)
		}
		w.must(w.change(w.ctx, models.NewChangeset{Inserted: all}))
		return func(ctx context.Context) error { return w.change(ctx, models.NewChangeset{Deleted: deleted}) }
	}},
}

// model makes the model of the worker.
func (w *world) model() {
	w.tb.Helper()
	_, err := w.Transform.Models().CreateModel(w.ctx, models.NewModel{ID: "model", TwinID: w.twin, DisplayName: "model"})
	w.must(err)
}

func (w *world) change(ctx context.Context, n models.NewChangeset) error {
	_, err := w.Transform.Models().CreateChangeset(ctx, "model", n)
	return err
}

// elements are so many requests.
func elements(n int) []models.NewElement {
	out := make([]models.NewElement, n)
	for i := range out {
		out[i] = models.NewElement{ID: fmt.Sprintf("0x%06x", i), Class: "Part", Category: "walls"}
	}
	return out
}
