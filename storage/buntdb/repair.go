package buntdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// Repaired reports what a repair kept.
type Repaired struct {
	Records      int    // keys in the repaired file
	Transactions uint64 // whole transactions that were kept; records in a file of buntdb itself
	// Torn is the length of what is behind the last transaction that Open would show, in
	// bytes, when Open would cut it off; LaterTransactions of it are whole and were kept.
	Torn              int64
	LaterTransactions int
	// Damage is the error with which Open refuses the file, with the numbers of what is
	// before and behind the damage; nil when it does not.
	Damage *DamageError
}

// Repair reads the damaged file at path, a store or a backup, and writes what is whole in it
// to a new file at target: every transaction whose bytes are together somewhere, before and
// behind the damage, in the order in which they were made. When one of them is left out, what
// it wrote is as the transactions before it left it, or as a later one wrote it: a key that it
// deleted is there, and of what it changed the value before. Of a file of buntdb's that Open
// refuses it writes all records that this engine can hold. The original is not touched, and a
// target that exists is not overwritten.
//
// It fails with ErrLocked while a store has the file open, and with a [*DamageError] when
// nothing is whole.
func Repair(path, target string) (Repaired, error) {
	resolved, err := resolve(path)
	if err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %w", err)
	}
	return repair(disk.System{}, resolved, target)
}

func repair(dsk disk.FS, path, target string) (done Repaired, err error) {
	lock, created, err := takeLock(dsk, path)
	if err != nil {
		return Repaired{}, err
	}
	defer func() { err = errors.Join(err, giveLockBack(dsk, lock, path, created)) }()
	f, err := dsk.Open(path)
	if err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Lock(); err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	read, stock, err := load(f, path, readWatermark(lock), nil)
	damage, ok := errors.AsType[*DamageError](err)
	if err != nil && !ok {
		return Repaired{}, err
	}
	if done, err = read.repaired(f, stock, damage); err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	if damage != nil && done.Transactions == 0 && !stock {
		return Repaired{}, damage
	}
	if err := write(dsk, target, read.tree); err != nil {
		return Repaired{}, fmt.Errorf("buntdb: write %s: %w", target, err)
	}
	return done, nil
}

// repaired reports what a repair keeps, which is what tree holds afterwards.
func (l *loaded) repaired(f contents, stock bool, damage *DamageError) (Repaired, error) {
	done := Repaired{Transactions: l.pos.Sequence, Damage: damage}
	switch {
	case damage != nil:
		done.Transactions = damage.kept()
	case l.fault != nil && !stock:
		torn := new(DamageError)
		if err := l.salvage(f, torn); err != nil {
			return Repaired{}, err
		}
		done.Transactions, done.LaterTransactions, done.Torn = torn.kept(), torn.Later, l.size-l.fault.Offset
	case l.fault != nil:
		done.Torn = l.size - l.fault.Offset
	}
	done.Records = l.tree.Len()
	return done, nil
}

// write writes a sealed journal that holds tree to a file that does not exist.
func write(dsk disk.FS, target string, tree *txn.Tree) error {
	if f, err := dsk.Open(target); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = f.Close()
		}
		return errors.Join(fs.ErrExist, err)
	}
	out, err := create(context.Background(), dsk, target, tree)
	if err != nil {
		return err
	}
	if err = out.seal(); err == nil {
		err = out.sync()
	}
	if err = errors.Join(err, out.disk.Close()); err != nil {
		return errors.Join(err, dsk.Remove(target)) // which without its seal is not whole
	}
	return dsk.SyncDir(filepath.Dir(target))
}
