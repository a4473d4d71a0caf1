package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// transaction is one of the database. It begins with the first journey, if there is one.
type transaction struct {
	store    *store
	ctx      context.Context
	begin    *statement
	conn     *conn       // nil until it has begun
	history  string      // that it is assumed to be in, and is once it has begun
	asked    atomic.Bool // the history was read
	first    []call      // what is sent before the snapshot is taken
	replica  *replica    // that it is to read; nil: the database
	answered bool        // the first journey has succeeded
}

var _ engine.Line = (*transaction)(nil)

func (s *store) transaction(ctx context.Context, begin *statement) *transaction {
	return &transaction{store: s, ctx: ctx, begin: begin, history: *s.history.Load()}
}

// fence is what every Update reads as it begins.
type fence struct {
	key   string
	holds func(value []byte) error
}

// Fence implements storage.Fenced.
func (s *store) Fence(key string, holds func(value []byte) error) { s.fence.Store(&fence{key, holds}) }

// read makes a journey, the first of which begins the transaction.
func (t *transaction) read(calls ...call) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if t.conn != nil {
		return breakage(t.conn.journey(t.ctx, calls...))
	}
	if t.replica != nil {
		if done, err := t.readReplica(calls); done {
			return err
		}
		t.replica = nil
		t.end()
	}
	c, err := t.store.acquire(t.ctx)
	if err != nil {
		return breakage(err)
	}
	return t.start(t.ctx, c, calls, nil)
}

// readReplica makes the first journey to a replica. It reports false where that is behind or
// does not answer, and has read nothing: the database can be asked instead.
func (t *transaction) readReplica(calls []call) (done bool, err error) {
	wanted, err := t.replica.ends.now(t.ctx)
	if t.ctx.Err() != nil {
		return true, t.ctx.Err()
	}
	var l look
	if err == nil {
		err = t.lookAt(&l, wanted, calls)
	}
	if err == nil || l.heeded || t.ctx.Err() != nil || errors.Is(err, errMoved) {
		return true, err
	}
	t.replica.leaves(err)
	return false, nil
}

// lookAt begins the transaction at the replica, and makes calls where that has replayed what
// is wanted.
func (t *transaction) lookAt(l *look, wanted logEnd, calls []call) error {
	c, err := t.replica.acquire(t.ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.store.options.Patience/5)
	defer cancel()
	l.wanted, l.err = wanted, errNoReplica
	return t.start(ctx, c, l.guard(calls), l)
}

// look is what a replica says of itself before the snapshot is taken.
type look struct {
	wanted logEnd
	err    error // nil once it has replayed what is wanted
	heeded bool  // it has shown something
}

// call is the statement that asks for it.
func (l *look) call(s *statements) call {
	return call{statement: s.replayed, alone: true, row: func(v [][]byte) { l.err = logEndOf(v).covers(l.wanted) }}
}

// guard returns calls that receive nothing of a replica that is behind.
func (l *look) guard(calls []call) []call {
	guarded := slices.Clone(calls)
	for i, c := range calls {
		guarded[i].row = func(v [][]byte) {
			if l.err == nil && c.row != nil {
				l.heeded = true
				c.row(v)
			}
		}
		if c.stored == nil {
			continue
		}
		guarded[i].stored = func(v [][]byte) error {
			if l.err != nil {
				return nil
			}
			l.heeded = true
			return c.stored(v)
		}
	}
	return guarded
}

// start makes the first journey by a connection; l is nil for one to the database.
func (t *transaction) start(ctx context.Context, c *conn, calls []call, l *look) error {
	t.conn = c
	begin := make([]call, 0, 4+len(t.first)+len(calls))
	if l != nil {
		begin = append(begin, l.call(t.store.sql))
	}
	begin = append(append(begin, call{statement: t.begin}), t.first...)
	if t.store.options.Pooler && t.store.tuned {
		begin = append(begin, call{statement: t.store.sql.tune})
	}
	history := ""
	begin = append(begin, t.store.sql.getCall(storage.HistoryKey, func(v [][]byte) { history = string(v[0]) }))
	fence := t.store.fence.Load()
	if t.begin != t.store.sql.update {
		fence = nil
	}
	var fenced []byte
	if fence != nil {
		begin = append(begin, t.store.sql.getCall(fence.key, func(v [][]byte) { fenced = v[0] }))
	}
	if err := c.journey(ctx, append(begin, calls...)...); err != nil {
		return breakage(err)
	}
	if l != nil && l.err != nil {
		return l.err
	}
	t.answered = true
	if fence != nil {
		if err := fence.holds(fenced); err != nil {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
	}
	if history != t.history {
		t.store.history.Store(&history)
		if t.asked.Load() {
			return errMoved
		}
		t.history = history
	}
	return nil
}

// historyName names the history.
func (t *transaction) historyName() string {
	t.asked.Store(true)
	return t.history
}

// verify checks a history that was read.
func (t *transaction) verify() error {
	if t.conn != nil || !t.asked.Load() {
		return nil
	}
	return t.read()
}

// end gives up what was not committed. Nothing waits for it.
func (t *transaction) end() {
	c := t.conn
	if c == nil {
		return
	}
	t.conn = nil
	if c.pg.IsClosed() || c.pg.TxStatus() == 'I' {
		c.release()
		return
	}
	t.store.background.Go(func() {
		defer c.release()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = c.run(ctx, call{statement: t.store.sql.rollback}) // or the connection is given up
	})
}
