package realitydata_test

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
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var update = flag.Bool("update", false, "rewrite the files of the stored format")

// stored is where the files of the first stored format are: what a store held,
// one quoted key and value per line, and what was read from it.
const stored = "testdata/stored/v1"

// storedName needs escapes in JSON, and would in HTML.
const storedName = "Graben \"tief\" & mehr < Löcher"

// storedWorld fills a store with every type of record, changed and deleted ones
// among them.
func storedWorld(t *testing.T, store storage.Store) *realitydata.Service {
	t.Helper()
	n := 0
	svc := realitydata.New(store, realitydata.Config{Env: twinplatform.Env{
		Now:     func() time.Time { return noon },
		NewGUID: func() string { n++; return fmt.Sprintf("id-%04d", n) },
	}})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	n1 := whole()
	n1.TwinID, n1.DisplayName = "bridge", storedName
	_, err := svc.Create(ctx, n1)
	must(err)
	for _, name := range []string{"second", "gone"} {
		_, err = svc.Create(ctx, realitydata.NewRealityData{TwinID: "bridge", DisplayName: name, Type: "LAS", OwnerID: "ann"})
		must(err)
	}
	must(svc.Associate(ctx, "id-0002", "road"))
	must(svc.Dissociate(ctx, "id-0002", "bridge"))
	must(svc.Associate(ctx, "id-0001", "road"))
	_, err = svc.Update(ctx, "id-0002", realitydata.Patch{OwnerID: twinplatform.Set("bob"), Tags: twinplatform.Set([]string{"Tag"})})
	must(err)
	must(svc.Delete(ctx, "id-0003"))
	maker := in(t, "acme", "ann")
	for _, name := range []string{"@ann/cracks", "gone"} {
		_, err = svc.CreateDetector(maker, realitydata.NewDetector{Name: name, Type: realitydata.PhotoObjectDetector, DisplayName: "Cracks"})
		must(err)
	}
	for _, number := range []string{"1.2", "1.10"} {
		_, _, err = svc.CreateDetectorVersion(maker, "@ann/cracks", realitydata.NewDetectorVersion{
			VersionNumber: number, Capabilities: realitydata.Capabilities{Labels: []string{"crack"}, Exports: []realitydata.DetectorExport{realitydata.ExportLines}},
		})
		must(err)
	}
	must(svc.CompleteDetectorVersion(maker, "@ann/cracks", "1.2"))
	must(svc.PublishDetectorVersion(maker, "@ann/cracks", "1.2"))
	must(svc.DeleteDetector(maker, "gone"))
	return svc
}

// readEverything reads all that the stored world holds.
func readEverything(t *testing.T, svc *realitydata.Service) (lines []string) {
	t.Helper()
	ctx := t.Context()
	for _, twinID := range []string{"", "bridge", "road"} {
		page, err := svc.List(ctx, realitydata.Query{TwinID: twinID})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%q %s", twinID, page.JSON()))
	}
	for _, id := range []string{"id-0001", "id-0002"} {
		rec, err := svc.Get(ctx, id, "")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %q %q", rec.ETag, rec.JSON, rec.Value.TwinIDs, rec.Value.AccountID))
	}
	page, err := svc.Detectors(ctx, realitydata.DetectorQuery{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := svc.Detector(ctx, "@ann/cracks")
	if err != nil {
		t.Fatal(err)
	}
	return append(lines, fmt.Sprintf("%s %s %+v %s %s", page.JSON(), rec.ETag, rec.Value.Versions, rec.Value.OwnerID, rec.Value.AccountID))
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
			if err := os.WriteFile(filepath.Join(stored, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Parallel()
	svc := realitydata.New(restored(t, file(t, "store.txt")), realitydata.Config{})
	if diff := cmp.Diff(strings.Split(file(t, "read.txt"), "\n"), append(readEverything(t, svc), "")); diff != "" {
		t.Errorf("the stored records are read otherwise (-want +got):\n%s", diff)
	}
}

// TestStoredFormatIsWrittenAsBefore fails when a change of the code changes what
// is stored: such a change needs an upgrade of the collection, and files of its
// own beside those of the first version.
func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	store := restored(t, known)
	storedWorld(t, store)
	if diff := cmp.Diff(strings.Split(file(t, "store.txt"), "\n"), strings.Split(dump(t, store), "\n")); diff != "" {
		t.Errorf("the store is written otherwise (-want +got):\n%s", diff)
	}
}
