package txn

import (
	"fmt"
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// errOver answers calls on a Reader or Writer that outlived its transaction.
var errOver = fmt.Errorf("%w: the transaction is over", storage.ErrClosed)

// Reader reads one state.
type Reader struct {
	tree    *Tree
	history string
	over    bool
}

var _ storage.Finder = (*Reader)(nil)

// NewReader returns a reader of tree, which must not change before End, in a
// history.
func NewReader(tree *Tree, history string) *Reader { return &Reader{tree: tree, history: history} }

// End makes every later call fail.
func (r *Reader) End() { r.over = true }

// Get implements storage.Reader.
func (r *Reader) Get(key string) ([]byte, error) {
	if r.over {
		return nil, errOver
	}
	return get(r.tree, key)
}

// Find implements storage.Finder.
func (r *Reader) Find(key string) (value []byte, ok bool, err error) {
	if r.over {
		return nil, false, errOver
	}
	value, ok = r.tree.Get(key)
	return value, ok, nil
}

// First implements storage.Finder.
func (r *Reader) First(prefix, after string) (key string, value []byte, ok bool) {
	if r.over {
		return "", nil, false
	}
	return r.tree.First(prefix, after)
}

// Scan implements storage.Reader.
func (r *Reader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		r.tree.Scan(prefix, after, func(key string, value []byte) bool {
			return !r.over && yield(key, value)
		})
	}
}

// All yields every record of tree in key order.
func All(tree *Tree) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) { tree.Scan("", "", yield) }
}

func get(tree *Tree, key string) ([]byte, error) {
	value, ok := tree.Get(key)
	if !ok {
		return nil, storage.NotFound(key)
	}
	return value, nil
}
