// Package txn holds what the embedded engines share: transactions over an
// ordered map that is copied on write.
//
// A [Reader] reads one state that no longer changes. A [Writer] collects
// its changes apart from the state it began with and shows the two merged, so an
// abandoned transaction costs nothing and leaves nothing behind. [State] holds
// the current map and hands out copies of it when a goroutine asks.
package txn

import (
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/internal/tree"
)

// Tree is an ordered map of keys to values. Copying it takes constant time;
// the first change to a part of either copy pays for that part.
type Tree = tree.Map

// A reader in need of a state waits for the changes that are being made in the map itself:
// for this many where readers come one after the other, and for that many where none has
// come since the last change, as behind long work. Beyond that changes are made in a copy,
// which costs the more the further apart the keys lie.
const (
	changesAmongReaders = 128
	changesAlone        = 4096
)

// State is the newest state of a store. One goroutine at a time may apply
// changes; any number may take snapshots meanwhile.
type State struct {
	mu       sync.Mutex // guards the fields, never held for long
	tree     *Tree
	snapshot *Tree  // shows tree as it is; nil when no copy does
	history  string // that tree belongs to
	observer storage.Observer
}

// NewState returns a state that begins with tree and owns it from now on, in
// the first history.
func NewState(tree *Tree) *State { return &State{tree: tree} }

// Snapshot returns the newest state. It is shared and must not be changed.
// The copy is taken when the first reader since the last change asks for it:
// writers among themselves pay for no copies.
func (s *State) Snapshot() (tree *Tree, history string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.snapshot == nil {
		s.snapshot = s.tree.Copy()
	}
	return s.snapshot, s.history
}

// Fork returns its own state that begins as this one is, in constant time.
func (s *State) Fork() *State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &State{tree: s.tree.Copy(), history: s.history}
}

// Base returns the map that the next Writer reads. It stays as it is until the
// next Apply or Replace, which the caller keeps apart from that Writer.
func (s *State) Base() (tree *Tree, history string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tree, s.history
}

// Apply makes the changes of w part of the state and returns by how much the
// keys and values it holds grew, in bytes.
func (s *State) Apply(w *Writer) (grown int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inPlace(w.Len()) {
		s.snapshot = nil
		return s.change(w, s.tree)
	}
	next := s.tree.Copy()
	s.mu.Unlock()
	grown = s.change(w, next)
	s.mu.Lock()
	s.tree, s.snapshot, s.history = next, nil, w.history
	return grown
}

// change makes the changes of w in tree, and reports them to the observer.
func (s *State) change(w *Writer, tree *Tree) (grown int64) {
	o := s.observer
	if o != nil {
		o.Begin()
		defer o.End()
	}
	for c := range w.applied(tree) {
		if grown += c.growth(); o != nil {
			o.Change(storage.Change(c))
		}
	}
	return grown
}

// Observe notifies an observer of what there is and of every change. The caller keeps
// Apply and Replace away meanwhile.
func (s *State) Observe(o storage.Observer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.observer = o; o != nil {
		o.Holds(All(s.tree))
	}
}

// InPlace reports whether Apply makes so many changes in the map itself, rather than in a
// copy that readers see afterwards.
func (s *State) InPlace(changes int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inPlace(changes)
}

func (s *State) inPlace(changes int) bool {
	return changes < changesAmongReaders || s.snapshot == nil && changes < changesAlone
}

// Replace makes tree the newest state, in a history; the state owns it from now
// on.
func (s *State) Replace(tree *Tree, history string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tree, s.snapshot, s.history = tree, nil, history
	if s.observer != nil {
		s.observer.Holds(All(tree))
	}
}
