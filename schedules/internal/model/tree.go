package model

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/internal/records"
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

// TreeOf is the tree of the records of a scope. above gives the id of what one lies below, which
// is its member parentId.
func TreeOf[T any](c *records.Collection[T], above func(*T) string, tx records.Reading, s records.Scope) Tree[T] {
	return Tree[T]{c, above, tx, s}
}
