package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// prover makes sure that a server which says it is the primary of several is it: one that was
// suspended while another took its place says so too, until its manager notices, and
// shows records as they were. But no standby confirms its commits any more.
type prover struct {
	validate pgconn.ValidateConnectFunc // that which the address asks for
	idle     time.Duration              // after which a connection is in doubt again
}

// prove makes connections by a configuration begin with a commit, where its address asks for
// a server that takes writes.
func prove(config *pgxpool.Config, idle time.Duration) {
	// A connection that broke meanwhile is noticed by the first journey, which is made again.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	if config.ConnConfig.ValidateConnect == nil {
		return
	}
	p := &prover{validate: config.ConnConfig.ValidateConnect, idle: idle}
	config.ConnConfig.ValidateConnect = p.connected
	config.ShouldPing = p.doubted
}

// connected makes sure that a new connection leads to the primary.
func (p *prover) connected(ctx context.Context, c *pgconn.PgConn) error {
	if err := p.validate(ctx, c); err != nil {
		return err
	}
	return p.commit(ctx, c)
}

// doubted makes sure of it for a connection that was not used for long enough that its server
// may have been suspended and replaced. It is closed if that fails, so that its ping fails too.
func (p *prover) doubted(ctx context.Context, params pgxpool.ShouldPingParams) bool {
	if params.IdleDuration < p.idle {
		return false
	}
	if err := p.commit(ctx, params.Conn.PgConn()); err != nil {
		_ = params.Conn.Close(ctx) // it is of no use
		return true
	}
	return false
}

// errNoPrimary reports a server whose commits wait for no standby, as none has confirmed this one.
var errNoPrimary = errors.New("postgres: no standby confirms that the server is the primary")

// commit commits something that is no record, and that standbys have to confirm.
func (p *prover) commit(ctx context.Context, c *pgconn.PgConn) error {
	delete(c.CustomData(), warned)
	_, err := c.Exec(ctx, "select pg_logical_emit_message(true, 'twinplatform', '')").ReadAll()
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && !fatal(refused) &&
		strings.HasPrefix(refused.Code, "42") {
		return nil // the database does not know what that is
	}
	if err == nil && c.CustomData()[warned] != nil {
		return errNoPrimary
	}
	return err
}
