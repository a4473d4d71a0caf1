// Package postgres is a storage engine over a database that speaks PostgreSQL's protocol,
// for platforms that outgrow one machine or want its replication and backups. It is a
// separate module, so that no other module needs the driver.
//
//	store, err := postgres.Open(ctx, "postgres://user@host/db?sslmode=verify-full", postgres.Options{})
//
// # What is promised
//
// All that package storage promises, to any number of processes over one database: an
// Update is a SERIALIZABLE transaction, a View a snapshot (REPEATABLE READ, READ ONLY).
// An Update that has returned nil is as durable as the database makes a commit: see
// synchronous_commit and synchronous_standby_names there.
//
// A View never makes an Update run again, nor the other way round. The price is what
// snapshots cost everywhere: of two Updates that ran at the same time, a View may show the
// one that is later in their order before the other.
//
// Functions run again: after a lost race (SQLSTATE 40001 and 40P01) as often as it takes
// under their context, after a pause that doubles and is random; after a connection that
// broke before the commit for [Options.Patience] at most, then the call fails with
// [storage.ErrUnavailable].
//
// A connection that breaks in the commit leaves its outcome open. Each Update therefore
// writes a row with its own id, and the engine asks another connection for it. In asking it
// writes the row itself, so that a commit that is still on its way cannot arrive later, and one
// that no standby has yet is waited for.
// Only when the database cannot be asked within Options.Patience the call fails with
// [storage.ErrUnknown].
//
// A process that vanishes or is suspended in the middle of a commit holds its locks at the
// database. Where its system no longer answers, the database ends its session within seconds
// (the keepalive settings that each session is given). Where it does, as for a process that was
// stopped, a session that has to wait ends the session of the same role that has waited for the
// rest of its statement for longer than Options.Patience and a fifth of it. The role must be one
// of the nodes' own: what else it does in that database may be ended too, when it stalls in the
// middle of a statement and holds up a writer.
//
// # Journeys
//
// BEGIN goes with the first read and writes go with COMMIT, so that an Update which reads
// once and writes whatever it writes takes two round trips, and a View which reads once takes
// one. What storage.Prefetch names is read in one round trip, however many keys and ranges
// that are. Scans come in pages that grow, from 64 records, or as many as storage.ScanLimit
// says, to 8,192, and of about 1 MiB.
//
// # Hot keys
//
// Updates with a key of storage.WithContention queue when one of that key has waited or
// lost a race within the last ten seconds, and cost nothing otherwise. Those of one process that
// wait at the same time are made together, in one transaction: what their functions read first is
// read in one round trip, and then they run one after the other, each over what those before it have
// written. One that fails is left out. A function that reads once, as one does that declares what it
// reads by storage.Prefetch, runs once. Where one reads more, those behind it run over the same state
// first, so that their reads share round trips, and again in their turn. One that never returns holds
// up the others of its key. Processes queue by the lock of one of 1,024 empty tables, which is taken with
// BEGIN, before the snapshot, and given back by the end of the transaction or of the
// session. Who waits for it for a second continues without it, until it can be had again. Half of the pool waits for such
// locks at most, so that there are connections for all else.
//
// # Replicas
//
// A standby of the database answers Views where [Options.Replica] names it. Before each View
// the engine asks the database for the end of its flushed log, once for all Views that begin at
// the same time, and the standby for what it has replayed; the database answers the View where
// the standby has less, or does not answer. So a View shows all that was acknowledged before it
// began, as ever. It takes a round trip more.
//
// # Connections
//
// A transaction holds a connection from its first read until it is over, and so a View
// within a View takes a second, as does whatever is called by the function of another
// transaction that waits for it. When no connection of the pool has come back for a
// quarter of a second a call gets one outside the pool, of which there are as many as in
// the pool: so transactions that wait for one another come to their end even if the
// pool has one connection. Beyond that a call fails with storage.ErrUnavailable when none of
// them has come back for [Options.Patience].
//
// When the database refuses a connection, or has not taken one for half a second, one goroutine
// makes attempts, however many calls wait: after some 20 ms, and up to 0.6 s apart, with
// jitter, and twelve of them at a time. All others wait for its first connection, and an older attempt
// that a later one has overtaken is given up. So calls are answered within a second after the
// database answers again, and it is not busy with attempts that no call waits for.
//
// Who watches or is notified of something ([storage.Watcher]) costs a connection outside the
// pool, one for all, which listens and sends. Notices are never part of a commit, since
// the database would let commits with notices wait for one another; the committer does
// not wait for them. When the connection is lost, all who watch are woken as soon as
// there is another. Behind a pooler processes notify one another where
// [Options.Listen] is set.
//
// Where the address asks for a server that takes writes (target_session_attrs=read-write or
// primary), a connection begins with an empty commit, as does one that was idle for
// [Options.Patience]. A primary that was suspended while a standby took its place says that it
// takes writes, and would show what was before; but with synchronous replication no standby
// confirms its commits, so that the next server is asked. Give the address a connect_timeout
// of a second or two.
//
// Behind a pooler that hands connections from transaction to transaction, set
// [Options.Pooler]: the engine then leaves nothing behind in a session, neither prepared
// statements nor settings. It costs the database the planning of each statement.
//
// # Databases
//
// Records are rows of the table entries(scope, k, v), those of keys that begin with a zero byte of
// common(scope, k, v), in a schema that the engine makes where it is missing: the file schema.sql, which a
// role that may create tables can run before.
// The scope of a key is what comes before its first '/', with that, and k is the rest, so that one
// schedule or directory of twins has one scope, by which the table can be partitioned.
//
// Opening a database of version 1 or 2 of the schema, which are from before the first release, fails with
// storage.ErrUnreleased and changes nothing.
//
// What the engine says to the database is common to
// those that speak the protocol: INSERT … ON CONFLICT, unnest and any over arrays. What
// others may not know (the setting enable_seqscan, a lateral join that reads many ranges
// in one statement, and locks of tables) is tried once, and done without where it fails.
package postgres
