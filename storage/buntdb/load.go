package buntdb

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// contents are the bytes of a file that is only read.
type contents interface {
	io.ReaderAt
	Size() (int64, error)
}

// loaded is what the whole transactions of a file amount to.
type loaded struct {
	tree   *txn.Tree
	bytes  int64 // keys and values in tree
	size   int64 // of the file
	pos    journal.Position
	sealed bool           // the last transaction has no commands
	made   bool           // the file was whole once: it holds the seal that ends its making
	fault  *journal.Fault // of what follows pos, if anything does
	seen   watermarkCheck
	memory *memoryLimit // nil where no one keeps what is read
}

// load reads a file up to its end or to the torn end of a write. Damage that prevents
// continuing is a *DamageError; along with it comes what a repair keeps, if anything. A file
// written by buntdb itself is read by buntdb, and stock is then set. The watermark records
// how much was seen.
func load(f contents, path string, w *watermark, memory *memoryLimit) (read *loaded, stock bool, err error) {
	read, err = loadJournal(f, path, w, memory)
	if !errors.Is(err, journal.ErrForeign) {
		return read, false, err
	}
	read, err = loadStock(f, path, memory)
	if err == nil && w.holds() {
		err = &DamageError{
			Path: path, Offset: -1, Reason: "its lock file belongs to a store, which this is not",
			Transactions: uint64(read.tree.Len()), Kept: read.tree.Len(),
		}
	}
	return read, true, err
}

// loadJournal does so for what is not of buntdb itself, which is journal.ErrForeign.
func loadJournal(f contents, path string, w *watermark, memory *memoryLimit) (*loaded, error) {
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("buntdb: %w", err)
	}
	read := &loaded{tree: new(txn.Tree), size: size, seen: w.check(), memory: memory}
	damage, err := read.read(f)
	if err == nil && damage != nil {
		damage.Path = path
		err = read.salvage(f, damage)
	}
	if err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	if damage != nil {
		return read, damage
	}
	return read, nil
}

// read reads a file strictly and returns the damage that prevents continuing with it.
func (l *loaded) read(f contents) (*DamageError, error) {
	if l.size == 0 {
		return &DamageError{Reason: "an empty file"}, nil
	}
	r, err := journal.NewReader(io.NewSectionReader(f, 0, l.size), l.size)
	fault, damaged := errors.AsType[*journal.Fault](err)
	switch {
	case damaged:
		_, err := l.readHeadless(f)
		return &DamageError{Reason: fault.Reason}, err
	case errors.Is(err, journal.ErrForeign):
		if ours, lookErr := l.readHeadless(f); lookErr != nil || ours {
			return &DamageError{Reason: "no header"}, lookErr
		}
		return nil, err
	case err != nil:
		return nil, err
	}
	if err := l.replay(r); err != nil {
		return nil, err
	}
	l.made = r.Sealed()
	reason, err := l.objection(f, r)
	if err != nil || reason == "" {
		return nil, err
	}
	return &DamageError{Offset: l.pos.Offset, Reason: reason}, nil
}

// readHeadless reads a file without a whole header as far as it goes, when it is one of
// this engine.
func (l *loaded) readHeadless(f contents) (ours bool, err error) {
	r, ours, err := journal.MendHeader(f, l.size)
	if err != nil || !ours {
		return false, err
	}
	return true, l.replay(r)
}

// objection is the reason not to continue with a file that has been read, or empty.
func (l *loaded) objection(f contents, r *journal.Reader) (string, error) {
	switch {
	case l.pos.Kind == journal.Backup && l.fault != nil:
		return "a backup, not whole: " + l.fault.Reason, nil
	case l.pos.Kind == journal.Backup && !r.Ends():
		return "a backup, not whole: its end is missing", nil
	}
	if l.fault != nil {
		behind, err := journal.Look(f, l.size, l.pos)
		if err != nil {
			return "", err
		}
		if behind.Loss(l.pos) {
			return l.fault.Reason, nil
		}
	}
	if !l.made {
		return "a backup or a copy, not whole: its end is missing", nil
	}
	return l.seen.missing(l.pos), nil
}

// replay applies transactions until the end or a fault.
func (l *loaded) replay(r *journal.Reader) error {
	for {
		l.pos = r.Position()
		l.seen.reach(l.pos)
		records, err := r.Next()
		if fault, ok := errors.AsType[*journal.Fault](err); ok {
			l.fault = fault
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, rec := range records {
			l.apply(rec)
		}
		l.sealed = len(records) == 0
	}
}

// salvage adds the whole transactions behind the damage to those before it, and counts
// both.
func (l *loaded) salvage(f contents, damage *DamageError) error {
	damage.Transactions, damage.Records = l.pos.Sequence, l.tree.Len()
	behind, err := journal.Look(f, l.size, l.pos)
	if err != nil {
		return err
	}
	whole, err := journal.FindWhole(f, l.size, l.pos)
	if err != nil {
		return err
	}
	set := make(map[string]bool)
	for _, tx := range whole {
		records, err := tx.Records(f)
		if _, fault := errors.AsType[*journal.Fault](err); fault {
			continue
		}
		if err != nil {
			return err
		}
		damage.Later++
		for _, rec := range records {
			l.apply(rec)
			set[string(rec.Key)] = !rec.Delete
		}
	}
	for _, there := range set {
		if there {
			damage.LaterRecords++
		}
	}
	damage.Lost = max(behind.Last, l.pos.Sequence) - l.pos.Sequence - uint64(damage.Later)
	damage.Kept = l.tree.Len()
	return nil
}

// apply makes one command part of the tree.
func (l *loaded) apply(rec journal.Record) {
	key := string(rec.Key)
	var old []byte
	var had bool
	if rec.Delete {
		old, had = l.tree.Delete(key)
	} else {
		value := make([]byte, len(rec.Value))
		copy(value, rec.Value)
		old, had = l.tree.Set(key, value)
		l.bytes += int64(len(key) + len(value))
	}
	if had {
		l.bytes -= int64(len(key) + len(old))
	}
	l.memory.check(l)
}
