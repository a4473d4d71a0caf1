package postgres_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// TestKeysAreFoundByTheIndexHoweverSmallTheTableWas reads and deletes records by sessions that
// have planned their statements over a table of one page, and counts the entries of the index that they
// read.
func TestKeysAreFoundByTheIndexHoweverSmallTheTableWas(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	store, err := postgres.Open(t.Context(), server.URL("")+"&application_name="+schema, postgres.Options{Schema: schema, MaxConns: 1, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	const n, rounds = 4000, 25
	key := func(i int) string { return fmt.Sprintf("plan/tasks/%05d", i) }
	keys := make([]string, 32)
	look := func(w storage.Writer, round int) {
		for i := range keys {
			keys[i] = key((round*32 + i*211) % n)
		}
		if err := storage.Prefetch(w, keys); err != nil {
			t.Error(err)
		}
		for _, k := range keys[:2] {
			if err := w.Delete(k); err != nil {
				t.Error(err)
			}
		}
	}
	update := func(fn func(w storage.Writer)) {
		t.Helper()
		if err := store.Update(t.Context(), func(w storage.Writer) error { fn(w); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	fill := func(from, to int) {
		update(func(w storage.Writer) {
			for i := from; i < to; i++ {
				if err := w.Put(key(i), []byte("a task")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	fill(0, 20)
	update(func(w storage.Writer) { look(w, 0) })
	fill(20, n)
	for round := range rounds {
		update(func(w storage.Writer) { look(w, round) })
	}
	if err := store.Close(); err != nil { // sessions report what they have read when they end
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
	for sessions := 1; sessions > 0 && err == nil; {
		err = c.QueryRow(t.Context(), "select count(*) from pg_stat_activity where application_name = $1", schema).Scan(&sessions)
	}
	var read int
	if err == nil {
		err = c.QueryRow(t.Context(), "select sum(idx_tup_read) from pg_stat_user_indexes where schemaname = $1 and relname = 'entries'", schema).Scan(&read)
	}
	if err != nil {
		t.Fatal(err)
	}
	if least, most := rounds*2, 2*rounds*len(keys); read < least || read > most {
		t.Errorf("%d lookups of 32 keys read %d entries of the index, want %d to %d", rounds, read, least, most)
	}
}
