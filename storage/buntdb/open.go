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
	defaultBallastBytes = 4 << 20
)

// Open opens the store kept in the file at path and creates it when there is
// none. Beside the file it keeps path.lock and path.ballast, and path.compact
// while it compacts.
//
// It fails with [ErrLocked] while another store has the file open, and with a
// [*DamageError] when opening it would lose acknowledged data. A file written
// by buntdb itself is read by it, kept as path.stock, and goes on in the format of
// this package; one that cannot be kept whole is refused with a [*DamageError]. An empty file is refused: no store leaves one behind.
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
	if opts.BallastBytes == 0 {
		opts.BallastBytes = defaultBallastBytes
	}
	lock, err := dsk.Lock(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("buntdb: %s: %w", path, err)
	}
	s := &store{
		fs: dsk, path: path, policy: opts.Durability, limit: opts.CompactBytes,
		logger: opts.Logger, lock: lock, tenure: rand.Text(), watermark: readWatermark(lock),
		compacting: engine.NewMutex(), writer: engine.NewMutex(), flushing: engine.NewMutex(),
		ballast: &ballast{fs: dsk, name: path + ".ballast", bytes: opts.BallastBytes, logger: opts.Logger},
		state:   txn.NewState(new(txn.Tree)), open: newBatch(),
	}
	s.Reads = txn.Reads{Gate: engine.NewGate(), Current: func() (*txn.Tree, string) { now := s.visible(); return now.tree, now.history }}
	if err := s.recoverJournal(); err != nil {
		if s.file != nil {
			_ = s.file.disk.Close()
		}
		_ = lock.Close()
		return nil, err
	}
	if err := s.ballast.reserve(); err != nil {
		s.logger.Warn("buntdb: no space for the ballast", "path", path, "error", err)
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

// recoverJournal loads the journal and has the watermark know it before anybody sees it.
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

// load reads the journal, or begins one.
func (s *store) load() error {
	if err := s.fs.Remove(s.path + ".compact"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("buntdb: %w", err)
	}
	f, err := s.fs.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.startJournal(new(txn.Tree), 0, 0)
	}
	if err != nil {
		return fmt.Errorf("buntdb: %w", err)
	}
	if err := f.Lock(); err != nil {
		return fmt.Errorf("buntdb: %s: %w", s.path, errors.Join(err, f.Close()))
	}
	read, err := load(f, s.path, s.watermark)
	if errors.Is(err, journal.ErrForeign) {
		return s.adopt(f)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return s.resume(f, read)
}

// resume cuts off what a crash has torn and makes what was read durable before
// anybody sees it.
func (s *store) resume(f disk.File, read *loaded) error {
	s.file = &file{disk: f, pos: read.pos, sealed: read.sealed}
	if read.fault != nil {
		s.logger.Warn("buntdb: cut off a write that was never finished", "path", s.path,
			"offset", read.pos.Offset, "bytes", read.size-read.pos.Offset, "reason", read.fault.Reason)
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
		s.logger.Warn("buntdb: the file is not known to hold all that was seen of it, so versions and tokens from before are good no more",
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
		return fmt.Errorf("buntdb: %w", err)
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
