package buntdb

import (
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// file is a journal that is being appended to. It is not safe for concurrent
// use.
type file struct {
	disk    disk.File
	pos     journal.Position // behind the last transaction
	durable int64            // bytes known to be on the disk
	sealed  bool             // the last transaction says that all before it is durable

	flushing bool  // by a goroutine that does not hold the file meanwhile
	dropped  bool  // replaced by another file, and closed when no goroutine flushes it
	retry    int64 // length before which no further compaction is tried
}

// brokenError reports that a file could not be brought back to a known state.
type brokenError struct{ error }

// Unwrap returns what went wrong.
func (e *brokenError) Unwrap() error { return e.error }

// write appends transactions, each with room for its marker. After an error the
// file is as before, or the error is a *brokenError.
func (f *file) write(frames []byte, ends []int) error {
	before := f.pos
	start := 0
	for _, end := range ends {
		f.pos.Seal(frames[start:end], f.durable)
		start = end
	}
	if _, err := f.disk.WriteAt(frames, before.Offset); err != nil {
		f.pos = before
		return f.takeBack(err)
	}
	f.sealed = false
	return nil
}

// takeBack cuts off what a failed write has left, and makes the cut durable: a
// transaction reported as failed must not be found after a crash.
func (f *file) takeBack(err error) error {
	if cut := f.disk.Truncate(f.pos.Offset); cut != nil {
		return &brokenError{errors.Join(err, cut)}
	}
	if flush := f.disk.Sync(); flush != nil {
		return &brokenError{errors.Join(err, flush)}
	}
	f.durable = f.pos.Offset
	return err
}

// sync makes everything written so far durable.
func (f *file) sync() error {
	if err := f.disk.Sync(); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	f.durable = f.pos.Offset
	return nil
}

// seal appends a transaction without commands, whose marker says that all
// before it is durable. With it at the end of a file, no damage before can be
// mistaken for a write that was torn.
func (f *file) seal() error {
	if err := f.write(make([]byte, journal.MarkerBytes), []int{journal.MarkerBytes}); err != nil {
		return err
	}
	f.sealed = true
	return nil
}

// finish makes the file durable and sealed. A disk too full for the seal is no
// reason to fail: the data is safe without it.
func (f *file) finish() error {
	if f.durable < f.pos.Offset {
		if err := f.sync(); err != nil {
			return err
		}
	}
	if f.sealed {
		return nil
	}
	if err := f.seal(); err != nil {
		if broken, ok := errors.AsType[*brokenError](err); ok {
			return broken
		}
		return nil
	}
	return f.sync()
}
