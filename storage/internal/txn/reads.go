package txn

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// Reads is the part of a store that reads. An engine embeds it.
type Reads struct {
	Gate *engine.Gate
	// Current is the state that readers see, which never changes, and its history.
	Current func() (tree *Tree, history string)
}

var _ interface {
	storage.Historian
	storage.Snapshotter
} = Reads{}

// View implements storage.Store.
func (r Reads) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := r.Gate.Enter(ctx); err != nil {
		return err
	}
	defer r.Gate.Leave()
	reader := NewReader(r.Current())
	defer reader.End()
	return fn(reader)
}

// History implements storage.Historian.
func (Reads) History(r storage.Reader) (string, error) {
	switch r := r.(type) {
	case *Reader:
		return r.history, nil
	case *Writer:
		return r.history, nil
	}
	return "", errors.New("storage: the transaction is none of this store")
}

// Snapshot implements storage.Snapshotter. It takes constant time.
func (r Reads) Snapshot(ctx context.Context) (storage.Snapshot, error) {
	if err := r.Gate.Enter(ctx); err != nil {
		return nil, err
	}
	defer r.Gate.Leave()
	return NewSnapshot(r.Current()), nil
}
