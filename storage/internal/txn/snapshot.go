package txn

import (
	"context"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Snapshot keeps one state readable.
type Snapshot struct {
	tree    atomic.Pointer[Tree]
	history string
}

var _ storage.Snapshot = (*Snapshot)(nil)

// NewSnapshot returns a snapshot of tree, which no longer changes, in a
// history.
func NewSnapshot(tree *Tree, history string) *Snapshot {
	s := &Snapshot{history: history}
	s.tree.Store(tree)
	return s
}

// View implements storage.Snapshot.
func (s *Snapshot) View(ctx context.Context, fn func(storage.Reader) error) error {
	tree := s.tree.Load()
	if tree == nil {
		return storage.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := NewReader(tree, s.history)
	defer r.End()
	return fn(r)
}

// Close implements storage.Snapshot.
func (s *Snapshot) Close() error {
	s.tree.Store(nil)
	return nil
}
