package buntdb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// Checked reports what the file of a store holds.
type Checked struct {
	Records      int    // keys in what opening holds or, of a damaged file, in what a repair keeps
	Transactions uint64 // whole ones in it; records in a file of buntdb itself
	LiveBytes    int64  // of these keys and their values
	FileBytes    int64
	// Torn is the length in bytes of a write at the end that was never finished. Opening the store
	// cuts it off and keeps it in a file next to the store; no acknowledged commit is in it. While
	// a store has the file open, it is a write in progress.
	Torn int64
	// Backup reports that the file is a backup.
	Backup bool
	// Damage is the error with which Open refuses the file, and says what a repair would
	// keep; nil for a file that can be opened and for a whole backup.
	Damage *DamageError
}

// Check reads the file of a store, or a backup, to its end and reports what Open would:
// every acknowledged byte is covered by a checksum, and the lock file records how many
// there were. It neither opens a file for writing nor takes a lock, so it may be called
// while a store has the file open. The error is for a file that cannot be read; damage to
// its content is in Checked.
func Check(path string) (Checked, error) {
	resolved, err := resolve(path)
	if err != nil {
		return Checked{}, fmt.Errorf("buntdb: %w", err)
	}
	return check(disk.System{}, resolved)
}

func check(dsk disk.FS, path string) (Checked, error) {
	_, c, err := examine(dsk, path)
	return c, err
}

// CopyTo writes what the file of a store holds to w, as a backup that storage.Restore and
// Open take: one of its states, and under SyncAlways all that was acknowledged before the
// call. It neither opens the file for writing nor takes a lock, so that it is for a store
// that another process has open; in the same one storage.Backup is less work. It fails
// with a [*DamageError] when acknowledged data are damaged.
func CopyTo(ctx context.Context, path string, w io.Writer) (Checked, error) {
	resolved, err := resolve(path)
	if err != nil {
		return Checked{}, fmt.Errorf("buntdb: %w", err)
	}
	tree, c, err := examine(disk.System{}, resolved)
	if err != nil {
		return c, err
	}
	if c.Damage != nil {
		return c, c.Damage
	}
	pos, err := journal.Dump(ctx, w, journal.Backup, txn.All(tree))
	if err == nil {
		err = pos.Finish(w)
	}
	return c, err
}

// readLock reads what the lock file of a store says, if there is one.
func readLock(dsk disk.FS, path string) (*watermark, error) {
	f, err := dsk.OpenToRead(path + ".lock")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrLocked) {
		return new(watermark), nil // locked by the store that has it open, which has checked it
	}
	if err != nil {
		return nil, err
	}
	return readWatermark(f), f.Close()
}

func examine(dsk disk.FS, path string) (*txn.Tree, Checked, error) {
	// The lock file is read first: while a store has the file open, the file grows before
	// the lock file records it.
	w, err := readLock(dsk, path)
	if err != nil {
		return nil, Checked{}, fmt.Errorf("buntdb: %w", err)
	}
	f, err := dsk.OpenToRead(path)
	if err != nil {
		return nil, Checked{}, fmt.Errorf("buntdb: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	read, _, err := load(f, path, w, nil)
	damage, damaged := errors.AsType[*DamageError](err)
	if err != nil && !damaged {
		return nil, Checked{}, err
	}
	c := Checked{
		Records: read.tree.Len(), Transactions: read.pos.Sequence, LiveBytes: read.bytes, FileBytes: read.size,
		Backup: read.pos.Kind == journal.Backup, Damage: damage,
	}
	switch {
	case damaged:
		c.Transactions = damage.kept()
	case read.fault != nil:
		c.Torn = read.size - read.fault.Offset
	}
	return read.tree, c, nil
}
