package server

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const tower = "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"

// seededStore is a store with one twin.
func seededStore(t *testing.T) storage.Store {
	t.Helper()
	store := memory.New()
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if err := p.Seed(t.Context(), &platform.World{Twins: []platform.Twin{{ID: tower}}}, platform.SeedOptions{Owner: demoPrincipal}); err != nil {
		t.Fatal(err)
	}
	return store
}
