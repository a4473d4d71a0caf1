package records

import (
	"iter"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Collection describes one type of record. It is a constant of its domain.
type Collection[T any] struct {
	// Name is part of every key and never changes.
	Name string
	// ID gives the record's id; ids of several parts are made by Join.
	ID func(*T) string
	// Hidden points at the part of the record that is stored and never on the
	// wire. Nil means that there is none. A tombstone keeps it only where an
	// index needs it.
	Hidden func(*T) any
	// MarkDeleted sets the record's deleted flag.
	MarkDeleted func(*T)
	// Untracked records can be paged through but not followed: they have no
	// place in the order of changes and no tombstones, their lists have no
	// delta tokens, and they are removed by Erase.
	Untracked bool
	// Unversioned records are Untracked ones that are not visible outside: each counts its
	// own writes, and none takes a revision of its scope. They share their scope with
	// Unversioned ones alone, unless it is divided.
	Unversioned bool
	// Upkeep records are the platform's own, such as operations: they come and go with the
	// work on others, and neither fill a store nor make room in it. Unversioned ones are, too.
	Upkeep bool
	// Part tells the part of a divided scope that a record is written in, whichever is
	// named by who writes it. Nil leaves that to them.
	Part func(*T) string
	// Ended says when a record came to its end, and the zero time while it has
	// not. Some time later such a record is forgotten. Only Untracked
	// collections without indexes may have it.
	Ended func(*T) time.Time
	// Indexes serve equality filters.
	Indexes []Index[T]
	// Upgrades lift stored records from version i to i+1. The present version
	// is their number. A member that the type has got is one line, Added.
	Upgrades []Upgrade

	erased atomic.Pointer[Table]
}

// Index finds records by a value.
type Index[T any] = indexOf[*T]

// indexOf is an Index of records that P points at.
type indexOf[P any] struct {
	// Name is part of every key and never changes.
	Name string
	// Value is what the record is found by; it is not indexed when empty.
	Value func(P) string
}

// Table is the collection with its type erased.
func (c *Collection[T]) Table() *Table {
	t := c.erased.Load()
	if t == nil {
		t = erase(c.ID, c.Part, c.Hidden, c.MarkDeleted, c.Ended, c.Indexes)
		t.name, t.untracked, t.upgrades = c.Name, c.Untracked || c.Unversioned, c.Upgrades
		t.unversioned, t.upkeep = c.Unversioned, c.Upkeep || c.Unversioned
		c.erased.Store(t)
	}
	return t
}

// erase makes a table of what a collection knows of the type of its records. All
// pointers share one shape, so that it is compiled once for all collections.
func erase[P any](id, part func(P) string, hidden func(P) any, markDeleted func(P), ended func(P) time.Time,
	indexes []indexOf[P],
) *Table {
	t := &Table{hides: hidden != nil, ends: ended != nil}
	of := reflect.TypeFor[P]().Elem()
	t.fresh = func() any { return reflect.New(of).Interface() }
	t.id = func(v any) string { return id(v.(P)) }
	if part != nil {
		t.part = func(v any) string { return part(v.(P)) }
	}
	t.hidden = func(v any) any { return hidden(v.(P)) }
	t.markDeleted = func(v any) { markDeleted(v.(P)) }
	t.ended = func(v any) time.Time { return ended(v.(P)) }
	t.indexed = func(to []string, v any) []string {
		to = slices.Grow(to, len(indexes))
		for _, ix := range indexes {
			to = append(to, ix.Value(v.(P)))
		}
		return to
	}
	t.valueIn = func(v any, i int) string { return indexes[i].Value(v.(P)) }
	for _, ix := range indexes {
		t.indexes = append(t.indexes, ix.Name)
	}
	return t
}

// Typed gives a record its type back.
func Typed[T any](r *Erased, err error) (rec twinplatform.Record[T]) {
	if v, ok := r.Value.(*T); ok && err == nil {
		rec.Value = *v
	}
	rec.ETag, rec.JSON = r.ETag, r.JSON
	return rec
}

// typedValues gives the values of a sequence their type back. It is not copied into its
// callers, of which each would be a copy for each type of record.
func typedValues[P any](seq iter.Seq2[any, error]) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		seq(func(v any, err error) bool {
			p, _ := v.(P)
			return yield(p, err)
		})
	}
}

