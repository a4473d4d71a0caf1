package plan

import (
	"fmt"
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

// Node is a record of a batch and the one above it.
type Node struct {
	ID, Parent string // ids; Parent is empty at the top
}

// DuplicateError says that two records of a batch have the same id.
type DuplicateError struct{ ID string }

func (e *DuplicateError) Error() string { return fmt.Sprintf("plan: '%s' is twice in a batch", e.ID) }

// BatchOrder is a topological order of a batch whose records may be each other's
// parents: the indexes of the records, parents before children. It fails with a
// DuplicateError or a CycleError.
func BatchOrder(batch []Node) (order []int, err error) {
	index := make(map[string]int, len(batch))
	for i, n := range batch {
		if _, twice := index[n.ID]; twice {
			return nil, &DuplicateError{n.ID}
		}
		index[n.ID] = i
	}
	order = make([]int, 0, len(batch))
	// met holds when a record was met: on the walk up from record i it is i+1.
	// A walk that meets itself has gone round in a cycle.
	met := make([]int, len(batch))
	for i := range batch {
		from := len(order)
		for at := i; met[at] == 0; {
			met[at] = i + 1
			order = append(order, at)
			parent, inBatch := index[batch[at].Parent]
			if !inBatch {
				break
			}
			if met[parent] == i+1 {
				return nil, cycleUp(batch, order[from:], parent)
			}
			at = parent
		}
		slices.Reverse(order[from:])
	}
	return order, nil
}

// cycleUp is the cycle at the end of a walk up that has come back to a record.
func cycleUp(batch []Node, walk []int, back int) *CycleError {
	cycle := &CycleError{Index: walk[len(walk)-1]}
	for _, i := range walk[slices.Index(walk, back):] {
		cycle.Tasks = append(cycle.Tasks, batch[i].ID)
	}
	cycle.Tasks = append(cycle.Tasks, batch[back].ID)
	return cycle
}
