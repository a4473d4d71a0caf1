package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// reconnect decides when connections are made. As long as the database takes them, that is at once. After an
// attempt that failed, or is slow, the database is in doubt: then one goroutine makes attempts, however many
// calls wait, and all others wait for what comes of them. So a database that is back finds one
// node with a few attempts and not as many as were given up, and a way that loses what was sent does
// not hold up those who could go by it now.
//
// It is the tracer of connections, since that sees the beginning and the end of each attempt.
type reconnect struct {
	store *store
	dial  pgconn.DialFunc // of the driver
	slow  time.Duration   // after which an attempt puts the database in doubt

	mu       sync.Mutex // guards the fields below
	attempts map[*attempt]struct{}
	doubt    chan struct{} // closed when the database has taken a connection; nil: there is no doubt
	cause    error         // why the last attempt failed
}

// attempt is a connection that is being made.
type attempt struct {
	began  time.Time
	cancel context.CancelFunc
	late   *time.Timer // that puts the database in doubt
}

const (
	// slowAttempt is after how long a connection that is being made puts the database in doubt, at most.
	slowAttempt = time.Second / 2
	// shortestRetry and longestRetry bound the mean time between two attempts while it is in doubt.
	shortestRetry = 20 * time.Millisecond
	longestRetry  = 2 * time.Second / 5
	// mostAttempts is how many are under way then at most. The next one takes the place of the oldest,
	// which has had as long as a busy database may take: see connectTimeout.
	mostAttempts = int(connectTimeout / longestRetry)
)

var _ pgx.ConnectTracer = (*reconnect)(nil)

// errDoubted reports that a statement is not cancelled, at a database which may not answer.
var errDoubted = errors.New("postgres: the database is in doubt")

// newReconnect makes connections by a configuration heed it.
func newReconnect(s *store, config *pgx.ConnConfig) *reconnect {
	r := &reconnect{store: s, dial: config.DialFunc, attempts: make(map[*attempt]struct{})}
	r.slow = min(slowAttempt, s.options.Patience/5)
	timeout := config.ConnectTimeout
	config.AfterConnect = func(ctx context.Context, c *pgconn.PgConn) error {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		return s.prepare(ctx, c)
	}
	config.Tracer, config.DialFunc = r, r.dialed
	return r
}

type attemptKey struct{}

// TraceConnectStart implements pgx.ConnectTracer.
func (r *reconnect) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	a := &attempt{began: time.Now()}
	ctx, a.cancel = context.WithCancel(context.WithValue(ctx, attemptKey{}, a)) //nolint:gosec // called at its end
	a.late = time.AfterFunc(r.slow, func() { r.suspect(nil) })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts[a] = struct{}{}
	return ctx
}

// TraceConnectEnd implements pgx.ConnectTracer.
func (r *reconnect) TraceConnectEnd(ctx context.Context, data pgx.TraceConnectEndData) {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	a.late.Stop()
	givenUp := errors.Is(ctx.Err(), context.Canceled)
	a.cancel()
	r.mu.Lock()
	delete(r.attempts, a)
	r.mu.Unlock()
	switch {
	case data.Err == nil:
		r.succeeded(a)
	case !givenUp:
		r.suspect(data.Err)
	}
}

// TraceQueryStart and TraceQueryEnd implement pgx.QueryTracer, which a tracer has to be.
func (r *reconnect) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd does nothing.
func (r *reconnect) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// dialed opens the way of an attempt, or of a request to cancel what runs on a connection that was given
// up. The latter would be one more for a database in doubt to take, and before those that are of use.
func (r *reconnect) dialed(ctx context.Context, network, address string) (net.Conn, error) {
	if ctx.Value(attemptKey{}) == nil && r.doubted() != nil {
		return nil, errDoubted
	}
	return r.dial(ctx, network, address)
}

// doubted returns what is closed once the database is not in doubt any more; nil if it is not.
func (r *reconnect) doubted() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.doubt
}

// wait returns when a connection may be made.
func (r *reconnect) wait(ctx context.Context, _ *pgx.ConnConfig) error {
	for over := r.doubted(); over != nil; over = r.doubted() {
		select {
		case <-over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// failed is why there is no connection.
func (r *reconnect) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.doubt == nil || r.cause == nil {
		return errNoConnection
	}
	return fmt.Errorf("%w: %w", errNoConnection, r.cause)
}

// suspect puts the database in doubt.
func (r *reconnect) suspect(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cause != nil {
		r.cause = cause
	}
	if r.doubt == nil && r.store.life.Err() == nil {
		r.doubt = make(chan struct{})
		r.store.background.Go(r.try)
	}
}

// succeeded ends the doubt, and gives up attempts that one which began much later has overtaken, as
// their messages are lost; and later also those that began before this one has succeeded.
func (r *reconnect) succeeded(a *attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.doubt == nil {
		return
	}
	close(r.doubt)
	r.doubt, r.cause = nil, nil
	r.giveUp(a.began.Add(-r.slow))
	now := time.Now()
	time.AfterFunc(2*r.slow, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.giveUp(now)
	})
}

// giveUp ends the attempts that began before a moment. It is called with mu held.
func (r *reconnect) giveUp(before time.Time) {
	for a := range r.attempts {
		if a.began.Before(before) {
			a.cancel()
			delete(r.attempts, a)
		}
	}
}

// try makes connections until there is one, or the store is closed.
func (r *reconnect) try() {
	over := r.doubted()
	all, end := context.WithCancel(r.store.life)
	var under sync.WaitGroup
	defer under.Wait()
	defer end()
	var cancels []context.CancelFunc // of those under way, and some that have failed
	for pause := shortestRetry; ; pause = min(2*pause, longestRetry) {
		ctx, cancel := context.WithCancel(all)
		if cancels = append(cancels, cancel); len(cancels) > mostAttempts {
			cancels[0]()
			cancels = cancels[1:]
		}
		under.Go(func() {
			defer cancel()
			if c, err := pgx.ConnectConfig(ctx, r.store.pool.Config().ConnConfig); err == nil {
				_ = c.Close(ctx) // those who wait make their own
			}
		})
		timer := time.NewTimer(pause/2 + rand.N(pause)) //nolint:gosec // chance, not secrecy
		select {
		case <-timer.C:
		case <-over:
			return
		case <-all.Done():
			return
		}
	}
}

// close ends the attempts of a store that is closed, and what is done for no call.
func (r *reconnect) close() {
	r.mu.Lock() // so that no attempts begin any more
	defer r.mu.Unlock()
	r.store.end()
}
