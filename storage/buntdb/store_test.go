package buntdb_test

import (
	"log/slog"
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
	OpenOn: func(disk *storagetest.Disk) (storage.Store, error) {
		return buntdb.OpenOn(disk, "/test.db", quiet)
	},
}

// quiet are options for simulated disks.
var quiet = buntdb.Options{ReserveBytes: 64, Logger: slog.New(slog.DiscardHandler)}

func TestConformance(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, engine)
}

func TestModel(t *testing.T) {
	t.Parallel()
	storagetest.RunModel(t, engine)
}
