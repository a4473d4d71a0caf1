package storage

import "iter"

// Observable is implemented by engines that report what every transaction changes,
// whichever handle makes it. That costs no read: they know what was there before.
type Observable interface {
	Store

	// Observe reports to o what the store holds, and from then on each change to it.
	// Update waits meanwhile. A store has one observer, the last one given; nil ends it.
	Observe(o Observer)
}

// Observer receives what a store holds. The calls come one at a time, in the order of the
// transactions, and before Update returns. It calls nothing of the store, returns at once,
// and keeps no slice.
type Observer interface {
	// Holds reports that the store holds these records and no others: at first, when its
	// content is replaced, and when it drops what could not be made durable.
	Holds(all iter.Seq2[string, []byte])
	// Begin and End are called before and after the changes of each transaction.
	Begin()
	End()
	// Change reports one of them.
	Change(c Change)
}

// Change is what a transaction has made of one key. A value that is nil is none.
type Change struct {
	Key         string
	Before, Now []byte
}

// Observe makes an engine call o, see [Observable]. It reports false for an engine that
// cannot.
func Observe(s Store, o Observer) bool {
	engine, ok := s.(Observable)
	if ok {
		engine.Observe(o)
	}
	return ok
}

// Pending is implemented by the Writers of engines that report what a transaction has
// decided so far.
type Pending interface {
	Writer

	// Written is the length of all keys and values that were put and of all keys that were
	// deleted, whatever they replace.
	Written() int
	// Changes yields each key with the value that it will have, in order; nil is none.
	Changes() iter.Seq2[string, []byte]
	// Committed returns the value that a key had before the transaction, or ErrNotFound.
	Committed(key string) ([]byte, error)
}
