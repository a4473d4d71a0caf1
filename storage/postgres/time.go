package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
)

var _ storage.Timed = (*store)(nil)

// timeEvery is how often the database is asked for its time, while someone wants to know it.
// In between it continues by the clock of this process that is never set.
const timeEvery = time.Minute

// moment is when the database and this process showed what, at the same time.
type moment struct{ there, here time.Time }

// querier is a connection, or several.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// readTime asks the database for its time.
func (s *store) readTime(ctx context.Context, c querier) error {
	began := time.Now()
	var m moment
	if err := c.QueryRow(ctx, "select clock_timestamp()", pgx.QueryExecModeSimpleProtocol).Scan(&m.there); err != nil {
		return err
	}
	m.here = began.Add(time.Since(began) / 2)
	s.clock.Store(&m)
	return nil
}

// Clock implements storage.Timed: it is that of the database.
func (s *store) Clock() func() time.Time { return s.time }

func (s *store) time() time.Time {
	m := s.clock.Load()
	since := time.Since(m.here)
	if since > timeEvery && s.timing.CompareAndSwap(false, true) {
		s.background.Go(func() {
			defer s.timing.Store(false)
			ctx, cancel := context.WithTimeout(s.life, s.options.Patience)
			defer cancel()
			if err := s.readTime(ctx, s.pool); err != nil { // it is asked again a minute later
				s.clock.CompareAndSwap(m, &moment{m.there.Add(since), m.here.Add(since)})
			}
		})
	}
	return m.there.Add(since)
}
