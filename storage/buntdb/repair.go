package buntdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// Repaired says what a repair kept.
type Repaired struct {
	Records      int          // keys in the repaired file
	Transactions uint64       // whole transactions that were kept; records in a file of buntdb itself
	Damage       *DamageError // what was left out and why; nil when there was nothing to repair
}

// Repair reads the damaged file at path and writes what comes before the damage
// to a new file at target: one of the states that the store has had, whole. Of a
// file of buntdb's that Open refuses it writes all records that this engine can
// hold. The original is not touched, and a target that exists is not overwritten.
//
// It fails with ErrLocked while a store has the file open.
func Repair(path, target string) (Repaired, error) {
	resolved, err := resolve(path)
	if err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %w", err)
	}
	return repair(disk.System{}, resolved, target)
}

func repair(dsk disk.FS, path, target string) (done Repaired, err error) {
	lock, err := dsk.Lock(path + ".lock")
	if err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	f, err := dsk.Open(path)
	if err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Lock(); err != nil {
		return Repaired{}, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	read, err := salvage(f, path)
	damage, ok := errors.AsType[*DamageError](err)
	if err != nil && !ok {
		return Repaired{}, err
	}
	if read == nil {
		return Repaired{}, damage
	}
	if err := write(dsk, target, read.tree); err != nil {
		return Repaired{}, fmt.Errorf("buntdb: write %s: %w", target, err)
	}
	done = Repaired{Records: read.tree.Len(), Transactions: read.pos.Sequence, Damage: damage}
	if damage != nil {
		done.Transactions = damage.Transactions
	}
	return done, nil
}

// salvage reads the whole transactions at the beginning of a file, also when
// only its header is damaged.
func salvage(f contents, path string) (*loaded, error) {
	read, err := load(f, path, new(watermark))
	if errors.Is(err, journal.ErrForeign) {
		return loadStock(f, path)
	}
	damage, ok := errors.AsType[*DamageError](err)
	if !ok || read != nil {
		return read, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("buntdb: %w", err)
	}
	r, ok := journal.MendHeader(f, size)
	if !ok {
		return nil, damage
	}
	read = &loaded{tree: new(txn.Tree), size: size}
	if err := read.replay(r); err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	damage.Transactions = read.pos.Sequence
	return read, damage
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
	return errors.Join(out.finish(), out.disk.Close(), dsk.SyncDir(filepath.Dir(target)))
}
