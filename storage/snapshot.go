package storage

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
)

// Snapshot is one committed state that stays readable until Close, whatever
// happens to the store, its closing included. It is safe for concurrent use.
type Snapshot interface {
	// View runs fn over the state, once. It returns fn's error, that of a read or scan
	// that failed within fn, or ErrClosed.
	View(ctx context.Context, fn func(Reader) error) error
	// Close lets the state go.
	Close() error
}

// Snapshotter is implemented by engines that can keep a state readable without
// copying it and without holding writers up.
type Snapshotter interface {
	Snapshot(ctx context.Context) (Snapshot, error)
}

// TakeSnapshot returns the state that s is in. For an engine that is no
// [Snapshotter] it reads everything into memory.
func TakeSnapshot(ctx context.Context, s Store) (Snapshot, error) {
	if engine, ok := s.(Snapshotter); ok {
		return engine.Snapshot(ctx)
	}
	copied := &sorted{}
	err := s.View(ctx, func(r Reader) error {
		copied.records = nil
		for key, value := range r.Scan("", "") {
			copied.records = append(copied.records, record{key: key, value: value})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return copied, nil
}

// sorted is a state as a row of records in key order.
type sorted struct {
	records []record
	closed  atomic.Bool
}

var (
	_ Snapshot = (*sorted)(nil)
	_ Reader   = (*sorted)(nil)
)

// View implements Snapshot.
func (s *sorted) View(ctx context.Context, fn func(Reader) error) error {
	if s.closed.Load() {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(s)
}

// Close implements Snapshot.
func (s *sorted) Close() error {
	s.closed.Store(true)
	return nil
}

// Get implements Reader.
func (s *sorted) Get(key string) ([]byte, error) {
	at, found := s.find(key)
	if !found {
		return nil, NotFound(key)
	}
	return s.records[at].value, nil
}

// Scan implements Reader.
func (s *sorted) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		at, _ := s.find(max(prefix, after))
		for _, r := range s.records[at:] {
			if !strings.HasPrefix(r.key, prefix) {
				return
			}
			if r.key > after && !yield(r.key, r.value) {
				return
			}
		}
	}
}

func (s *sorted) find(key string) (int, bool) {
	return slices.BinarySearchFunc(s.records, key, func(r record, key string) int {
		return cmp.Compare(r.key, key)
	})
}
