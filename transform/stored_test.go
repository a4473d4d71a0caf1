package transform_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
)

var update = flag.Bool("update", false, "add the files of a stored format that differs from the newest")

// storedName needs escapes in JSON, and would in HTML.
const storedName = "Graben \"tief\" & mehr < Löcher"

// storedWorld fills a store with every type of record, deleted ones among them.
func storedWorld(t *testing.T, store storage.Store) *transform.Service {
	t.Helper()
	n := 0
	id := func() string { n++; return fmt.Sprintf("id-%04d", n) }
	svc := transform.New(store, transform.Config{Env: twinplatform.Env{Now: func() time.Time { return noon }, NewID: id, NewGUID: id}, Twins: twins{"source", "target"}})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	for _, m := range []transform.NewModel{
		{ID: "source-model", TwinID: "source", DisplayName: storedName, Description: "all"},
		{ID: "target-model", TwinID: "target", DisplayName: "x"},
		{ID: "gone", TwinID: "target", DisplayName: "x"},
	} {
		_, err := svc.CreateModel(ctx, m)
		must(err)
	}
	for _, v := range []transform.NewSavedView{
		{ID: "shared", ModelID: "source-model", DisplayName: storedName, Shared: true},
		{ID: "private", ModelID: "source-model", DisplayName: "x"},
		{ID: "gone", ModelID: "gone", DisplayName: "x"},
	} {
		_, err := svc.CreateSavedView(ctx, v)
		must(err)
	}
	for range 2 {
		_, err := svc.CreateConfiguration(ctx, wanted())
		must(err)
	}
	page, err := svc.Configurations(ctx, transform.ConfigurationQuery{ProjectID: "target"})
	must(err)
	all, err := page.Values()
	must(err)
	must(svc.DeleteConfiguration(ctx, all[1].ID))
	must(svc.DeleteModel(ctx, "gone"))
	return svc
}

// readEverything reads all that the stored world holds.
func readEverything(t *testing.T, svc *transform.Service) (lines []string) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, twinID := range []string{"source", "target"} {
		page, err := svc.Models(ctx, transform.ModelQuery{TwinID: twinID})
		must(err)
		lines = append(lines, fmt.Sprintf("%s", page.JSON()))
	}
	views, err := svc.SavedViews(ctx, transform.SavedViewQuery{ModelID: "source-model"})
	must(err)
	lines = append(lines, fmt.Sprintf("%s", views.JSON()))
	for _, q := range []transform.ConfigurationQuery{{ProjectID: "target"}, {TargetModelID: "target-model"}} {
		page, err := svc.Configurations(ctx, q)
		must(err)
		values, err := page.Values()
		must(err)
		for i, c := range values {
			lines = append(lines, fmt.Sprintf("%s %+v", page.JSON()[i], c.References))
		}
	}
	return lines
}

var storedFormat = recordstest.Stored{
	World: func(t *testing.T, store storage.Store) { storedWorld(t, store) },
	Read: func(t *testing.T, store storage.Store) []string {
		return readEverything(t, transform.New(store, transform.Config{}))
	},
	Update: update,
	Kinds:  transform.Kinds,
}

func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, nil)
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}
