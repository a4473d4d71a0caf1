package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// upgradeDDL are the statements of the upgrade, in parts that begin with their names.
//
//go:embed upgrade.sql
var upgradeDDL string

const (
	// lockPatience is for how long a step of the upgrade waits for nodes of the earlier version,
	// which wait behind it.
	lockPatience = time.Second
	// upgradePause is between two attempts at such a step, so that these proceed.
	upgradePause = time.Second
	// copyRows is how many rows are copied in one transaction.
	copyRows = 2000
	// upgradeLog is how often it is logged how far the upgrade is.
	upgradeLog = 10 * time.Second
)

// upgrade brings a schema of version 1 to this one, while nodes of that version read and
// write. Its steps are transactions that begin where the last one ended, in any process: so it
// may be cut off at any point, and several processes may be at it.
//
// First a trigger is made, by which those nodes write to the new table too, in their
// transactions. Then the records are copied in the order of their keys, where the new table
// has no row yet. Since the trigger never removes a row, not for a deleted record either, a
// copy is never of a record that was changed after it was read: the change has left a row.
// And a change that began before the copy was committed conflicts with it, and is made again: the
// nodes see one state, and what has changed in a row since then fails. Last the old table is dropped,
// when no transaction is using it, and a view that fails takes its name: nodes of version 1 can
// neither read nor write from then on.
type upgrade struct {
	store  *store
	c      *pgx.Conn
	schema string // as the names of its tables begin
	copied int64  // by whichever process
	logged time.Time
}

func (s *store) upgrade(ctx context.Context, c *pgx.Conn) error {
	u := &upgrade{store: s, c: c, schema: pgx.Identifier{s.options.Schema}.Sanitize(), logged: time.Now()}
	s.options.Logger.InfoContext(ctx, "postgres: the schema is upgraded", "from", version-1, "to", version)
	if err := u.run(ctx); err != nil {
		return fmt.Errorf("the upgrade of the schema %s to version %d stopped, and continues when it is opened again: %w", u.schema, version, err)
	}
	s.options.Logger.InfoContext(ctx, "postgres: the schema was upgraded", "records", u.copied)
	return nil
}

// errUpgraded reports that another process has made the switch.
var errUpgraded = errors.New("the schema was upgraded meanwhile")

// run makes all steps.
func (u *upgrade) run(ctx context.Context) error {
	err := u.patiently(ctx, u.follow)
	for more := true; more && err == nil; {
		err = u.patiently(ctx, func(ctx context.Context, tx pgx.Tx) (err error) { more, err = u.copy(ctx, tx); return err })
		if time.Since(u.logged) >= upgradeLog {
			u.logged = time.Now()
			u.store.options.Logger.InfoContext(ctx, "postgres: the schema is being upgraded", "records", u.copied)
		}
	}
	if err == nil {
		err = u.patiently(ctx, func(ctx context.Context, tx pgx.Tx) error { return u.part(ctx, tx, "switch") })
	}
	if errors.Is(err, errUpgraded) {
		return nil
	}
	return err
}

// patiently makes a step in a transaction, until others are not in its way.
func (u *upgrade) patiently(ctx context.Context, step func(ctx context.Context, tx pgx.Tx) error) error {
	for {
		err := pgx.BeginFunc(ctx, u.c, func(tx pgx.Tx) error {
			if err := u.alone(ctx, tx); err != nil {
				return err
			}
			return step(ctx, tx)
		})
		pg, ok := errors.AsType[*pgconn.PgError](err)
		if !ok || !contended(pg) {
			return err
		}
		pause := upgradePause
		if pg.Code != lockNotAvailable {
			pause = rand.N(10 * time.Millisecond) //nolint:gosec // chance, not secrecy
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// alone lets one process at a time make a step, and has it wait no longer than others can.
func (u *upgrade) alone(ctx context.Context, tx pgx.Tx) error {
	// Without statistics the database would sort all records for each step.
	settings := fmt.Sprintf("set local lock_timeout = %d; set local enable_bitmapscan = off; set local enable_sort = off", lockPatience.Milliseconds())
	if _, err := tx.Exec(ctx, settings); err != nil {
		return err
	}
	var n int
	if err := tx.QueryRow(ctx, "select n from "+u.schema+".version for update").Scan(&n); err != nil {
		return err
	}
	if n == version {
		return errUpgraded
	}
	return nil
}

// follow makes the new table, and the trigger that keeps up with the old one.
func (u *upgrade) follow(ctx context.Context, tx pgx.Tx) error {
	var follows bool
	err := tx.QueryRow(ctx, "select exists (select 1 from pg_trigger where tgname = 'follow' and tgrelid = "+
		literal(u.schema+".records")+"::regclass)").Scan(&follows)
	if err != nil || follows {
		return err
	}
	if err := createSchema(ctx, tx, u.schema); err != nil {
		return err
	}
	return u.part(ctx, tx, "follow")
}

// literal is a text in SQL.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// part runs a part of the statements.
func (u *upgrade) part(ctx context.Context, tx pgx.Tx, name string) error {
	_, err := tx.Exec(ctx, u.partOf(name))
	return err
}

func (u *upgrade) partOf(name string) string {
	_, part, _ := strings.Cut(upgradeDDL, "-- Part: "+name+"\n")
	part, _, _ = strings.Cut(part, "-- Part: ")
	return strings.ReplaceAll(named(part, u.schema), ":schema", literal(u.store.options.Schema))
}

// copy copies some rows, and reports whether there were any.
func (u *upgrade) copy(ctx context.Context, tx pgx.Tx) (more bool, err error) {
	var last []byte
	if err := tx.QueryRow(ctx, "select at from "+u.schema+".upgrade").Scan(&last); err != nil {
		return false, err
	}
	var scopes, rests, values [][]byte
	read := &statement{
		sql:    "select k, v from " + u.schema + ".records where k > $1 order by k limit $2",
		params: []uint32{pgtype.ByteaOID, pgtype.Int8OID},
	}
	err = u.ask(ctx, read, func(v [][]byte) {
		last = append([]byte{}, v[0]...)
		scope, rest := divide(last)
		scopes, rests, values = append(scopes, scope), append(rests, rest), append(values, encode(append([]byte{}, v[1]...)))
	}, last, int8Param(copyRows))
	if err != nil || len(values) == 0 {
		return false, err
	}
	many := uint32(pgtype.ByteaArrayOID)
	put := &statement{
		sql: "insert into " + u.schema + ".entries (scope, k, v) select * from unnest($1::bytea[], $2::bytea[], $3::bytea[])" +
			" on conflict (scope, k) do nothing",
		params: []uint32{many, many, many},
	}
	if err := u.ask(ctx, put, nil, array(scopes), array(rests), array(values)); err != nil {
		return false, err
	}
	return true, tx.QueryRow(ctx, "update "+u.schema+".upgrade set at = $1, copied = copied + $2 returning copied", last, len(values)).Scan(&u.copied)
}

// ask runs a statement, which leaves nothing behind in the session.
func (u *upgrade) ask(ctx context.Context, st *statement, row func(v [][]byte), args ...[]byte) error {
	r := u.c.PgConn().ExecParams(ctx, st.sql, args, st.params, binaryFormat, binaryFormat)
	for r.NextRow() {
		row(r.Values())
	}
	_, err := r.Close()
	return err
}
