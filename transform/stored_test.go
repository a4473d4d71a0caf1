package transform_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
)

var update = flag.Bool("update", false, "rewrite the files of the stored format")

// stored is where the files of each stored format are: what a store held, one
// quoted key and value per line, and what was read from it. Those of formats
// from before the present one are never written again.
const stored = "testdata/stored"

// The stored formats, oldest first.
const presentFormat = "v2"

var storedFormats = []string{"v1", presentFormat}

// storedName needs escapes in JSON, and would in HTML.
const storedName = "Graben \"tief\" & mehr < Löcher"

// storedWorld fills a store with every type of record, deleted ones among them.
func storedWorld(t *testing.T, store storage.Store) *transform.Service {
	t.Helper()
	n := 0
	id := func() string { n++; return fmt.Sprintf("id-%04d", n) }
	svc := transform.New(store, transform.Config{Env: twinplatform.Env{Now: func() time.Time { return noon }, NewID: id, NewGUID: id}})
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

func dump(t *testing.T, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(t.Context(), func(r storage.Reader) error {
		b.Reset()
		for k, v := range r.Scan("", "") {
			fmt.Fprintf(&b, "%q %q\n", k, v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// restored is a store with the lines of a dump in it.
func restored(t *testing.T, lines string) storage.Store {
	t.Helper()
	store := memory.New()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		for line := range strings.Lines(lines) {
			var key, value string
			if _, err := fmt.Sscanf(line, "%q %q", &key, &value); err != nil {
				return err
			}
			if err := w.Put(key, []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// known is a store with a secret that is known to anybody.
const known = `"platform/format" "1"
"platform/secret" "a secret that is known to anybod"
`

func file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(stored, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestStoredFormatIsReadForEver loads a store that the first version wrote and
// reads everything in it.
func TestStoredFormatIsReadForEver(t *testing.T) {
	if *update {
		store := restored(t, known)
		svc := storedWorld(t, store)
		for name, text := range map[string]string{"store.txt": dump(t, store), "read.txt": strings.Join(readEverything(t, svc), "\n") + "\n"} {
			if err := os.WriteFile(filepath.Join(stored, presentFormat, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Parallel()
	for _, format := range storedFormats {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			svc := transform.New(restored(t, file(t, format+"/store.txt")), transform.Config{})
			if diff := cmp.Diff(strings.Split(file(t, format+"/read.txt"), "\n"), append(readEverything(t, svc), "")); diff != "" {
				t.Errorf("the stored records are read otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStoredFormatIsWrittenAsBefore fails when a change of the code changes what
// is stored: such a change needs an upgrade of the collection, and files of its
// own beside those of the first version.
func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	store := restored(t, known)
	storedWorld(t, store)
	if diff := cmp.Diff(strings.Split(file(t, presentFormat+"/store.txt"), "\n"), strings.Split(dump(t, store), "\n")); diff != "" {
		t.Errorf("the store is written otherwise (-want +got):\n%s", diff)
	}
}
