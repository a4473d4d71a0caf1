package distant_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestDistantStoreKeepsThePromises(t *testing.T) {
	t.Parallel()
	engine := storagetest.Engine{New: func(testing.TB) storage.Store { return distant.Over(memory.New()) }}
	t.Run("conformance", func(t *testing.T) {
		t.Parallel()
		storagetest.Run(t, engine)
	})
	t.Run("model", func(t *testing.T) {
		t.Parallel()
		storagetest.RunModel(t, engine)
	})
}
