package records

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// entries yields the keys with a prefix behind one of them: of an index only those
// whose records stand in the further indexes of the query as well.
func (l *lister) entries(base, prefix, after string) iter.Seq2[string, []byte] {
	r := l.tx.view().r
	switch {
	case l.q.Index == "":
		return l.together(prefix, after)
	case len(l.q.Also) == 0:
		return l.together(prefix, after, "r")
	}
	others := make([]string, len(l.q.Also))
	for i, also := range l.q.Also {
		others[i] = l.t.indexKey(l.s, also.Index, also.Value, "")
	}
	return func(yield func(string, []byte) bool) {
		key, stored, ok := first(r, prefix, after)
		for ok {
			id := key[len(base):]
			next, shared := leap(r, others, id)
			switch {
			case next == "":
				return
			case shared && !yield(key, stored):
				return
			case shared:
				key, stored, ok = first(r, prefix, key)
			default:
				key, stored, ok = from(r, prefix, base+next)
			}
		}
	}
}

// leap returns the id and true when it is in all indexes, and otherwise the first one
// behind it that one of them has: each is ordered by id, so that nothing between can be
// in all. It returns nothing when one of them is at its end.
func leap(r storage.Reader, indexes []string, id string) (next string, shared bool) {
	for _, index := range indexes {
		key, _, ok := from(r, index, index+id)
		if !ok {
			return "", false
		}
		if next = key[len(index):]; next != id {
			return next, false
		}
	}
	return id, true
}

// from is the first key with a prefix that is not before another.
func from(r storage.Reader, prefix, at string) (key string, value []byte, ok bool) {
	if key, value, ok = first(r, at, ""); ok && key == at {
		return key, value, true
	}
	return first(r, prefix, at)
}

// first is the first key with a prefix behind another.
func first(r storage.Reader, prefix, after string) (key string, value []byte, ok bool) {
	return storage.FirstOf(r.Scan(prefix, after))
}
