package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
)

// Historian is implemented by engines that distinguish the histories of their content
// themselves.
type Historian interface {
	// History names the history that the state read by r belongs to; r belongs
	// to a transaction of this store.
	History(r Reader) (string, error)
}

// History names the history that a state of s belongs to. Within one history every state
// follows from those before it, so that what a reader has seen once is never taken back.
// A store begins another when its content goes back: when [Restore] replaces it, and when
// an opening finds less than readers may have been shown. What belongs to an earlier
// history, such as a version or a place in a list, is invalid in a later one.
//
// The first history of a store that was made empty has the empty name; every
// later one has a name that none had before. For an engine that is no
// [Historian] only Restore begins one.
func History(s Store, r Reader) (string, error) {
	if engine, ok := s.(Historian); ok {
		return engine.History(r)
	}
	name, err := r.Get(HistoryKey)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return string(name), err
}

// HistoryKey holds the name of the history in an engine that is no [Restorer]. It is no
// part of a backup.
const HistoryKey = "\x00history"

// BeginHistory begins a history for a store whose content was brought back to an earlier
// state by other means than [Restore], such as the database's own: clients that know later
// states are asked to list again. Engines that notice that themselves, those of this
// module's files and memory, fail with [errors.ErrUnsupported].
func BeginHistory(ctx context.Context, s Store) error {
	if _, ok := s.(Restorer); ok {
		return fmt.Errorf("storage: %w: the engine begins histories itself", errors.ErrUnsupported)
	}
	return beginHistory(ctx, s)
}

// beginHistory gives a store that is no Historian a new history.
func beginHistory(ctx context.Context, s Store) error {
	name := []byte(rand.Text())
	return s.Update(ctx, func(w Writer) error { return w.Put(HistoryKey, name) })
}
