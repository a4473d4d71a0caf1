package postgres

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// statement is one statement that is sent to the database.
type statement struct {
	name   string // under which a session has prepared it
	sql    string
	params []uint32 // types of the parameters
}

// statements are all that is sent within transactions, with the names of one schema.
type statements struct {
	update, view, commit, rollback, tune *statement
	gets, scattered, scans, follow       *statement
	note, fence, resolve, forget         *statement
	free, flushed, replayed              *statement

	records, common table

	schema string // as the names of its tables begin
	all    []*statement
}

// table are the statements about one table of records.
type table struct {
	get, put, remove, removeAll, scan, across *statement
}

// of are the statements about the table of a key or a scope.
func (s *statements) of(common bool) *table {
	if common {
		return &s.common
	}
	return &s.records
}

func newStatements(schema string, lateral bool) *statements {
	records := pgx.Identifier{schema, recordsTable}.Sanitize()
	commits := pgx.Identifier{schema, "commits"}.Sanitize()
	s := new(statements)
	add := func(name, sql string, params ...uint32) *statement {
		st := &statement{name: "twinplatform_" + name, sql: sql, params: params}
		s.all = append(s.all, st)
		return st
	}
	const one, many, number = pgtype.ByteaOID, pgtype.ByteaArrayOID, pgtype.Int8OID
	s.update = add("update", "begin isolation level serializable")
	s.view = add("view", "begin isolation level repeatable read, read only")
	s.commit = add("commit", "commit")
	s.rollback = add("rollback", "rollback")
	ofTable := func(name, of string) table {
		return table{
			get: add(of+"get", "select v from "+name+" where scope = $1 and k = $2", one, one),
			scan: add(of+"scan", "select k, v from "+name+
				" where scope = $1 and k >= $2 and k < $3 order by k limit $4", one, one, one, number),
			across: add(of+"across", "select scope, k, v from "+name+
				" where (scope, k) >= ($1, $2) and (scope, k) < ($3, $4)"+
				" order by scope, k limit $5", one, one, one, one, number),
			put: add(of+"put", "insert into "+name+
				" (scope, k, v) select * from unnest($1::bytea[], $2::bytea[], $3::bytea[])"+
				" on conflict (scope, k) do update set v = excluded.v", many, many, many),
			remove: add(of+"remove", "delete from "+name+" where scope = $1 and k = $2", one, one),
			removeAll: add(of+"remove_all",
				"delete from "+name+" where scope = $1 and k >= $2 and k <= $3 and k = any($4::bytea[])", one, one, one,
				many),
		}
	}
	s.records = ofTable(records, "")
	s.common = ofTable(pgx.Identifier{schema, commonTable}.Sanitize(), "common_")
	s.note = add("note", "insert into "+commits+" (id) values ($1)", one)
	// It writes even where the row is there, so that it ends when standbys have that row too.
	s.fence = add("fence", "insert into "+commits+
		" as c (id, fence) values ($1, true) on conflict (id) do update set fence = c.fence", one)
	s.resolve = add("settle", "select case when fence then 1 else 0 end::int8 from "+commits+" where id = $1", one)
	s.forget = add("forget", "delete from "+commits+" where id = any($1::bytea[])", many)
	// What comes last is for PostgreSQL alone, and no statement that is prepared: a
	// sequential scan of a small table is a conflict with every writer.
	if lateral {
		// Not k = any($2): over a small table the database would plan to read all of the scope for
		// that, and still do so once it is large.
		s.gets = add("gets", "select i, v from (select r.i, (select v from "+records+
			" where scope = $1 and k = r.k) as v"+
			" from unnest($2::bytea[]) with ordinality as r(k, i) offset 0) found where v is not null", one, many)
		s.scattered = add("scattered", "select r.i, (select v from "+records+" where scope = r.c and k = r.k)"+
			" from unnest($1::bytea[], $2::bytea[]) with ordinality as r(c, k, i)", many, many)
		led := func(scope, to string) string {
			return "(select r.v from " + records + " r where r.scope = " + scope + " and r.k = " + to + ")"
		}
		s.follow = add("follow", "select o.k, o.v, o.led, case when o.led is null then "+led("$7", "$8 || o.v")+
			" end from (select s.k, s.v, "+
			led("$5", "$6 || s.v")+" as led from (select k, v from "+records+
			" where scope = $1 and k >= $2 and k < $3 order by k limit $4) s offset 0) o"+
			" order by o.k", one, one, one, number, one, one, one, one)
		s.scans = add("scans", "select r.i, s.k, s.v from unnest($1::bytea[], $2::bytea[], $3::bytea[]) with "+
			"ordinality as r(c, f, t, i)"+
			" cross join lateral (select k, v from "+records+
			" where scope = r.c and k >= r.f and k < r.t order by k limit $4) s order by r.i, s.k",
			many, many, many, number)
	}
	s.schema = pgx.Identifier{schema}.Sanitize() + "."
	// A role may see and end its own sessions. Who waits is one that writes to this schema.
	s.free = &statement{
		sql: "select held.pid::int8, pg_terminate_backend(held.pid) from pg_stat_activity held where held.usename = " +
			"current_user" +
			" and held.state = 'active' and held.wait_event = 'ClientRead' and held.state_change < clock_timestamp() " +
			"- $1 * interval '1 millisecond'" +
			" and held.pid in (select unnest(pg_blocking_pids(waits.pid)) from pg_stat_activity waits" +
			" where waits.usename = current_user and waits.wait_event_type = 'Lock' and position($2 in waits.query) " +
			"> 0)",
		params: []uint32{pgtype.Int8OID, pgtype.TextOID},
	}
	// Where the log of the database ends that is flushed, which is behind every commit that
	// anyone has seen; and how far a standby has replayed it.
	s.flushed = &statement{sql: "select s.system_identifier, ('x' || left(pg_walfile_name(l), 8))::bit(32)::int8, l" +
		" from pg_current_wal_flush_lsn() l, pg_control_system() s"}
	s.replayed = &statement{sql: "select s.system_identifier, c.timeline_id::int8, pg_last_wal_replay_lsn()" +
		" from pg_control_checkpoint() c, pg_control_system() s where pg_is_in_recovery()"}
	s.tune = &statement{sql: "set local enable_seqscan = off"}
	return s
}

