// Package storetest stands, in the module of the library, in place of the file of this
// name: its tests then run over PostgreSQL.
package storetest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
)

// New opens an empty store in its own schema, which is dropped with the test.
func New(t testing.TB) storage.Store {
	t.Helper()
	url, schema := os.Getenv("STORETEST_POSTGRES"), "t_"+strings.ToLower(rand.Text())
	store, err := postgres.Open(context.Background(), url, postgres.Options{Schema: schema, MaxConns: 4, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = store.Close() // the test may have done so
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c, err := pgx.Connect(ctx, url)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = c.Close(ctx) }()
		if _, err := c.Exec(ctx, "drop schema "+schema+" cascade"); err != nil {
			t.Error(err)
		}
	})
	return store
}
