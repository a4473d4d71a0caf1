package storetest

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// New opens an empty store, which need not be closed: in memory, unless another file is in
// place of this one, as examples/cluster/proof puts one there for PostgreSQL.
func New(testing.TB) storage.Store { return memory.New() }
