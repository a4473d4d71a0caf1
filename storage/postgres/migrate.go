package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-933f9a09/twinplatform/storage"
)

const (
	// startupPause is between two looks at a database that is starting.
	startupPause = 250 * time.Millisecond
	// startupLog is how often it is logged that Open waits for it.
	startupLog = 10 * time.Second
	// migrateTimeout is how long the schema may take once the database takes sessions.
	migrateTimeout = time.Minute
)

// migrate makes the schema. It waits while the database is starting.
func (s *store) migrate(ctx context.Context, config *pgx.ConnConfig) error {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // leaves nothing in a session
	began := time.Now()
	var logged time.Time
	for {
		err := s.migrateOnce(ctx, config)
		if !starting(err) || time.Since(began) >= s.options.Startup {
			return err
		}
		if time.Since(logged) >= startupLog {
			logged = time.Now()
			s.options.Logger.WarnContext(ctx, "postgres: waiting for the database, which is starting or recovering",
				"waited", time.Since(began).Round(time.Second), "atMost", s.options.Startup, "cause", err)
		}
		timer := time.NewTimer(min(startupPause, s.options.Startup))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// starting reports whether an error says that the database will do what was asked for in a
// while: it starts or recovers what it had not written when it was killed, it ends, or it is
// a standby.
func starting(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return false
	}
	switch refused.Code {
	case "57P01", "57P02", "57P03", "25006":
		return true
	}
	return false
}

// migrateOnce makes the schema in a database that takes sessions.
func (s *store) migrateOnce(ctx context.Context, config *pgx.ConnConfig) error {
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = c.Close(ctx) // it is not needed any more
	}()
	err = s.prepareSchema(ctx, c)
	if err == nil {
		err = s.readTime(ctx, c)
	}
	return err
}

// prepareSchema makes the schema and finds out what the database knows.
func (s *store) prepareSchema(ctx context.Context, c *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, migrateTimeout)
	defer cancel()
	_, err := c.Exec(ctx, "set enable_seqscan = off")
	s.tuned = err == nil
	s.kept = ""
	for _, setting := range slices.Concat(keepalive, []string{quietRaces, planOnce}) {
		if _, err := c.Exec(ctx, "set "+setting); err == nil {
			s.kept += "; set " + setting
		}
	}
	// A process that opens at the same moment makes the same; who is second looks again.
	for range 5 {
		if err = s.makeSchema(ctx, c); err == nil || errors.Is(err, storage.ErrUnreleased) {
			break
		}
	}
	if err != nil {
		return err
	}
	_, refused := c.Exec(ctx, "select r.i, s.k from unnest('{}'::bytea[]) with ordinality as r(f, i) cross join "+
		"lateral (select k from "+
		pgx.Identifier{s.options.Schema, recordsTable}.Sanitize()+" where scope = r.f limit 1) s")
	s.lateral = refused == nil
	s.classed = s.makeLockClasses(ctx, c)
	return nil
}
