package buntdb

import (
	"time"

	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// write brings a transaction into the file by itself and reports whether it
// did: under SyncAlways only while no other Update is about, because several
// are faster in a batch. The caller holds writer.
func (s *store) write(w *txn.Writer, generation int) (done bool, err error) {
	if s.policy == SyncAlways {
		if s.updating.Load() > 1 {
			return false, nil
		}
		if !s.flushing.TryLock() {
			return false, nil
		}
	} else {
		s.flushing.Lock()
	}
	defer s.flushing.Unlock()
	s.mu.Lock()
	alone, current, failure := len(s.open.ends) == 0, s.generation, s.failure
	s.mu.Unlock()
	switch {
	case !alone:
		return false, nil
	case failure != nil:
		return true, failure
	case current != generation:
		return true, errRolledBack
	case w.Len() == 0:
		return true, nil
	}
	b := &s.scratch
	b.frames, b.ends = b.frames[:0], b.ends[:0]
	b.add(w)
	if err := s.file.write(b.frames, b.ends); err != nil {
		return true, s.failWrite(err)
	}
	s.accept()
	if s.policy == SyncAlways {
		err = s.syncFile()
	} else if time.Since(s.checked) > time.Second {
		err = s.stayAttached()
	}
	if err != nil {
		return true, err
	}
	s.apply(w)
	s.committed(1)
	s.compactIfLarge()
	return true, nil
}

// apply makes changes that may be seen part of the state. While it applies many of them,
// concurrent readers see the state before.
func (s *store) apply(w *txn.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.InPlace(w.Len()) {
		s.shown.Store(nil)
		s.change(w)
		return
	}
	s.show()
	s.change(w)
	s.shown.Store(nil)
}

// change makes changes part of the state. The caller holds mu.
func (s *store) change(w *txn.Writer) {
	s.bytes += s.state.Apply(w)
	s.changes++
}

// join adds a transaction to the open batch. One without changes joins, too: it
// may have read what is not durable yet.
func (s *store) join(w *txn.Writer, generation int) (*batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.failure != nil:
		return nil, s.failure
	case s.generation != generation:
		return nil, errRolledBack
	case w.Len() > 0:
		s.show() // what follows must not be seen yet
		s.open.add(w)
		s.change(w)
	}
	return s.open, nil
}

// pendingBatch answers a function that returned an error: with the last batch that
// is committed and not durable, if any, because the error may report it, or by
// having the function run again when what it read was rolled back.
func (s *store) pendingBatch(generation int, err error) (*batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.generation != generation && s.failure != nil:
		return nil, s.failure
	case s.generation != generation:
		return nil, errRolledBack
	case len(s.open.ends) > 0:
		return s.open, err
	}
	return s.inFlight, err
}
