package buntdb_test

import (
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

var engine = storagetest.Engine{
	New: func(t testing.TB) storage.Store {
		s, err := buntdb.Open(filepath.Join(t.TempDir(), "test.db"), buntdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	},
	Open: func(dir string) (storage.Store, error) {
		return buntdb.Open(filepath.Join(dir, "test.db"), buntdb.Options{})
	},
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, engine)
}
