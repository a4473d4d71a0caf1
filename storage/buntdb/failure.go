package buntdb

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
)

// ErrLocked reports that another store, in this or another process, has the file open.
var ErrLocked = disk.ErrLocked

// DamageError reports that a file does not hold all that was acknowledged, or is no whole
// backup, so that opening it would lose something. Nothing was changed. [Repair] keeps what
// is whole, before and behind the damage.
type DamageError struct {
	Path         string
	Offset       int64  // where the first damaged transaction begins, in bytes; -1 in a file of buntdb itself
	Reason       string // what is wrong there
	Transactions uint64 // whole transactions before Offset; records of buntdb itself
	Records      int    // keys in what is before Offset
	Later        int    // whole transactions behind Offset; records of buntdb itself that do not fit here
	LaterRecords int    // keys that these set, and none of them deleted later
	Lost         uint64 // transactions that are not whole any more, as far as the others show
	Kept         int    // keys in what a repair keeps
}

// kept is the number of transactions that a repair keeps.
func (e *DamageError) kept() uint64 {
	if e.Offset < 0 {
		return e.Transactions // what is later fits nowhere
	}
	return e.Transactions + uint64(e.Later)
}

// Error implements error.
func (e *DamageError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("buntdb: %s cannot be taken over whole: %s; a repair keeps the %d records that can be "+
			"read and leaves out %d",
			e.Path, e.Reason, e.Transactions, e.Later)
	}
	return fmt.Sprintf("buntdb: %s is damaged at byte %d: %s; %d records of %d transactions stand before, "+
		"%d records of %d transactions behind; nothing was changed, and a repair keeps %d records",
		e.Path, e.Offset, e.Reason, e.Records, e.Transactions, e.LaterRecords, e.Later, e.Kept)
}

// errRolledBack reports that the state a transaction read never became durable.
var errRolledBack = errors.New("buntdb: state was rolled back")

// errFull reports that the disk is full.
var errFull = fmt.Errorf("%w: the disk is full", storage.ErrUnavailable)

// failWrite answers a write that failed. The file is as it was before it, so that
// the store continues; everything committed on top of it is rolled back. The caller
// holds flushing.
func (s *store) failWrite(err error) error {
	if broken, ok := errors.AsType[*brokenError](err); ok {
		return s.markFailed(broken)
	}
	if diskFull(err) {
		s.refuse("buntdb: the disk is full; reads and deletions continue", err)
		s.full.Store(true)
		s.reserve.release()
		err = fmt.Errorf("%w: %w", errFull, err)
	} else {
		s.refuse("buntdb: the journal cannot be written; reads continue", err)
		err = fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	s.rollBack(err)
	return err
}

// diskFull reports whether a call failed for want of space.
func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// refuse logs why a write failed, unless the one before it failed, too. The caller holds
// flushing.
func (s *store) refuse(message string, err error) {
	if !s.refusing {
		s.refusing = true
		s.logger.Error(message, "path", s.path, "error", err)
	}
}

// accept logs that writes succeed again, if the one before failed, and nothing is kept from
// the disk any more. The caller holds flushing.
func (s *store) accept() {
	if s.refusing && !s.full.Load() {
		s.refusing = false
		s.logger.Info("buntdb: writes continue", "path", s.path)
	}
}

// markFailed handles a flush that failed. The system may have dropped what it was to
// write and call the next flush a success, so none is ever tried again. The caller holds
// flushing.
func (s *store) markFailed(err error) error {
	err = fmt.Errorf("%w until it is reopened: %w", storage.ErrUnavailable, err)
	s.logger.Error("buntdb: the journal cannot be flushed; reads continue, writes fail", "path", s.path, "error", err)
	s.mu.Lock()
	s.failure = err
	s.mu.Unlock()
	s.rollBack(err)
	return err
}

// rollBack drops every change that is not in the file: those of the open batch
// and those under way.
func (s *store) rollBack(err error) {
	s.mu.Lock()
	b := s.open
	s.open = newBatch()
	if last := s.shown.Load(); last != nil && last.changes != s.changes {
		s.state.Replace(last.tree.Copy(), last.history)
		s.bytes, s.changes = last.bytes, s.changes+1
	}
	s.generation++
	s.mu.Unlock()
	b.finish(err)
}
