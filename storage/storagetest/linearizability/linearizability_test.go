package linearizability_test

import (
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest/linearizability"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	check(t, func() (storage.Store, error) { return memory.New(), nil })
}

func TestBuntDB(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]buntdb.Durability{
		"Always": buntdb.SyncAlways, "EverySecond": buntdb.SyncEverySecond, "Never": buntdb.SyncNever,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, func() (storage.Store, error) {
				return buntdb.Open(filepath.Join(t.TempDir(), "test.db"), buntdb.Options{Durability: policy})
			})
		})
	}
}

// check tries several histories, each on a separate store.
func check(t *testing.T, open func() (storage.Store, error)) {
	t.Helper()
	for seed := range uint64(storagetest.Scale(4)) {
		s, err := open()
		if err != nil {
			t.Fatal(err)
		}
		linearizability.Run(t, s, 8, 150, seed)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
