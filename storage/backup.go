package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
)

// ErrBadBackup reports that what Restore was given is not a whole backup: cut short,
// damaged, or something else.
var ErrBadBackup = errors.New("storage: not a whole backup")

// Restorer is implemented by engines that can replace everything they hold in
// one step.
type Restorer interface {
	// Restore replaces the content of the store by the content of a backup, wholly or not
	// at all, and begins a new history with it.
	Restore(ctx context.Context, r io.Reader) error
}

// Backup writes everything that s holds, as one committed state, to w. The backup of any
// engine can be restored into any other; it is also a file that the buntdb engine opens,
// which rewrites it as a store. Checksums cover every byte, and it has an end. A backup
// is whole only when Backup has returned nil.
//
// An engine that is no [Snapshotter] may lose the state while it is read and begin again
// with another. What it holds is then written to a temporary file first, in the folder of
// [os.TempDir].
func Backup(ctx context.Context, s Store, w io.Writer) error {
	engine, ok := s.(Snapshotter)
	if !ok {
		return backupViaFile(ctx, s, w)
	}
	snapshot, err := engine.Snapshot(ctx)
	if err != nil {
		return err
	}
	err = snapshot.View(ctx, func(r Reader) error { return writeBackup(ctx, r, w) })
	return errors.Join(err, snapshot.Close())
}

// backupViaFile writes what a store holds to a file until one state is there wholly.
func backupViaFile(ctx context.Context, s Store, w io.Writer) (err error) {
	f, err := os.CreateTemp("", "twinplatform-backup-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	err = s.View(ctx, func(r Reader) error {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := f.Truncate(0); err != nil {
			return err
		}
		return writeBackup(ctx, r, f)
	})
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(w, &reading{ctx, f})
	return err
}

// reading reads until its context is done.
type reading struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// writeBackup writes a state to w.
func writeBackup(ctx context.Context, r Reader, w io.Writer) error {
	pos, err := journal.Dump(ctx, w, journal.Backup, content(r))
	if err != nil {
		return err
	}
	return pos.Finish(w)
}

// Restore replaces everything that s holds by the content of a backup and begins
// a new [History]. It fails with ErrBadBackup when r does not hold a whole one.
//
// An engine that implements [Restorer] does so in one step; in any other, the
// old records are deleted and the new ones written in several transactions, and
// an error or a crash leaves some of each. The two engines of this module are of
// the first kind.
func Restore(ctx context.Context, s Store, r io.Reader) error {
	if engine, ok := s.(Restorer); ok {
		return wrapBackup(engine.Restore(ctx, r))
	}
	// What is seen meanwhile belongs to a separate history.
	if err := beginHistory(ctx, s); err != nil {
		return err
	}
	if err := clearAll(ctx, s); err != nil {
		return err
	}
	step := &restoring{ctx: ctx, store: s}
	err := journal.ReadAll(ctx, r, step.add)
	step.flush()
	return wrapBackup(errors.Join(step.err, err, beginHistory(ctx, s)))
}

// ReadBackup calls fn with what a backup holds, before it is restored: as far as it is
// whole, or until fn fails. A store's file of the buntdb engine, which is a backup too,
// may have a key several times. It fails with fn's error, and with ErrBadBackup when r
// does not hold a whole one.
func ReadBackup(ctx context.Context, r io.Reader, fn func(key string, value []byte) error) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	err := journal.ReadAll(reading, r, func(rec journal.Record) {
		if rec.Delete || string(rec.Key) == HistoryKey || failed != nil {
			return
		}
		if failed = fn(string(rec.Key), rec.Value); failed != nil {
			stop()
		}
	})
	if failed != nil {
		return failed
	}
	return wrapBackup(err)
}

// content yields what a backup holds: everything but the name of the history.
func content(r Reader) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, value := range r.Scan("", "") {
			if key != HistoryKey && !yield(key, value) {
				return
			}
		}
	}
}

// wrapBackup gives the errors of reading a backup their public name.
func wrapBackup(err error) error {
	_, damaged := errors.AsType[*journal.Fault](err)
	if damaged || errors.Is(err, journal.ErrForeign) || errors.Is(err, journal.ErrIncomplete) ||
		errors.Is(err, ErrUnreleased) {
		return fmt.Errorf("%w: %w", ErrBadBackup, err)
	}
	return err
}

// restoring writes the records of a backup in steps.
type restoring struct {
	ctx   context.Context
	store Store
	step  []record
	bytes int
	err   error
}

type record struct {
	key    string
	value  []byte
	delete bool
}

// stepWrites and stepBytes are where a step ends, well within the limits of a
// transaction.
const (
	stepWrites = 1000
	stepBytes  = 1 << 20
)

func (r *restoring) add(rec journal.Record) {
	if string(rec.Key) == HistoryKey {
		return
	}
	value := append([]byte(nil), rec.Value...)
	r.step = append(r.step, record{key: string(rec.Key), value: value, delete: rec.Delete})
	r.bytes += len(rec.Key) + len(value)
	if len(r.step) >= stepWrites || r.bytes >= stepBytes {
		r.flush()
	}
}

// flush writes the step, unless an earlier one has failed.
func (r *restoring) flush() {
	if r.err == nil && len(r.step) > 0 {
		r.err = r.store.Update(r.ctx, r.write)
	}
	r.step, r.bytes = nil, 0
}

func (r *restoring) write(w Writer) error {
	for _, rec := range r.step {
		var err error
		if rec.delete {
			err = w.Delete(rec.key)
		} else {
			err = w.Put(rec.key, rec.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// clearAll deletes everything in steps.
func clearAll(ctx context.Context, s Store) error {
	for {
		found := false
		err := s.Update(ctx, func(w Writer) error {
			n := 0
			for key := range w.Scan("", "") {
				if key == HistoryKey {
					continue
				}
				if n++; n > stepWrites {
					break
				}
				if err := w.Delete(key); err != nil {
					return err
				}
			}
			found = n > 0
			return nil
		})
		if err != nil || !found {
			return err
		}
	}
}
