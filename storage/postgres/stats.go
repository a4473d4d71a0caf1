package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Stats implements storage.Measured.
func (s *store) Stats() storage.Stats {
	pool := s.pool.Stat()
	extra := int64(len(s.extras))
	stats := storage.RemoteStats{
		Broken: s.broken.Load(), Retries: s.retried.Load(), Unknown: s.unknown.Load(), Ended: s.ended.Load(),
		Connections: int64(pool.TotalConns()) + extra, InUse: int64(pool.AcquiredConns()) + extra,
		MostConnections: 2 * int64(pool.MaxConns()), Combined: s.combined.Load(), Waits: s.waits.Load(),
		Waited: time.Duration(s.waited.Load()),
	}
	if s.replica != nil {
		stats.ReplicaViews, stats.ReplicaPassed = s.replica.views.Load(), s.replica.passed.Load()
	}
	return storage.Stats{Commits: s.commits.Load(), Remote: &stats}
}

// count notes what became of a transaction that failed.
func (s *store) count(ctx context.Context, err error) {
	if errors.Is(err, storage.ErrUnknown) {
		s.broken.Add(1)
		s.unknown.Add(1)
		return
	}
	switch faultOf(ctx, err) {
	case raced:
		s.retried.Add(1)
	case lost:
		s.broken.Add(1)
	case final, moved:
	}
}
