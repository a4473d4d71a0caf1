// Package buntdb is a storage engine that keeps its data in memory and in one
// file, a write-ahead log in the append-only format of github.com/tidwall/buntdb,
// with what that format lacks to be trusted: transactions that are whole or absent,
// checksums, flushes whose errors count, group commit, a lock, and compaction that
// survives a loss of power.
//
// # Policies
//
// Under [SyncAlways] an Update returns, and readers see it, only when it is on
// the disk. Concurrent writers share one flush. Under [SyncEverySecond] and
// [SyncNever] an Update returns, and readers see it, when the operating system
// has it. What each fault can take away:
//
//	                          SyncAlways       SyncEverySecond    SyncNever
//	panic in Update           nothing          nothing            nothing
//	process killed            nothing (1)      nothing (1)        nothing (1)
//	machine loses power       nothing (1)      the last second    everything since the last
//	                                           or two (2)         compaction or Close (2)
//	flush fails               nothing (3)      as loss of power   as loss of power
//	write fails, disk full    nothing (4)      nothing (4)        nothing (4)
//	bytes changed on the disk nothing is lost silently (5)
//	bytes missing or added    nothing is lost silently (5)
//	file cut short            nothing is lost silently (5)
//
// The numbers stand for:
//
//  1. Of the Updates that had not returned, each is there wholly or not at all.
//  2. Always a number of the latest transactions, whole: none is missing
//     between two that are there.
//  3. The Update fails with storage.ErrUnavailable, no reader ever sees it, and
//     the store takes no more writes, because it is unknown what the disk kept:
//     the system may have dropped the bytes and call the next flush a success.
//     Reads continue. Close returns the error. Once opened again, the store holds
//     everything acknowledged, and of the Updates that failed each wholly or not
//     at all.
//  4. The Update fails with storage.ErrUnavailable and leaves nothing behind; the
//     store continues. On a full disk, transactions that free at least as much as
//     they add, or are made to make room (storage.UseReserve), still succeed as long as
//     they fit into the free space and [Options].ReserveBytes, and so does compaction as
//     long as the records do.
//  5. The store refuses to open with a [*DamageError] and changes nothing. Two records
//     show that something is missing: path.lock, which says how much of the file was
//     acknowledged under SyncAlways, or by the last Open or Close under the other policies;
//     and the markers of later transactions, which say how much was on the disk, and are
//     recognised wherever they stand. Where neither is left, damage looks like a write that
//     was torn; it and what follows are kept as path.cut-<time>, cut off, and reported to
//     the logger. That is so when path.lock is missing or damaged as well and the damage
//     reaches the end of the file, and, after a process ended without Close under SyncEverySecond
//     or SyncNever, for damage in what a loss of power would have taken.
//
// # Files
//
// Next to the file at path there are path.lock (held while the store is open, so that a
// second opener fails with [ErrLocked], and saying how much of the file was seen),
// path.ballast (the reserve file: space for a full disk) and, for the time of a
// compaction, path.compact. What opening has cut off is kept as path.cut-<time>, as much
// of it as [Options].CutFiles and CutBytes allow. All are readable by their owner alone.
// To copy a store while it is open use storage.Backup; the copy opens like any other file,
// and is then rewritten as a store.
//
// A file that is removed, moved or replaced by another while it is open ends the
// store like a failed flush: under SyncAlways before the next Update returns, under
// the other policies within a second of writing, and at the latest at Close.
//
// The file begins with a header, and each transaction ends with a marker: "set"
// commands of the reserved key "\x00tx" that carry the numbers of the file and of the
// transaction, its place, length and checksum, one of the whole file up to there, and how
// much of the file was known to be on the disk. The buntdb package itself opens such a file
// and shows the same records and this one key. A user's key that begins with "\x00tx" is
// written with "\x00tx\x00" in front.
//
// The header of a backup says that it is one. It ends with its own marker, so that one that
// was cut short, or has bytes behind its end, is recognized as incomplete: Open and
// storage.Restore refuse it, and Check reports it.
//
// Files and backups from before the first release have another header. They are refused with
// storage.ErrUnreleased, and nothing on the disk changes.
//
// A file written by the buntdb package is read by that package, from a copy in
// memory, kept as path.stock, and continues in the format above. What has expired is
// dropped; a value that is still to expire is refused, because this engine has no
// expiry, and so is a file that buntdb does not read to its end, but for a last
// write that was torn. Having no checksums, its values are taken as they are, and
// zeros that stand for whole commands are not seen.
//
// # Histories
//
// An opening continues the history (storage.History) of the file when path.lock says that
// the file holds all that readers have seen of it. It begins a new one when the file was
// left open under SyncEverySecond or SyncNever, and when path.lock is missing or speaks
// of another file: what is there is then a copy or a backup. When path.lock speaks of
// more than the file holds, or of a file that is gone, Open refuses: to put an older copy
// of the file in its place, or to begin again, remove path.lock.
//
// # Opening and repair
//
// Opening replays the file strictly. What follows the last whole transaction, a torn tail, is
// kept next to the file, cut off and reported to the logger when no commit was promised it.
// When path.lock or a later marker says that it was, Open refuses, changes nothing, and names
// the file, the place, what is before and behind it and what a repair would keep. [Check]
// says the same without a lock. [Repair] writes every transaction that is whole, before and
// behind the damage, to another file and leaves the original alone.
//
// # Compaction
//
// Deleted and replaced records take space until the file is rewritten: when it is
// over [Options].CompactBytes and half out of date, and by storage.Compact. The
// records are written to a new file while readers and writers continue; writers wait
// only while the last few transactions are copied and the new file takes the
// place of the old one. It needs as much free space as the records take.
//
// # Reports
//
// [Snapshot] copies one moment of a store into a database of the buntdb package in
// memory, which has indexes by a member of the JSON, by place and by any order. It
// is made for a report and closed after it: it does not follow the store.
//
// # Index
//
// The ordered index is a B+ tree that is copied on write and keeps what neighbouring
// keys begin with once, rather than a buntdb database in memory: that one starts a
// goroutine which outlives Close, has one lock under which a long read stops every
// writer and a waiting writer every reader, and no way to keep a state that readers may
// see while writers are ahead of it. With copies on write, a reader waits for nothing.
// Keys of the platform share prefixes of 100 bytes, which other trees keep once for each
// key. A record of 300 bytes takes about 360 bytes of memory.
package buntdb
