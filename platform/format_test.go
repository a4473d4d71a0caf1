package platform_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Each format of an area has a folder of records, which every later version reads.
func TestStoredFormatGrowsWithEachFormatOfAnArea(t *testing.T) {
	t.Parallel()
	const first = 6 // a folder of each area, all of one format
	folders, err := filepath.Glob("../*/testdata/stored/v*")
	if want := platform.OldestFormat + len(folders) - first; err != nil || platform.StoredFormat != want {
		t.Errorf("there are %d stored formats (%v): set StoredFormat to %d in format.go", len(folders), err, want)
	}
}

func TestStoreOfALaterVersionIsRefused(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p := over(t, store, platform.Config{})
	ctx := t.Context()
	for range 2 {
		if err := p.ClaimFormat(ctx, "v0.1.0"); err != nil {
			t.Fatal(err)
		}
	}
	stats, _ := storage.StatsOf(store)
	if stats.Commits != 1 {
		t.Errorf("a store that is claimed already was written to: %d commits", stats.Commits)
	}
	later := fmt.Sprintf(`{"format":%d,"version":"v0.9.0"}`, platform.StoredFormat+1)
	for text, want := range map[string]string{later: "open it with v0.9.0 or a later one", "nonsense": "format of the store"} {
		err := store.Update(ctx, func(w storage.Writer) error { return w.Put("stored/format", []byte(text)) })
		if err != nil {
			t.Fatal(err)
		}
		err = p.ClaimFormat(ctx, "v0.1.0")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %s ClaimFormat says %v", text, err)
		}
		if _, ok := errors.AsType[*platform.FormatError](err); ok != (text == later) {
			t.Errorf("of %s ClaimFormat returns a %T", text, err)
		}
	}
}

// A store of an earlier version that is read is taken over.
func TestStoreOfAnEarlierVersionIsTakenOver(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p := over(t, store, platform.Config{})
	p.ReadFormats(platform.StoredFormat, platform.StoredFormat+1)
	put(t, store, fmt.Sprintf(`{"format":%d,"version":"v0.0.1"}`, platform.StoredFormat))
	if err := p.ClaimFormat(t.Context(), "v0.1.0"); err != nil {
		t.Error(err)
	}
	if err := over(t, store, platform.Config{}).ClaimFormat(t.Context(), "v0.0.1"); err == nil {
		t.Error("the earlier version has taken it back")
	}
}

// A store from before the first release is refused with what to do, and nothing in it is changed:
// one that a program has claimed as well as one that none has.
func TestStoreFromBeforeTheFirstReleaseIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]map[string]string{
		"claimed":      {"platform/format": "1", "platform/secret": strings.Repeat("s", 32), "stored/format": `{"format":62,"version":"v0.4.9"}`},
		"never":        {"platform/format": "1", "platform/secret": strings.Repeat("s", 32)},
		"claimed only": {"stored/format": `{"format":1,"version":"v0.0.1"}`},
	} {
		store := memory.New()
		if err := store.Update(t.Context(), func(w storage.Writer) error {
			for key, value := range content {
				if err := w.Put(key, []byte(value)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var backup bytes.Buffer
		if err := storage.Backup(t.Context(), store, &backup); err != nil {
			t.Fatal(err)
		}
		before := stateOf(t, store)
		p := over(t, store, platform.Config{})
		wantRefused := func(what string, err error) {
			t.Helper()
			if _, ok := errors.AsType[*platform.FormatError](err); !ok || !strings.Contains(err.Error(), "commit 36fbb526 (twinplatform export FILE)") {
				t.Errorf("%s: %s says %v", name, what, err)
			}
		}
		wantRefused("ClaimFormat", p.ClaimFormat(t.Context(), "v0.5.0"))
		wantRefused("Restore", platform.Restore(t.Context(), memory.New(), &backup))
		if content["platform/format"] != "" {
			if _, err := p.Twins.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"}); err == nil {
				t.Errorf("%s: it is written to", name)
			}
		}
		if diff := cmp.Diff(before, stateOf(t, store)); diff != "" {
			t.Errorf("%s: the store was changed (-before +after):\n%s", name, diff)
		}
	}
}
