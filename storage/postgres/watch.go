package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform/storage"
)

var _ storage.Watcher = (*store)(nil)

// The database takes notices of less than 8,000 bytes.
const noticeBytes = 7000

const (
	// listens is for how long a connection is listened to before it is checked
	// that it is there.
	listens = 20 * time.Second
	// firstPause and longestPause bound the pause before a lost connection is made again.
	firstPause   = 50 * time.Millisecond
	longestPause = 5 * time.Second
	// mostTopics is how many wait to be sent before they are no longer counted: then
	// all who watch anything are woken.
	mostTopics = 500
)

// watches are the watchers of topics, notified by one connection that listens. It is made
// for the first of them or the first notice, and is not of the pool. It sends the notices
// too: they would serialize commits if they were sent in them.
type watches struct {
	store   *store
	config  *pgx.ConnConfig
	origin  string // of this store's own notices
	channel string
	ctx     context.Context // of the connection
	stop    context.CancelFunc

	mu      sync.Mutex
	all     map[*watch]struct{}
	pending map[string]struct{} // topics that were not sent yet
	begun   bool
	mute    bool // the database knows no notices
	ended   bool
	rouse   context.CancelFunc // ends the listening, so that pending is sent
}

// watch is one watcher.
type watch struct {
	topics []string
	tokens chan struct{}
}

func newWatches(s *store, config *pgx.ConnConfig) (*watches, error) {
	if s.options.Listen != "" {
		past, err := pgxpool.ParseConfig(s.options.Listen) // which knows what only pools take
		if err != nil {
			return nil, err // which names no password
		}
		config = past.ConnConfig
	}
	w := &watches{
		store: s, config: config.Copy(), all: make(map[*watch]struct{}), pending: make(map[string]struct{}),
		rouse: func() {},
	}
	w.config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	w.mute = s.options.Pooler && s.options.Listen == "" // no one can listen to its connections
	w.origin = fmt.Sprintf("%x", s.ledger.name)
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.options.Schema)) // never fails
	w.channel = fmt.Sprintf("twinplatform_%x", h.Sum64())
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w, nil
}

// Watch implements storage.Watcher.
func (s *store) Watch(ctx context.Context, topics ...string) <-chan struct{} {
	w := s.watches
	one := &watch{topics, make(chan struct{}, 1)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.all[one] = struct{}{}
		w.begin()
		context.AfterFunc(ctx, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.all, one)
		})
	}
	return one.tokens
}

// Notify implements storage.Watcher.
func (s *store) Notify(topics ...string) {
	w := s.watches
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.wake(topics)
	if w.mute {
		return
	}
	for _, topic := range topics {
		if len(w.pending) < mostTopics {
			w.pending[topic] = struct{}{}
		}
	}
	w.begin()
	w.rouse()
}

// wake gives tokens to those who watch one of the topics. It is called with mu held.
func (w *watches) wake(topics []string) {
	for one := range w.all {
		if slices.ContainsFunc(one.topics, func(topic string) bool { return slices.Contains(topics, topic) }) {
			one.wake()
		}
	}
}

func (one *watch) wake() {
	select {
	case one.tokens <- struct{}{}:
	default:
	}
}

// wakeAll is for when it is unknown what was missed.
func (w *watches) wakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.all {
		one.wake()
	}
}

// begin makes the connection, once. It is called with mu held.
func (w *watches) begin() {
	if !w.begun && !w.mute {
		w.begun = true
		w.store.background.Go(w.run)
	}
}

// close ends all.
func (w *watches) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	clear(w.all)
	w.stop()
}

// run keeps a connection until the store is closed, or the database knows no notices.
func (w *watches) run() {
	for pause := firstPause; w.ctx.Err() == nil; pause = min(2*pause, longestPause) {
		began := time.Now()
		err := w.listen()
		if unknownThere(err) {
			w.store.options.Logger.Info("postgres: the database has no notifications: changes of other processes are "+
				"polled", "cause", err)
			w.mu.Lock()
			w.mute = true
			clear(w.pending)
			w.mu.Unlock()
			return
		}
		if time.Since(began) > longestPause {
			pause = firstPause
		}
		select {
		case <-w.ctx.Done():
		case <-time.After(pause):
		}
	}
}

// unknownThere reports whether an error says that a database has not what was asked for:
// no such feature, statement or function.
func unknownThere(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "0A000" || pg.Code == "42601" || pg.Code == "42883")
}

// listen makes a connection, and listens and sends until it is lost.
func (w *watches) listen() error {
	ctx, cancel := context.WithTimeout(w.ctx, w.store.options.Patience)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = c.Close(ctx) // it is lost, or not needed any more
	}()
	if err := w.exec(c, "listen "+w.channel); err != nil {
		return err
	}
	w.wakeAll() // which had no notices until now
	for err == nil {
		if err = w.send(c); err == nil {
			err = w.await(c)
		}
	}
	return err
}

// await returns after a notice, when there is one to send, or when it is time to see
// whether the connection is there.
func (w *watches) await(c *pgx.Conn) error {
	ctx, rouse := context.WithTimeout(w.ctx, listens)
	defer rouse()
	w.mu.Lock()
	w.rouse = rouse
	waiting := len(w.pending) > 0
	w.mu.Unlock()
	if waiting {
		return nil
	}
	notice, err := c.WaitForNotification(ctx)
	if err == nil {
		w.receive(notice.Payload)
		return nil
	}
	if ctx.Err() == nil || c.IsClosed() || w.ctx.Err() != nil {
		return err
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return w.exec(c, "select 1")
	}
	return nil
}

// receive wakes those whom a notice from another process is for.
func (w *watches) receive(payload string) {
	origin, topics, _ := strings.Cut(payload, "\n")
	if origin == w.origin {
		return // they know
	}
	if topics == "" {
		w.wakeAll()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wake(strings.Split(topics, "\n"))
}

// send notifies the others of all pending topics at once or, where those are too many,
// that there is something. What does not get there is sent by the next connection.
func (w *watches) send(c *pgx.Conn) error {
	w.mu.Lock()
	topics := slices.Collect(maps.Keys(w.pending))
	clear(w.pending)
	w.mu.Unlock()
	if len(topics) == 0 {
		return nil
	}
	payload := w.origin + "\n" + strings.Join(topics, "\n")
	if len(topics) == mostTopics || len(payload) > noticeBytes {
		payload = w.origin
	}
	err := w.exec(c, "select pg_notify($1, $2)", w.channel, payload)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, topic := range topics {
			w.pending[topic] = struct{}{}
		}
	}
	return err
}

func (w *watches) exec(c *pgx.Conn, sql string, arguments ...any) error {
	ctx, cancel := context.WithTimeout(w.ctx, w.store.options.Patience)
	defer cancel()
	_, err := c.Exec(ctx, sql, arguments...)
	return err
}
