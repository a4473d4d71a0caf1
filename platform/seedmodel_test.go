package platform_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// ranOnce is what a run of the bridge's configuration does.
func ranOnce(t *testing.T, p *platform.Platform) transform.Report {
	t.Helper()
	run := made[twinplatform.Result[transform.Transformation]](t)(p.Transform.RunTransformation(t.Context(), transform.NewTransformation{ConfigurationID: "nb-issue"})).Value()
	if run.Status != transform.Succeeded {
		t.Fatalf("it is %+v", run)
	}
	run.Report.TransformID = ""
	return run.Report
}

func TestRunAfterASeedContinuesFromTheLastOne(t *testing.T) {
	t.Parallel()
	first := opened(t, platform.Config{})
	seed(t, first, worldFrom(t, bridgeFile))
	if got := ranOnce(t, first); !got.Full || got.InsertedCount == 0 {
		t.Fatalf("the first run did %+v", got)
	}
	w, err := first.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second := opened(t, platform.Config{})
	seed(t, second, w)
	before := made[twinplatform.Page[models.Changeset]](t)(second.Transform.Models().Changesets(t.Context(), "nb-issued", models.ChangesetQuery{}))
	if diff := cmp.Diff(transform.Report{}, ranOnce(t, second)); diff != "" {
		t.Errorf("a run without a change did something: %s", diff)
	}
	after := made[twinplatform.Page[models.Changeset]](t)(second.Transform.Models().Changesets(t.Context(), "nb-issued", models.ChangesetQuery{}))
	if diff := cmp.Diff(before.JSON(), after.JSON()); diff != "" || before.Len() != 1 {
		t.Errorf("it wrote: %s", diff)
	}
	// The pier goes, and the origin names another changeset.
	made[twinplatform.Result[models.Changeset]](t)(second.Transform.Models().CreateChangeset(t.Context(), "nb-design", models.NewChangeset{Deleted: []string{"pier-2"}}))
	if diff := cmp.Diff(transform.Report{DeletedCount: 1, UpdatedCount: 1}, ranOnce(t, second)); diff != "" {
		t.Errorf("a run after a change: %s", diff)
	}
}

// However a seeding ends, the next one makes models whole, and what refers to them.
func TestModelsAreSeededWholeWhereverTheProcessDies(t *testing.T) {
	t.Parallel()
	full := worldFrom(t, bridgeFile)
	w := &platform.World{Twins: full.Twins, Roles: full.Roles, Models: full.Models, SavedViews: full.SavedViews, Configurations: full.Configurations}
	whole := opened(t, platform.Config{})
	seed(t, whole, w)
	want, err := whole.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	died := errors.New("died")
	for n, finished := 0, false; !finished; n++ {
		store := memory.New()
		mortal := storetest.Over(store)
		mortal.FailAfter(n, died)
		first, err := platform.New(mortal, platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		finished = first.Seed(t.Context(), w, owner) == nil
		second := over(t, store, platform.Config{})
		seed(t, second, w)
		got, err := second.Export(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(contentOf(want), contentOf(got)); diff != "" {
			t.Fatalf("after %d writes (-want +got):\n%s", n, diff)
		}
	}
}

// contentOf are the models of a world, without the moments of its seeding.
func contentOf(w *platform.World) (text []string) {
	for _, m := range w.Models {
		text = append(text, m.ID, string(m.Description))
		for _, c := range m.Changesets {
			text = append(text, c.ID, string(c.CreatedBy), c.CreatedDateTime.Or(twinplatform.DateTime{}).String())
			for _, e := range append(c.Inserted, c.Updated...) {
				text = append(text, e.ID, string(e.ParentID), string(e.Geometry.Or(nil)))
			}
			text = append(text, c.Deleted...)
		}
		for _, v := range m.NamedVersions {
			text = append(text, v.ID, v.ChangesetID)
		}
		for _, member := range m.Members {
			text = append(append(text, member.ID), member.Roles...)
		}
	}
	for _, v := range w.SavedViews {
		text = append(text, v.ID, v.ChangesetID.Or("none"))
	}
	for _, c := range w.Configurations {
		text = append(text, c.ID)
		for _, run := range c.Transformations {
			text = append(text, run.ID, string(run.Status))
		}
	}
	return text
}
