package transform_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// configured makes configurations of the saved view of a name.
func (w *world) configured(view string, names ...string) (ids []string) {
	w.T.Helper()
	for _, name := range names {
		n := wanted()
		n.TransformName, n.TransformParameters.SavedViewID = name, view
		res, err := w.CreateConfiguration(w.T.Context(), n)
		if err != nil {
			w.T.Fatal(err)
		}
		ids = append(ids, res.Value().ID)
	}
	return ids
}

// viewInUse is the refusal to delete a saved view, for what its details say.
func viewInUse(details ...twinplatform.Detail) *twinplatform.Error {
	for i := range details {
		details[i].Code = "SavedViewInUse"
	}
	return &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "SavedViewInUse", Target: "savedViewId", Details: details,
		Message: "A transformation configuration filters by the saved view. Delete that first.",
	}
}

// refusedAs reports how an error differs from a refusal.
func refusedAs(want *twinplatform.Error, err error) string {
	got, _ := errors.AsType[*twinplatform.Error](err)
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(twinplatform.Error{}))
}

func TestSavedViewStaysWhileAConfigurationFiltersByIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.Models().CreateSavedView(t.Context(), models.NewSavedView{ID: "free", ModelID: "source-model", DisplayName: "Free", Shared: true}); err != nil {
		t.Fatal(err)
	}
	ids := w.configured("shared", "Ground floor", "First floor")
	before := w.View("shared")
	named := []twinplatform.Detail{
		{Message: "The configuration 'Ground floor' filters by it.", Target: ids[0]},
		{Message: "The configuration 'First floor' filters by it.", Target: ids[1]},
	}
	hidden := twinplatform.Detail{Message: "Configurations that the caller may not see filter by it."}
	for name, test := range map[string]struct {
		as   ctx
		want *twinplatform.Error
	}{
		"the program":                         {t.Context(), viewInUse(named...)},
		"who sees the configurations":         {w.As("both", "models_write", "source", "models_read", "target"), viewInUse(named...)},
		"who does not see the configurations": {w.As("one", "models_write", "source"), viewInUse(hidden)},
	} {
		if diff := refusedAs(test.want, w.Models().DeleteSavedView(test.as, "shared")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if err := w.Models().DeleteSavedView(t.Context(), "shared", twinplatform.IfMatch(`"other"`)); !modelstest.IsCode(err, "VersionMismatch") {
		t.Errorf("another version: %v", err)
	}
	if err := w.Models().DeleteSavedView(w.As("reader", "models_read", "source"), "shared"); !modelstest.IsCode(err, "InsufficientPermissions") {
		t.Errorf("by a reader: %v", err)
	}
	if diff := cmp.Diff(before, w.View("shared")); diff != "" {
		t.Errorf("refused deletions changed it:\n%s", diff)
	}
	if err := w.Models().DeleteSavedView(t.Context(), "free"); err != nil {
		t.Errorf("a view of the same model that nothing filters by: %v", err)
	}
	for _, id := range ids {
		if err := w.Models().DeleteSavedView(t.Context(), "shared"); !modelstest.IsCode(err, "SavedViewInUse") {
			t.Errorf("before the last configuration has gone: %v", err)
		}
		if err := w.DeleteConfiguration(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Models().DeleteSavedView(t.Context(), "shared"); err != nil {
		t.Errorf("without configurations: %v", err)
	}
}

func TestSavedViewOfManyConfigurationsNamesTheFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := make([]string, 22)
	for i := range names {
		names[i] = fmt.Sprintf("Floor %d", i)
	}
	want := make([]twinplatform.Detail, 0, 21)
	for i, id := range w.configured("shared", names...)[:20] {
		want = append(want, twinplatform.Detail{Message: "The configuration '" + names[i] + "' filters by it.", Target: id})
	}
	want = append(want, twinplatform.Detail{Message: "So do others that are not named here."})
	if diff := refusedAs(viewInUse(want...), w.Models().DeleteSavedView(t.Context(), "shared")); diff != "" {
		t.Error(diff)
	}
}
