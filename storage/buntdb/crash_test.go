package buntdb_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestCrash(t *testing.T) {
	t.Parallel()
	storagetest.RunCrash(t, engine)
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

func TestPowerCut(t *testing.T) {
	t.Parallel()
	storagetest.RunPowerCut(t, engine)
}
