package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// list is a whole engine: records in the order of their keys, and a new list for each
// Update. It is valid for a few of them.
type list struct {
	gate   *engine.Gate
	writer engine.Mutex
	state  atomic.Pointer[state]
}

func newList() *list {
	s := &list{gate: engine.NewGate(), writer: engine.NewMutex()}
	s.state.Store(new(state))
	return s
}

// View implements storage.Store.
func (s *list) View(ctx context.Context, fn func(storage.Reader) error) error {
	return engine.View(ctx, s.gate, s.state.Load(), fn)
}

// Update implements storage.Store.
func (s *list) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := s.writer.LockContext(ctx); err != nil {
		return err
	}
	defer s.writer.Unlock()
	before := s.state.Load()
	w := engine.NewWriter(before)
	if err := w.Run(ctx, fn); err != nil {
		return err
	}
	after := slices.Clone(*before)
	for key, value := range w.Changes() {
		at, found := after.find(key)
		switch {
		case value == nil && found:
			after = slices.Delete(after, at, at+1)
		case value != nil && found:
			after[at].value = value
		case value != nil:
			after = slices.Insert(after, at, record{key, value})
		}
	}
	s.state.Store(&after)
	return nil
}

// Close implements storage.Store.
func (s *list) Close() error {
	s.gate.Close()
	return nil
}

type record struct {
	key   string
	value []byte
}

// state is what a transaction reads.
type state []record

func (s state) find(key string) (int, bool) {
	return slices.BinarySearchFunc(s, key, func(r record, key string) int { return strings.Compare(r.key, key) })
}

// Get implements engine.Source.
func (s *state) Get(key string) ([]byte, error) {
	if at, found := s.find(key); found {
		return (*s)[at].value, nil
	}
	return nil, storage.NotFound(key)
}

// Scan implements engine.Source.
func (s *state) Scan(prefix, after string, visit func(string, []byte) bool) error {
	at, _ := s.find(max(prefix, after))
	for _, r := range (*s)[at:] {
		if !strings.HasPrefix(r.key, prefix) || (r.key > after && !visit(r.key, r.value)) {
			break
		}
	}
	return nil
}

// An engine is a Source, what makes changes durable, and a few lines around them. The
// suites report whether it keeps the promises of package storage.
func Example() {
	testList := func(t *testing.T) {
		e := storagetest.Engine{New: func(testing.TB) storage.Store { return newList() }}
		t.Run("promises", func(t *testing.T) { storagetest.Run(t, e) })
		t.Run("reruns", func(t *testing.T) { storagetest.RunReruns(t, e) })
	}
	// go test does this for a function TestList.
	fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestList", F: testList}}))
	// Output: true
}

func TestASourceThatFailsFailsItsTransaction(t *testing.T) {
	t.Parallel()
	s := newList()
	failing := failingSource{errors.New("the disk is gone")}
	err := engine.View(t.Context(), s.gate, failing, func(r storage.Reader) error {
		for range r.Scan("", "") {
		}
		return nil
	})
	if !errors.Is(err, failing.err) {
		t.Errorf("View = %v, want the failure of the source", err)
	}
	for name, read := range map[string]func(storage.Writer){
		"get":         func(w storage.Writer) { _, _ = w.Get("a") },
		"scan":        func(w storage.Writer) { w.Scan("", "")(func(string, []byte) bool { return true }) },
		"merged scan": func(w storage.Writer) { _ = w.Put("a", nil); w.Scan("", "")(func(string, []byte) bool { return true }) },
	} {
		err := engine.NewWriter(failing).Run(t.Context(), func(w storage.Writer) error {
			read(w)
			return errors.New("what follows from it")
		})
		if !errors.Is(err, failing.err) {
			t.Errorf("%s: Run = %v, want the failure of the source", name, err)
		}
	}
}

// failingSource is one of which nothing can be read.
type failingSource struct{ err error }

func (s failingSource) Get(string) ([]byte, error) { return nil, s.err }

func (s failingSource) Scan(string, string, func(string, []byte) bool) error { return s.err }
