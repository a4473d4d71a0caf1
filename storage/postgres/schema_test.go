package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// run runs statements as the owner of the database.
func run(t testing.TB, server *postgrestest.Server, sql string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // it cleans up too
	c, err := pgx.Connect(ctx, server.URL(""))
	if err == nil {
		defer func() { _ = c.Close(ctx) }()
		_, err = c.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The role of the nodes may do what schema.sql says that it has to be granted, and no more.
func TestARoleThatMayCreateNothingUsesTheTablesOfTheFile(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	role := "r" + schema
	ddl := file(t, "schema.sql", schema)
	run(t, server, ddl)
	run(t, server, "create role "+role+" login")
	t.Cleanup(func() { run(t, server, "drop owned by "+role+"; drop role "+role) })
	for line := range strings.Lines(ddl) {
		if grant, ok := strings.CutPrefix(line, "--   grant "); ok {
			run(t, server, strings.Replace("grant "+grant, "to twin;", "to "+role+";", 1))
		}
	}
	options := postgres.Options{Schema: schema, MaxConns: 4, Logger: quiet}
	a, b := two(t, strings.Replace(server.URL(""), "postgres@", role+"@", 1), options)
	together(t, a, b, 4, 10, "n")
	wantNumber(t, b, "n", 2*4*10)
	for _, s := range []storage.Store{a, b} {
		if stats, _ := storage.StatsOf(s); stats.Commits == 0 {
			t.Error("a process has committed nothing")
		}
	}
	run(t, server, ddl) // again, which changes nothing
	wantNumber(t, a, "n", 2*4*10)
}

// Tables that were made by others stay as they are.
func TestConformanceOverPartitions(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	partitioned := func(t testing.TB) storage.Store {
		schema := server.Schema(t)
		run(t, server, fmt.Sprintf(`create schema %[1]s;
			create table %[1]s.entries (scope bytea not null, k bytea not null, v bytea not null, primary key (scope, k)) partition by hash (scope);
			create table %[1]s.entries_0 partition of %[1]s.entries for values with (modulus 4, remainder 0);
			create table %[1]s.entries_1 partition of %[1]s.entries for values with (modulus 4, remainder 1);
			create table %[1]s.entries_2 partition of %[1]s.entries for values with (modulus 4, remainder 2);
			create table %[1]s.entries_3 partition of %[1]s.entries for values with (modulus 4, remainder 3);`, schema))
		s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 4, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	storagetest.Run(t, storagetest.Engine{New: partitioned})
	if !testing.Short() {
		storagetest.RunModel(t, storagetest.Engine{New: partitioned})
	}
}

// Every statement that reads finds its rows by the index: a sequential scan of a table conflicts
// with every writer.
func TestReadsUseTheIndex(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 1, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Update(t.Context(), func(w storage.Writer) error {
		for i := range 5000 {
			if err := w.Put(fmt.Sprintf("scope-%d/%d", i%50, i), []byte("value")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	run(t, server, "analyze "+schema+".entries")
	read := func(scans ...storage.Range) {
		t.Helper()
		var keys []string
		for i := range 100 {
			keys = append(keys, fmt.Sprintf("scope-%d/%d", i%50, i), fmt.Sprintf("scope-7/%d", i))
		}
		if err := s.View(t.Context(), func(r storage.Reader) error { return storage.Prefetch(r, keys, scans...) }); err != nil {
			t.Error(err)
		}
	}
	for range 10 { // so that plans become those for all arguments
		read(storage.Range{Prefix: "scope-3/", Limit: 10}, storage.Range{Prefix: "scope-", After: "scope-4/5", Limit: 10}, storage.Range{Prefix: "", Limit: 3})
		var many []storage.Range
		for i := range 20 {
			many = append(many, storage.Range{Prefix: fmt.Sprintf("scope-%d/", i), Limit: 5})
		}
		read(many...)
	}
	if err := s.Close(); err != nil { // which hands its counts in
		t.Fatal(err)
	}
	await(t, server, "select (idx_scan > 0)::int from pg_stat_user_tables where schemaname = '"+schema+"' and relname = 'entries'")
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
	var sequential int
	err = c.QueryRow(t.Context(), "select seq_scan::int from pg_stat_user_tables where schemaname = $1 and relname = 'entries'", schema).Scan(&sequential)
	if err != nil || sequential > 1 { // by analyze
		t.Errorf("%d sequential scans, %v", sequential, err)
	}
}

// Keys are read in their order, whatever bytes they have, and by every prefix.
func TestKeysOfAllBytesAreReadInTheirOrder(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	s := server.Open(t, postgres.Options{MaxConns: 1, Logger: quiet})
	defer s.Close()
	keys := oddKeys(400)
	err := s.Update(t.Context(), func(w storage.Writer) error {
		for _, key := range keys {
			if err := w.Put(key, []byte(key)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range rangesOf(keys) {
		var want, got []string
		for _, key := range keys {
			if strings.HasPrefix(key, at.Prefix) && key > at.After {
				want = append(want, key)
			}
		}
		if err := s.View(t.Context(), func(r storage.Reader) error {
			for key, value := range r.Scan(at.Prefix, at.After) {
				if got = append(got, key); key != string(value) {
					return fmt.Errorf("%q has the value %q", key, value)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("prefix %q after %q: %s", at.Prefix, at.After, diff)
		}
	}
}

// A schema from before the first release is refused with what to do, and nothing in it is changed.
func TestSchemaFromBeforeTheFirstReleaseIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
	ddl := file(t, "testdata/version1.sql", schema) + "insert into " + schema + ".records values ('twins/x', '{}');"
	if _, err := c.Exec(t.Context(), ddl, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
	state := func() (state string) {
		t.Helper()
		err := c.QueryRow(t.Context(), "select (select string_agg(table_name, ' ' order by table_name) from information_schema.tables where table_schema = $1)"+
			" || ' ' || (select max(n) from "+schema+".version) || ' ' || (select count(*) from "+schema+".records)", schema).Scan(&state)
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	before := state()
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 2, Logger: quiet})
	if err == nil {
		_ = s.Close()
	}
	if !errors.Is(err, storage.ErrUnreleased) || !strings.Contains(err.Error(), "has version 1") {
		t.Errorf("opening says %v", err)
	}
	if after := state(); after != before {
		t.Errorf("the schema was changed from %s to %s", before, after)
	}
}

// file is a file of statements for a schema.
func file(t *testing.T, name, schema string) string {
	t.Helper()
	ddl, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(
		"twinplatform.", schema+".", "twinplatform;", schema+";", "schema twinplatform to", "schema "+schema+" to",
	).Replace(string(ddl))
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

// A value that this version does not read is none that it takes for another.
func TestValuesOfUnknownDictionariesAreNotRead(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	schema := server.Schema(t)
	s, err := postgres.Open(t.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 2, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	values := map[string]string{"empty": "", "one": "\xff", "marked": "\xff\x01{", "marked twice": "\xff\x00\xff", "plain": "{}"}
	err = s.Update(t.Context(), func(w storage.Writer) error {
		for key, value := range values {
			if err := w.Put(key, []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(values, contentOf(t, s)); diff != "" {
		t.Error(diff)
	}
	for _, stored := range []string{`\xff`, `\xfffe`, `\xfffe7b7d`} {
		run(t, server, "insert into "+schema+".entries values ('unknown/', 'x', '"+stored+"') on conflict (scope, k) do update set v = excluded.v")
		for name, read := range map[string]func(r storage.Reader) error{
			"get":  func(r storage.Reader) error { _, err := r.Get("unknown/x"); return err },
			"scan": func(r storage.Reader) error { return storage.Prefetch(r, nil, storage.Range{Prefix: "unknown/"}) },
		} {
			if err := s.View(t.Context(), read); !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "value") {
				t.Errorf("%s of %s: %v", name, stored, err)
			}
		}
	}
}
