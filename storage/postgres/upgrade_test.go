package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// firstVersion is a database of version 1 with its own schema, and what nodes of that version do
// with it.
type firstVersion struct {
	t      *testing.T
	server *postgrestest.Server
	schema string
	pool   *pgxpool.Pool
}

func newFirstVersion(t *testing.T, server *postgrestest.Server) *firstVersion {
	t.Helper()
	f := &firstVersion{t: t, server: server, schema: server.Schema(t)}
	var err error
	if f.pool, err = pgxpool.New(t.Context(), server.URL("")+"&pool_max_conns=8"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.pool.Close)
	f.exec(file(t, "testdata/version1.sql", f.schema))
	return f
}

// file is a file of statements for a schema.
func file(t *testing.T, name, schema string) string {
	t.Helper()
	ddl, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("twinplatform.", schema+".", "twinplatform;", schema+";", "schema twinplatform to", "schema "+schema+" to").Replace(string(ddl))
}

func (f *firstVersion) exec(sql string) {
	f.t.Helper()
	if _, err := f.pool.Exec(f.t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		f.t.Fatal(err)
	}
}

// fill puts records with keys of many shapes, some of which have no scope.
func (f *firstVersion) fill(n int) (content map[string]string) {
	f.t.Helper()
	content = make(map[string]string)
	for i := range n {
		content[fmt.Sprintf("schedule-%03d/tasks/r/%06d", i%37, i)] = fmt.Sprintf("%c{\"name\":\"Task %d\",\"comment\":\"\"}", i%256, i)
	}
	for i := range 20 {
		content[fmt.Sprintf("plain %d", i)], content[fmt.Sprintf("plain %d!/x", i)] = "", "\xff\x00"
	}
	content["storage/history"] = "first"
	var keys, values [][]byte
	for key, value := range content {
		keys, values = append(keys, []byte(key)), append(values, []byte(value))
	}
	if err := f.write(f.t.Context(), keys, values, nil); err != nil {
		f.t.Fatal(err)
	}
	return content
}

// write is an Update of a node of version 1.
func (f *firstVersion) write(ctx context.Context, keys, values, gone [][]byte) error {
	for {
		err := pgx.BeginTxFunc(ctx, f.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
			var batch pgx.Batch
			batch.Queue("select v from "+f.schema+".records where k = $1", []byte("storage/history"))
			for _, key := range keys[:min(len(keys), 3)] {
				batch.Queue("select v from "+f.schema+".records where k = $1", key)
			}
			if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
				return err
			}
			batch = pgx.Batch{}
			batch.Queue("insert into "+f.schema+".records (k, v) select * from unnest($1::bytea[], $2::bytea[]) on conflict (k) do update set v = excluded.v", keys, values)
			batch.Queue("delete from "+f.schema+".records where k = any($1::bytea[])", gone)
			return tx.SendBatch(ctx, &batch).Close()
		})
		pg, ok := errors.AsType[*pgconn.PgError](err)
		if !ok || pg.Code != "40001" && pg.Code != "40P01" {
			return err
		}
	}
}

// writes writes until the schema is none of its version any more, and returns the error that
// says so. The content is what was acknowledged.
func (f *firstVersion) writes(worker int, content map[string]string) error {
	of := rand.New(rand.NewPCG(1, uint64(worker))) //nolint:gosec // chance, not secrecy
	key := func() string { return fmt.Sprintf("schedule-%03d/of %d/%02d", of.IntN(40), worker, of.IntN(60)) }
	for i := 0; ; i++ {
		put := map[string]string{fmt.Sprintf("of/%d", worker): fmt.Sprint(i)}
		for range 1 + of.IntN(4) {
			put[key()] = strings.Repeat(fmt.Sprint(worker, i), 1+of.IntN(9))
		}
		gone := key()
		delete(put, gone)
		keys, values := [][]byte{[]byte("hot/rev")}, [][]byte{[]byte("all write it")}
		for key, value := range put {
			keys, values = append(keys, []byte(key)), append(values, []byte(value))
		}
		if err := f.write(f.t.Context(), keys, values, [][]byte{[]byte(gone)}); err != nil {
			return err
		}
		maps.Copy(content, put)
		delete(content, gone)
	}
}

