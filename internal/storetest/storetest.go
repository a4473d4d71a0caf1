// Package storetest has stores for the tests of what is built on stores: one of each
// engine, and one at which something happens before an update.
package storetest

import (
	"context"
	"hash/crc32"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Engine opens an empty store, which its caller closes.
type Engine struct {
	Name string
	Open func(t testing.TB) storage.Store
}

// Engines lists the engines on which a behaviour is shown.
var Engines = []Engine{
	{"memory", New},
	{"buntdb", func(t testing.TB) storage.Store {
		t.Helper()
		s, err := buntdb.Open(filepath.Join(t.TempDir(), "store.db"), buntdb.Options{Durability: buntdb.SyncNever})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}},
	{"distant", func(testing.TB) storage.Store {
		s := memory.New()
		return apart{distant.Over(s), storage.Epoch(s)}
	}},
}

// apart is a store behind a network that is one process's alone.
type apart struct {
	*distant.Store

	epoch string
}

// Epoch implements storage.Exclusive.
func (a apart) Epoch() string { return a.epoch }

// OnEach runs a test over a store of each engine, in parallel, and closes it. In short mode
// it takes one of them, by the name of the test.
func OnEach(t *testing.T, test func(t *testing.T, store storage.Store)) {
	t.Helper()
	for i, e := range Engines {
		if testing.Short() && crc32.ChecksumIEEE([]byte(t.Name()))%uint32(len(Engines)) != uint32(i) {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			store := e.Open(t)
			t.Cleanup(func() {
				if err := store.Close(); err != nil {
					t.Error(err)
				}
			})
			test(t, store)
		})
	}
}

// Keys is the number of keys in a store.
func Keys(t testing.TB, store storage.Store) (n int) {
	t.Helper()
	err := store.View(context.Background(), func(r storage.Reader) error {
		n = 0
		for range r.Scan("", "") {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Eventful is a store at which something happens right before an update.
type Eventful struct {
	storage.Store
	epoch  string // empty: others may be writing to it too
	before atomic.Pointer[func() error]
	after  atomic.Pointer[func() error]
}

// Over returns a store over another at which nothing happens yet, and to which other
// processes may be writing.
func Over(store storage.Store) *Eventful { return &Eventful{Store: store} }

// Update implements storage.Store.
func (s *Eventful) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if before := s.before.Load(); before != nil {
		if err := (*before)(); err != nil {
			return err
		}
	}
	if err := s.Store.Update(ctx, fn); err != nil {
		return err
	}
	if after := s.after.Load(); after != nil {
		return (*after)()
	}
	return nil
}

// Alone returns a store over another that no other process writes to.
func Alone(store storage.Store) *Eventful {
	return &Eventful{Store: store, epoch: storage.Epoch(store)}
}

// Epoch implements storage.Exclusive.
func (s *Eventful) Epoch() string { return s.epoch }

// LoseAfter lets n more updates be made and have their answers; those that follow are
// made too and fail with err, as when the answer was lost.
func (s *Eventful) LoseAfter(n int, err error) {
	var made atomic.Int64
	lose := func() error {
		if made.Add(1) > int64(n) {
			return err
		}
		return nil
	}
	s.after.Store(&lose)
}

// Before runs fn before each update from now on, which fails where fn does.
func (s *Eventful) Before(fn func() error) { s.before.Store(&fn) }

// Next runs fn before the next update.
func (s *Eventful) Next(fn func()) {
	s.Before(func() error {
		s.Rest()
		fn()
		return nil
	})
}

// FailAfter lets n more updates be made and fails those that follow, as when the
// process had died or the disk were full.
func (s *Eventful) FailAfter(n int, err error) {
	var made atomic.Int64
	s.Before(func() error {
		if made.Add(1) > int64(n) {
			return err
		}
		return nil
	})
}

// Rest lets nothing happen any more.
func (s *Eventful) Rest() {
	s.before.Store(nil)
	s.after.Store(nil)
}

// Waits reports whether something is still to happen.
func (s *Eventful) Waits() bool { return s.before.Load() != nil }
