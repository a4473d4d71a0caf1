package records

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Table is a collection with its type erased: what is done with records is
// compiled once, and not once for each of their types.
type Table struct {
	name        string
	untracked   bool
	unversioned bool
	upkeep      bool
	hides       bool // it has a hidden part
	ends        bool
	indexes     []string // their names
	upgrades    []Upgrade

	// What is asked of the type of the records, each given as a *T.
	fresh       func() any
	id          func(any) string
	part        func(any) string // nil where the scope tells it
	hidden      func(any) any
	markDeleted func(any)
	ended       func(any) time.Time
	indexed     func(to []string, v any) []string // appends the record's value in each index
	valueIn     func(v any, i int) string         // the record's value in the i-th index

	idle sync.Pool // of zero values
}

// ID gives a record's id.
func (t *Table) ID(v any) string { return t.id(v) }

// New makes a zero record.
func (t *Table) New() any { return t.fresh() }

// Erased is a record with its type erased: its value points at it, and is nil where
// it is not read.
type Erased = twinplatform.Record[any]

func (t *Table) key(s Scope, table, id string) string {
	place, _ := s.place()
	return place + "/" + t.name + "/" + table + "/" + keyPart(id)
}

// keyIn is key for a transaction.
func (t *Table) keyIn(tx Reading, s Scope, table, id string) string {
	place, _ := s.place()
	return tx.view().texts.join(place, "/", t.name, "/", table, "/", keyPart(id))
}

// leftKey holds the revision at which a record was last given another value in
// an index: only so can a delta tell what left a list from what never was in it.
func (t *Table) leftKey(s Scope, ix, value, id string) string {
	place, _ := s.place()
	return place + "/" + t.name + "/l/" + ix + "/" + valuePart(value) + "/" + keyPart(id)
}

func (t *Table) indexKey(s Scope, ix, value, id string) string {
	place, _ := s.place()
	return place + "/" + t.name + "/i/" + ix + "/" + valuePart(value) + "/" + keyPart(id)
}

// indexKeyIn is indexKey for a transaction.
func (t *Table) indexKeyIn(tx Reading, s Scope, ix, value, id string) string {
	place, _ := s.place()
	return tx.view().texts.join(place, "/", t.name, "/i/", ix, "/", valuePart(value), "/", keyPart(id))
}

// Name is what the collection is called in keys.
func (t *Table) Name() string { return t.name }

// Clone copies a record, but not what it points at.
func (t *Table) Clone(v any) any {
	next := t.fresh()
	reflect.ValueOf(next).Elem().Set(reflect.ValueOf(v).Elem())
	return next
}

// NewMany makes zero records.
func (t *Table) NewMany(n int) []any {
	all := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(t.fresh()).Elem()), n, n)
	out := make([]any, n)
	for i := range out {
		out[i] = all.Index(i).Addr().Interface()
	}
	return out
}

// Get returns a record, or ErrNotFound. Its value is read into v, which is zero.
func (t *Table) Get(tx Reading, s Scope, id string, v any) (Erased, error) {
	e, err := t.load(tx, s, "r", id)
	if err == nil {
		err = t.decodeInto(e, v)
	}
	if err != nil {
		return Erased{}, err
	}
	return Erased{Value: v, ETag: s.etag(tx, e.revision), JSON: e.wire}, nil
}

// Value returns the value of a record, or ErrNotFound.
func (t *Table) Value(tx Reading, s Scope, id string) (any, error) {
	e, err := t.load(tx, s, "r", id)
	if err != nil {
		return nil, err
	}
	return t.decode(e)
}

// Stored is Get without the value: nothing is decoded.
func (t *Table) Stored(tx Reading, s Scope, id string) (rec Erased, err error) {
	e, err := t.load(tx, s, "r", id)
	if err == nil {
		rec.ETag, rec.JSON = s.etag(tx, e.revision), e.wire
	}
	return rec, err
}

