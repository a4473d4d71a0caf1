package records

import "iter"

// What refers to a record of another type is found by the value that it has in an index, or
// by its own id, which begins with the id of the other. Package entity follows both without
// the type.

// Indexes are the names of the indexes.
func (t *Table) Indexes() []string { return t.indexes }

// IndexValue is what the i-th index finds a record by.
func (t *Table) IndexValue(v any, i int) string { return t.valueIn(v, i) }

// PeekIndex is IndexValue of a record of which one member alone is read, as by [Peek].
func (t *Table) PeekIndex(tx Reading, s Scope, id, member string, i int) (value string, err error) {
	err = t.peek(tx, s, id, member, func(v any) { value = t.valueIn(v, i) })
	return value, err
}

// Below yields the records whose ids begin with the id of another, see [Join].
func (t *Table) Below(tx Reading, s Scope, id string) iter.Seq2[any, error] {
	return t.scan(tx, s, t.key(s, "r", Join(id, "")), "")
}
