package bench_test

import (
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
)

var transformRows = []row{
	{"changeset-of-thousand", transform.MaxChanges, 50, func(w *world, n int) func(context.Context) error {
		w.model()
		return func(ctx context.Context) error { return w.change(ctx, transform.NewChangeset{Inserted: elements(n)}) }
	}},
	{"delete-elements-of-one-parent", transform.MaxChanges - 1, 50, func(w *world, n int) func(context.Context) error {
		w.model()
		all := elements(n + 1)
		deleted := []string{all[0].ID}
		for i := range n {
			all[i+1].ParentID = twinplatform.NullString(all[0].ID)
			deleted = append(deleted, all[i+1].ID)
		}
		w.must(w.change(w.ctx, transform.NewChangeset{Inserted: all}))
		return func(ctx context.Context) error { return w.change(ctx, transform.NewChangeset{Deleted: deleted}) }
	}},
}

// model makes the model of the worker.
func (w *world) model() {
	w.tb.Helper()
	_, err := w.Transform.CreateModel(w.ctx, transform.NewModel{ID: "model", TwinID: w.twin, DisplayName: "model"})
	w.must(err)
}

func (w *world) change(ctx context.Context, n transform.NewChangeset) error {
	_, err := w.Transform.CreateChangeset(ctx, "model", n)
	return err
}

// elements are so many requests.
func elements(n int) []transform.NewElement {
	out := make([]transform.NewElement, n)
	for i := range out {
		out[i] = transform.NewElement{ID: fmt.Sprintf("0x%06x", i), Class: "Part", Category: "walls"}
	}
	return out
}
