package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/btree"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Writer is a transaction that has not been committed: what it is to write, over the
// source that it began with.
type Writer struct {
	source  Source
	changes btree.Map[string, change]
	writes  int
	bytes   int
	err     error // the first failure; it fails the transaction
	over    bool
}

// change is what a transaction has decided about a key.
type change struct {
	value   []byte
	deleted bool
}

var _ interface {
	storage.Finder
	storage.Pending
} = (*Writer)(nil)

// NewWriter returns a transaction that begins with a source.
func NewWriter(source Source) *Writer { return &Writer{source: source} }

// Run runs fn and ends the writer. It fails, as Outcome says, when nothing is to be
// written.
func (w *Writer) Run(ctx context.Context, fn func(storage.Writer) error) error {
	defer w.End()
	return w.Outcome(ctx, fn(w))
}

// Outcome is what a transaction comes to whose function has returned err: nil when its
// changes are to be written. A source that failed is the cause of whatever the function
// returned then; an error of the function goes before that of a write that was refused,
// and before that of a ctx which is done.
func (w *Writer) Outcome(ctx context.Context, err error) error {
	switch {
	case err != nil && (w.err == nil || !w.lost()):
		return err
	case w.err != nil:
		return w.err
	}
	return ctx.Err()
}

// lost reports whether it was the source that failed, and not what was to be written.
func (w *Writer) lost() bool {
	return !errors.Is(w.err, storage.ErrTooLarge) && !errors.Is(w.err, storage.ErrEmptyKey)
}

// End makes every later call fail.
func (w *Writer) End() { w.over = true }

// Err returns the first failure of a call, which fails the transaction.
func (w *Writer) Err() error { return w.err }

// Len returns the number of keys that the transaction changes.
func (w *Writer) Len() int { return w.changes.Len() }

// Changes yields what the transaction decided, in key order: the value of each
// key it put, which is never nil, and nil for each it deleted.
func (w *Writer) Changes() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		w.changes.Scan(func(key string, c change) bool { return yield(key, c.value) })
	}
}

// Written implements storage.Pending.
func (w *Writer) Written() int { return w.bytes }

// Committed implements storage.Pending.
func (w *Writer) Committed(key string) ([]byte, error) {
	if w.over {
		return nil, errOver
	}
	value, err := w.source.Get(key)
	return value, failed(&w.err, err)
}

// Get implements storage.Reader.
func (w *Writer) Get(key string) ([]byte, error) {
	if w.over {
		return nil, errOver
	}
	if c, ok := w.changes.Get(key); ok {
		if c.deleted {
			return nil, storage.NotFound(key)
		}
		return c.value, nil
	}
	value, err := w.source.Get(key)
	return value, failed(&w.err, err)
}

// Find implements storage.Finder.
func (w *Writer) Find(key string) (value []byte, ok bool, err error) {
	if w.over {
		return nil, false, errOver
	}
	if c, ok := w.changes.Get(key); ok {
		return c.value, !c.deleted, nil
	}
	if f, finds := w.source.(Finder); finds {
		return f.Find(key)
	}
	value, err = w.source.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, false, nil
	}
	return value, err == nil, failed(&w.err, err)
}

// First implements storage.Finder.
func (w *Writer) First(prefix, after string) (key string, value []byte, ok bool) {
	f, finds := w.source.(Finder)
	if finds && !w.over && w.err == nil && !w.changed(prefix, after) {
		return f.First(prefix, after)
	}
	return storage.FirstOf(w.Scan(prefix, after))
}

// changed reports whether the transaction has decided about a key that a scan would come by.
func (w *Writer) changed(prefix, after string) (changed bool) {
	w.changes.Ascend(max(prefix, after), func(key string, _ change) bool {
		if key == after {
			return true
		}
		changed = strings.HasPrefix(key, prefix)
		return false
	})
	return changed
}

// failed keeps the first failure of a source; that a key is missing is none.
func failed(first *error, err error) error {
	if err != nil && *first == nil && !errors.Is(err, storage.ErrNotFound) {
		*first = err
	}
	return err
}

