package buntdb

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// reserveFile is disk space set aside in a separate file. Released when the disk is full,
// it leaves room for transactions that free space and for compaction.
type reserveFile struct {
	fs     disk.FS
	name   string
	bytes  int64
	logger *slog.Logger
}

// reserve takes the space, unless it is held already.
func (b *reserveFile) reserve() error {
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
func (b *reserveFile) release() {
	if b.bytes <= 0 {
		return
	}
	if err := b.fs.Remove(b.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.logger.Warn("buntdb: the reserve file could not be removed", "path", b.name, "error", err)
	}
}

// admit refuses a transaction that would use up the space that the released reserve file
// has left for those that free some, until the reserve file can be written again.
func (s *store) admit(w *txn.Writer) error {
	if !s.full.Load() || w.MakesRoom() || w.Growth() <= 0 {
		return nil
	}
	s.flushing.Lock()
	defer s.flushing.Unlock()
	return s.refill()
}

// refill writes the reserve file again when there is room for it. The caller holds
// flushing.
func (s *store) refill() error {
	if !s.full.Load() {
		return nil
	}
	if s.reserve.reserve() != nil {
		return errFull
	}
	s.full.Store(false)
	s.accept()
	return nil
}

// releaseReserve makes room on a full disk.
func (s *store) releaseReserve(ctx context.Context) error {
	if err := s.flushing.LockContext(ctx); err != nil {
		return err
	}
	defer s.flushing.Unlock()
	s.full.Store(true)
	s.reserve.release()
	return nil
}
