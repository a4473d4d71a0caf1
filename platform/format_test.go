package platform_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Each format of an area has a folder of records, which every later version reads.
func TestStoredFormatGrowsWithEachFormatOfAnArea(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("../*/testdata/stored/v*")
	if err != nil || len(folders) != platform.StoredFormat {
		t.Errorf("there are %d stored formats (%v): set StoredFormat to that in format.go", len(folders), err)
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
	// One of an earlier version is taken over.
	if err := store.Update(ctx, func(w storage.Writer) error {
		return w.Put("stored/format", []byte(`{"format":1,"version":"v0.0.1"}`))
	}); err != nil {
		t.Fatal(err)
	}
	if err := p.ClaimFormat(ctx, "v0.1.0"); err != nil {
		t.Error(err)
	}
}
