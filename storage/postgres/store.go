package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// store is a database that is in use.
type store struct {
	options       Options
	sql           *statements
	tuned         bool   // the database knows enable_seqscan
	kept          string // the settings of each session, as far as the database knows them
	lateral       bool   // and the joins that read many ranges in one statement
	classed       bool   // and locks of tables
	pool          *pgxpool.Pool
	reconnect     *reconnect // when its connections are made
	gate          *engine.Gate
	queue         queue
	heat          heat
	tables        classTables
	inLockClasses engine.Mutex // that half of the connections hold
	ledger        *ledger
	replica       *replica // nil: there is none
	watches       *watches

	fence                                    atomic.Pointer[fence]
	commits, broken, retried, unknown, ended atomic.Int64 // see Stats
	waits, waited                            atomic.Int64 // at hot keys, and for how many nanoseconds
	combined                                 atomic.Int64 // Updates that were committed together with others

	clock      atomic.Pointer[moment] // of the database
	timing     atomic.Bool            // it is being asked for its time
	timed      atomic.Bool            // it has said its time
	history    atomic.Pointer[string] // that was read last
	blind      atomic.Bool            // the database does not say who waits for whom
	returned   atomic.Int64           // connections that were given back
	extras     chan struct{}          // holds one for each connection outside the pool
	life       context.Context        //nolint:containedctx // of what is done for no call; done with Close
	end        context.CancelFunc     // of life
	background sync.WaitGroup
}

var _ interface {
	storage.Store
	storage.Historian
	storage.Measured
	storage.Fenced
} = (*store)(nil)

// Open opens the store that is kept at the address of a database, which is a URL or a row
// of keywords as libpq takes them; sslmode and its like say how the connection is
// secured. It makes the schema and its tables where they are missing. It waits for
// [Options.Startup] while the database is starting or recovering, and fails when it cannot be
// reached, or holds a schema of another version of this package: with storage.ErrUnreleased where that is from
// before the first release.
func Open(ctx context.Context, url string, options Options) (storage.Store, error) {
	options = options.withDefaults()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err) // which names no password
	}
	replica, err := parseReplica(options)
	if err != nil {
		return nil, fmt.Errorf("postgres: the replica: %w", err)
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = max(options.Patience, connectTimeout)
	}
	config.ConnConfig.OnNotice = noteWarning
	prove(config, options.Patience)
	if options.MaxConns > 0 {
		config.MaxConns = options.MaxConns
	}
	s := &store{
		options: options, gate: engine.NewGate(),
		extras:        make(chan struct{}, config.MaxConns),
		inLockClasses: make(engine.Mutex, max(1, config.MaxConns/2)),
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.history.Store(new(string))
	s.clock.Store(&moment{time.Now(), time.Now()}) // until the database was asked
	s.ledger = newLedger(s)
	if s.watches, err = newWatches(s, config.ConnConfig); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := s.migrate(ctx, config.ConnConfig); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	s.sql = newStatements(options.Schema, s.lateral)
	s.reconnect = newReconnect(s, config.ConnConfig)
	config.BeforeConnect = s.reconnect.wait
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := s.openReplica(ctx, replica); err != nil {
		s.pool.Close()
		return nil, fmt.Errorf("postgres: the replica: %w", err)
	}
	return s, nil
}

// connectTimeout is how long a busy database may take to begin a session. Calls do not wait
// as long: see acquire.
const connectTimeout = 5 * time.Second

// Close implements storage.Store.
func (s *store) Close() error {
	if !s.gate.Close() {
		return nil
	}
	s.reconnect.close()
	s.watches.close()
	s.ledger.close()
	s.background.Wait()
	s.pool.Close()
	s.replica.close()
	return nil
}

// reader and writer are what functions get.
type (
	reader struct {
		engine.RemoteReader
		t *transaction
	}
	writer struct {
		engine.RemoteWriter
		t *transaction
	}
)

// View implements storage.Store.
func (s *store) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if done, err := s.replica.view(ctx, fn); done {
		return err
	}
	for r := s.retries(); ; {
		err := s.look(s.transaction(ctx, s.sql.view), fn)
		if err == nil {
			return nil
		}
		s.count(ctx, err)
		if err := r.again(ctx, err); err != nil {
			return err
		}
	}
}

// look runs fn once, in a transaction that has not begun.
func (s *store) look(t *transaction, fn func(storage.Reader) error) error {
	defer t.end()
	r := &reader{RemoteReader: *engine.NewRemoteReader(t), t: t}
	defer r.End()
	if err := r.Outcome(fn(r)); err != nil {
		return err
	}
	return t.verify()
}

// Update implements storage.Store.
func (s *store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	key := storage.Contention(ctx)
	c := classes{store: s, key: key}
	defer c.end()
	inLine := false
	for r := s.retries(); ; {
		if !inLine && s.heat.of(key) {
			alone, err := s.join(ctx, key, fn)
			if !alone {
				return err
			}
			inLine = true
			began := time.Now()
			defer func() { s.over(key, 1, time.Since(began)) }()
			c.begin(ctx)
		}
		err := s.attempt(ctx, &c, fn)
		if err == nil {
			return nil
		}
		s.count(ctx, err)
		s.learn(key, err)
		if err := r.again(ctx, err); err != nil {
			return err
		}
	}
}

// attempt runs fn once and commits what it wrote, taking turns with other processes that
// are at the same key.
func (s *store) attempt(ctx context.Context, c *classes, fn func(storage.Writer) error) error {
	t := s.transaction(ctx, s.sql.update)
	c.lock(t)
	defer t.end()
	w := &writer{RemoteWriter: *engine.NewRemoteWriter(t), t: t}
	defer w.End()
	if err := w.Outcome(ctx, fn(w)); err != nil {
		return err
	}
	if w.Len() > 0 {
		return t.commit(w)
	}
	if err := t.verify(); err != nil || t.conn == nil {
		return err
	}
	// Nothing is lost with it, but what was read may prove to be out of order.
	return t.read(call{statement: s.sql.commit})
}

// History implements storage.Historian.
func (s *store) History(r storage.Reader) (string, error) {
	switch r := r.(type) {
	case *reader:
		return r.t.historyName(), nil
	case *writer:
		return r.t.historyName(), nil
	}
	return "", errors.New("postgres: the transaction is none of this store")
}
