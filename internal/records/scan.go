package records

import (
	"iter"
	"strconv"
	"strings"
)

// scan yields the values of the records whose keys have a prefix and come after
// one. A failure ends the sequence.
func (t *table) scan(tx Reading, prefix, after string) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for _, stored := range tx.view().r.Scan(prefix, after) {
			e, err := t.open(stored)
			if err != nil {
				yield(nil, err)
				return
			}
			v, err := t.decode(e)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func (t *table) from(tx Reading, s Scope, after string) iter.Seq2[any, error] {
	base := t.key(s, "r", "")
	return t.scan(tx, base, base+keyPart(after))
}

func (t *table) find(tx Reading, s Scope, index, equals string) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for id := range t.ids(tx, s, index, equals, "") {
			v, err := t.value(tx, s, id)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func (t *table) ids(tx Reading, s Scope, index, equals, after string) iter.Seq[string] {
	base := t.indexKey(s, index, equals, "")
	if after != "" {
		after = base + keyPart(after)
	}
	return func(yield func(string) bool) {
		for _, id := range tx.view().r.Scan(base, after) {
			if !yield(string(id)) {
				return
			}
		}
	}
}

func (t *table) valuesFrom(tx Reading, s Scope, index, after string) iter.Seq[string] {
	base := string(s) + "/" + t.name + "/i/" + index + "/"
	return func(yield func(string) bool) {
		for key := range heads(tx, base, base+behind(after)) {
			value, _, _ := strings.Cut(key[len(base):], "/")
			if !yield(value) {
				return
			}
		}
	}
}

func (t *table) headsFrom(tx Reading, s Scope, after string) iter.Seq[string] {
	base := t.key(s, "r", "")
	return func(yield func(string) bool) {
		for key := range heads(tx, base, base+behind(after)) {
			head, _, _ := strings.Cut(key[len(base):], "/")
			if !yield(head) {
				return
			}
		}
	}
}

// Change says that a record was last written or deleted at a revision.
type Change struct {
	ID       string
	Revision uint64
}

func (t *table) changes(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		purged, err := t.purged(tx, s)
		if err == nil && since < purged {
			err = ErrDeltaExpired
		}
		if err != nil {
			yield(Change{}, err)
			return
		}
		t.order(tx, s, since)(yield)
	}
}

// order yields what was written or deleted after a revision and is still known.
func (t *table) order(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		base := string(s) + "/" + t.name + "/c/"
		for key, id := range tx.view().r.Scan(base, t.changeKey(s, since)) {
			at, err := strconv.ParseUint(key[len(base):], 16, 64)
			if !yield(Change{ID: string(id), Revision: at}, err) || err != nil {
				return
			}
		}
	}
}
