package buntdb

import (
	"context"
	"log/slog"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// ballast is disk space kept in a file of its own. Given up when the disk is
// full, it leaves room for transactions that free space and for compaction.
type ballast struct {
	fs     disk.FS
	name   string
	bytes  int64
	logger *slog.Logger
}

// reserve takes the space, unless it is held already.
func (b *ballast) reserve() error {
	if b.bytes <= 0 {
		return nil
	}
	if f, err := b.fs.Open(b.name); err == nil {
		size, err := f.Size()
		if closeErr := f.Close(); err == nil && closeErr == nil && size >= b.bytes {
			return nil
		}
	}
	f, err := b.fs.Create(b.name)
	if err != nil {
		return err
	}
	if err := f.Reserve(b.bytes); err != nil {
		_ = f.Close()
		b.release()
		return err
	}
	return f.Close()
}

// release gives the space up.
func (b *ballast) release() {
	if b.bytes <= 0 {
		return
	}
	if err := b.fs.Remove(b.name); err != nil {
		b.logger.Warn("buntdb: the reserve file could not be removed", "path", b.name, "error", err)
	}
}

// admit refuses a transaction that would use up the space which the ballast has
// left for those that free some, until the ballast can be taken again.
func (s *store) admit(w *txn.Writer) error {
	if !s.full.Load() || w.Growth() <= 0 {
		return nil
	}
	s.flushing.Lock()
	defer s.flushing.Unlock()
	return s.refill()
}

// refill takes the ballast again when there is room for it. The caller holds
// flushing.
func (s *store) refill() error {
	if !s.full.Load() {
		return nil
	}
	if s.ballast.reserve() != nil {
		return errFull
	}
	s.full.Store(false)
	return nil
}

// giveUpBallast makes room on a full disk.
func (s *store) giveUpBallast(ctx context.Context) error {
	if err := s.flushing.LockContext(ctx); err != nil {
		return err
	}
	defer s.flushing.Unlock()
	s.full.Store(true)
	s.ballast.release()
	return nil
}
