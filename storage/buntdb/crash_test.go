package buntdb_test

import (
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestCrash(t *testing.T) {
	t.Parallel()
	storagetest.RunCrash(t, engine)
}

// Without flushes a loss of power takes the latest transactions, but no half of
// one and none between two others.
func TestCrashWithoutFlushes(t *testing.T) {
	t.Parallel()
	never := storagetest.Engine{Lossy: true, OpenOn: func(disk *storagetest.Disk) (storage.Store, error) {
		opts := quiet
		opts.Durability = buntdb.SyncNever
		return buntdb.OpenOn(disk, "/test.db", opts)
	}}
	storagetest.RunCrash(t, never)
}

func TestDamage(t *testing.T) {
	t.Parallel()
	storagetest.RunDamage(t, engine)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	storagetest.RunFaults(t, engine)
}

func TestKill(t *testing.T) {
	t.Parallel()
	storagetest.RunKill(t, engine)
}

// A killed process loses nothing that the operating system has, whatever the
// policy.
func TestKillWithoutFlushes(t *testing.T) {
	t.Parallel()
	never := engine
	never.Open = func(dir string) (storage.Store, error) {
		return buntdb.Open(filepath.Join(dir, "test.db"), buntdb.Options{Durability: buntdb.SyncNever})
	}
	storagetest.RunKill(t, never)
}

func TestPowerCut(t *testing.T) {
	t.Parallel()
	storagetest.RunPowerCut(t, engine)
}