// laneOf is the table of a lock class.
func (s *statements) laneOf(class int) string { return fmt.Sprintf("%slane_%d", s.schema, class) }

// lockClass are the calls that take a lock class, and wait for it no longer than that.
func (s *statements) lockClass(class int, atMost time.Duration) []call {
	return []call{
		{statement: &statement{sql: fmt.Sprintf("set local lock_timeout = %d", atMost.Milliseconds())}},
		{statement: &statement{sql: "lock table " + s.laneOf(class) + " in exclusive mode"}},
		{statement: &statement{sql: "set local lock_timeout to default"}},
	}
}

// getCall is the call that reads the value of a key.
func (s *statements) getCall(key string, row func(values [][]byte)) call {
	scope, rest := divide([]byte(key))
	return call{statement: s.of(isCommon(key)).get, args: [][]byte{scope, rest}, value: true, row: row}
}

// array encodes values as a bytea[] in the binary format. A nil value is an empty one.
func array(values [][]byte) []byte {
	size := 20
	for _, v := range values {
		size += 4 + len(v)
	}
	b := make([]byte, 0, size)
	for _, n := range []uint32{1, 0, pgtype.ByteaOID, uint32(len(values)), 1} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(len(v)))
		b = append(b, v...)
	}
	return b
}

// int8Param encodes a number.
func int8Param(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// planOnce is the setting of a session by which each statement that is prepared is planned once:
// all find their rows by the index, whatever the arguments.
const planOnce = "plan_cache_mode = force_generic_plan"
