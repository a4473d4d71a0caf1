// Package storage is the seam between the platform and the engine that keeps
// its data: an ordered map of keys to values with transactions.
//
// An engine implements [Store]; the folders memory and buntdb hold the two that come with
// the module, and storagetest the suites that report whether an engine keeps its
// promises. Users of the platform only ever open an engine and hand it to a domain
// service.
//
// # Promises
//
// Order: a scan yields keys in ascending byte order, whatever they contain.
//
// Isolation: View sees a snapshot, one committed state from beginning to end.
// Updates are serializable. An Update reads its own writes, and no other transaction sees any
// of them before it has returned.
//
// Atomicity: an Update happens wholly or not at all, in memory, across an error
// or a panic of its function, and across a crash of the process. Once Update
// has returned nil under an engine's durable policy, the change also survives
// the loss of power.
//
// Loops: a scan sees the state at its beginning, and the loop's body may write.
//
// Reruns: the function given to View or Update may be run again after a lost race, so it
// has no effect outside the transaction but through variables that it sets again on each
// run.
//
// Distance: some engines are asked over a network. A caller that knows what a transaction is
// about to read declares it with [Prefetch], and with [ScanLimit] how much of it; that
// changes no answer.
//
// Processes: some engines serve several at once. What one of them has done, another that
// asks by [Watch] is notified by [Notify], sooner than it would look.
//
// Slices: a value handed out may be kept forever and must not be changed. A value handed
// in belongs to the engine from then on.
//
// # Besides the promises
//
// [Backup] and [Restore] carry a store to a file and back, and [Compact] gives back space. What only some engines can do is
// an optional interface with such a function, which falls back or says that it cannot.
package storage

import (
	"context"
	"errors"
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// Limits that every engine enforces with [ErrTooLarge], so that data written
// through one of them fits into any other and into a backup.
const (
	// MaxKeyBytes is the length of the longest key: 1 KiB.
	MaxKeyBytes = journal.MaxKeyBytes
	// MaxValueBytes is the length of the longest value: 512 KiB.
	MaxValueBytes = journal.MaxValueBytes
	// MaxTxWrites is the number of Put and Delete calls one Update may make: 10,000.
	MaxTxWrites = journal.MaxTxWrites
	// MaxTxBytes bounds the keys and values one Update may write: 16 MiB.
	MaxTxBytes = journal.MaxTxBytes
)

// The errors of the seam. Engines wrap them with what they know of the case;
// callers compare with errors.Is.
var (
	// ErrNotFound reports that Get was asked for a key that is not there.
	ErrNotFound = errors.New("storage: key not found")
	// ErrClosed reports that the store was closed.
	ErrClosed = errors.New("storage: store is closed")
	// ErrEmptyKey reports that Put or Delete was given the empty key, which no scan could
	// yield.
	ErrEmptyKey = errors.New("storage: key is empty")
	// ErrTooLarge reports that a key, a value or a transaction is over its limit.
	ErrTooLarge = errors.New("storage: too large")
	// ErrUnavailable reports that the store cannot take writes, now or any more: the disk
	// is full, or an earlier flush failed. Reads continue. From a View it says that the
	// store cannot be reached.
	ErrUnavailable = errors.New("storage: store takes no writes")
	// ErrUnknown reports of an Update that it is unknown whether it was made: what the
	// engine commits to was lost while it was committing, and could not be asked in time.
	// Who reads later finds all of the Update or nothing of it, for good.
	ErrUnknown = errors.New("storage: whether the transaction was committed is not known")

	// ErrUnreleased reports that a file, a backup, a database or the records of a store are of a
	// format from before the first release, which is not read, and says how what they hold comes
	// here. Nothing in them was changed.
	ErrUnreleased = journal.ErrUnreleased
)

// Store is an ordered map of keys to values with transactions.
// It is safe for concurrent use.
type Store interface {
	// View runs fn over one committed state. It returns fn's error, or the
	// error of a read or scan that failed within fn. The Reader is dead
	// once View has returned.
	View(ctx context.Context, fn func(Reader) error) error

	// Update runs fn in a transaction and commits when fn returns nil. When fn
	// returns an error or panics, when a call within fn failed, or when ctx is
	// done before the commit, nothing is written. Of an Update that failed no reader
	// ever reads anything through this store, unless it failed with ErrUnknown. No
	// call of the store may be made from within fn.
	Update(ctx context.Context, fn func(Writer) error) error

	// Close makes every later call fail with ErrClosed, waits for the calls
	// under way and releases what the store holds. Closing twice is harmless.
	Close() error
}

// Reader reads within a transaction. It is not safe for concurrent use.
type Reader interface {
	// Get returns the value of a key, or ErrNotFound.
	Get(key string) ([]byte, error)

	// Scan yields, in ascending byte order, the keys that begin with prefix and
	// are greater than after. An error of the engine ends the loop, and the
	// enclosing View or Update returns it.
	Scan(prefix, after string) iter.Seq2[string, []byte]
}

// Writer reads and writes within a transaction.
type Writer interface {
	Reader

	// Put sets the value of a key. It fails with ErrTooLarge past a limit and
	// with ErrEmptyKey on an empty key, and the transaction with it.
	Put(key string, value []byte) error

	// Delete removes a key; removing what is not there is no error. It fails
	// like Put.
	Delete(key string) error
}
