package filter

import "slices"

// Node is an element of the source: whether it is visible, and what it cannot be
// without, its parent and the element that it has its code within.
type Node struct {
	Visible bool
	Above   []string

	busy bool // what is above it is being put
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

// Sync brings an element of the target to what it has to be. nodes has it and all that is
// above it in the source; what the source does not have is not there. It returns the
// elements that are to be synced again, since an element that needed them was removed.
// Elements may be synced in any order, and any number of times.
func Sync(t Tree, nodes map[string]*Node, id string) (again []string, err error) {
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
		p := &placement{tree: t, nodes: nodes, again: without(before, n.Above)}
		if has && len(without(n.Above, before)) > 0 {
			p.checked = make(map[string]bool)
		}
		err := p.put(id)
		return p.again, err
	case has:
		return before, t.Delete(id)
	}
	return nil, nil
}

// placement puts an element, with what is above it.
type placement struct {
	tree  Tree
	nodes map[string]*Node
	// checked are the elements above one that moves which were brought to their place. It is
	// nil where none moves: below an element that stays, or is new, nothing can be above it.
	checked map[string]bool
	again   []string // what may have gone with a move
}

// put puts an element behind all that is above it.
func (p *placement) put(id string) error {
	n := p.nodes[id]
	n.busy = true
	defer func() { n.busy = false }()
	if err := p.ensureAbove(n); err != nil {
		return err
	}
	return p.tree.Put(id, n.Visible)
}

func (p *placement) ensureAbove(n *Node) error {
	for _, up := range n.Above {
		if err := p.ensure(up); err != nil {
			return err
		}
	}
	return nil
}

// ensure puts an element that is not there yet. Above one that moves, it also puts what is
// elsewhere in the source than in the target: that may still be below the one that moves, as
// where a hierarchy is turned upside down.
func (p *placement) ensure(id string) error {
	n := p.nodes[id]
	if n == nil || n.busy || p.checked[id] {
		return nil // busy only where a source has elements above themselves
	}
	before, has, err := p.tree.Above(id)
	if err != nil {
		return err
	}
	if p.checked != nil {
		p.checked[id] = true
	}
	gone := without(before, n.Above)
	switch {
	case !has:
		return p.put(id)
	case p.checked == nil:
		return nil
	case len(gone) == 0:
		return p.ensureAbove(n)
	}
	p.again = append(p.again, gone...)
	return p.put(id)
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
