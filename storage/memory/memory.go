// Package memory is a storage engine that keeps everything in memory: for
// tests, for examples, and for platforms that need not survive a restart.
//
// Readers see a snapshot and wait for no Update, at most for the moment in which its
// changes become part of what there is; one Update runs at a time. The engine starts no
// goroutine and works within a testing/synctest bubble. It holds about 360 bytes per record
// of 300 bytes.
package memory

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// New returns an empty store.
func New() storage.Store { return over(txn.NewState(new(txn.Tree))) }

// over is a store with a state, which it owns.
func over(state *txn.State) *store {
	return &store{
		Reads:  txn.Reads{Gate: engine.NewGate(), Current: state.Snapshot},
		writer: engine.NewMutex(),
		state:  state,
		epoch:  rand.Text(),
	}
}

type store struct {
	txn.Reads
	writer engine.Mutex // held while an Update runs
	state  *txn.State
	epoch  string

	commits, bytes atomic.Int64 // of what was committed; keys and values
}

// Epoch implements storage.Exclusive.
func (s *store) Epoch() string { return s.epoch }

var _ interface {
	storage.Store
	storage.Exclusive
	storage.Historian
	storage.Measured
	storage.Observable
	storage.Restorer
	storage.Snapshotter
} = (*store)(nil)

// Update implements storage.Store.
func (s *store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.Gate.Enter(ctx); err != nil {
		return err
	}
	defer s.Gate.Leave()
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
		s.bytes.Add(s.state.Apply(w))
		s.commits.Add(1)
	}
	return nil
}

// Observe implements storage.Observable.
func (s *store) Observe(o storage.Observer) {
	s.writer.Lock()
	defer s.writer.Unlock()
	s.state.Observe(o)
}

// Stats implements storage.Measured.
func (s *store) Stats() storage.Stats {
	tree, _ := s.state.Snapshot()
	return storage.Stats{Commits: s.commits.Load(), Keys: int64(tree.Len()), LiveBytes: s.bytes.Load()}
}

// Restore implements storage.Restorer.
func (s *store) Restore(ctx context.Context, r io.Reader) error {
	if err := s.Gate.Enter(ctx); err != nil {
		return err
	}
	defer s.Gate.Leave()
	tree := new(txn.Tree)
	err := journal.ReadAll(ctx, r, func(rec journal.Record) {
		if rec.Delete {
			tree.Delete(string(rec.Key))
		} else {
			tree.Set(string(rec.Key), bytes.Clone(rec.Value))
		}
	})
	if err != nil {
		return fmt.Errorf("memory: restore: %w", err)
	}
	if err := s.writer.LockContext(ctx); err != nil {
		return err
	}
	defer s.writer.Unlock()
	live := int64(0)
	for key, value := range txn.All(tree) {
		live += int64(len(key) + len(value))
	}
	s.state.Replace(tree, journal.NewHistory())
	s.bytes.Store(live)
	return nil
}

// Close implements storage.Store.
func (s *store) Close() error {
	s.Gate.Close()
	return nil
}
