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

// most is how many records the transaction reads together at most: no more than its step goes through, with the one at
// which it ends, so that a step which is short because others write keeps a short read set.
func (v *View) most() int {
	if v.perStep > 0 {
		return min(mostTogether, v.perStep)
	}
	return mostTogether
}

// together is a scan of a list: over a network it comes in pieces of a page, and with the records
// that its values lead to in the first of the tables, or else in the second.
func (l *lister) together(prefix, after string, tables ...string) iter.Seq2[string, []byte] {
	v := l.tx.view()
	if !v.remote() {
		return v.r.Scan(prefix, after)
	}
	return func(yield func(string, []byte) bool) {
		for size := min(l.room+1, mostTogether); ; {
			found, ok := l.piece(storage.Range{Prefix: prefix, After: after, Limit: size}, tables)
			if !ok {
				return // the transaction fails of it
			}
			for _, e := range found {
				if !yield(e.key, e.value) {
					return
				}
			}
			if len(found) < size {
				return
			}
			after = found[size-1].key
		}
	}
}

// piece is the beginning of a range, of which it has read what it leads to.
func (l *lister) piece(at storage.Range, tables []string) (found []entry, ok bool) {
	if !l.ahead(at, tables) {
		return nil, false
	}
	found = make([]entry, 0, at.Limit)
	for key, value := range storage.ScanLimit(l.tx.view().r, at.Prefix, at.After, at.Limit) {
		found = append(found, entry{key, value})
	}
	return found, l.led(found, tables)
}

// ahead reads a range with what it leads to, where the engine follows it.
func (l *lister) ahead(at storage.Range, tables []string) bool {
	if len(tables) == 0 {
		return true
	}
	for i, table := range tables {
		at.Follow[i] = l.t.key(l.s, table, "")
	}
	return storage.Prefetch(l.tx.view().r, nil, at) == nil
}

// led reads together what entries lead to, of which the engine has followed what it could.
func (l *lister) led(entries []entry, tables []string) bool {
	r, left := l.tx.view().r, entries // those that lead to no record yet
	for i, table := range tables {
		keys := make([]string, len(left))
		for n, e := range left {
			keys[n] = l.t.key(l.s, table, string(e.value))
		}
		if storage.Prefetch(r, keys) != nil {
			return false
		}
		if i+1 == len(tables) {
			break
		}
		var missed []entry
		for n, e := range left {
			_, found, err := storage.Find(r, keys[n])
			if err != nil {
				return false
			}
			if !found {
				missed = append(missed, e)
			}
		}
		left = missed
	}
	return true
}

// NeedsOfList is what a list begins with: where the scope stands, and the records from the
// place on that the token tells, where that is known.
func (t *Table) NeedsOfList(tx Reading, s Scope, q Erasure) []Need {
	l := lister{t: t, tx: tx, s: s, q: q, bind: q.bind(s)}
	return l.needs()
}

func (l *lister) needs() []Need {
	v, place, part := l.tx.view(), "", ""
	place, part = l.s.place()
	needs := []Need{l.s.Need()}
	if part != "" {
		needs = append(needs, Need{at: place + "/" + revisionKey})
	}
	if l.s.divided() {
		needs = append(needs, Need{at: place + "/" + revisionKey + "/", scan: shortSpan})
	}
	from, sealed := token{kind: listPage}, cmp.Or(l.q.Continuation, l.q.Delta)
	if sealed != "" {
		needs = append(needs, Need{at: l.t.purgedKey(l.s)}, Need{at: l.t.key(l.s, "purged", "")})
		var err error
		if from, err = v.keys.unseal(sealed, l.bind); err != nil {
			return needs
		}
	}
	top, err := (&lister{q: l.q, from: from}).top()
	if at, ok := l.behind(from); ok && err == nil && l.q.IfNoneMatch == "" {
		needs = append(needs, Need{
			at:   at.Prefix,
			scan: &span{at.After, min(l.q.Skip+top+1, mostTogether), l.leads(from)},
		})
	}
	return needs
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
		at := storage.Range{Prefix: base + keyPart(l.q.Prefix)}
		if t.after != "" {
			at.After = base + t.after
		}
		return at, true
	case t.kind == deltaPage && part == "":
		return storage.Range{Prefix: changes, After: changes + revisionPart(t.at)}, true
	case t.kind == deltaFrom && part == "":
		return storage.Range{Prefix: changes, After: changes + revisionPart(t.since)}, true
	}
	return storage.Range{}, false
}

// leads is what begins the keys of records that the ids lead to which a list goes by. An order of
// changes has those of deleted ones, too.
func (l *lister) leads(from token) (to [2]string) {
	switch {
	case from.kind != listPage:
		return [2]string{l.t.key(l.s, "r", ""), l.t.key(l.s, "t", "")}
	case l.q.Index != "":
		to[0] = l.t.key(l.s, "r", "")
	}
	return to
}

// through reads together what entries lead to, and yields them.
func (v *View) through(found []entry, keys func(id string) []string, yield func(string, []byte) bool) bool {
	var all []string
	for _, e := range found {
		all = append(all, keys(string(e.value))...)
	}
	if err := storage.Prefetch(v.r, all); err != nil {
		return false // the transaction fails of it
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
	return tx.view().following(prefix, after, 1, func(id string) []string { return []string{t.key(s, "r", id)} })
}

// following is a scan whose values are ids, and whose loop is going to read the keys of
// each: of so many together at first, and of more and more.
func (v *View) following(prefix, after string, first int, keys func(id string) []string) iter.Seq2[string, []byte] {
	if !v.remote() {
		return v.r.Scan(prefix, after)
	}
	return func(yield func(string, []byte) bool) {
		var found []entry
		size := first
		for key, value := range v.r.Scan(prefix, after) {
			if found = append(found, entry{key, value}); len(found) < size {
				continue
			}
			if !v.through(found, keys, yield) {
				return
			}
			found, size = nil, min(size*8, v.most())
		}
		v.through(found, keys, yield)
	}
}

// prefetch reads records together, over a network.
func (t *Table) prefetch(tx Reading, s Scope, ids []string) error {
	v := tx.view()
	if !v.remote() || len(ids) < 2 {
		return nil
	}
	keys := make([]string, 0, min(len(ids), mostTogether))
	for _, id := range ids[:cap(keys)] {
		keys = append(keys, t.key(s, "r", id))
	}
	return storage.Prefetch(v.r, keys)
}
