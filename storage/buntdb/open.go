package buntdb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

const (
	defaultCompactBytes = 32 << 20
	defaultReserveBytes = 4 << 20
	defaultCutFiles     = 8
	defaultCutBytes     = 256 << 20
)

// Open opens the store kept in the file at path and creates it when there is none. Next
// to the file it keeps path.lock and path.ballast, and path.compact while it compacts.
//
// It fails with [ErrLocked] while another store has the file open, and with a [*DamageError] when
// opening it would lose acknowledged data, and when it is a backup or a copy that is not whole:
// then nothing is changed, neither the file nor those next to it. A torn write at the end, which
// was never acknowledged, is kept as path.cut-<time> and cut off. A whole backup is written again
// as a store. A file written by buntdb itself is read by it, kept as path.stock, and continues in
// the format of this package; one that cannot be kept whole is refused with a [*DamageError]. An
// empty file is refused, and so is a missing one where path.lock records one: no store leaves that
// behind.
func Open(path string, opts Options) (storage.Store, error) {
	resolved, err := resolve(path)
	if err != nil {
		return nil, fmt.Errorf("buntdb: %w", err)
	}
	return open(disk.System{}, resolved, opts)
}

// resolve follows links, also to a file that is not there yet, so that two names
// of a file share its lock and a rename replaces the file and not the link.
func resolve(path string) (string, error) {
	for range maxLinks {
		resolved, err := filepath.EvalSymlinks(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return resolved, err
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, filepath.Base(path))
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, and so the file to be made
		}
		if path = target; !filepath.IsAbs(target) {
			path = filepath.Join(dir, target)
		}
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// maxLinks is how many links in a row may stand for a file.
const maxLinks = 40

// open opens the store kept in the file at path of a disk.
func open(dsk disk.FS, path string, opts Options) (storage.Store, error) {
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if opts.CompactBytes == 0 {
		opts.CompactBytes = defaultCompactBytes
	}
	if opts.ReserveBytes == 0 {
		opts.ReserveBytes = defaultReserveBytes
	}
	if opts.CutFiles == 0 {
		opts.CutFiles = defaultCutFiles
	}
	if opts.CutBytes == 0 {
		opts.CutBytes = defaultCutBytes
	}
	lock, created, err := takeLock(dsk, path)
	if err != nil {
		return nil, err
	}
	s := &store{
		fs: dsk, path: path, policy: opts.Durability, limit: opts.CompactBytes,
		logger: opts.Logger, lock: lock, epoch: rand.Text(), watermark: readWatermark(lock),
		cuts:       &cuts{fs: dsk, path: path, files: opts.CutFiles, bytes: opts.CutBytes, logger: opts.Logger},
		compacting: engine.NewMutex(), writer: engine.NewMutex(), flushing: engine.NewMutex(),
		memory:  &memoryLimit{path: path, bytes: opts.MemoryBytes, logger: opts.Logger},
		reserve: &reserveFile{fs: dsk, name: path + ".ballast", bytes: opts.ReserveBytes, logger: opts.Logger},
		state:   txn.NewState(new(txn.Tree)), open: newBatch(),
	}
	s.watermark.disk = lock
	s.Reads = txn.Reads{
		Gate:    engine.NewGate(),
		Current: func() (*txn.Tree, string) { now := s.visible(); return now.tree, now.history },
	}
	if err := s.recoverJournal(); err != nil {
		if s.file != nil {
			_ = s.file.disk.Close()
		}
		_, refused := errors.AsType[*DamageError](err)
		return nil, errors.Join(err, giveLockBack(dsk, lock, path, created && refused))
	}
	if err := s.reserve.reserve(); err != nil {
		s.logger.Warn("buntdb: the reserve file cannot be made: on a full disk deletions may fail, too", "path",
			s.reserve.name, "error", err)
		s.full.Store(true)
	}
	s.life, s.end = context.WithCancel(context.Background())
	if s.policy == SyncEverySecond {
		s.background.Go(s.flushEverySecond)
	}
	s.flushing.Lock()
	defer s.flushing.Unlock()
	s.compactIfLarge()
	return s, nil
}

// recoverJournal loads the journal and has the watermark know it before any goroutine sees it.
func (s *store) recoverJournal() error {
	if err := s.load(); err != nil {
		return err
	}
	if err := s.watermark.begin(s.policy, extentTo(s.file.pos, s.watermark.now.history)); err != nil {
		return fmt.Errorf("buntdb: %s.lock: %w", s.path, err)
	}
	s.checked = time.Now()
	return nil
}

// load reads the journal, or begins one. It changes nothing before it is known that all is
// there that was acknowledged.
func (s *store) load() error {
	f, err := s.fs.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		if s.watermark.holds() {
			return &DamageError{Path: s.path, Reason: "there is no file, and its lock file says that there was one; " +
				"to start over remove that, too"}
		}
		return s.startJournal(new(txn.Tree), 0, 0)
	}
	if err != nil {
		return fmt.Errorf("buntdb: %w", err)
	}
	if err := f.Lock(); err != nil {
		return fmt.Errorf("buntdb: %s: %w", s.path, errors.Join(err, f.Close()))
	}
	read, stock, err := load(f, s.path, s.watermark, s.memory)
	if err == nil {
		err = s.removeCompaction()
	}
	switch {
	case err != nil:
		return errors.Join(err, f.Close())
	case stock:
		return s.adopt(f, read)
	case read.pos.Kind == journal.Backup:
		// A backup ends with its end. What continues is a journal that holds the same.
		if err := f.Close(); err != nil {
			return fmt.Errorf("buntdb: %w", err)
		}
		return s.startJournal(read.tree, read.bytes, journal.NewID())
	}
	return s.resume(f, read)
}

