package storage

import "github.com/seed-933f9a09/twinplatform/storage/internal/journal"

// The format of backups has the same limits; these lines do not compile when
// they differ.
var (
	_ = [1]struct{}{}[MaxKeyBytes-journal.MaxKeyBytes]
	_ = [1]struct{}{}[MaxValueBytes-journal.MaxValueBytes]
	_ = [1]struct{}{}[MaxTxWrites-journal.MaxTxWrites]
	_ = [1]struct{}{}[MaxTxBytes-journal.MaxTxBytes]
)