// Scratch is a zero value to read a record into that is then copied out of it, and
// released.
func (t *Table) Scratch() any {
	if v := t.idle.Get(); v != nil {
		return v
	}
	return t.fresh()
}

// Release gives a value back that was borrowed by Scratch.
func (t *Table) Release(v any) {
	reflect.ValueOf(v).Elem().SetZero()
	t.idle.Put(v)
}

// Get returns a record, or ErrNotFound.
func (c *Collection[T]) Get(tx Reading, s Scope, id string) (rec twinplatform.Record[T], err error) {
	t := c.Table()
	v := t.Scratch()
	r, err := t.Get(tx, s, id, v)
	rec = Typed[T](&r, err)
	t.Release(v)
	return rec, err
}

// Stored is Get without the value: nothing is decoded.
func (c *Collection[T]) Stored(tx Reading, s Scope, id string) (rec twinplatform.Record[T], err error) {
	r, err := c.Table().Stored(tx, s, id)
	return Typed[T](&r, err), err
}

// Value returns the value of a record, or ErrNotFound.
func (c *Collection[T]) Value(tx Reading, s Scope, id string) (*T, error) {
	v, err := c.Table().Value(tx, s, id)
	p, _ := v.(*T)
	return p, err
}

// Lookup returns the value of a record, or nil when there is none.
func (c *Collection[T]) Lookup(tx Reading, s Scope, id string) (*T, error) {
	v, err := c.Table().Lookup(tx, s, id)
	p, _ := v.(*T)
	return p, err
}

// Has reports whether there is such a record.
func (c *Collection[T]) Has(tx Reading, s Scope, id string) (bool, error) {
	return c.Table().Has(tx, s, id)
}

// Had reports whether a scope had a record that was deleted, for as long as its tombstone
// is kept: for the retention, so that what is remembered has a bound. A record that is
// there again has no tombstone.
func (c *Collection[T]) Had(tx Reading, s Scope, id string) (bool, error) {
	return c.Table().Had(tx, s, id)
}

// Insert adds a record, or fails with ErrExists.
func (c *Collection[T]) Insert(u *Update, s Scope, v *T) (rec twinplatform.Record[T], err error) {
	t := c.Table()
	s = t.in(s, v)
	at, err := t.inserting(u, s, v)
	if err != nil {
		return rec, err
	}
	e, err := t.put(u, s, v, nil, at)
	return recordOf(u, s, v, e, err)
}

// Append adds a record whose id was never used, such as one that was just made up,
// and does not look whether that is so.
func (c *Collection[T]) Append(u *Update, s Scope, v *T) (twinplatform.Record[T], error) {
	t := c.Table()
	s = t.in(s, v)
	e, err := t.put(u, s, v, nil, t.appending(u, s, v))
	return recordOf(u, s, v, e, err)
}

// Put adds or replaces a record.
func (c *Collection[T]) Put(u *Update, s Scope, v *T) (rec twinplatform.Record[T], err error) {
	t := c.Table()
	at, err := t.replacing(u, s, v)
	if err != nil {
		return rec, err
	}
	s = t.in(s, v)
	e, err := t.put(u, s, v, nil, at)
	return recordOf(u, s, v, e, err)
}

// recordOf is the record that was put.
func recordOf[T any](u *Update, s Scope, v *T, e envelope, err error) (rec twinplatform.Record[T], _ error) {
	if err != nil {
		return rec, err
	}
	return twinplatform.Record[T]{Value: *v, ETag: s.etag(u, e.revision), JSON: e.wire}, nil
}

// Check is Judge of a record, or ErrNotFound. Without a condition nothing is read.
func (c *Collection[T]) Check(tx Reading, s Scope, id string, cond twinplatform.Condition) error {
	return c.Table().Check(tx, s, id, cond)
}

// CheckPut is Check of a record that is to be put, and so may be missing.
func (c *Collection[T]) CheckPut(tx Reading, s Scope, id string, cond twinplatform.Condition) error {
	return c.Table().CheckPut(tx, s, id, cond)
}

