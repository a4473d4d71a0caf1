package buntdb

import "log/slog"

// Durability reports when a committed transaction is safe from a loss of power. Every
// policy survives a crash of the process.
type Durability int

// The policies, safest first.
const (
	// SyncAlways flushes to the disk before Update returns and before a reader
	// sees the change. Concurrent writers share one flush.
	SyncAlways Durability = iota
	// SyncEverySecond flushes once a second, without making writers wait; a loss
	// of power takes at most the changes of the last second or two.
	SyncEverySecond
	// SyncNever leaves flushing to the operating system, except for Close and compaction;
	// a loss of power may take everything since then.
	SyncNever
)

// Options of Open. The zero value is the safe choice.
type Options struct {
	// Durability is the policy; SyncAlways when zero.
	Durability Durability

	// CompactBytes is the size in bytes from which on a journal is compacted
	// by itself, once it is twice as large as the records in it. Zero means
	// 32 MiB; a negative number leaves compaction to storage.Compact.
	CompactBytes int64

	// ReserveBytes is the size of the reserve file next to the journal, which keeps a
	// full disk able to delete and compact. Zero means 4 MiB; a negative number means no
	// reserve.
	ReserveBytes int64

	// CutFiles and CutBytes bound what is kept in files path.cut-<time> of what opening
	// has cut off: when one is added, the oldest are removed until at most so many are
	// left, with so many bytes in all. The one that was added stays whatever its size.
	// Zero means 8 files and 256 MiB; a negative number is no bound.
	CutFiles int
	CutBytes int64

	// MemoryBytes is how much memory the records of the store should take at most, each some
	// 40 bytes in addition to its key and value. More is not an error: it is logged while
	// the file is read, as soon as it is known, so that the log of a process that runs out
	// of memory has the reason. Zero is no limit.
	MemoryBytes int64

	// Logger receives reports of a tail that was cut, a compaction that failed and the
	// like; slog.Default() when nil.
	Logger *slog.Logger
}
