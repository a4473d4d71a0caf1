package schedules

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// tree reads, for package plan, records that lie below one another.
type tree[T any] struct {
	records *records.Collection[T]
	parent  func(*T) string
	tx      records.Reading
	scope   records.Scope
}

// Parent implements plan.Tree.
func (t tree[T]) Parent(id string) (string, error) {
	v, err := t.records.Value(t.tx, t.scope, id)
	if err != nil {
		return "", err
	}
	return t.parent(v), nil
}

// Children implements plan.Tree.
func (t tree[T]) Children(id string) iter.Seq[string] {
	return t.records.IDs(t.tx, t.scope, "parent", id)
}

// checkParent checks that the parent of a record exists and, where the record has
// moved, that it is not below the record. It returns the ids of what a record that
// has moved will be below. Nothing is below a new record, of which stored is nil.
func (t tree[T]) checkParent(noun string, v, stored *T, c *problem.Checks) (above map[string]bool, err error) {
	parent := t.parent(v)
	if stored == nil {
		return nil, names(t.tx, t.scope, t.records.Table(), c, "parentId", noun, parent)
	}
	if parent == "" || parent == t.parent(stored) {
		return nil, nil
	}
	above, err = plan.Ancestors(t, parent)
	if missingRecord(err) {
		return nil, names(t.tx, t.scope, t.records.Table(), c, "parentId", noun, parent)
	}
	if err != nil {
		return nil, err
	}
	above[parent] = true
	if above[t.records.ID(v)] {
		c.Bad("parentId", "The %s would be its own ancestor.", noun)
		return nil, nil
	}
	return above, nil
}

// checkPlace checks that the parent of a record is there, that it does not come below
// itself, and that no record lies more than MaxDepth deep. things is the plural of noun.
func (t tree[T]) checkPlace(noun, things string, v, stored *T, c *problem.Checks) error {
	above, err := t.checkParent(noun, v, stored, c)
	parent := t.parent(v)
	if err != nil || parent == "" || stored != nil && above == nil {
		return err
	}
	if stored == nil {
		if above, err = plan.Ancestors(t, parent); err != nil {
			return found(err)
		}
		above[parent] = true
	}
	if len(above)+plan.Height(t, t.records.ID(v), MaxDepth) > MaxDepth {
		c.Bad("parentId", "%s lie at most %d deep.", things, MaxDepth)
	}
	return nil
}
