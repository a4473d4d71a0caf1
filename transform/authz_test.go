package transform_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
)

func sameRefusal(t *testing.T, name string, missing, hidden error) {
	t.Helper()
	diff := cmp.Diff(twinplatform.AsError(missing), twinplatform.AsError(hidden), cmpopts.IgnoreUnexported(twinplatform.Error{}))
	if diff != "" || hidden == nil {
		t.Errorf("%s: what is hidden differs from what is missing (-missing +hidden): %s", name, diff)
	}
}

// TestGrantOnOneModelRevealsNothingOfOtherProjects has a caller who may use one
// model and names it together with a project that is hidden.
func TestGrantOnOneModelRevealsNothingOfOtherProjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := w.As("ann", "models_read", "source-model", "models_write", "source-model")
	create := func(change func(*transform.NewConfiguration)) error {
		n := wanted()
		change(&n)
		_, err := w.CreateConfiguration(ctx, n)
		return err
	}
	with := func(projectID string) error {
		return create(func(n *transform.NewConfiguration) { n.SourceProjectID = projectID })
	}
	sameRefusal(t, "project of another model", with("none"), with("target"))
}

// covers: T1 as requested: permission the same on the models
func TestGrantOnTheTargetModelReachesItsConfigurations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := w.As("ann", "models_read", "source-model", "models_write", "target-model")
	res, err := w.CreateConfiguration(ctx, wanted())
	if err != nil {
		t.Fatal(err)
	}
	id := res.Value().ID
	if _, err := w.Configuration(ctx, id); err != nil {
		t.Errorf("its maker does not see it: %v", err)
	}
	reader := w.As("bob", "models_read", "target-model")
	if _, err := w.Configuration(reader, id); err != nil {
		t.Errorf("a reader of the target model does not see it: %v", err)
	}
	if err := w.DeleteConfiguration(reader, id); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("a reader of the target model deletes it: %v", err)
	}
	page, err := w.Configurations(ctx, transform.ConfigurationQuery{TargetModelID: "target-model"})
	if err != nil || page.Len() != 1 {
		t.Errorf("listed %d, %v", page.Len(), err)
	}
	if page, err := w.Configurations(ctx, transform.ConfigurationQuery{ProjectID: "target"}); !errors.Is(err, twinplatform.Unprocessable) {
		t.Errorf("of the project, which is hidden, %d are listed, %v", page.Len(), err)
	}
	if err := w.DeleteConfiguration(ctx, id); err != nil {
		t.Errorf("its maker cannot delete it: %v", err)
	}
}

func TestConfigurationNamesAModelThatIsThere(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t)
		var made, deleted error
		var both sync.WaitGroup
		both.Go(func() { _, made = w.CreateConfiguration(t.Context(), wanted()) })
		both.Go(func() { deleted = w.Models().DeleteModel(t.Context(), "source-model") })
		both.Wait()
		if made == nil && deleted == nil {
			t.Fatal("there is a configuration of a model that is gone")
		}
	}
}

func TestTwinsThatHoldModelsAreReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for twinID, want := range map[string]string{"source": "models", "target": "models", "none": ""} {
		if got, err := w.HoldsOf(t.Context(), twinID); got != want || err != nil {
			t.Errorf("%s: %q, %v", twinID, got, err)
		}
	}
	if err := w.Models().DeleteModel(t.Context(), "target-model"); err != nil {
		t.Fatal(err)
	}
	if got, err := w.HoldsOf(t.Context(), "target"); got != "" || err != nil {
		t.Errorf("without its model: %q, %v", got, err)
	}
}

// TestWhoSeesBothModelsAndMayNotWriteIsForbidden gives callers each pair of permissions on
// the two sides: what both let them see is answered as forbidden, whichever level they see
// it at, and what one of them hides as missing.
func TestWhoSeesBothModelsAndMayNotWriteIsForbidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, source := range []string{"", "source", "source-model"} {
		for j, target := range []string{"", "target", "target-model"} {
			ctx := w.As(fmt.Sprintf("who-%d-%d", i, j), "models_read", source, "models_read", target)
			_, sourceErr := w.Models().Model(ctx, "source-model")
			_, targetErr := w.Models().Model(ctx, "target-model")
			want := "InsufficientPermissions"
			if sourceErr != nil || targetErr != nil {
				want = "ModelNotFound"
			}
			if _, err := w.CreateConfiguration(ctx, wanted()); !modelstest.IsCode(err, want) {
				t.Errorf("who reads %q and %q: %v, want %s", source, target, err, want)
			}
		}
	}
}
