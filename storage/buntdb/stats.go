package buntdb

import (
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// counters are what a store has done since it was opened.
type counters struct {
	commits, flushes, flushing     atomic.Int64 // flushing in nanoseconds
	fileBytes                      atomic.Int64
	compactions, compactionsFailed atomic.Int64
}

// committed counts transactions that are in the file. The caller holds flushing.
func (s *store) committed(n int) {
	s.counts.commits.Add(int64(n))
	s.counts.fileBytes.Store(s.file.pos.Offset)
}

// flushed counts a flush.
func (c *counters) flushed(began time.Time) {
	c.flushes.Add(1)
	c.flushing.Add(int64(time.Since(began)))
}

// compacted counts a compaction.
func (c *counters) compacted(err error) {
	if err != nil {
		c.compactionsFailed.Add(1)
		return
	}
	c.compactions.Add(1)
}

// Stats implements storage.Measured.
func (s *store) Stats() storage.Stats {
	s.mu.Lock()
	base, _ := s.state.Base()
	keys, live, failure := int64(base.Len()), s.bytes, s.failure
	s.mu.Unlock()
	c := &s.counts
	return storage.Stats{
		Commits: c.commits.Load(), Flushes: c.flushes.Load(), Flushing: time.Duration(c.flushing.Load()),
		Keys: keys, LiveBytes: live, FileBytes: c.fileBytes.Load(),
		Compactions: c.compactions.Load(), FailedCompactions: c.compactionsFailed.Load(),
		Full: s.full.Load(), Failure: failure,
	}
}
