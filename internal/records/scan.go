package records

import (
	"iter"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// scan yields the values of the records whose keys have a prefix and come after
// one. A failure ends the sequence.
//
//go:noinline
func (t *Table) scan(tx Reading, prefix, after string) iter.Seq2[any, error] {
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

// From is Collection.From.
func (t *Table) From(tx Reading, s Scope, after string) iter.Seq2[any, error] {
	base := t.key(s, "r", "")
	after = base + keyPart(after)
	if v := tx.view(); v.perStep > 0 {
		_ = storage.Prefetch(v.r, nil, storage.Range{Prefix: base, After: after, Limit: v.perStep}) // of which the transaction fails
	}
	return t.scan(tx, base, after)
}

//go:noinline
func (t *Table) find(tx Reading, s Scope, index, equals string) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for _, id := range t.following(tx, s, t.indexKey(s, index, equals, ""), "") {
			v, err := t.Value(tx, s, string(id))
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// IDs yields the ids of the records with a value in an index, in their order.
func (t *Table) IDs(tx Reading, s Scope, index, equals string) iter.Seq[string] {
	return t.IDsFrom(tx, s, index, equals, "")
}

// IDsFrom yields the ids of the records with a value in an index that come after one.
func (t *Table) IDsFrom(tx Reading, s Scope, index, equals, after string) iter.Seq[string] {
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

func (t *Table) valuesFrom(tx Reading, s Scope, index, after string) iter.Seq[string] {
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

func (t *Table) headsFrom(tx Reading, s Scope, after string) iter.Seq[string] {
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

func (t *Table) changes(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
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
func (t *Table) order(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
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
