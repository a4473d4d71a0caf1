package buntdb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// Checked says what the file of a store holds.
type Checked struct {
	Records      int    // keys in what can be read
	Transactions uint64 // whole ones that were read; records in a file of buntdb itself
	LiveBytes    int64  // of these keys and their values
	FileBytes    int64
	// Torn is the length of a write at the end that was never finished, in bytes.
	// Opening the store cuts it off: nobody was promised what it holds. While a store
	// has the file open it is a write under way.
	Torn int64
	// Damage says where acknowledged data are damaged, and what a repair would keep;
	// nil for a file that can be opened.
	Damage *DamageError
}

// Check reads the file of a store to its end, without opening it for writing and without
// a lock, so that it may be called while a store has the file open: every byte that was
// acknowledged is covered by a checksum. The error says why the file could not be read;
// what is wrong with its content is in Checked.
func Check(path string) (Checked, error) {
	_, c, err := examine(path)
	return c, err
}

// CopyTo writes what the file of a store holds to w, as a backup that storage.Restore and
// Open take: one of its states, and under SyncAlways all that was acknowledged before the
// call. It neither opens the file for writing nor takes a lock, so that it is for a store
// that another process has open; in the same one storage.Backup is less work. It fails
// with a [*DamageError] when acknowledged data are damaged.
func CopyTo(ctx context.Context, path string, w io.Writer) (Checked, error) {
	tree, c, err := examine(path)
	if err != nil {
		return c, err
	}
	if c.Damage != nil {
		return c, c.Damage
	}
	pos, err := journal.Dump(ctx, w, txn.All(tree))
	if err == nil {
		err = pos.Finish(w)
	}
	return c, err
}

// readFile is a file that is only read.
type readFile struct{ *os.File }

func (f readFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func examine(path string) (*txn.Tree, Checked, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Checked{}, fmt.Errorf("buntdb: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	read, err := salvage(readFile{f}, path)
	damage, damaged := errors.AsType[*DamageError](err)
	if err != nil && !damaged {
		return nil, Checked{}, err
	}
	c := Checked{Damage: damage}
	if read == nil {
		info, err := f.Stat()
		if err == nil {
			c.FileBytes = info.Size()
		}
		return nil, c, err
	}
	c.Records, c.Transactions, c.LiveBytes, c.FileBytes = read.tree.Len(), read.pos.Sequence, read.bytes, read.size
	if damage == nil && read.fault != nil {
		c.Torn = read.size - read.fault.Offset
	}
	if damaged {
		c.Transactions = damage.Transactions
	}
	return read.tree, c, nil
}