// open opens the database by this version.
func (f *firstVersion) open(ctx context.Context) (storage.Store, error) {
	return postgres.Open(ctx, f.server.URL(""), postgres.Options{Schema: f.schema, MaxConns: 4, Logger: quiet})
}

// contentOf are all records of a store.
func contentOf(t *testing.T, s storage.Store) (content map[string]string) {
	t.Helper()
	content = make(map[string]string)
	if err := s.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			content[key] = string(value)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return content
}

// The upgrade is killed at any point, again and again, while nodes of the earlier version write:
// each write that was acknowledged is there, and none is made where it is not read.
func TestUpgradeThatIsKilledLosesNothingOfWriters(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	f := newFirstVersion(t, server)
	n, nodes, first := 60_000, 4, 5*time.Millisecond
	if testing.Short() {
		n, nodes, first = 2000, 2, 200*time.Millisecond
	}
	want := f.fill(n)
	contents, failures := make([]map[string]string, nodes), make([]error, nodes)
	var writers sync.WaitGroup
	for i := range contents {
		contents[i] = make(map[string]string)
		writers.Go(func() { failures[i] = f.writes(i, contents[i]) })
	}
	kills := 0
	var s storage.Store
	for until := first; s == nil; until += until / 4 {
		ctx, cancel := context.WithTimeout(t.Context(), until/2+rand.N(until)) //nolint:gosec // chance, not secrecy
		opened, err := f.open(ctx)
		cancel()
		if s = opened; err != nil {
			s = nil
			kills++
		}
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
	}
	defer s.Close()
	writers.Wait()
	for i, content := range contents {
		maps.Copy(want, content)
		if err := failures[i]; err == nil || !strings.Contains(err.Error(), "version 2") {
			t.Errorf("a writer of version 1 ended with %v, want one that names the version", err)
		}
		if len(content) == 0 {
			t.Error("a writer has written nothing")
		}
	}
	want["hot/rev"] = "all write it"
	if diff := cmp.Diff(want, contentOf(t, s)); diff != "" {
		t.Errorf("after %d kills: %s", kills, diff)
	}
	t.Logf("killed %d times", kills)
}

func TestSeveralProcessesUpgradeTogether(t *testing.T) {
	t.Parallel()
	f := newFirstVersion(t, postgrestest.Shared(t))
	want := f.fill(5000)
	stores, errs := make([]storage.Store, 3), make([]error, 3)
	var group sync.WaitGroup
	for i := range stores {
		group.Go(func() { stores[i], errs[i] = f.open(t.Context()) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, s := range stores {
		if diff := cmp.Diff(want, contentOf(t, s)); diff != "" {
			t.Error(diff)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Nodes have roles of their own in some places, which own nothing.
func TestRolesThatUsedAnEarlierVersionUseTheUpgradedOne(t *testing.T) {
	t.Parallel()
	f := newFirstVersion(t, postgrestest.Shared(t))
	want := f.fill(10)
	role := "r" + f.schema
	f.exec("create role " + role + " login; grant usage on schema " + f.schema + " to " + role +
		"; grant select, insert, update, delete on all tables in schema " + f.schema + " to " + role)
	t.Cleanup(func() {
		_, _ = f.pool.Exec(context.WithoutCancel(t.Context()), "drop owned by "+role+"; drop role "+role, pgx.QueryExecModeSimpleProtocol)
	})
	options := postgres.Options{Schema: f.schema, MaxConns: 2, Logger: quiet}
	as := strings.Replace(f.server.URL(""), "postgres@", role+"@", 1)
	if s, err := postgres.Open(t.Context(), as, options); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("one who owns nothing upgrades: %v", err)
		_ = s.Close()
	}
	owner, err := f.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	s, err := postgres.Open(t.Context(), as, options)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want["added"] = "by the role"
	if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put("added", []byte("by the role")) }); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, contentOf(t, s)); diff != "" {
		t.Error(diff)
	}
}
