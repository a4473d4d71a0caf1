package buntdb

import (
	"context"

	tidwall "github.com/tidwall/buntdb"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

type store struct {
	gate   *txn.Gate
	writer chan struct{}
	state  *txn.State
	file   *tidwall.DB
}

// Open opens the store kept in the file at path and creates it when there is
// none.
func Open(path string, opts Options) (storage.Store, error) {
	file, err := tidwall.Open(path)
	if err != nil {
		return nil, err
	}
	tree := new(txn.Tree)
	err = file.View(func(tx *tidwall.Tx) error {
		return tx.Ascend("", func(key, value string) bool {
			tree.Set(key, []byte(value))
			return true
		})
	})
	if err != nil {
		return nil, err
	}
	return &store{
		gate: txn.NewGate(), writer: make(chan struct{}, 1),
		state: txn.NewState(tree), file: file,
	}, nil
}

// View implements storage.Store.
func (s *store) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := s.gate.Enter(); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	r := txn.NewReader(s.state.Snapshot())
	defer r.End()
	return fn(r)
}

// Update implements storage.Store.
func (s *store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.gate.Enter(); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.writer <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.writer }()
	w := txn.NewWriter(s.state.Base())
	defer w.End()
	if err := fn(w); err != nil {
		return err
	}
	if err := w.Err(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.file.Update(func(tx *tidwall.Tx) error {
		for key, value := range w.Changes() {
			if value == nil {
				if _, err := tx.Delete(key); err != nil && err != tidwall.ErrNotFound {
					return err
				}
				continue
			}
			if _, _, err := tx.Set(key, string(value), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.state.Apply(w)
	return nil
}

// Close implements storage.Store.
func (s *store) Close() error {
	if !s.gate.Close() {
		return nil
	}
	return s.file.Close()
}
