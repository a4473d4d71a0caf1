package storagetest

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// errAgain ends the first run of a function.
var errAgain = errors.New("storagetest: runs again")

// Reruns returns a store over another that runs the function of every transaction twice,
// as an engine does after a lost race: what the first run wrote is given up, and what it
// returned forgotten. Whatever works over it has no effect outside its transactions. The
// store has none of the optional abilities of s, so that what falls back is tried as well.
func Reruns(s storage.Store) storage.Store { return &reruns{store: s, gate: engine.NewGate()} }

type reruns struct {
	store storage.Store
	gate  *engine.Gate // keeps the store open until a function has run again
}

var _ storage.Store = (*reruns)(nil)

// View implements storage.Store.
func (s *reruns) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	err := s.store.View(ctx, func(r storage.Reader) error {
		_ = fn(r) // of a state that was lost
		return errAgain
	})
	if !errors.Is(err, errAgain) {
		return err
	}
	return s.store.View(ctx, fn)
}

// Update implements storage.Store.
func (s *reruns) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	err := s.store.Update(ctx, func(w storage.Writer) error {
		_ = fn(w) // lost the race
		return errAgain
	})
	if !errors.Is(err, errAgain) {
		return err
	}
	return s.store.Update(ctx, fn)
}

// Close implements storage.Store.
func (s *reruns) Close() error {
	s.gate.Close()
	return s.store.Close()
}

// RunReruns checks every promise, and what package storage itself does with a store,
// where the function of every transaction runs twice: see [Reruns].
func RunReruns(t *testing.T, engine Engine) {
	t.Helper()
	over := func(s storage.Store, err error) (storage.Store, error) {
		if err != nil {
			return nil, err
		}
		return Reruns(s), nil
	}
	again := Engine{Patience: engine.Patience, New: func(t testing.TB) storage.Store { return Reruns(engine.New(t)) }}
	if engine.Open != nil {
		again.Open = func(dir string) (storage.Store, error) { return over(engine.Open(dir)) }
	}
	Run(t, again)
	t.Run("model", func(t *testing.T) { t.Parallel(); RunModel(t, again) })
}