// Lookup returns the value of a record, or nil when there is none.
func (t *Table) Lookup(tx Reading, s Scope, id string) (any, error) {
	v, err := t.Value(tx, s, id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return v, err
}

// inserting is where Collection.Insert puts a record.
func (t *Table) inserting(u *Update, s Scope, v any) (at replacement, err error) {
	id := t.id(v)
	u.declare(t.NeedsOfNew, s, id)
	at = t.addition(u, s, id)
	has, err := t.hasAt(u, s, at.key)
	if has && err == nil {
		err = ErrExists
	}
	return at, err
}

// appending is where Collection.Append puts a record.
func (t *Table) appending(u *Update, s Scope, v any) replacement {
	at := t.addition(u, s, t.id(v))
	at.prior.unused = true
	return at
}

// replacing is where Collection.Put puts a record.
func (t *Table) replacing(u *Update, s Scope, v any) (replacement, error) {
	u.declare(t.NeedsOfNew, t.in(s, v), t.id(v))
	return t.replaced(u, s, t.id(v))
}

// modifying is where Collection.Modify puts a record, and the record as it is stored.
func (t *Table) modifying(u *Update, s Scope, id string, cond twinplatform.Condition) (
	at replacement, v any, err error,
) {
	u.declare(t.needsOfChange, s, id)
	at = t.addition(u, s, id)
	if at.prior, err = t.loadAt(u, s, at.key); err == nil && cond != "" {
		err = Judge(cond, s.etag(u, at.prior.revision))
	}
	if err == nil {
		v, err = t.decode(at.prior)
	}
	if err == nil {
		at.before = t.indexed(nil, v)
	}
	return at, v, err
}

// Has reports whether there is such a record.
func (t *Table) Has(tx Reading, s Scope, id string) (bool, error) {
	return t.hasAt(tx, s, t.keyIn(tx, s, "r", id))
}

// hasAt is Has of a record with a key.
func (t *Table) hasAt(tx Reading, s Scope, key string) (bool, error) {
	stored, ok, err := storage.Find(tx.view().r, key)
	if !ok || err != nil || len(stored) == 0 || stored[0]&stagedBit == 0 {
		return ok, err
	}
	if _, err = t.open(tx, s, stored); errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Had reports whether a scope had a record that was deleted, for as long as its tombstone
// is kept. One that was deleted before scopes were divided was of every part.
func (t *Table) Had(tx Reading, s Scope, id string) (bool, error) {
	e, err := t.load(tx, s, "t", id)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, own := s.place()
	part, err := partOf(tx, e.ended, t.key(s, "t", id))
	return part == own || part == "", err
}

func (t *Table) load(tx Reading, s Scope, table, id string) (envelope, error) {
	return t.loadAt(tx, s, t.keyIn(tx, s, table, id))
}

// loadAt is load of a record with a key.
func (t *Table) loadAt(tx Reading, s Scope, key string) (envelope, error) {
	v := tx.view()
	v.spent.Read++
	stored, ok, err := storage.Find(v.r, key)
	if err != nil {
		return envelope{}, err
	}
	if !ok {
		return envelope{}, ErrNotFound
	}
	return t.open(tx, s, stored)
}

// Judge reports whether a condition holds of a record with an ETag: it fails with
// ErrPrecondition or ErrRuledOut when it does not.
func Judge(c twinplatform.Condition, etag string) error {
	switch {
	case !c.Matches(etag):
		return ErrPrecondition
	case c.RulesOut(etag):
		return ErrRuledOut
	}
	return nil
}

// JudgeEntry is Judge of what has no version of its own, and may be missing.
func JudgeEntry(c twinplatform.Condition, has bool) error {
	switch {
	case has:
		return Judge(c, "")
	case c.NeedsRecord():
		return ErrPrecondition
	}
	return nil
}

// Check is Judge of a record, or ErrNotFound. Without a condition nothing is read.
func (t *Table) Check(tx Reading, s Scope, id string, c twinplatform.Condition) error {
	if c == "" {
		return nil
	}
	e, err := t.load(tx, s, "r", id)
	if err != nil {
		return err
	}
	return Judge(c, s.etag(tx, e.revision))
}

// CheckPut is Check of a record that is to be put, and so may be missing.
func (t *Table) CheckPut(tx Reading, s Scope, id string, c twinplatform.Condition) error {
	err := t.Check(tx, s, id, c)
	if errors.Is(err, ErrNotFound) {
		return JudgeEntry(c, false)
	}
	return err
}

// Delete turns a record into a tombstone, or fails with ErrNotFound.
func (t *Table) Delete(u *Update, s Scope, id string) error {
	u.declare(t.needsOfChange, s, id)
	e, err := t.load(u, s, "r", id)
	if err != nil {
		return err
	}
	v, err := t.decode(e)
	if err != nil {
		return err
	}
	s = t.in(s, v)
	if err := t.unlink(u, s, id, v, e); err != nil {
		return err
	}
	if err := t.writeTombstone(u, s, id, v, e); err != nil {
		return err
	}
	return t.noteChange(u, s, u.revisions[s].revision, id)
}

// writeTombstone writes the tombstone of a record at the next revision.
func (t *Table) writeTombstone(u *Update, s Scope, id string, v any, e envelope) (err error) {
	t.markDeleted(v)
	dead := envelope{version: byte(len(t.upgrades)), created: e.created, ended: u.now()}
	if dead.wire, err = encode(v); err != nil {
		return err
	}
	if dead.hidden, err = t.tombstoneHidden(v, e.hidden, dead.wire); err != nil {
		return err
	}
	if dead.revision, err = u.next(s, e.revision); err != nil {
		return err
	}
	key := t.key(s, "t", id)
	if err := u.w.Put(key, dead.seal()); err != nil {
		return err
	}
	return u.enqueueEnd(s, key, dead.ended)
}

// tombstoneHidden is what a tombstone keeps of the hidden part of a record: all of it
// where the indexes do not follow from the wire alone, and nothing elsewhere.
func (t *Table) tombstoneHidden(v any, hidden, wire []byte) ([]byte, error) {
	if len(hidden) == 0 || len(t.indexes) == 0 {
		return nil, nil
	}
	bare, err := t.decode(envelope{wire: wire})
	if err != nil {
		return nil, err
	}
	if slices.Equal(t.indexed(nil, bare), t.indexed(nil, v)) {
		return nil, nil
	}
	return hidden, nil
}

// found is a record that may be missing: it is nil then.
func (t *Table) found(tx Reading, s Scope, id string) (v any, e envelope, err error) {
	e, err = t.load(tx, s, "r", id)
	if errors.Is(err, ErrNotFound) {
		return nil, e, nil
	}
	if err == nil {
		v, err = t.decode(e)
	}
	return v, e, err
}

// replacement is where a record is put: its key, the record that it takes the place of, and the values
// that this has in the indexes. Without a prior the record is new.
type replacement struct {
	key    string
	prior  envelope
	before []string
}

// addition is the replacement of a record of which nothing is read.
func (t *Table) addition(tx Reading, s Scope, id string) replacement {
	return replacement{key: t.keyIn(tx, s, "r", id)}
}

// replaced is the replacement of a record that may be there.
func (t *Table) replaced(tx Reading, s Scope, id string) (at replacement, err error) {
	at = t.addition(tx, s, id)
	if at.prior, err = t.loadAt(tx, s, at.key); errors.Is(err, ErrNotFound) {
		return at, nil
	}
	if err != nil {
		return at, err
	}
	v, err := t.decode(at.prior)
	if err == nil {
		at.before = t.indexed(nil, v)
	}
	return at, err
}

// Erase removes a record for good: no delta reports it. Erasing what is not
// there is no error.
func (t *Table) Erase(u *Update, s Scope, id string) error {
	v, e, err := t.found(u, s, id)
	if v == nil || err != nil {
		return err
	}
	s = t.in(s, v)
	if !t.unversioned {
		if _, err := u.next(s, e.revision); err != nil { // what listed it is out of date
			return err
		}
	}
	return t.unlink(u, s, id, v, e)
}

// in is the scope that a record is written in.
func (t *Table) in(s Scope, v any) Scope {
	place, _, divided := strings.Cut(string(s), divides)
	if t.part == nil || !divided {
		return s
	}
	return Scope(place + divides).Of(t.part(v))
}

// unlink removes a record and what points at it.
func (t *Table) unlink(u *Update, s Scope, id string, v any, e envelope) error {
	for i, value := range t.indexed(nil, v) {
		if value == "" {
			continue
		}
		if err := u.w.Delete(t.indexKey(s, t.indexes[i], value, id)); err != nil {
			return err
		}
	}
	if !t.untracked {
		if err := t.dropPrior(u, s, id, e); err != nil {
			return err
		}
	}
	key := t.key(s, "r", id)
	if err := u.dequeueEnd(key, e.ended); err != nil {
		return err
	}
	u.spent.Written++
	u.removes = u.removes || !t.upkeep
	return u.w.Delete(key)
}

// put stores v in its scope. encoded is v where that is encoded already, else nil.
func (t *Table) put(u *Update, s Scope, v any, encoded Encoded, at replacement) (_ envelope, err error) {
	sheet := sheets.Get().(*[]byte)
	defer sheets.Put(sheet)
	e, err := t.written(v, encoded, sheet)
	if err != nil {
		return e, fmt.Errorf("writing a record of %s: %w", t.name, err)
	}
	var none envelope
	id, prior := t.id(v), at.prior
	if prior.revision > 0 && bytes.Equal(e.wire, prior.wire) && bytes.Equal(e.hidden, prior.hidden) {
		return prior, nil
	}
	if e.revision = prior.revision + 1; !t.unversioned {
		e.revision, err = u.next(s, prior.revision)
	}
	if err != nil {
		return none, err
	}
	now := t.indexed(u.values[:0], v)
	u.values = now
	var entry []byte
	if !t.untracked || len(now) > 0 {
		entry = []byte(id)
	}
	if e.created, err = t.replace(u, s, id, entry, e.revision, prior, now); err != nil {
		return none, err
	}
	if err := t.reindex(u, s, id, entry, e.revision, now, at.before); err != nil {
		return none, err
	}
	if err := t.end(u, s, at.key, v, &e, prior); err != nil {
		return none, err
	}
	stored := e.seal()
	if err := u.w.Put(at.key, stored); err != nil {
		return none, err
	}
	u.spent.Written++
	u.adds = u.adds || !t.upkeep && prior.revision == 0
	e.wire = stored[len(stored)-len(e.wire):]
	return e, nil
}

// written is a record as it is to be stored. Its bytes lie in the sheet, a buffer that the
// next record reuses.
func (t *Table) written(v any, encoded Encoded, sheet *[]byte) (e envelope, err error) {
	e.version = byte(len(t.upgrades))
	if encoded != nil {
		e.wire = encoded
		return e, nil
	}
	b, err := appendTo((*sheet)[:0], v)
	wire := len(b)
	if err == nil && t.hides {
		b, err = appendTo(b, t.hidden(v))
	}
	if err != nil {
		return e, err
	}
	e.wire, e.hidden = b[:wire], b[wire:]
	if *sheet = nil; cap(b) <= maxSheet {
		*sheet = b
	}
	return e, nil
}

// end notes of a record whether it has come to its end.
func (t *Table) end(u *Update, s Scope, key string, v any, e *envelope, prior envelope) error {
	if !t.ends {
		return nil
	}
	if err := u.dequeueEnd(key, prior.ended); err != nil {
		return err
	}
	if at := t.ended(v); !at.IsZero() {
		e.ended = momentOf(u.db.wall.Of(at))
		return u.enqueueEnd(s, key, e.ended)
	}
	return nil
}

// replace moves a record to its new place in the order of changes and returns
// the revision at which it was first made.
func (t *Table) replace(u *Update, s Scope, id string, entry []byte, revision uint64, prior envelope,
	now []string,
) (created uint64, err error) {
	created = prior.created
	switch {
	case t.untracked && prior.revision == 0:
		return revision, nil
	case t.untracked:
		return created, nil
	case prior.unused:
		created = revision
	case prior.revision == 0:
		created, err = t.dropTombstone(u, s, id, revision, now)
	default:
		err = t.dropPrior(u, s, id, prior)
	}
	if err != nil {
		return 0, err
	}
	return created, t.enterChange(u, s, revision, entry)
}

// purged is the latest revision of which a deletion, or a move out of a filtered
// list, is forgotten: delta tokens from before are refused. Of a part of a divided scope
// that may be from before it began.
func (t *Table) purged(tx Reading, s Scope) (uint64, error) {
	before, err := getNumber(tx.view().r, t.key(s, "purged", ""))
	_, part := s.place()
	if err != nil || part == "" {
		return before, err
	}
	at, err := s.standing(tx)
	if err != nil {
		return 0, err
	}
	own, err := getNumber(tx.view().r, t.key(s, "purged", part))
	return max(min(before, at.began), own), err
}

func (t *Table) purgedKey(s Scope) string {
	_, part := s.place()
	return t.key(s, "purged", part)
}
