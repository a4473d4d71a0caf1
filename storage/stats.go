package storage

import "time"

// Stats is what an engine has done since it was opened, and what it holds.
type Stats struct {
	// Commits counts the transactions that have changed something.
	Commits int64
	// Flushes counts the times that what was written was made safe from a loss of
	// power; transactions that wait at the same time share one. Flushing is how long
	// all of them have taken together. An engine without a disk has none.
	Flushes  int64
	Flushing time.Duration
	// Keys is the number of keys, and LiveBytes the length of them and of their
	// values.
	Keys, LiveBytes int64
	// FileBytes is what the engine's file takes, in bytes: with what was deleted and
	// replaced since it was compacted.
	FileBytes int64
	// Compactions counts those that have succeeded, FailedCompactions the others.
	Compactions, FailedCompactions int64
	// Full reports that the disk was full when something was last written: what takes
	// more space than it frees is refused, and tried again with each attempt.
	Full bool
	// Failure is why no write will succeed until the store is opened again; nil while
	// writes may.
	Failure error
	// Remote is of an engine behind a network, which counts neither keys nor bytes; nil for
	// others.
	Remote *RemoteStats
}

// RemoteStats are the counts of an engine behind a network, of one process.
type RemoteStats struct {
	// Broken counts the journeys to the store that broke, or were not answered in time.
	Broken int64
	// Retries counts the times that a transaction ran again, since another was at the same.
	Retries int64
	// Unknown counts the Updates that failed with ErrUnknown.
	Unknown int64
	// Ended counts the sessions of other processes that were ended, since they stood still
	// and kept others from writing.
	Ended int64
	// Waits counts the Updates that waited for others of their key in this process, see
	// WithContention; Waited is how long all of them have waited together.
	Waits  int64
	Waited time.Duration
	// ReplicaViews counts the Views that a replica has answered, and ReplicaPassed those that
	// it left to the database, since it was behind or did not answer.
	ReplicaViews, ReplicaPassed int64
	// Combined counts the Updates that were committed together with others of their key.
	Combined int64
	// Connections counts the open connections, InUse those of them that transactions hold,
	// and MostConnections is how many there may be.
	Connections, InUse, MostConnections int64
}

// Measured is implemented by engines that count what they do.
type Measured interface {
	// Stats returns the counts so far. It neither waits for a transaction nor holds
	// one up, and may be called after Close.
	Stats() Stats
}

// StatsOf returns what an engine counts. It reports false for one that is not
// [Measured].
func StatsOf(s Store) (Stats, bool) {
	if engine, ok := s.(Measured); ok {
		return engine.Stats(), true
	}
	return Stats{}, false
}
