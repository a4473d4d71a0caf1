package filter

import "slices"

// Node is an element of the source: whether it is visible, and what it cannot be
// without, its parent and the element that it has its code within.
type Node struct {
	Visible bool
	Above   []string

	busy bool // what stands above it is being put
}

// Tree is the target. Elements go by the ids that they have in the source.
type Tree interface {
	// Above are the elements that one of the target cannot be without, and whether the
	// target has it.
	Above(id string) (above []string, has bool, err error)
	// Needed reports whether anything in the target cannot be without an element.
	Needed(id string) (bool, error)
	// Put makes an element what it is in the source, cleared unless it is visible.
	Put(id string, visible bool) error
	// Clear clears an element that the source no longer has.
	Clear(id string) error
	Delete(id string) error
}

// Settle brings an element of the target to what it has to be. nodes has it and all
// that stands above it in the source; what the source does not have is not there. It
// returns the elements that are to be settled again, since something has gone that
// needed them. Elements may be settled in any order, and as often as one likes.
func Settle(t Tree, nodes map[string]*Node, id string) (again []string, err error) {
	before, has, err := t.Above(id)
	if err != nil {
		return nil, err
	}
	n := nodes[id]
	visible := n != nil && n.Visible
	needed := false
	if !visible && has {
		if needed, err = t.Needed(id); err != nil {
			return nil, err
		}
	}
	switch {
	case n == nil && needed:
		return nil, t.Clear(id)
	case visible || needed:
		return without(before, n.Above), put(t, nodes, id)
	case has:
		return before, t.Delete(id)
	}
	return nil, nil
}

// put puts an element behind all that stands above it.
func put(t Tree, nodes map[string]*Node, id string) error {
	n := nodes[id]
	n.busy = true
	defer func() { n.busy = false }()
	for _, up := range n.Above {
		if err := ensure(t, nodes, up); err != nil {
			return err
		}
	}
	return t.Put(id, n.Visible)
}

// ensure puts an element that is not there yet.
func ensure(t Tree, nodes map[string]*Node, id string) error {
	if n := nodes[id]; n == nil || n.busy {
		return nil // busy only where a source has elements above themselves
	}
	if _, has, err := t.Above(id); has || err != nil {
		return err
	}
	return put(t, nodes, id)
}

// without are the ids of one list that another has not.
func without(ids, others []string) (out []string) {
	for _, id := range ids {
		if !slices.Contains(others, id) {
			out = append(out, id)
		}
	}
	return out
}
