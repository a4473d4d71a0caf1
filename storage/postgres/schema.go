package postgres

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// version is the version of the schema that this program makes and reads.
const version = 3

// recordsTable is the table of records. Its name belongs to the version.
const recordsTable = "entries"

// commonTable is the table of the keys that begin with commonPrefix. They come before all others.
const (
	commonTable  = "common"
	commonPrefix = 0
)

// isCommon reports whether a key, or a scope, is in the common table.
func isCommon[T string | []byte](key T) bool { return len(key) > 0 && key[0] == commonPrefix }

// ddl is the schema, with the name that it has by default.
//
//go:embed schema.sql
var ddl string

// optional begins the comment of a statement that may fail: not every database that speaks the
// protocol knows it, nor takes it for a table that was made by others.
const optional = "-- Optional:"

// named are statements for a schema.
func named(sql, schema string) string {
	return strings.NewReplacer(defaultSchema+".", schema+".", defaultSchema+";", schema+";").Replace(sql)
}

// schemaStatements splits ddl at its empty lines into the statements that make a schema of
// this name. A schema works without the wanted ones, which some databases do not know.
func schemaStatements(schema string) (needed, wanted []string) {
	inText := strings.ReplaceAll(schema, "'", "''")
	for statement := range strings.SplitSeq(ddl, "\n\n") {
		switch {
		case strings.Contains(statement, "execute '"):
			wanted = append(wanted, named(statement, inText))
		case strings.HasPrefix(statement, optional):
			wanted = append(wanted, named(statement, schema))
		default:
			needed = append(needed, named(statement, schema))
		}
	}
	return needed[1:], wanted // the first is a comment
}

// makeSchema makes what is missing.
func (s *store) makeSchema(ctx context.Context, c *pgx.Conn) error {
	schema := pgx.Identifier{s.options.Schema}.Sanitize()
	switch found, err := versionOf(ctx, c, schema); {
	case err != nil: // there is none
		return createSchema(ctx, c, schema)
	case found > version:
		return fmt.Errorf("the schema %s has version %d, this package knows %d", schema, found, version)
	case found < version:
		return fmt.Errorf("the schema %s has version %d: %w", schema, found, storage.ErrUnreleased)
	}
	// What dead processes have left: it is not asked for any more.
	_, err := c.Exec(ctx, "delete from "+schema+".commits where at < now() - interval '1 day'")
	return err
}

// versionOf is the version that a schema has. It fails where there is none.
func versionOf(ctx context.Context, c *pgx.Conn, schema string) (n int, err error) {
	err = c.QueryRow(ctx, "select max(n) from "+schema+".version having count(*) > 0").Scan(&n)
	return n, err
}

// createSchema makes the schema and its tables.
func createSchema(ctx context.Context, db interface {
	Begin(ctx context.Context) (pgx.Tx, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}, schema string,
) error {
	needed, wanted := schemaStatements(schema)
	for _, sql := range needed {
		if _, err := db.Exec(ctx, sql); err != nil {
			return err
		}
	}
	for _, sql := range wanted {
		// It fails where the database does not know it.
		_ = pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error { _, err := tx.Exec(ctx, sql); return err })
	}
	return nil
}
