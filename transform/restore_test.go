package transform_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

func TestRestoringNeedsWhatMakingNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, err := range map[string]error{
		"changeset":      errorOf(w.Models().RestoreChangeset(w.As("bob", "models_read", "source-model"), "source-model", models.RestoredChangeset{ID: "x"})),
		"saved view":     errorOf(w.Models().RestoreSavedView(w.As("bob"), models.NewSavedView{ModelID: "source-model", DisplayName: "x"})),
		"configuration":  errorOf(w.RestoreConfiguration(w.As("bob", "models_read", "target"), transform.RestoredConfiguration{ID: "c", NewConfiguration: wanted()})),
		"transformation": errorOf(w.RestoreTransformation(w.As("bob"), w.ended("c"))),
	} {
		if !errors.Is(err, twinplatform.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// ended is a transformation of a configuration that is made with it.
func (w *world) ended(configurationID string) transform.Transformation {
	w.T.Helper()
	if _, err := w.RestoreConfiguration(w.T.Context(), transform.RestoredConfiguration{
		ID: configurationID, NewConfiguration: wanted(), CreatedDateTime: twinplatform.Set(twinplatform.At(noon.AddDate(-1, 0, 0))),
	}); err != nil {
		w.T.Fatal(err)
	}
	return transform.Transformation{
		ID: "t of " + configurationID, ConfigurationID: configurationID, Status: transform.Failed, ErrorCode: "Internal", ErrorMessage: "It failed.",
		CreatedDateTime: twinplatform.At(noon.AddDate(-1, 0, 1)), FinishedDateTime: twinplatform.At(noon.AddDate(-1, 0, 2)),
		TotalElementCount: 4, ProcessedElementCount: 3, Report: transform.Report{Full: true, UpdatedCount: 1},
	}
}

func TestRestoredTransformationIsAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.Models().DeleteSavedView(t.Context(), "shared"); err != nil {
		t.Fatal(err)
	}
	want := w.ended("c")
	if _, err := w.RestoreTransformation(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	page, err := w.Transformations(t.Context(), transform.TransformationQuery{TargetModelID: "target-model"})
	if err != nil || page.Len() != 1 {
		t.Fatalf("%d, %v", page.Len(), err)
	}
	values, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	got := values[0]
	want.Report.TransformID, want.Target, want.AccountID = want.ID, got.Target, "acme"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	conf, err := w.Configuration(t.Context(), "c")
	if made := twinplatform.At(noon.AddDate(-1, 0, 0)); err != nil || conf.Value.CreatedDateTime != made || conf.Value.ModifiedDateTime != made {
		t.Errorf("%+v, %v", conf.Value, err)
	}
	running, gone, twice := want, want, want
	running.ID, running.Status = "running", transform.Started
	gone.ID, gone.ConfigurationID = "gone", "none"
	for name, tt := range map[string]struct {
		t    transform.Transformation
		code string
	}{
		"one that continues": {running, "InvalidTransformationsRequest"}, "of nothing": {gone, "ConfigurationNotFound"}, "the same again": {twice, "TransformationExists"},
	} {
		if _, err := w.RestoreTransformation(t.Context(), tt.t); twinplatform.AsError(err).Code != tt.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.RestoreConfiguration(t.Context(), transform.RestoredConfiguration{ID: "c", NewConfiguration: wanted()}); twinplatform.AsError(err).Code != "ConfigurationExists" {
		t.Errorf("the same configuration again: %v", err)
	}
}
