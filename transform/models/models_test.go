package models_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// world is a registry with two projects, a model in each and views of both.
type world = modelstest.World

func newWorld(t *testing.T) *world { return modelstest.New(t) }

func errorOf[T any](_ T, err error) error { return err }

// covers: operations models.create
func TestModelsEmitTheirCreationAndDeletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	user := w.As("ann", "models_write", "target")
	if _, err := w.CreateModel(user, models.NewModel{ID: "m", TwinID: "target", DisplayName: "M"}); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteModel(user, "m"); err != nil {
		t.Fatal(err)
	}
	var got []twinplatform.Event
	err := records.New(w.Store).View(t.Context(), func(v *records.View) error {
		for q, err := range records.Events(v) {
			if err != nil {
				return err
			}
			got = append(got, q.Event)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	content := []byte(`{"modelId":"m","userId":"ann"}`)
	want := []twinplatform.Event{
		{Type: "models.modelCreated.v1", TwinID: "target", AccountID: "acme", Time: modelstest.Noon, Content: content},
		{Type: "models.modelDeleted.v1", TwinID: "target", AccountID: "acme", Time: modelstest.Noon, Content: content},
	}
	if diff := cmp.Diff(want, got[2:], cmpopts.IgnoreFields(twinplatform.Event{}, "ID")); diff != "" {
		t.Error(diff)
	}
	if got[2].ID == got[3].ID {
		t.Error("two events share an id")
	}
}

// covers: T1 as requested: error InsufficientPermissions
// covers: operations models.list models.get savedViews.create savedViews.list savedViews.get savedViews.delete
func TestRegistryHoldsToPermissionsAndRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stranger, reader := w.As("stranger"), w.As("reader", "models_read", "target")
	onModel := func(ctx context.Context, n models.NewModel) error {
		_, err := w.CreateModel(ctx, n)
		return err
	}
	onView := func(ctx context.Context, n models.NewSavedView) error {
		_, err := w.CreateSavedView(ctx, n)
		return err
	}
	ctx := t.Context()
	for name, test := range map[string]struct {
		err  error
		code string
	}{
		"model without anything":   {onModel(ctx, models.NewModel{}), "InvalidModelRequest"},
		"model with a bad id":      {onModel(ctx, models.NewModel{ID: "a/b", TwinID: "target", DisplayName: "x"}), "InvalidModelRequest"},
		"model of no twin":         {onModel(ctx, models.NewModel{TwinID: "none", DisplayName: "x"}), "TwinNotFound"},
		"model twice":              {onModel(ctx, models.NewModel{ID: "target-model", TwinID: "target", DisplayName: "x"}), "ModelExists"},
		"model by a stranger":      {onModel(stranger, models.NewModel{TwinID: "target", DisplayName: "x"}), "TwinNotFound"},
		"model by a reader":        {onModel(reader, models.NewModel{TwinID: "target", DisplayName: "x"}), "InsufficientPermissions"},
		"view without anything":    {onView(ctx, models.NewSavedView{}), "InvalidSavedViewRequest"},
		"view of no model":         {onView(ctx, models.NewSavedView{ModelID: "none", DisplayName: "x"}), "ModelNotFound"},
		"view twice":               {onView(ctx, models.NewSavedView{ID: "shared", ModelID: "source-model", DisplayName: "x"}), "SavedViewExists"},
		"view by a stranger":       {onView(stranger, models.NewSavedView{ModelID: "target-model", DisplayName: "x"}), "ModelNotFound"},
		"view by a reader":         {onView(reader, models.NewSavedView{ModelID: "target-model", DisplayName: "x"}), "InsufficientPermissions"},
		"deletion by a stranger":   {w.DeleteModel(stranger, "target-model"), "ModelNotFound"},
		"deletion by a reader":     {w.DeleteModel(reader, "target-model"), "InsufficientPermissions"},
		"view removed by a reader": {w.DeleteSavedView(reader, "elsewhere"), "InsufficientPermissions"},
		"view not there":           {w.DeleteSavedView(ctx, "none"), "SavedViewNotFound"},
	} {
		if e := twinplatform.AsError(test.err); e == nil || e.Code != test.code {
			t.Errorf("%s: got %v, want %s", name, test.err, test.code)
		}
	}
	if _, err := w.Model(stranger, "target-model"); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a stranger sees a model: %v", err)
	}
	if page, err := w.Models(stranger, models.ModelQuery{TwinID: "target"}); !errors.Is(err, twinplatform.Unprocessable) {
		t.Errorf("a stranger lists %d models, %v", page.Len(), err)
	}
	if page, err := w.Models(reader, models.ModelQuery{TwinID: "target"}); err != nil || page.Len() != 1 {
		t.Errorf("a reader lists %d models, %v", page.Len(), err)
	}
	if page, err := w.SavedViews(ctx, models.SavedViewQuery{ModelID: "source-model"}); err != nil || page.Len() != 2 {
		t.Errorf("%d views are listed, %v", page.Len(), err)
	}
	if _, err := w.SavedViews(stranger, models.SavedViewQuery{ModelID: "source-model"}); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a stranger lists views: %v", err)
	}
	if err := w.DeleteSavedView(ctx, "elsewhere"); err != nil {
		t.Error(err)
	}
}

func TestModelGoesWithAllItsViewsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 1_500 {
		if _, err := w.CreateSavedView(t.Context(), models.NewSavedView{ID: fmt.Sprintf("v%d", i), ModelID: "target-model", DisplayName: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.DeleteModel(t.Context(), "target-model"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.CreateModel(t.Context(), models.NewModel{ID: "target-model", TwinID: "target", DisplayName: "Again"}); err != nil {
		t.Fatal(err)
	}
	page, err := w.SavedViews(t.Context(), models.SavedViewQuery{ModelID: "target-model"})
	if err != nil || page.Len() != 0 {
		t.Errorf("the model that came later has %d views, %v", page.Len(), err)
	}
}
