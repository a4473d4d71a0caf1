package postgres

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform/storage"
)

var _ storage.Timed = (*store)(nil)

// timeEvery is how often the database is asked for its time, while someone wants to know it.
// In between it continues by the clock of this process that is never set.
const timeEvery = time.Minute

// moment is when the database and this process showed what, at the same time.
type moment struct{ there, here time.Time }

// querier is a connection.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// readings is how often the database is asked at a time: the answer that took least is the nearest.
const readings = 3

// farOff is how long an answer may take that is believed where the time is known already. The clocks of two
// processes are apart by no more than that.
const farOff = time.Second

// readTime asks the database for its time.
func (s *store) readTime(ctx context.Context, c querier) error {
	least := time.Duration(math.MaxInt64)
	var nearest moment
	for range readings {
		began := time.Now()
		var m moment
		if err := c.QueryRow(ctx, "select clock_timestamp()",
			pgx.QueryExecModeSimpleProtocol).Scan(&m.there); err != nil {
			return err
		}
		took := time.Since(began)
		m.here = began.Add(took / 2)
		if took < least {
			least, nearest = took, m
		}
	}
	if least > farOff && s.timed.Load() {
		return errTooFar
	}
	s.timed.Store(true)
	s.clock.Store(&nearest)
	return nil
}

// errTooFar reports that the database took so long to say its time that this is not known.
var errTooFar = errors.New("the database took too long to say its time")

// Clock implements storage.Timed: it returns the clock of the database, by which all
// processes agree.
func (s *store) Clock() func() time.Time { return s.time }

func (s *store) time() time.Time {
	m := s.clock.Load()
	since := time.Since(m.here)
	if since > timeEvery && s.timing.CompareAndSwap(false, true) {
		s.background.Go(func() {
			defer s.timing.Store(false)
			ctx, cancel := context.WithTimeout(s.life, s.options.Patience)
			defer cancel()
			// What it takes until there is a connection is no part of the way to the database.
			err := s.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error { return s.readTime(ctx, c) })
			if err != nil { // it is asked again a minute later
				s.clock.CompareAndSwap(m, &moment{m.there.Add(since), m.here.Add(since)})
			}
		})
	}
	return m.there.Add(since)
}
