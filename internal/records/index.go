package records

import (
	"errors"
	"iter"
	"slices"
)

// reindex moves a record from its values before, none when it is new, to its
// values now. Its entries, which are its id, are all one value.
func (t *Table) reindex(u *Update, s Scope, id string, entry []byte, revision uint64, now, before []string) error {
	for i, ix := range t.indexes {
		was := ""
		if before != nil {
			was = before[i]
		}
		if now[i] == was {
			continue
		}
		if was != "" {
			if err := u.w.Delete(t.indexKeyIn(u, s, ix, was, id)); err != nil {
				return err
			}
			if err := t.writeIndexTombstone(u, s, id, revision, i, was); err != nil {
				return err
			}
		}
		if now[i] != "" {
			if err := u.w.Put(t.indexKeyIn(u, s, ix, now[i], id), entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeIndexTombstone notes that a record has another value than before in the
// i-th index.
func (t *Table) writeIndexTombstone(u *Update, s Scope, id string, revision uint64, i int, was string) error {
	if t.untracked {
		return nil
	}
	key := t.leftKey(s, t.indexes[i], was, id)
	before, err := getIndexTombstone(u.r, key)
	if err != nil {
		return err
	}
	if err := u.dequeueEnd(key, before.at); err != nil {
		return err
	}
	now := indexTombstone{revision: revision, at: u.now()}
	if err := u.w.Put(key, now.seal()); err != nil {
		return err
	}
	return u.enqueueEnd(s, key, now.at)
}

// dropTombstone removes the tombstone of an id that is used again. The record counts
// as made when it was first made: the caller that saw it then still follows it.
func (t *Table) dropTombstone(u *Update, s Scope, id string, revision uint64, now []string) (created uint64,
	err error,
) {
	dead, err := t.load(u, s, "t", id)
	if errors.Is(err, ErrNotFound) {
		return revision, nil
	}
	if err != nil {
		return 0, err
	}
	v, err := t.decode(dead)
	if err != nil {
		return 0, err
	}
	for i, was := range t.indexed(nil, v) {
		if was == "" || was == now[i] {
			continue
		}
		if err := t.writeIndexTombstone(u, s, id, revision, i, was); err != nil {
			return 0, err
		}
	}
	key := t.key(s, "t", id)
	if err := u.dequeueEnd(key, dead.ended); err != nil {
		return 0, err
	}
	if err := u.w.Delete(key); err != nil {
		return 0, err
	}
	return dead.created, t.dropChange(u, s, dead.revision)
}

// addToIndex puts records, of those whose ids come after one, into an index that they
// were stored without, as many as a step does. It returns the id to continue after, which
// is empty when all are in it.
func (t *Table) addToIndex(u *Update, s Scope, index, after string) (last string, err error) {
	step := NewStep(u)
	i := slices.Index(t.indexes, index)
	for v, err := range t.From(u, s, after) {
		if err != nil {
			return "", err
		}
		if more, err := step.Next(0); !more || err != nil {
			return last, err
		}
		last = t.id(v)
		value := t.indexed(nil, v)[i]
		if value == "" {
			continue
		}
		if err := u.w.Put(t.indexKey(s, index, value, last), []byte(last)); err != nil {
			return "", err
		}
	}
	return "", nil
}

// reindexed finds a record by every index there is: some were added to the
// collection after it was written. The record's revision stays as it is.
func (t *Table) reindexed(u *Update, s Scope, id string) error {
	v, err := t.Value(u, s, id)
	if err != nil {
		return err
	}
	return t.enter(u, s, id, v)
}

// enter finds a record by every index that it has a value in.
func (t *Table) enter(u *Update, s Scope, id string, v any) error {
	for i, value := range t.indexed(nil, v) {
		if value == "" {
			continue
		}
		if err := u.w.Put(t.indexKey(s, t.indexes[i], value, id), []byte(id)); err != nil {
			return err
		}
	}
	return nil
}

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
