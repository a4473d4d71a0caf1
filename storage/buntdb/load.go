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
	sealed bool
	fault  *journal.Fault // of what follows pos, if anything does
	seen   watermarkCheck
}

// load reads a journal up to its end or to the torn end of a write. Damage that
// reaches acknowledged data is a *DamageError; a file of another format is
// journal.ErrForeign. The watermark says how much of it was seen.
func load(f contents, path string, w *watermark) (*loaded, error) {
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("buntdb: %w", err)
	}
	if size == 0 {
		return nil, &DamageError{Path: path, Reason: "an empty file"}
	}
	r, err := journal.NewReader(io.NewSectionReader(f, 0, size), size)
	if fault, ok := errors.AsType[*journal.Fault](err); ok {
		return nil, &DamageError{Path: path, Offset: fault.Offset, Reason: fault.Reason}
	}
	if err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	read := &loaded{tree: new(txn.Tree), size: size, seen: w.check()}
	if err := read.replay(r); err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	if read.fault == nil {
		return read, nil
	}
	later, err := journal.FindMarkers(f, size, read.pos.ID, read.pos.Offset)
	if err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	if later.Durable > read.pos.Offset {
		return read, &DamageError{
			Path: path, Offset: read.pos.Offset, Reason: read.fault.Reason,
			Transactions: read.pos.Sequence, Later: later.Markers,
		}
	}
	return read, nil
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
		old, had = l.tree.Load(key, value)
		l.bytes += int64(len(key) + len(value))
	}
	if had {
		l.bytes -= int64(len(key) + len(old))
	}
}
