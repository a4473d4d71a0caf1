package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// keepalive are settings of a session by which the database itself ends it, and gives its
// locks back, when the way to its process is gone: after seconds, and not after the two hours
// that systems have for it. A transaction whose process does nothing holds back what the
// database cleans up; no request takes as long, and no backup that is read at all.
var keepalive = []string{
	"tcp_keepalives_idle = 2", "tcp_keepalives_interval = 1", "tcp_keepalives_count = 3", "tcp_user_timeout = 5000",
	"idle_in_transaction_session_timeout = 300000",
}

// quietRaces is the setting of a session by which lost races, which run again here, are no
// errors in the log of the database; what else fails is returned or logged by the engine. Only
// a role that may set it has it. Slow statements and checkpoints are logged as before.
const quietRaces = "log_min_messages = log"

// write is run for calls that may wait for what another process is writing. One that is
// suspended in the middle of a commit, and whose system still answers for it, would hold
// its locks forever: its session is ended.
func (c *conn) write(ctx context.Context, calls ...call) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	look := c.store.options.Patience / 5
	timer := time.AfterFunc(look, func() { c.store.endFrozen(ctx, look) })
	defer timer.Stop()
	delete(c.pg.CustomData(), warned)
	if err := c.run(ctx, calls...); err != nil {
		return err
	}
	if c.pg.CustomData()[warned] != nil {
		return errUnreplicated
	}
	return nil
}

// errUnreplicated reports a commit that the database made without waiting for its standbys,
// since someone cancelled the wait: a failover may lose it.
var errUnreplicated = errors.New("postgres: the commit does not wait for a standby any more")

// warned is where a connection notes that the database warned.
const warned = "twinplatform.warned"

// noteWarning notes the only sign of such a commit, a warning that has no code of its own.
func noteWarning(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.Code == "01000" {
		c.CustomData()[warned] = true
	}
}

// endFrozen ends stalled sessions, again and again, until ctx is done.
func (s *store) endFrozen(ctx context.Context, every time.Duration) {
	for !s.blind.Load() && ctx.Err() == nil {
		s.endFrozenOnce(ctx)
		timer := time.NewTimer(every)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// endFrozenOnce ends the sessions that wait for the rest of what their process says for
// longer than any process keeps a commit waiting, while others wait for them.
func (s *store) endFrozenOnce(ctx context.Context) {
	c, err := s.acquire(ctx)
	if err != nil {
		return // it is tried again
	}
	defer c.release()
	longest := s.options.Patience + s.options.Patience/5
	err = c.run(ctx, call{
		statement: s.sql.free,
		args:      [][]byte{int8Param(int(longest.Milliseconds())), []byte(s.sql.schema)}, row: func(v [][]byte) {
			s.ended.Add(1)
			s.options.Logger.WarnContext(ctx, "postgres: a process stalled in a commit; its session was ended",
				"backend", binary.BigEndian.Uint64(v[0]), "longerThan", longest)
		},
	})
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && !fatal(refused) && refused.Code[:2] == "42" {
		s.blind.Store(true) // the database does not know who waits for whom
	}
}
