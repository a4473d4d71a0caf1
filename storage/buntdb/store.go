package buntdb

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// store is an open journal and the state it stands for.
//
// A writer holds writer while its function runs and until its changes are part
// of state. When no other goroutine writes, or need not wait for the disk, it writes
// for itself. Otherwise its changes join the open batch; the goroutine that gets hold of
// flushing writes and flushes the batch for everybody in it, and only then shows
// its state to readers.
//
// Locks are taken in the order compacting, writer, flushing, mu; who takes one out
// of order does not wait for it.
type store struct {
	fs     disk.FS
	path   string
	policy Durability
	limit  int64 // bytes from which on the journal is compacted by itself
	logger *slog.Logger
	lock   disk.File
	epoch  string // names this opening, which holds lock
	txn.Reads

	compacting engine.Mutex
	writer     engine.Mutex
	flushing   engine.Mutex // guards the fields down to reserve
	file       *file
	scratch    batch // for a writer that writes for itself
	watermark  *watermark
	checked    time.Time // when the file was last seen to be the one at path
	reserve    *reserveFile
	refusing   bool // the last write failed, and that was logged
	memory     *memoryLimit
	cuts       *cuts

	mu         sync.Mutex // guards the fields below, never held across a call of fs
	state      *txn.State // with all that was committed, durable or not
	bytes      int64      // keys and values in state
	changes    int64      // counts the transactions that have changed state
	open       *batch     // committed and not yet on its way to the disk
	inFlight   *batch     // on its way to the disk
	generation int        // counts the times that state was rolled back
	failure    error      // why no write will ever succeed again

	// shown is what readers see. It is set under mu and nil while all of state
	// may be seen and no reader has asked for it yet.
	shown    atomic.Pointer[visibleState]
	updating atomic.Int64 // calls of Update under way
	full     atomic.Bool  // the disk was full, and the reserve file is released
	counts   counters

	life       context.Context // ends with Close
	end        context.CancelFunc
	background sync.WaitGroup
}

// visibleState is a state that readers see.
type visibleState struct {
	tree    *txn.Tree
	history string
	bytes   int64
	changes int64 // of the store, when it was this state
}

var _ interface {
	storage.Store
	storage.Exclusive
	storage.Compactor
	storage.Historian
	storage.Measured
	storage.Observable
	storage.Restorer
	storage.Snapshotter
} = (*store)(nil)

// Epoch implements storage.Exclusive.
func (s *store) Epoch() string { return s.epoch }

// visible returns the state that readers may see: the durable one under
// SyncAlways, the newest under the other policies.
func (s *store) visible() *visibleState {
	if shown := s.shown.Load(); shown != nil {
		return shown
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.show()
}

// show returns what readers see and makes it what they find without a lock. The
// caller holds mu.
func (s *store) show() *visibleState {
	if now := s.shown.Load(); now != nil {
		return now
	}
	now := s.newest()
	s.shown.Store(now)
	return now
}

// newest is all that was committed. The caller holds mu.
func (s *store) newest() *visibleState {
	tree, history := s.state.Snapshot()
	return &visibleState{tree: tree, history: history, bytes: s.bytes, changes: s.changes}
}

// Observe implements storage.Observable.
func (s *store) Observe(o storage.Observer) {
	s.writer.Lock()
	defer s.writer.Unlock()
	s.flushing.Lock() // which drops what cannot be made durable
	defer s.flushing.Unlock()
	s.state.Observe(o)
}

// Update implements storage.Store.
func (s *store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.Gate.Enter(ctx); err != nil {
		return err
	}
	defer s.Gate.Leave()
	s.updating.Add(1)
	defer s.updating.Add(-1)
	retried := false
	for {
		err := s.attempt(ctx, fn)
		switch {
		case errors.Is(err, errRolledBack):
		case errors.Is(err, errFull) && !retried:
			// The reserve file has just been released: what takes no more space than it
			// frees fits now.
			retried = true
		default:
			return err
		}
	}
}

// attempt runs fn once and sees its changes through to the disk.
func (s *store) attempt(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.writer.LockContext(ctx); err != nil {
		return err
	}
	b, err := s.commit(ctx, fn)
	if b == nil {
		return err
	}
	if failed := s.await(b); failed != nil {
		if err != nil && s.failed() == nil {
			// What made fn return its error never came to be.
			return errRolledBack
		}
		return failed
	}
	return err
}

// commit runs fn and makes its changes part of the state, and gives up the
// writer's lock. It returns the batch that the caller has to wait for, if any:
// also along with fn's error, which may report what is not durable yet.
func (s *store) commit(ctx context.Context, fn func(storage.Writer) error) (*batch, error) {
	defer s.writer.Unlock()
	s.mu.Lock()
	base, history := s.state.Base()
	generation, failure := s.generation, s.failure
	s.mu.Unlock()
	if failure != nil {
		return nil, failure
	}
	w := txn.NewWriter(base, history)
	defer w.End()
	if err := fn(w); err != nil {
		return s.pendingBatch(generation, err)
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.admit(w); err != nil {
		return nil, err
	}
	if done, err := s.write(w, generation); done {
		return nil, err
	}
	return s.join(w, generation)
}

// Close implements storage.Store. It returns the error of the last flush.
func (s *store) Close() error {
	if !s.Gate.Close() {
		return nil
	}
	s.end()
	s.background.Wait()
	err := s.failed()
	if err == nil {
		err = s.file.finish()
	}
	if err == nil {
		err = s.attached()
	}
	if err == nil {
		err = s.watermark.close(s.file.pos)
	}
	return errors.Join(err, s.file.disk.Close(), s.lock.Close())
}

func (s *store) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}