// removeCompaction removes what a compaction that came to nothing has left.
func (s *store) removeCompaction() error {
	if err := s.fs.Remove(s.path + ".compact"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("buntdb: %w", err)
	}
	return nil
}

// takeLock takes the lock of the store at path and reports whether its file was made for
// that.
func takeLock(dsk disk.FS, path string) (lock disk.File, created bool, err error) {
	if f, err := dsk.OpenToRead(path + ".lock"); errors.Is(err, fs.ErrNotExist) {
		created = true
	} else if err == nil {
		_ = f.Close() // nothing was written
	}
	lock, err = dsk.Lock(path + ".lock")
	if err != nil {
		return nil, false, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	return lock, created, nil
}

// giveLockBack gives the lock up, and removes its file where there was none. Who has
// opened that meanwhile is kept from the store by the lock on the store's file.
func giveLockBack(dsk disk.FS, lock disk.File, path string, remove bool) error {
	if remove {
		_ = dsk.Remove(path + ".lock") // an open file cannot be removed everywhere
	}
	return lock.Close()
}

// resume cuts off what a crash has torn and makes what was read durable before
// any goroutine sees it.
func (s *store) resume(f disk.File, read *loaded) error {
	s.file = &file{disk: f, pos: read.pos, sealed: read.sealed}
	if read.fault != nil {
		kept, err := s.keepTail(f, read.pos.Offset, read.size)
		if err != nil {
			return fmt.Errorf("buntdb: keep what is to be cut off %s: %w", s.path, err)
		}
		s.logger.Warn("buntdb: cut off a write that was never finished", "path", s.path,
			"offset", read.pos.Offset, "bytes", read.size-read.pos.Offset, "reason", read.fault.Reason, "kept", kept)
		if err := f.Truncate(read.pos.Offset); err != nil {
			return fmt.Errorf("buntdb: %w", err)
		}
	}
	err := s.file.finish()
	if err == nil {
		// A process that died while it compacted may have left the name of the
		// file in memory only.
		err = s.fs.SyncDir(filepath.Dir(s.path))
	}
	if err != nil {
		return fmt.Errorf("buntdb: %s: %w", s.path, err)
	}
	history, ok := read.seen.history()
	if !ok {
		history = journal.NewID()
		s.logger.Warn("buntdb: the file may have lost changes that clients saw: earlier ETags and delta tokens are "+
			"refused",
			"path", s.path)
	}
	s.counts.fileBytes.Store(s.file.pos.Offset)
	s.set(read.tree, read.bytes, history)
	return nil
}

// startJournal makes a journal that holds tree and shows it.
func (s *store) startJournal(tree *txn.Tree, bytes int64, history uint64) error {
	s.set(tree, bytes, history)
	out, err := s.create(context.Background(), tree)
	if err == nil {
		err = s.install(out, history)
	}
	if err != nil {
		return fmt.Errorf("buntdb: %s: %w", s.path, err)
	}
	return nil
}

// set makes tree the content of the store, in a history.
func (s *store) set(tree *txn.Tree, bytes int64, history uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watermark.now.history = history
	s.state.Replace(tree, journal.HistoryName(history))
	s.bytes = bytes
	s.shown.Store(nil)
}