// Modify changes a record through fn, which leaves its id alone. When the condition
// does not hold of it, Modify fails as Judge does. A record that fn leaves
// as it was keeps its revision.
func (c *Collection[T]) Modify(u *Update, s Scope, id string, cond twinplatform.Condition,
	fn func(*T) error,
) (rec twinplatform.Record[T], err error) {
	t := c.Table()
	at, stored, err := t.modifying(u, s, id, cond)
	if err != nil {
		return rec, err
	}
	v := stored.(*T)
	if err := fn(v); err != nil {
		return rec, err
	}
	s = t.in(s, v)
	e, err := t.put(u, s, v, nil, at)
	return recordOf(u, s, v, e, err)
}

// Stage stages what fn makes of a record, which leaves its id and its values in the indexes
// alone: no one reads it before CommitStage. What is staged of the record already fn does not
// see, and is replaced. It fails with ErrUnstaged where the stage is not open, and with
// ErrNotFound.
func (c *Collection[T]) Stage(u *Update, s Scope, stage uint64, id string, fn func(*T) error) error {
	return c.Table().Stage(u, s, stage, id, func(v any) error { return fn(v.(*T)) })
}

// StageValue is Stage of a record in a collection without indexes, which takes the place of the
// one that is there or is added.
func (c *Collection[T]) StageValue(u *Update, s Scope, stage uint64, v *T) error {
	return c.Table().StageValue(u, s, stage, v)
}

// Needs are the records with ids.
func (c *Collection[T]) Needs(s Scope, ids ...string) []Need { return c.Table().Needs(s, ids...) }

// NeedsIndexed are what an index has for values. Nothing has the empty one.
func (c *Collection[T]) NeedsIndexed(s Scope, index string, values ...string) (needs []Need) {
	for _, value := range values {
		if value != "" {
			needs = append(needs, c.Table().NeedIndexed(s, index, value))
		}
	}
	return needs
}

// FoundBy are records that an index has for the id of another.
func (c *Collection[T]) FoundBy(index string) Found { return Found{In: c.Table(), Index: index} }

// FoundBelow are records whose ids begin with the id of another.
func (c *Collection[T]) FoundBelow() Found { return Found{In: c.Table()} }

// NeedsFrom is the beginning of what From yields.
func (c *Collection[T]) NeedsFrom(s Scope) []Need {
	base := c.Table().key(s, "r", "")
	return []Need{{at: base, scan: &span{after: base, limit: longScan}}}
}

// NeedsWhole are what From begins with where all of it is read.
func (c *Collection[T]) NeedsWhole(s Scope) []Need {
	base := c.Table().key(s, "r", "")
	return []Need{{at: base, scan: &span{after: base, limit: mostTogether}}}
}

// NeedAfter is the first record that From yields behind an id.
func (c *Collection[T]) NeedAfter(s Scope, after string) Need {
	t := c.Table()
	return Need{at: t.key(s, "r", ""), scan: &span{after: t.key(s, "r", after), limit: 1}}
}

// NeedsAll is the beginning of what All yields.
func (c *Collection[T]) NeedsAll(s Scope) []Need {
	return []Need{{at: c.Table().key(s, "r", ""), scan: longSpan}}
}

// NeedsOfHad are what Had reads of ids.
func (c *Collection[T]) NeedsOfHad(s Scope, ids ...string) (needs []Need) {
	for _, id := range ids {
		needs = append(needs, Need{at: c.Table().key(s, "t", id)})
	}
	return needs
}

// NeedsOfList is what a list begins with.
func (c *Collection[T]) NeedsOfList(tx Reading, s Scope, q Query[T]) []Need {
	return c.Table().NeedsOfList(tx, s, q.Erase())
}

// NeedsOfChange is what a change or the deletion of a record reads.
func (c *Collection[T]) NeedsOfChange(s Scope, id string) []Need {
	return c.Table().needsOfChange(s, id)
}

// NeedsOfNew is what the insertion of a record with an id reads, to be prefetched.
func (c *Collection[T]) NeedsOfNew(s Scope, id string) []Need { return c.Table().NeedsOfNew(s, id) }

// Delete turns a record into a tombstone, or fails with ErrNotFound.
func (c *Collection[T]) Delete(u *Update, s Scope, id string) error {
	return c.Table().Delete(u, s, id)
}

