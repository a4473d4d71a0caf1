package records

import (
	"errors"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// scan yields the values of the records whose keys have a prefix and come after
// one. A failure ends the sequence.
func (t *Table) scan(tx Reading, s Scope, prefix, after string) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		reading := tx.view()
		for _, stored := range reading.r.Scan(prefix, after) {
			reading.spent.Read++
			v, err := t.read(tx, s, stored)
			if errors.Is(err, ErrNotFound) {
				continue // it is only staged
			}
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
		// of which the transaction fails
		_ = storage.Prefetch(v.r, nil, storage.Range{Prefix: base, After: after, Limit: v.perStep})
	}
	return t.scan(tx, s, base, after)
}

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

// FirstID is the first id that IDsFrom yields; it is not ok where there is none.
func (t *Table) FirstID(tx Reading, s Scope, index, equals, after string) (id string, ok bool) {
	base := t.indexKeyIn(tx, s, index, equals, "")
	if after != "" {
		after = base + keyPart(after)
	}
	_, stored, ok := storage.First(tx.view().r, base, after)
	return string(stored), ok
}

func (t *Table) valuesFrom(tx Reading, s Scope, index, after string) iter.Seq[string] {
	base := s.key() + t.name + "/i/" + index + "/"
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

// Changes is Collection.Changes.
func (t *Table) Changes(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
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

// ChangedSince reports whether a record was written or deleted after a revision. Records that are
// not tracked change unnoticed.
func (t *Table) ChangedSince(tx Reading, s Scope, since uint64) (bool, error) {
	if t.untracked {
		return false, nil
	}
	for _, err := range t.Changes(tx, s, since) {
		return true, unlessExpired(err)
	}
	return false, nil
}

// NeedsOfChanges are what Changes reads, so many changes at most.
func (t *Table) NeedsOfChanges(s Scope, since uint64, most int) []Need {
	place, part := s.place()
	if t.untracked || part != "" {
		return nil
	}
	base := place + "/" + t.name + "/c/"
	return []Need{{at: t.purgedKey(s)}, {at: base, scan: &span{after: base + revisionPart(since), limit: most}}}
}

// unlessExpired is nil for changes that are forgotten by now.
func unlessExpired(err error) error {
	if errors.Is(err, ErrDeltaExpired) {
		return nil
	}
	return err
}

// order yields what was written or deleted after a revision and is still known: of a
// part of a divided scope what was before it began, of all parts, and then its own.
func (t *Table) order(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
	return t.orderBy(tx, s, since, tx.view().r.Scan)
}

// scanning is a way to scan.
type scanning = func(prefix, after string) iter.Seq2[string, []byte]

func (t *Table) orderBy(tx Reading, s Scope, since uint64, scan scanning) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		place, part := s.place()
		before := place + "/" + t.name + "/c/"
		if part == "" {
			st, err := stageIn(tx, s)
			if err != nil {
				yield(Change{}, err)
				return
			}
			if st.committed() {
				t.orderStaged(tx, s, st, since, scan)(yield)
				return
			}
			orderIn(scan, before, since, math.MaxUint64)(yield)
			return
		}
		at, err := s.standing(tx)
		if err != nil {
			yield(Change{}, err)
			return
		}
		if since < at.began {
			more := true
			orderIn(scan, before, since, at.began)(func(c Change, err error) bool {
				more = yield(c, err) && err == nil
				return more
			})
			if !more {
				return
			}
		}
		orderIn(scan, t.partOrder(place, part), max(since, at.began), math.MaxUint64)(yield)
	}
}

// orderIn yields the changes of one order behind one revision and up to another.
func orderIn(scan scanning, base string, since, until uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for key, id := range scan(base, base+revisionPart(since)) {
			at, err := strconv.ParseUint(key[len(base):], 16, 64)
			if at > until || !yield(Change{ID: string(id), Revision: at}, err) || err != nil {
				return
			}
		}
	}
}

// partOrder begins the keys of the changes in a part of a divided scope.
func (t *Table) partOrder(place, part string) string {
	return place + "/" + t.name + "/o/" + valuePart(part) + "/"
}

// changeKey is where a record stands that was last written or deleted at a revision.
func (t *Table) changeKey(u *Update, s Scope, revision uint64) (string, error) {
	place, part := s.place()
	if part != "" {
		at, err := u.at(s)
		if err != nil {
			return "", err
		}
		if revision > at.began {
			return t.partOrder(place, part) + revisionPart(revision), nil
		}
	}
	return u.texts.join(place, "/", t.name, "/c/", revisionPart(revision)), nil
}

// noteChange puts a record into the order of changes.
func (t *Table) noteChange(u *Update, s Scope, revision uint64, id string) error {
	return t.enterChange(u, s, revision, []byte(id))
}

func (t *Table) enterChange(u *Update, s Scope, revision uint64, entry []byte) error {
	key, err := t.changeKey(u, s, revision)
	if err != nil {
		return err
	}
	return u.w.Put(key, entry)
}

// dropChange takes a record out of the order of changes.
func (t *Table) dropChange(u *Update, s Scope, revision uint64) error {
	key, err := t.changeKey(u, s, revision)
	if err != nil {
		return err
	}
	return u.w.Delete(key)
}
