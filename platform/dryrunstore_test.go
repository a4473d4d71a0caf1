package platform

import (
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// DryRunOver is the store of a dry run over another one.
func DryRunOver(s storage.Store) storage.Store { return &dryRun{under: s, over: memory.New()} }
