package buntdb

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// batch is a row of transactions that reach the disk with one flush: a group
// commit.
type batch struct {
	frames []byte // the commands of each transaction and room for its marker
	ends   []int  // where in frames each transaction ends
	done   chan struct{}
	err    error // set before done is closed
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

// add appends a transaction.
func (b *batch) add(w *txn.Writer) {
	for key, value := range w.Changes() {
		if value == nil {
			b.frames = journal.AppendDelete(b.frames, key)
		} else {
			b.frames = journal.AppendSet(b.frames, key, value)
		}
	}
	b.mark()
}

// mark ends a transaction.
func (b *batch) mark() {
	b.frames = slices.Grow(b.frames, journal.MarkerBytes)
	b.frames = b.frames[:len(b.frames)+journal.MarkerBytes]
	b.ends = append(b.ends, len(b.frames))
}

// finish reports the outcome to every transaction in the batch.
func (b *batch) finish(err error) {
	b.err = err
	close(b.done)
}

// await waits until a batch is on the disk; the first to get hold of the journal
// leads the group and brings it there.
func (s *store) await(b *batch) error {
	select {
	case <-b.done:
	case s.flushing <- struct{}{}:
		s.lead(b)
	}
	return b.err
}

// lead flushes the open batch, unless b is done: the goroutine that holds the journal
// finds b done or open, because only a holder takes a batch away.
func (s *store) lead(b *batch) {
	defer s.flushing.Unlock()
	select {
	case <-b.done:
	default:
		s.flush()
	}
}

// flush brings the open batch to the disk and shows its state to readers. The
// caller holds flushing.
func (s *store) flush() {
	s.mu.Lock()
	b, next := s.open, s.newest()
	s.open, s.inFlight = newBatch(), b
	err := s.failure
	s.mu.Unlock()
	if err == nil && len(b.ends) > 0 {
		err = s.writeBatch(b)
	}
	s.mu.Lock()
	s.inFlight = nil
	if err == nil && len(b.ends) > 0 {
		s.shown.Store(next)
		s.committed(len(b.ends))
	}
	s.mu.Unlock()
	b.finish(err)
	if err == nil {
		s.compactIfLarge()
	}
}

// writeBatch writes and flushes a batch.
func (s *store) writeBatch(b *batch) error {
	if err := s.file.write(b.frames, b.ends); err != nil {
		return s.failWrite(err)
	}
	s.accept()
	return s.syncFile()
}
