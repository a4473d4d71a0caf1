package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// A node of which no one asks anything makes one transaction a second at the database,
// committed or not, as the database counts them. It counts some of the start late, so that the
// quietest of a few windows is taken.
func TestIdleNodeMakesOneTransactionPerSecond(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the windows take seconds")
	}
	server := postgrestest.Shared(t)
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.WithoutCancel(t.Context()))
	if _, err := c.Exec(t.Context(), "create database idle"); err != nil {
		t.Fatal(err)
	}
	flags := shared(t)
	flags[1] = strings.Replace(flags[1], "/postgres?", "/idle?", 1)
	start(t, flags)
	const window, windows = 5, 6
	least := int64(1 << 62)
	for range windows {
		began, before := time.Now(), transactions(t, c, "idle")
		// The database waits, so that the window is its own.
		if _, err := c.Exec(t.Context(), "select pg_sleep($1)", window); err != nil {
			t.Fatal(err)
		}
		made := transactions(t, c, "idle") - before
		seconds := time.Since(began).Seconds()
		t.Logf("%d transactions in %.1f s", made, seconds)
		if least = min(least, made); made > 0 && float64(made) <= seconds+1 {
			return
		}
	}
	t.Errorf("an idle node makes at least %d transactions in %d s, want one a second", least, window)
}

// transactions are those that a database has counted.
func transactions(t *testing.T, c *pgx.Conn, database string) (n int64) {
	t.Helper()
	err := c.QueryRow(t.Context(), "select xact_commit + xact_rollback from pg_stat_database where datname = $1", database).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
