// Package engine holds what engines of package storage have in common, for those that
// are written elsewhere: a [Writer] that keeps the writes of a transaction back, reads
// them as if they were there and holds them to the limits; a [Reader] that dies with
// its transaction; a [Gate] that lets Close wait for the calls under way; and a
// [Mutex] that one can stop waiting for.
//
// What is left to an engine is a [Source] for the state that a transaction reads, and
// to make the [Writer.Changes] of one durable, all of them or none:
//
//	func (s *store) View(ctx context.Context, fn func(storage.Reader) error) error {
//		return engine.View(ctx, s.gate, s.state, fn)
//	}
//
//	func (s *store) Update(ctx context.Context, fn func(storage.Writer) error) error {
//		if err := s.gate.Enter(ctx); err != nil {
//			return err
//		}
//		defer s.gate.Leave()
//		if err := s.writer.LockContext(ctx); err != nil {
//			return err
//		}
//		defer s.writer.Unlock()
//		w := engine.NewWriter(s.state)
//		if err := w.Run(ctx, fn); err != nil {
//			return err
//		}
//		return s.commit(w.Changes())
//	}
//
// An engine behind a network is a [Line] instead: [NewRemoteReader] and [NewRemoteWriter]
// make its transactions, which read ahead what is prefetched.
//
// Package storagetest reports whether the whole keeps the promises of package storage.
package engine

import (
	"context"
	"fmt"
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Source is one state of a store, or one transaction of a database. Nothing changes
// what it shows while it is read.
type Source interface {
	// Get returns the value of a key, which belongs to the caller, or storage.NotFound.
	Get(key string) ([]byte, error)
	// Scan calls visit for the keys that begin with prefix and are greater than after,
	// in ascending byte order, until it returns false. Within visit the source may be
	// read.
	Scan(prefix, after string, visit func(key string, value []byte) bool) error
}

// Finder is a Source that finds single records without an error or a loop, as in
// [storage.Finder], and does not fail meanwhile: all that it shows is in memory.
type Finder interface {
	Source

	Find(key string) (value []byte, ok bool, err error)
	First(prefix, after string) (key string, value []byte, ok bool)
}

// errOver answers calls on a Reader or Writer that outlived its transaction.
var errOver = fmt.Errorf("%w: the transaction is over", storage.ErrClosed)

// Reader reads a source until its transaction is over.
type Reader struct {
	source Source
	err    error // the first failure of a scan or read
	over   bool
}

var _ storage.Reader = (*Reader)(nil)

// NewReader returns a reader of a source.
func NewReader(source Source) *Reader { return &Reader{source: source} }

// View runs fn over a source within a gate.
func View(ctx context.Context, gate *Gate, source Source, fn func(storage.Reader) error) error {
	if err := gate.Enter(ctx); err != nil {
		return err
	}
	defer gate.Leave()
	return NewReader(source).Run(fn)
}

// Run runs fn and ends the reader. It returns what Outcome says.
func (r *Reader) Run(fn func(storage.Reader) error) error {
	defer r.End()
	return r.Outcome(fn(r))
}

// Outcome is what a transaction returns whose function has returned err: the failure of
// the source, which is the cause of whatever the function returned then, or else err.
func (r *Reader) Outcome(err error) error {
	if r.err != nil {
		return r.err
	}
	return err
}

// End makes every later call fail.
func (r *Reader) End() { r.over = true }

// Err returns the first failure of the source.
func (r *Reader) Err() error { return r.err }

// Get implements storage.Reader.
func (r *Reader) Get(key string) ([]byte, error) {
	switch {
	case r.over:
		return nil, errOver
	case r.err != nil:
		return nil, r.err
	}
	value, err := r.source.Get(key)
	return value, failed(&r.err, err)
}

// Scan implements storage.Reader.
func (r *Reader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return r.scan(r.source, prefix, after)
}

func (r *Reader) scan(source Source, prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if r.over || r.err != nil {
			return
		}
		err := source.Scan(prefix, after, func(key string, value []byte) bool {
			return !r.over && yield(key, value)
		})
		_ = failed(&r.err, err)
	}
}
