package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// replica is a standby of the database that answers Views. Each View begins with two looks:
// how far the log of the database is flushed, and then, before the snapshot of the standby is
// taken, how far the standby has replayed it. What any process acknowledged before the View
// began lies before the first of these, so that a standby which is as far shows all of it.
// One that is not, or does not answer, leaves the View to the database.
type replica struct {
	store *store
	pool  *pgxpool.Pool
	ends  logEnds

	mu     sync.Mutex // guards the fields below
	failed int        // how often in a row
	until  time.Time  // it is not asked
	broken bool       // and that was logged

	views, passed atomic.Int64 // Views that it has answered, and that it left to the database
}

const (
	// replicaPause is how long a replica that was behind is not asked, doubled each time up to
	// mostBehind, and up to mostBroken for one that does not answer.
	replicaPause = time.Millisecond
	mostBehind   = 250 * time.Millisecond
	mostBroken   = 5 * time.Second
)

var (
	// errBehind reports that a replica has not replayed what the caller may have seen.
	errBehind = errors.New("postgres: the replica is behind")
	// errNoReplica reports a server that is no standby of this database.
	errNoReplica = errors.New("postgres: the server is no standby of this database, or follows another timeline")
)

// parseReplica returns how to connect to the replica; nil where there is none.
func parseReplica(options Options) (*pgxpool.Config, error) {
	if options.Replica == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	config, err := pgxpool.ParseConfig(options.Replica)
	if err != nil {
		return nil, err // which names no password
	}
	config.ConnConfig.ValidateConnect = nil // it is read-only
	if options.MaxConns > 0 {
		config.MaxConns = options.MaxConns
	}
	return config, nil
}

// openReplica begins to use a replica, if there is one. That it cannot be reached is no error.
func (s *store) openReplica(ctx context.Context, config *pgxpool.Config) (err error) {
	if config == nil {
		return nil
	}
	database := s.pool.Config()
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = database.ConnConfig.ConnectTimeout
	}
	config.ConnConfig.AfterConnect, config.ShouldPing = database.ConnConfig.AfterConnect, database.ShouldPing
	s.replica = &replica{store: s, ends: logEnds{store: s}}
	s.replica.pool, err = pgxpool.NewWithConfig(ctx, config)
	return err
}

func (r *replica) close() {
	if r != nil {
		r.pool.Close()
	}
}

// view runs fn once over the replica. It reports false when the database has to.
func (r *replica) view(ctx context.Context, fn func(storage.Reader) error) (done bool, err error) {
	if r == nil || !r.asks() {
		return false, nil
	}
	t := r.store.transaction(ctx, r.store.sql.view)
	t.replica = r
	err = r.store.look(t, fn)
	switch {
	case t.replica == nil, errors.Is(err, errMoved): // the database was asked in its place
		return faultOf(ctx, err) == final, err
	case faultOf(ctx, err) != final:
		r.leaves(err)
		return false, nil
	case t.answered:
		r.views.Add(1)
		r.note(nil, 0)
	}
	return true, err
}

// asks reports whether the replica is to be asked now.
func (r *replica) asks() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !time.Now().Before(r.until)
}

// leaves notes that the database answers a View, and why.
func (r *replica) leaves(err error) {
	r.passed.Add(1)
	most := mostBroken
	if errors.Is(err, errBehind) {
		most = mostBehind
	}
	r.note(err, most)
}

// note notes what came of asking it.
func (r *replica) note(err error, most time.Duration) {
	log := r.store.options.Logger
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		if r.broken {
			log.Info("postgres: the replica answers reads again")
		}
		r.failed, r.broken = 0, false
		return
	}
	r.until = time.Now().Add(min(most, replicaPause<<min(r.failed, 20)))
	r.failed++
	if most == mostBroken && !r.broken {
		r.broken = true
		log.Warn("postgres: the replica cannot be read; the database answers instead", "cause", err)
	}
}

// acquire returns a connection to the replica.
func (r *replica) acquire(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, stuck)
	defer cancel()
	pooled, err := r.pool.Acquire(ctx)
	if err != nil && r.pool.Stat().AcquiredConns() == r.pool.Config().MaxConns {
		return nil, errBehind // with other Views
	}
	if err != nil {
		return nil, breakage(err)
	}
	return &conn{store: r.store, pg: pooled.Conn().PgConn(), pooled: pooled, replica: true}, nil
}

// logEnd is a place in the log of a database: its timeline, which begins with a promotion,
// and the byte.
type logEnd struct {
	system, timeline, at uint64
}

// covers reports whether who has replayed up to here has replayed other too.
func (e logEnd) covers(other logEnd) error {
	switch {
	case e.system != other.system || e.timeline != other.timeline:
		return errNoReplica
	case e.at < other.at:
		return errBehind
	}
	return nil
}

// logEndOf reads the end of the write-ahead log from a row: system, timeline and place. A
// null field stays 0.
func logEndOf(v [][]byte) (e logEnd) {
	for i, field := range []*uint64{&e.system, &e.timeline, &e.at} {
		if len(v[i]) == 8 { // it is not null
			*field = binary.BigEndian.Uint64(v[i])
		}
	}
	return e
}

// logEnds asks the database for the end of its log, once for all who want to know at the same
// time.
type logEnds struct {
	store *store

	mu   sync.Mutex // guards the fields below
	next *logRound  // that has not been asked yet
	asks bool       // a goroutine is asking
}

// logRound is one question for several.
type logRound struct {
	done chan struct{} // closed when the fields below are set
	end  logEnd
	err  error
}

// now returns an end of the log that is no earlier than this call.
func (l *logEnds) now(ctx context.Context) (logEnd, error) {
	l.mu.Lock()
	if l.next == nil {
		l.next = &logRound{done: make(chan struct{})}
	}
	round := l.next
	if !l.asks {
		l.asks = true
		l.store.background.Go(l.ask)
	}
	l.mu.Unlock()
	select {
	case <-round.done:
		return round.end, round.err
	case <-ctx.Done():
		return logEnd{}, ctx.Err()
	}
}

// ask asks round after round while there are any. Who comes while one is under way is of the
// next.
func (l *logEnds) ask() {
	for {
		l.mu.Lock()
		round := l.next
		if l.next = nil; round == nil {
			l.asks = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		round.end, round.err = l.read()
		close(round.done)
	}
}

// read asks the database.
func (l *logEnds) read() (end logEnd, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.store.options.Patience)
	defer cancel()
	c, err := l.store.acquire(ctx)
	if err != nil {
		return end, breakage(err)
	}
	defer c.release()
	if err = c.journey(ctx, call{
		statement: l.store.sql.flushed,
		row:       func(v [][]byte) { end = logEndOf(v) },
	}); err == nil && end.at == 0 {
		err = fmt.Errorf("%w: the database does not say where its log ends", errNoReplica)
	}
	return end, breakage(err)
}
