package buntdb

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

const (
	// chunkBytes is how much of a new journal is written at a time.
	chunkBytes = 256 << 10
	// catchUpRounds bounds the attempts to catch up with the writers before
	// they are made to wait.
	catchUpRounds = 8
	// recordOverhead is about what a record takes in a journal in addition to its key and
	// value, in bytes.
	recordOverhead = 40
)

// Compact implements storage.Compactor. It writes the records to a new file while readers
// and writers continue, and puts it in place of the old one.
func (s *store) Compact(ctx context.Context) error {
	if err := s.Gate.Enter(ctx); err != nil {
		return err
	}
	defer s.Gate.Leave()
	if err := s.compacting.LockContext(ctx); err != nil {
		return err
	}
	defer s.compacting.Unlock()
	return s.compact(ctx)
}

// compact rewrites the journal, giving up the reserve file when the disk is full. The
// caller holds compacting.
func (s *store) compact(ctx context.Context) error {
	err := s.rewrite(ctx)
	if diskFull(err) && !s.full.Load() {
		if err := s.releaseReserve(ctx); err != nil {
			return err
		}
		err = s.rewrite(ctx)
	}
	s.counts.compacted(err)
	if err != nil {
		return fmt.Errorf("buntdb: compact %s: %w", s.path, err)
	}
	return nil
}

// rewrite writes a new journal and installs it. The caller holds compacting.
func (s *store) rewrite(ctx context.Context) error {
	tree, from, old, err := s.checkpoint(ctx)
	if err != nil {
		return err
	}
	out, err := s.create(ctx, tree)
	if err != nil {
		return err
	}
	for range catchUpRounds {
		to, err := s.position(ctx)
		if err == nil && to-from.Offset < chunkBytes {
			break
		}
		if err == nil {
			from, err = out.copyTail(old, from, to)
		}
		if err == nil {
			err = out.sync()
		}
		if err != nil {
			return errors.Join(err, s.discard(out))
		}
	}
	idle, err := s.replace(ctx, out, old, from)
	if idle {
		// Nothing in it is needed any more. Freeing a large file takes a while,
		// so that no writer waits for it.
		_ = old.disk.Close()
	}
	return err
}

// replace puts out in place of old, of which it shows everything up to from. It reports
// whether old can be closed.
func (s *store) replace(ctx context.Context, out, old *file, from journal.Position) (idle bool, err error) {
	if err := s.flushing.LockContext(ctx); err != nil {
		return false, errors.Join(err, s.discard(out))
	}
	defer s.flushing.Unlock()
	if err = s.failed(); err == nil {
		_, err = out.copyTail(old, from, old.pos.Offset)
	}
	if err != nil {
		return false, errors.Join(err, s.discard(out))
	}
	if err = s.install(out, s.watermark.now.history); err != nil {
		return s.file != old && !old.flushing, err
	}
	old.dropped = true
	// Without room for it, the reserve file is released when a writer asks.
	_ = s.refill()
	return !old.flushing, nil
}

// checkpoint returns a state and the place in the file that shows it.
func (s *store) checkpoint(ctx context.Context) (*txn.Tree, journal.Position, *file, error) {
	if err := s.flushing.LockContext(ctx); err != nil {
		return nil, journal.Position{}, nil, err
	}
	defer s.flushing.Unlock()
	if err := s.stayAttached(); err != nil {
		return nil, journal.Position{}, nil, err
	}
	return s.visible().tree, s.file.pos, s.file, s.failed()
}

// position returns the length of the journal.
func (s *store) position(ctx context.Context) (int64, error) {
	if err := s.flushing.LockContext(ctx); err != nil {
		return 0, err
	}
	defer s.flushing.Unlock()
	return s.file.pos.Offset, s.failed()
}

// create writes a durable journal that holds tree next to the one in use.
func (s *store) create(ctx context.Context, tree *txn.Tree) (*file, error) {
	return create(ctx, s.fs, s.path+".compact", tree)
}

// discard removes a new journal that came to nothing.
func (s *store) discard(out *file) error {
	return errors.Join(out.disk.Close(), s.fs.Remove(s.path+".compact"))
}

// install puts a new journal in place of the old one, in a history. The caller holds
// flushing or is the only one who knows the store.
func (s *store) install(out *file, history uint64) error {
	// No goroutine reads the file before it is flushed, so the seal may be set early.
	out.durable = out.pos.Offset
	err := out.seal()
	if err == nil {
		err = out.sync()
	}
	if err == nil {
		err = s.watermark.announce(extentTo(out.pos, history))
	}
	if err == nil {
		err = s.stayAttached()
	}
	if err == nil {
		err = s.fs.Rename(s.path+".compact", s.path)
	}
	if err != nil {
		return errors.Join(err, s.discard(out))
	}
	s.file = out
	s.counts.fileBytes.Store(out.pos.Offset)
	s.watermark.switchOver()
	if err := s.fs.SyncDir(filepath.Dir(s.path)); err != nil {
		// It is unknown which of the two files a loss of power would leave.
		return s.markFailed(err)
	}
	return nil
}

// compactIfLarge starts a compaction when the journal is over the limit and
// mostly out of date. The caller holds flushing.
func (s *store) compactIfLarge() {
	if s.limit < 0 || s.file.pos.Offset < max(s.limit, s.file.retry) || s.life.Err() != nil {
		return
	}
	s.mu.Lock()
	base, _ := s.state.Base()
	live := s.bytes + int64(base.Len())*recordOverhead
	s.mu.Unlock()
	if s.file.pos.Offset < 2*live {
		return
	}
	// Should it fail, the next attempt waits until the file has grown again.
	s.file.retry = s.file.pos.Offset + s.file.pos.Offset/4
	if !s.compacting.TryLock() {
		return // is under way
	}
	s.background.Go(func() {
		defer s.compacting.Unlock()
		if err := s.compact(s.life); err != nil && s.life.Err() == nil {
			s.logger.Warn("buntdb: compaction failed", "path", s.path, "error", err)
		}
	})
}
