package memory_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestEachStoreHasATenureOfItsOwn(t *testing.T) {
	t.Parallel()
	one, other := memory.New(), memory.New()
	if a, b := storage.Tenure(one), storage.Tenure(other); a == "" || a == b || a != storage.Tenure(one) {
		t.Errorf("tenures %q and %q", a, b)
	}
	if shared := storage.Tenure(struct{ storage.Store }{one}); shared != "" {
		t.Errorf("a store that does not declare it is taken for exclusive: %q", shared)
	}
}
