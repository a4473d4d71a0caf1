package memory_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestEachStoreHasItsOwnEpoch(t *testing.T) {
	t.Parallel()
	one, other := memory.New(), memory.New()
	if a, b := storage.Epoch(one), storage.Epoch(other); a == "" || a == b || a != storage.Epoch(one) {
		t.Errorf("epochs %q and %q", a, b)
	}
	if shared := storage.Epoch(struct{ storage.Store }{one}); shared != "" {
		t.Errorf("a store that does not declare it is taken for exclusive: %q", shared)
	}
}
