package storetest

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Full is a store whose disk can be full.
type Full struct {
	storage.Store

	left atomic.Int32
}

// Space is what is left on the disk of a Full store.
type Space int32

const (
	// Plenty is the space of a disk that is not full.
	Plenty Space = iota
	// Reserve is left of a full one at first: the store takes what does not make it grow, and
	// what may use the reserve, and refuses all else, as storage/buntdb does.
	Reserve
	// Nothing is left in the end: the store takes no write.
	Nothing
)

// NewFull is a store over another, with plenty of space at first.
func NewFull(store storage.Store) *Full { return &Full{Store: store} }

// Leave sets how much space is left.
func (s *Full) Leave(space Space) { s.left.Store(int32(space)) }

// Epoch implements storage.Exclusive.
func (s *Full) Epoch() string { return storage.Epoch(s.Store) }

// History implements storage.Historian.
func (s *Full) History(r storage.Reader) (string, error) {
	if w, ok := r.(*measuredWriter); ok {
		r = w.Writer
	}
	return storage.History(s.Store, r)
}

// Update implements storage.Store.
func (s *Full) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error {
		measured := &measuredWriter{Writer: w}
		if err := fn(measured); err != nil {
			return err
		}
		if left := Space(s.left.Load()); left == Nothing && measured.writes > 0 ||
			left == Reserve && measured.grown > 0 && !measured.freeing {
			return fmt.Errorf("%w: the disk is full", storage.ErrUnavailable)
		}
		return nil
	})
}

// measuredWriter counts by how much a transaction makes the store grow.
type measuredWriter struct {
	storage.Writer

	writes, grown int
	freeing       bool
}

var _ storage.Reserving = (*measuredWriter)(nil)

// UseReserve implements storage.Reserving.
func (w *measuredWriter) UseReserve() { w.freeing = true }

// Put implements storage.Writer.
func (w *measuredWriter) Put(key string, value []byte) error {
	w.leave(key)
	w.grown += len(key) + len(value)
	return w.Writer.Put(key, value)
}

// Delete implements storage.Writer.
func (w *measuredWriter) Delete(key string) error {
	w.leave(key)
	return w.Writer.Delete(key)
}

// leave counts what a key had until now.
func (w *measuredWriter) leave(key string) {
	w.writes++
	if was, err := w.Get(key); err == nil {
		w.grown -= len(key) + len(was)
	}
}
