package plan

import (
	"iter"
	"slices"
)

// Ancestors are the ids of the tasks above a task. It fails with a CycleError
// when the task is among them.
func Ancestors(tree Tree, taskID string) (map[string]bool, error) {
	above := make(map[string]bool)
	for at := taskID; ; {
		parent, err := tree.Parent(at)
		if err != nil || parent == "" {
			return above, err
		}
		if at = parent; at == taskID || above[at] {
			return nil, &CycleError{Tasks: []string{at, at}}
		}
		above[at] = true
	}
}

// Ancestry answers who lies below whom, and reads the parent of a task once.
type Ancestry struct {
	tree    Tree
	parents map[string]string
}

// NewAncestry returns the ancestry of the tasks of a tree that does not change.
func NewAncestry(tree Tree) *Ancestry {
	return &Ancestry{tree: tree, parents: make(map[string]string)}
}

// Below reports whether a task lies below another. Most tasks that are asked for
// have nothing below them, which is seen at once.
func (a *Ancestry) Below(taskID, other string) (below bool, err error) {
	for range a.tree.Children(other) {
		return a.above(taskID, other)
	}
	return false, nil
}

// above looks for a task among those above another.
func (a *Ancestry) above(taskID, other string) (found bool, err error) {
	at := taskID
	for met := 0; met <= len(a.parents); met++ { // each of them is known from now on
		parent, err := a.parent(at)
		if err != nil || parent == "" || parent == other {
			return err == nil && parent == other, err
		}
		at = parent
	}
	return false, &CycleError{Tasks: []string{at, at}}
}

func (a *Ancestry) parent(taskID string) (parent string, err error) {
	parent, known := a.parents[taskID]
	if known {
		return parent, nil
	}
	if parent, err = a.tree.Parent(taskID); err == nil {
		a.parents[taskID] = parent
	}
	return parent, err
}

// Depth is how many tasks there are from the top down to a task, itself included.
func (a *Ancestry) Depth(taskID string) (depth int, err error) {
	for at := taskID; at != ""; depth++ {
		if depth > len(a.parents)+1 {
			return 0, &CycleError{Tasks: []string{at, at}}
		}
		if at, err = a.parent(at); err != nil {
			return 0, err
		}
	}
	return depth, nil
}

// Put notes the parent of a task that is not in the tree yet.
func (a *Ancestry) Put(taskID, parent string) { a.parents[taskID] = parent }

// Height is how many tasks there are from a task down to the deepest one below it,
// itself included, or limit+1 where there are more than limit.
func Height(tree Tree, taskID string, limit int) (height int) {
	for level := []string{taskID}; len(level) > 0 && height <= limit; height++ {
		var next []string
		for _, id := range level {
			next = slices.AppendSeq(next, tree.Children(id))
		}
		level = next
	}
	return height
}

// Subtree yields the ids of a task and of all tasks below it, each before its
// children.
func Subtree(tree Tree, taskID string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for stack := []string{taskID}; len(stack) > 0; {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(at) {
				return
			}
			stack = slices.AppendSeq(stack, tree.Children(at))
		}
	}
}

// LinkInto returns the id of a link between the subtree of a task and one of the
// tasks that are to be above it, or an empty one.
func LinkInto(tree Tree, links Links, taskID string, above map[string]bool) (linkID string, err error) {
	for id := range Subtree(tree, taskID) {
		for l, err := range Around(links, id) {
			if err != nil || above[l.Predecessor] || above[l.Successor] {
				return l.ID, err
			}
		}
	}
	return "", nil
}
