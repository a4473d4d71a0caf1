package postgres

import (
	"log/slog"
	"time"
)

// Options are how a database is used. The zero value is ready.
type Options struct {
	// Schema is the schema of the tables. It is made where it is missing; stores with
	// other schemas of the same database know nothing of each other. "" means
	// twinplatform.
	Schema string

	// MaxConns is the number of connections that are kept at most. 0 means what the
	// address says as pool_max_conns, or the number of processors, and 4 at least.
	MaxConns int32

	// Pooler reports that a pooler listens at the address which hands a connection on after
	// each transaction, such as PgBouncer in transaction mode.
	Pooler bool

	// Listen is an address of the same database past such a pooler, for the one connection by
	// which processes notify one another, see storage.Watcher. "" means the address itself, or
	// that there are no notices where Pooler is set.
	Listen string

	// Replica is the address of a standby of the same database that answers Views, as long as
	// it has replayed all that was acknowledged, by whatever process, before the View began. The
	// database answers what the replica cannot. It has a pool of its own, of MaxConns or as
	// its address says. Nothing is promised less; but synchronous_commit must not be off at the
	// database. "" is none.
	Replica string

	// Patience is for how long an unreachable database is tried again, before a call
	// fails with storage.ErrUnavailable. When it was lost in a commit, what came of that is asked for as
	// long, also past the end of the call's context, and for four times as long while the context
	// lasts, before the call fails with storage.ErrUnknown. A connection that does not answer for
	// half of it counts as broken, so that there is time for another. 0 means 5 seconds.
	Patience time.Duration

	// Startup is for how long Open waits for a database that is starting, ending, recovering or
	// a standby which is not promoted yet; it logs that every ten seconds. It does not wait for
	// one that cannot be reached at all. 0 means a minute; less than 0 is not at all.
	Startup time.Duration

	// Logger logs connections outside the pool and commits that had to be asked for. nil
	// means [slog.Default].
	Logger *slog.Logger
}

// defaultSchema is the schema of the tables unless the options name one.
const defaultSchema = "twinplatform"

// withDefaults returns a copy with every option set but MaxConns.
func (o Options) withDefaults() Options {
	if o.Schema == "" {
		o.Schema = defaultSchema
	}
	if o.Patience <= 0 {
		o.Patience = 5 * time.Second
	}
	if o.Startup == 0 {
		o.Startup = time.Minute
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}
