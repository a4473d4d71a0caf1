package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// conn is a connection in use.
type conn struct {
	store   *store
	pg      *pgconn.PgConn
	pooled  *pgxpool.Conn // nil: extra is set
	extra   *pgx.Conn     // outside the pool
	replica bool          // it leads to the replica
}

// call is a statement with its arguments, and what becomes of its rows, whose values are
// gone after the call.
type call struct {
	*statement
	args [][]byte
	row  func(values [][]byte)
	// value reports that the last column is the value of a record, or null where there is none.
	// The call gets it as it was put, and may keep it.
	value bool
	// stored gets the rows in the place of row, with values as they are stored, and decodes them.
	stored func(values [][]byte) error
	// alone reports that the statement is a transaction of its own, before that of the others.
	alone bool
}

// binaryFormat is the format of all parameters and results.
var binaryFormat = []int16{1}

// run sends calls in one journey. The first that fails is the last that is done.
func (c *conn) run(ctx context.Context, calls ...call) error {
	p := c.pg.StartPipeline(ctx)
	for _, call := range calls {
		if c.store.options.Pooler || call.name == "" {
			p.SendQueryParams(call.sql, call.args, call.params, binaryFormat, binaryFormat)
		} else {
			p.SendQueryPrepared(call.name, call.args, binaryFormat, binaryFormat)
		}
		if call.alone {
			p.SendPipelineSync()
		}
	}
	err := p.Sync()
	for i := 0; i < len(calls) && err == nil; i++ {
		err = receive(p, calls[i])
		if calls[i].alone && err == nil {
			_, err = p.GetResults()
		}
	}
	return errors.Join(err, p.Close())
}

// journeyOf is how long a connection may take to answer, of the patience of a call: so that
// there is time for another one.
func journeyOf(patience time.Duration) time.Duration { return patience / 2 }

// journey is run for calls that wait for no other transaction: a connection that does not
// answer in time counts as broken.
func (c *conn) journey(ctx context.Context, calls ...call) error {
	ctx, cancel := context.WithTimeout(ctx, journeyOf(c.store.options.Patience))
	defer cancel()
	return c.run(ctx, calls...)
}

// take takes a row.
func (c call) take(values [][]byte) (err error) {
	if c.stored != nil {
		return c.stored(values)
	}
	if n := len(values) - 1; c.value && values[n] != nil {
		if values[n], err = decode(values[n]); err != nil {
			return err
		}
	}
	if c.row != nil {
		c.row(values)
	}
	return nil
}

// receive reads what one call has answered.
func receive(p *pgconn.Pipeline, call call) error {
	results, err := p.GetResults()
	if err != nil {
		return err
	}
	rows, ok := results.(*pgconn.ResultReader)
	if !ok {
		return fmt.Errorf("postgres: an answer of type %T", results)
	}
	var damage error
	for rows.NextRow() {
		values := rows.Values()
		if err := call.take(values); err != nil {
			damage = err
		}
	}
	if _, err = rows.Close(); err == nil {
		err = damage
	}
	return err
}

// release gives the connection back, or up when it is broken or within a transaction.
func (c *conn) release() {
	if !c.replica {
		c.store.returned.Add(1)
	}
	if c.pooled != nil && c.pg.IsClosed() {
		c.pooled.Hijack() // its place in the pool does not wait until the other side has closed it, too
		return
	}
	if c.pooled != nil {
		c.pooled.Release() // which closes one that is not idle
		return
	}
	<-c.store.extras
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.extra.Close(ctx) // it is not needed any more
}

// prepare makes a session ready.
func (s *store) prepare(ctx context.Context, c *pgconn.PgConn) error {
	if s.options.Pooler {
		return nil
	}
	settings := s.kept
	if s.tuned {
		settings += "; set enable_seqscan = off"
	}
	if settings != "" {
		if _, err := c.Exec(ctx, strings.TrimPrefix(settings, "; ")).ReadAll(); err != nil {
			return err
		}
	}
	p := c.StartPipeline(ctx)
	for _, st := range s.sql.all {
		p.SendPrepare(st.name, st.sql, st.params)
	}
	return errors.Join(p.Sync(), p.Close())
}

// stuck is for how long no connection has to come back until one is made outside the pool.
const stuck = time.Second / 4

// acquire returns a connection that the caller releases.
func (s *store) acquire(ctx context.Context) (*conn, error) {
	since := time.Now()
	for {
		returned := s.returned.Load()
		waiting, cancel := context.WithTimeout(ctx, stuck)
		pooled, err := s.pool.Acquire(waiting)
		late := waiting.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			return &conn{store: s, pg: pooled.Conn().PgConn(), pooled: pooled}, nil
		case !late:
			return nil, err
		case s.returned.Load() != returned:
			since = time.Now() // a transaction proceeds
			continue
		case s.pool.Stat().AcquiredConns() < s.pool.Config().MaxConns:
			if time.Since(since) > journeyOf(s.options.Patience) {
				return nil, s.reconnect.failed()
			}
			continue // the database is slow to take a connection
		}
		c, err := s.connectExtra(ctx)
		if !errors.Is(err, errBusy) || time.Since(since) > s.options.Patience {
			return c, err
		}
		// Those that hold them may be slow, and not wait for one another.
	}
}

// connectExtra makes a connection outside the pool, all of whose connections are held by
// transactions that wait. It fails with errBusy where there are as many already as may be.
func (s *store) connectExtra(ctx context.Context) (*conn, error) {
	select {
	case s.extras <- struct{}{}:
	default:
		return nil, errBusy
	}
	s.options.Logger.WarnContext(ctx, "postgres: all connections are in use; one is opened outside the pool", "pool",
		s.pool.Config().MaxConns)
	ctx, cancel := context.WithTimeout(ctx, s.options.Patience)
	defer cancel()
	extra, err := s.connect(ctx)
	if err != nil {
		<-s.extras
		return nil, err
	}
	return &conn{store: s, pg: extra.PgConn(), extra: extra}, nil
}

// connect makes a connection that is ready, when one may be made.
func (s *store) connect(ctx context.Context) (*pgx.Conn, error) {
	config := s.pool.Config().ConnConfig
	if err := s.reconnect.wait(ctx, config); err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config)
}
