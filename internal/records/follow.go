package records

import (
	"cmp"
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// What an index or the order of changes holds are ids. Over a network the records that
// they name are read together, and not one by one.

// mostTogether is how many records are read together at most.
const mostTogether = 1_024

// together is a scan of a list: over a network it comes in pieces of a page, and with what
// it leads to. keys are those of the records that a value names; nil means none.
func (l *lister) together(prefix, after string, keys func(id string) []string) iter.Seq2[string, []byte] {
	v := l.tx.view()
	if !v.far() {
		return v.r.Scan(prefix, after)
	}
	return func(yield func(string, []byte) bool) {
		for size := min(l.room+1, mostTogether); ; {
			found := make([]entry, 0, size)
			for key, value := range storage.ScanLimit(v.r, prefix, after, size) {
				found = append(found, entry{key, value})
			}
			if !v.through(found, keys, yield) || len(found) < size {
				return
			}
			after = found[size-1].key
		}
	}
}

// goOn reads together, over a network, what a page behind another or a delta begins with:
// where the scope stands, and what comes behind the place that the token tells.
func (l *lister) goOn() error {
	v, token := l.tx.view(), cmp.Or(l.q.Continuation, l.q.Delta)
	if !v.far() || token == "" {
		return nil
	}
	var ahead []storage.Range
	if t, err := v.keys.unseal(token, l.bind); err == nil {
		top, err := (&lister{q: l.q, from: t}).top()
		if at, ok := l.behind(t); ok && err == nil {
			at.Limit = min(top+1, mostTogether)
			ahead = append(ahead, at)
		}
	}
	return storage.Prefetch(v.r, []string{l.s.revisionKey(), l.t.purgedKey(l.s)}, ahead...)
}

// behind is the range that a token continues in, where that follows from it alone.
func (l *lister) behind(t token) (storage.Range, bool) {
	place, part := l.s.place()
	changes := place + "/" + l.t.name + "/c/"
	switch {
	case t.kind == listPage && l.q.Among == nil && l.q.Compare == nil && !l.q.Descending:
		base := l.t.key(l.s, "r", "")
		if l.q.Index != "" {
			base = l.t.indexKey(l.s, l.q.Index, l.q.Equals, "")
		}
		return storage.Range{Prefix: base + keyPart(l.q.Prefix), After: base + t.after}, true
	case t.kind == deltaPage && part == "":
		return storage.Range{Prefix: changes, After: changes + revisionPart(t.at)}, true
	case t.kind == deltaFrom && part == "":
		return storage.Range{Prefix: changes, After: changes + revisionPart(t.since)}, true
	}
	return storage.Range{}, false
}

// through reads together what entries lead to, and yields them.
func (v *View) through(found []entry, keys func(id string) []string, yield func(string, []byte) bool) bool {
	if keys != nil {
		var all []string
		for _, e := range found {
			all = append(all, keys(string(e.value))...)
		}
		if err := storage.Prefetch(v.r, all); err != nil {
			return false // the transaction fails of it
		}
	}
	for _, e := range found {
		if !yield(e.key, e.value) {
			return false
		}
	}
	return true
}

// following is a scan whose values are ids, of records that its loop is going to read.
// The loop may write.
func (t *Table) following(tx Reading, s Scope, prefix, after string) iter.Seq2[string, []byte] {
	return tx.view().following(prefix, after, func(id string) []string { return []string{t.key(s, "r", id)} })
}

// following is a scan whose values are ids, and whose loop is going to read the keys of
// each.
func (v *View) following(prefix, after string, keys func(id string) []string) iter.Seq2[string, []byte] {
	if !v.far() {
		return v.r.Scan(prefix, after)
	}
	return func(yield func(string, []byte) bool) {
		var found []entry
		size := 1
		for key, value := range v.r.Scan(prefix, after) {
			if found = append(found, entry{key, value}); len(found) < size {
				continue
			}
			if !v.through(found, keys, yield) {
				return
			}
			found, size = nil, min(size*8, mostTogether)
		}
		v.through(found, keys, yield)
	}
}

// prefetch reads records together, over a network.
func (t *Table) prefetch(tx Reading, s Scope, ids []string) error {
	v := tx.view()
	if !v.far() || len(ids) < 2 {
		return nil
	}
	keys := make([]string, 0, min(len(ids), mostTogether))
	for _, id := range ids[:cap(keys)] {
		keys = append(keys, t.key(s, "r", id))
	}
	return storage.Prefetch(v.r, keys)
}
