package entity

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// InsertEach adds a batch of records, parents before children, all or none. list is what
// errors call the batch.
func (k *Kind[T, N, P]) InsertEach(
	u *records.Update, s records.Scope, list string, batch []N,
) ([]twinplatform.Record[T], error) {
	if err := records.Large(u, len(batch)); err != nil {
		return nil, err
	}
	made := make([]T, len(batch))
	for i := range batch {
		k.Fill(&made[i], &batch[i])
	}
	order, err := k.BatchOrder(list, made)
	if err != nil {
		return nil, err
	}
	if err := k.Declare(u, s, made); err != nil {
		return nil, err
	}
	recs := make([]twinplatform.Record[T], len(made))
	var c problem.Checks
	for _, i := range order {
		c = problem.Checks{}
		c.At(list, i)
		if recs[i], err = k.Insert(u, s, &made[i], &c); err != nil {
			return nil, err
		}
	}
	return recs, nil
}

// BatchOrder is the order in which a batch of records is added: parents before children.
// list is what errors call the batch.
func (k *Kind[T, N, P]) BatchOrder(list string, batch []T) ([]int, error) {
	nodes := make([]Node, len(batch))
	for i := range nodes {
		nodes[i] = Node{ID: k.Records.ID(&batch[i]), Parent: k.ParentOf(&batch[i])}
	}
	order, err := BatchOrder(nodes)
	if twice, ok := errors.AsType[*DuplicateError](err); ok {
		return nil, problem.Taken(k.Resource, twice.ID)
	}
	if cycle, ok := errors.AsType[*CycleError](err); ok {
		var c problem.Checks
		c.At(list, cycle.Index)
		c.Bad("parentId", "The %s would be its own ancestor.", k.Resource)
		return nil, c.Err(*k.Bad)
	}
	return order, err
}

// Node is a record of a batch and the one above it.
type Node struct {
	ID, Parent string // ids; Parent is empty at the top
}

// CycleError reports that records of a batch would be above one another in a cycle.
type CycleError struct {
	IDs   []string // of the records of the cycle, the first one last again
	Index int      // that of the record in the batch that closes it
}

func (e *CycleError) Error() string { return "entity: cycle " + strings.Join(e.IDs, " → ") }

// DuplicateError reports that two records of a batch have the same id.
type DuplicateError struct{ ID string }

func (e *DuplicateError) Error() string { return fmt.Sprintf("entity: '%s' is twice in a batch", e.ID) }

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
		cycle.IDs = append(cycle.IDs, batch[i].ID)
	}
	cycle.IDs = append(cycle.IDs, batch[back].ID)
	return cycle
}