// Put implements storage.Writer.
func (w *Writer) Put(key string, value []byte) error {
	if len(value) > storage.MaxValueBytes {
		return w.fail(fmt.Errorf("%w: value of %q has %d bytes, limit %d",
			storage.ErrTooLarge, shorten(key), len(value), storage.MaxValueBytes))
	}
	if err := w.admit(key, len(value)); err != nil {
		return err
	}
	if value == nil {
		value = []byte{} // nil stands for a deletion in Changes
	}
	w.changes.Load(key, change{value: slices.Clip(value)}) // drafts hand over their keys in order
	return nil
}

// Delete implements storage.Writer.
func (w *Writer) Delete(key string) error {
	if err := w.admit(key, 0); err != nil {
		return err
	}
	w.changes.Set(key, change{deleted: true})
	return nil
}

// admit counts a write and refuses it when a limit is passed.
func (w *Writer) admit(key string, valueBytes int) error {
	switch {
	case w.over:
		return errOver
	case w.err != nil:
		return w.err
	case key == "":
		return w.fail(storage.ErrEmptyKey)
	case len(key) > storage.MaxKeyBytes:
		return w.fail(fmt.Errorf("%w: key %q… has %d bytes, limit %d",
			storage.ErrTooLarge, shorten(key), len(key), storage.MaxKeyBytes))
	}
	w.writes++
	w.bytes += len(key) + valueBytes
	if w.writes > storage.MaxTxWrites {
		return w.fail(fmt.Errorf("%w: more than %d writes in one transaction",
			storage.ErrTooLarge, storage.MaxTxWrites))
	}
	if w.bytes > storage.MaxTxBytes {
		return w.fail(fmt.Errorf("%w: more than %d bytes in one transaction",
			storage.ErrTooLarge, storage.MaxTxBytes))
	}
	return nil
}

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return w.err
}

func (w *Writer) note(err error) { _ = failed(&w.err, err) }

// Scan implements storage.Reader. The loop sees what the transaction had
// written when it began.
func (w *Writer) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return w.scan(w.source, prefix, after)
}

func (w *Writer) scan(source Source, prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if w.over || w.err != nil {
			return
		}
		alive := func(key string, value []byte) bool { return !w.over && yield(key, value) }
		if !w.changed(prefix, after) {
			w.note(source.Scan(prefix, after, alive))
			return
		}
		// What is written from here on is written separately from the copy. The copy
		// costs later writes more than the loop gains, so it is made for such loops only.
		own := overlay{iter: w.changes.Copy().Iter(), prefix: prefix}
		own.seek(after)
		w.note(own.merge(source, after, alive))
	}
}

// overlay walks the changes of a transaction that lie under a prefix.
type overlay struct {
	iter   btree.MapIter[string, change]
	prefix string
	ok     bool
}

func (p *overlay) key() string { return p.iter.Key() }

func (p *overlay) seek(after string) {
	p.ok = p.iter.Seek(max(p.prefix, after))
	if p.ok && p.key() == after {
		p.ok = p.iter.Next()
	}
	p.stay()
}

// yield hands the change at hand out, unless it is a deletion, and moves on.
func (p *overlay) yield(visit func(string, []byte) bool) bool {
	key, c := p.iter.Key(), p.iter.Value()
	p.ok = p.iter.Next()
	p.stay()
	return c.deleted || visit(key, c.value)
}

// merge visits the changes from here on and the records of source in one order, and of
// a key with both the change.
func (p *overlay) merge(source Source, after string, visit func(string, []byte) bool) error {
	stopped := false
	err := source.Scan(p.prefix, after, func(key string, value []byte) bool {
		for !stopped && p.ok && p.key() < key {
			stopped = !p.yield(visit)
		}
		switch {
		case stopped:
		case p.ok && p.key() == key:
			stopped = !p.yield(visit)
		default:
			stopped = !visit(key, value)
		}
		return !stopped
	})
	if err != nil {
		return err
	}
	for !stopped && p.ok {
		stopped = !p.yield(visit)
	}
	return nil
}

// stay ends the walk at the first key beyond the prefix.
func (p *overlay) stay() { p.ok = p.ok && strings.HasPrefix(p.key(), p.prefix) }

// shorten cuts a key for a message.
func shorten(key string) string { return key[:min(len(key), 64)] }
