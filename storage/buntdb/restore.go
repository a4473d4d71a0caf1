package buntdb

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/storage/engine"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// Restore implements storage.Restorer: the backup is read and checked, written to a
// separate file, and takes the place of everything at once, as a separate history.
// Readers continue meanwhile; writers wait.
func (s *store) Restore(ctx context.Context, r io.Reader) error {
	if err := s.Gate.Enter(ctx); err != nil {
		return err
	}
	defer s.Gate.Leave()
	read := &loaded{tree: new(txn.Tree)}
	if err := journal.ReadAll(ctx, r, read.apply); err != nil {
		return fmt.Errorf("buntdb: restore: %w", err)
	}
	for _, lock := range []engine.Mutex{s.compacting, s.writer, s.flushing} {
		if err := lock.LockContext(ctx); err != nil {
			return err
		}
		defer lock.Unlock()
	}
	return s.swap(ctx, read)
}

// swap makes what was read the content of the store. The caller holds every
// lock.
func (s *store) swap(ctx context.Context, read *loaded) error {
	s.flush() // for those who wait for it; what it writes is about to go
	if err := s.failed(); err != nil {
		return err
	}
	old, history := s.file, journal.NewID()
	out, err := s.create(ctx, read.tree)
	if err == nil {
		err = s.install(out, history)
	}
	if err != nil {
		return fmt.Errorf("buntdb: restore: %w", err)
	}
	old.dropped = true
	if !old.flushing {
		_ = old.disk.Close() // nothing in it is needed any more
	}
	s.set(read.tree, read.bytes, history)
	return nil
}