// Erase removes a record for good: no delta reports it. Erasing what is not
// there is no error.
func (c *Collection[T]) Erase(u *Update, s Scope, id string) error {
	return c.Table().Erase(u, s, id)
}

// AddToIndex puts records, of those whose ids come after one, into an index that they
// were stored without, as many as a step does. It returns the id to continue after, which
// is empty when all are in it.
func (c *Collection[T]) AddToIndex(u *Update, s Scope, index, after string) (last string, err error) {
	return c.Table().addToIndex(u, s, index, after)
}

// Reindex finds a record by every index there is: some were added to the
// collection after it was written. The record's revision stays as it is.
func (c *Collection[T]) Reindex(u *Update, s Scope, id string) error {
	return c.Table().reindexed(u, s, id)
}

// All yields the records whose ids begin with prefix, in their order. A failure
// ends the sequence.
func (c *Collection[T]) All(tx Reading, s Scope, prefix string) iter.Seq2[*T, error] {
	t := c.Table()
	return typedValues[*T](t.scan(tx, s, t.key(s, "r", prefix), ""))
}

// From yields the records whose ids come after one, in their order; the empty id
// comes before all. A failure ends the sequence.
func (c *Collection[T]) From(tx Reading, s Scope, after string) iter.Seq2[*T, error] {
	return typedValues[*T](c.Table().From(tx, s, after))
}

// Find yields the records with a value in an index, in the order of their ids.
// A failure ends the sequence.
func (c *Collection[T]) Find(tx Reading, s Scope, index, equals string) iter.Seq2[*T, error] {
	return typedValues[*T](c.Table().find(tx, s, index, equals))
}

// IDs yields the ids of the records with a value in an index, in their order.
func (c *Collection[T]) IDs(tx Reading, s Scope, index, equals string) iter.Seq[string] {
	return c.Table().IDs(tx, s, index, equals)
}

// IDsFrom yields the ids of the records with a value in an index that come after one.
func (c *Collection[T]) IDsFrom(tx Reading, s Scope, index, equals, after string) iter.Seq[string] {
	return c.Table().IDsFrom(tx, s, index, equals, after)
}

// FirstID is the first id that IDsFrom yields, which is found without a loop; it is not ok
// where there is none.
func (c *Collection[T]) FirstID(tx Reading, s Scope, index, equals, after string) (id string, ok bool) {
	return c.Table().FirstID(tx, s, index, equals, after)
}

// ValuesFrom yields the values that records have in an index, behind one of them,
// without reading the records. The values are short and without a slash.
func (c *Collection[T]) ValuesFrom(tx Reading, s Scope, index, after string) iter.Seq[string] {
	return c.Table().valuesFrom(tx, s, index, after)
}

// HeadsFrom yields the first parts of joint ids of records, each once, behind one of
// them, without reading the records.
func (c *Collection[T]) HeadsFrom(tx Reading, s Scope, after string) iter.Seq[string] {
	return c.Table().headsFrom(tx, s, after)
}

// Changes yields what was written or deleted after a revision, each record once,
// in the order of the revisions. It fails with ErrDeltaExpired when deletions
// after that revision are forgotten. A failure ends the sequence.
func (c *Collection[T]) Changes(tx Reading, s Scope, since uint64) iter.Seq2[Change, error] {
	return c.Table().Changes(tx, s, since)
}

// List returns a page. It fails with ErrTop, ErrContinuation,
// ErrContinuationExpired, ErrDelta or ErrDeltaExpired.
//
// A list goes by id. Its last page carries the delta token of the revision at
// which it began, so that nothing written while it was paged through is missed.
// A delta goes by revision, up to the one at which it began, and what is
// written meanwhile is left to the next delta.
func (c *Collection[T]) List(tx Reading, s Scope, q Query[T]) (twinplatform.Page[T], error) {
	page, err := c.Table().List(tx, s, q.Erase())
	return twinplatform.Page[T](page), err
}

// Pick returns the records with these ids as a page, in this order, or
// ErrNotFound. The page belongs to no list: it has no tokens.
func (c *Collection[T]) Pick(tx Reading, s Scope, ids []string) (twinplatform.Page[T], error) {
	page, err := c.Table().Pick(tx, s, ids)
	return twinplatform.Page[T](page), err
}
