package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// errMoved reports that a transaction began in another history than it reported.
var errMoved = errors.New("postgres: the history is another one")

// errBusy reports that transactions wait for one another and hold every connection.
var errBusy = fmt.Errorf("%w: every connection is held by a transaction that waits", storage.ErrUnavailable)

// errNoConnection reports that the database takes no connection in time.
var errNoConnection = errors.New("postgres: the database takes no connection")

// fault is what is to be done about an error.
type fault int

const (
	final fault = iota // return it
	raced              // run the function again
	lost               // run the function again, unless it takes too long
	moved              // run the function again at once
)

// faultOf sorts an error of a transaction of which nothing was written.
func faultOf(ctx context.Context, err error) fault {
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, storage.ErrUnknown):
		return final
	case errors.Is(err, errMoved):
		return moved
	case !errors.As(err, new(*broken)):
		return final // an error of the function
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case !ok:
		return lost
	case contended(pg):
		return raced
	case fatal(pg):
		return lost
	}
	for _, class := range []string{"08", "40", "53", "57", "58", "25006"} {
		if strings.HasPrefix(pg.Code, class) {
			return lost
		}
	}
	return final
}

// fatal reports whether the database ends the session with an error.
func fatal(err *pgconn.PgError) bool {
	severity := err.SeverityUnlocalized
	if severity == "" {
		severity = err.Severity
	}
	return severity == "FATAL" || severity == "PANIC"
}

// definite reports whether an error of a commit says that nothing was written.
func definite(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && !fatal(pg) && !strings.HasPrefix(pg.Code, "08") && pg.Code != "40003"
}

// broken is an error of the database or of the way to it.
type broken struct{ err error }

// Error implements error.
func (b *broken) Error() string { return "postgres: " + b.err.Error() }

// Unwrap returns the error of the driver.
func (b *broken) Unwrap() error { return b.err }

// breakage marks an error as one of the database.
func breakage(err error) error {
	if err == nil || errors.Is(err, storage.ErrUnavailable) {
		return err
	}
	return &broken{err}
}

// retries decides how often and how soon a function runs again.
type retries struct {
	patience time.Duration
	races    int
	losses   int
	attempt  time.Time // the beginning of the one under way
	since    time.Time // the first loss, or the beginning of the journey that broke
}

// retries starts the account of attempts for a call that begins now.
func (s *store) retries() retries { return retries{patience: s.options.Patience, attempt: time.Now()} }

// again waits for the moment at which to run a function again that has failed, and
// returns nil then. Otherwise it returns the error of the call.
func (r *retries) again(ctx context.Context, err error) error {
	pause := time.Duration(0)
	switch faultOf(ctx, err) {
	case final:
		if ctx.Err() != nil && errors.As(err, new(*broken)) && !errors.Is(err, storage.ErrUnknown) {
			return ctx.Err()
		}
		return err
	case moved:
		r.attempt = time.Now()
		return nil
	case raced:
		pause = rand.N(time.Millisecond << min(r.races, 7)) //nolint:gosec // chance, not secrecy
		r.races++
	case lost:
		if r.losses == 0 { // what the function did before the journey that broke does not count
			r.since = time.Now().Add(-min(time.Since(r.attempt), journeyOf(r.patience)))
		}
		if time.Since(r.since) > r.patience {
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
		}
		pause = rand.N(2*time.Millisecond<<min(r.losses, 7)) + time.Millisecond //nolint:gosec // chance, not secrecy
		r.losses++
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		r.attempt = time.Now()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
