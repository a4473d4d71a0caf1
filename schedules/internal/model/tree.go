package model

import (
	"errors"
	"iter"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// Tree reads, for package plan, records that lie below one another.
type Tree[T any] struct {
	records *records.Collection[T]
	above   func(*T) string
	tx      records.Reading
	scope   records.Scope
}

// Parent implements plan.Tree.
func (t Tree[T]) Parent(id string) (string, error) {
	return records.Peek(t.records, t.tx, t.scope, id, "parentId", t.above)
}

// Children implements plan.Tree.
func (t Tree[T]) Children(id string) iter.Seq[string] {
	return t.records.IDs(t.tx, t.scope, "parent", id)
}

// CheckParent checks that the parent of a record exists and, where the record has
// moved, that it is not below the record. It returns the ids of what a record that
// has moved will be below. Nothing is below a new record, of which stored is nil.
func (t Tree[T]) CheckParent(resource string, v, stored *T, c *problem.Checks) (above map[string]bool, err error) {
	parent := t.above(v)
	if stored == nil {
		return nil, Names(t.tx, t.scope, t.records.Table(), c, "parentId", resource, parent)
	}
	if parent == "" || parent == t.above(stored) {
		return nil, nil
	}
	above, err = plan.Ancestors(t, parent)
	if errors.Is(err, records.ErrNotFound) {
		return nil, Names(t.tx, t.scope, t.records.Table(), c, "parentId", resource, parent)
	}
	if err != nil {
		return nil, err
	}
	above[parent] = true
	if above[t.records.ID(v)] {
		c.Bad("parentId", "The %s would be its own ancestor.", resource)
		return nil, nil
	}
	return above, nil
}

// CheckPlace checks that the parent of a record is there, that it does not come below
// itself, and that no record lies more than MaxDepth deep. plural is the plural of the
// resource.
func (t Tree[T]) CheckPlace(resource, plural string, v, stored *T, c *problem.Checks) error {
	above, err := t.CheckParent(resource, v, stored, c)
	parent := t.above(v)
	if err != nil || parent == "" || stored != nil && above == nil {
		return err
	}
	if stored == nil {
		if above, err = plan.Ancestors(t, parent); err != nil {
			if errors.Is(err, records.ErrNotFound) {
				return nil
			}
			return err
		}
		above[parent] = true
	}
	if len(above)+plan.Height(t, t.records.ID(v), MaxDepth) > MaxDepth {
		c.Bad("parentId", "%s lie at most %d deep.", plural, MaxDepth)
	}
	return nil
}

// TreeOf is the tree of the records of a scope. above gives the id of what one lies below, which
// is its member parentId.
func TreeOf[T any](c *records.Collection[T], above func(*T) string, tx records.Reading, s records.Scope) Tree[T] {
	return Tree[T]{c, above, tx, s}
}
