// Package memory is a storage engine that keeps everything in memory: for
// tests, for examples, and for platforms that need not survive a restart.
//
// Readers see a snapshot and never wait for a writer; one Update runs at a
// time. The engine starts no goroutine and works within a testing/synctest
// bubble. It holds about 450 bytes per record of 300 bytes.
package memory

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// New returns an empty store.
func New() storage.Store {
	return &store{
		gate:   txn.NewGate(),
		writer: txn.NewMutex(),
		state:  txn.NewState(new(txn.Tree)),
		tenure: rand.Text(),
	}
}

type store struct {
	gate   *txn.Gate
	writer txn.Mutex // held while an Update runs
	state  *txn.State
	tenure string
}

// Tenure implements storage.Exclusive.
func (s *store) Tenure() string { return s.tenure }

var _ interface {
	storage.Store
	storage.Exclusive
	storage.Historian
	storage.Restorer
	storage.Snapshotter
} = (*store)(nil)

// View implements storage.Store.
func (s *store) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	r := txn.NewReader(s.state.Snapshot())
	defer r.End()
	return fn(r)
}

// Update implements storage.Store.
func (s *store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := s.writer.LockContext(ctx); err != nil {
		return err
	}
	defer s.writer.Unlock()
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
	if w.Len() > 0 {
		s.state.Apply(w)
	}
	return nil
}

// History implements storage.Historian.
func (s *store) History(r storage.Reader) (string, error) { return txn.HistoryOf(r) }

// Snapshot implements storage.Snapshotter. It takes constant time.
func (s *store) Snapshot(ctx context.Context) (storage.Snapshot, error) {
	if err := s.gate.Enter(ctx); err != nil {
		return nil, err
	}
	defer s.gate.Leave()
	return txn.NewSnapshot(s.state.Snapshot()), nil
}

// Restore implements storage.Restorer.
func (s *store) Restore(ctx context.Context, r io.Reader) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	tree := new(txn.Tree)
	err := journal.ReadAll(ctx, r, func(rec journal.Record) {
		if rec.Delete {
			tree.Delete(string(rec.Key))
		} else {
			tree.Load(string(rec.Key), bytes.Clone(rec.Value))
		}
	})
	if err != nil {
		return fmt.Errorf("memory: restore: %w", err)
	}
	if err := s.writer.LockContext(ctx); err != nil {
		return err
	}
	defer s.writer.Unlock()
	s.state.Replace(tree, journal.NewHistory())
	return nil
}

// Close implements storage.Store.
func (s *store) Close() error {
	s.gate.Close()
	return nil
}
