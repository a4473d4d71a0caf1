package txn

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// Writer is a transaction over a map that has not been committed.
type Writer struct {
	engine.Writer
	base      *Tree
	history   string
	makesRoom bool
}

var _ storage.Reserving = (*Writer)(nil)

// NewWriter returns a transaction that begins with the state of base, which
// must not change before End, and continues a history.
func NewWriter(base *Tree, history string) *Writer {
	return &Writer{Writer: *engine.NewWriter(source{base}), base: base, history: history}
}

// source is a map that is read.
type source struct{ tree *Tree }

var _ engine.Finder = source{}

// Get implements engine.Source.
func (s source) Get(key string) ([]byte, error) { return get(s.tree, key) }

// Find implements engine.Finder.
func (s source) Find(key string) (value []byte, ok bool, err error) {
	value, ok = s.tree.Get(key)
	return value, ok, nil
}

// First implements engine.Finder.
func (s source) First(prefix, after string) (key string, value []byte, ok bool) {
	return s.tree.First(prefix, after)
}

// Scan implements engine.Source.
func (s source) Scan(prefix, after string, visit func(string, []byte) bool) error {
	s.tree.Scan(prefix, after, visit)
	return nil
}

// UseReserve implements storage.Reserving.
func (w *Writer) UseReserve() { w.makesRoom = true }

// MakesRoom reports whether UseReserve was called.
func (w *Writer) MakesRoom() bool { return w.makesRoom }

// Growth returns by how many bytes the keys and values of the state would grow.
func (w *Writer) Growth() int64 {
	var grown int64
	for key, value := range w.Changes() {
		if old, ok := w.base.Get(key); ok {
			grown -= int64(len(key) + len(old))
		}
		if value != nil {
			grown += int64(len(key) + len(value))
		}
	}
	return grown
}

// applied makes the changes in tree and yields them. All of them are to be taken.
func (w *Writer) applied(tree *Tree) iter.Seq[change] {
	return func(yield func(change) bool) {
		for key, value := range w.Changes() {
			c := change{Key: key, Now: value}
			var had bool
			if value == nil {
				c.Before, had = tree.Delete(key)
			} else {
				c.Before, had = tree.Set(key, value)
			}
			if had && c.Before == nil {
				c.Before = []byte{}
			}
			if !yield(c) {
				return
			}
		}
	}
}

// change is one of a transaction.
type change storage.Change

// growth is by how many bytes a state grows by it.
func (c change) growth() (grown int64) {
	if c.Before != nil {
		grown -= int64(len(c.Key) + len(c.Before))
	}
	if c.Now != nil {
		grown += int64(len(c.Key) + len(c.Now))
	}
	return grown
}
