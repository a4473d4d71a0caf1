package records

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
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
	// Unlisted records can be paged through but not followed: they have no
	// place in the order of changes and no tombstones, their lists have no
	// delta tokens, and they are removed by Erase.
	Unlisted bool
	// Ended says when a record came to its end, and the zero time while it has
	// not. Some time later such a record is forgotten. Only Unlisted
	// collections without indexes may have it.
	Ended func(*T) time.Time
	// Indexes serve equality filters.
	Indexes []Index[T]
	// Upgrades lift stored records from version i to i+1. The present version
	// is their number. A member that the type has got is one line, Added.
	Upgrades []Upgrade
}

// Index finds records by a value.
type Index[T any] struct {
	// Name is part of every key and never changes.
	Name string
	// Value is what the record is found by; it is not indexed when empty.
	Value func(*T) string
}

// etag is the version of a record, as in the HTTP header. The store's mark in
// it keeps versions of different stores apart.
func (s Scope) etag(tx Reading, revision uint64) string {
	_, n, _ := strings.Cut(string(s), "-")
	return `"` + tx.view().keys.mark + n + "." + strconv.FormatUint(revision, 36) + `"`
}

func (c *Collection[T]) key(s Scope, table, id string) string {
	return string(s) + "/" + c.Name + "/" + table + "/" + keyPart(id)
}

func (c *Collection[T]) changeKey(s Scope, revision uint64) string {
	return string(s) + "/" + c.Name + "/c/" + revisionPart(revision)
}

// leftKey holds the revision at which a record was last given another value in
// an index: only so can a delta tell what left a list from what never was in it.
func (c *Collection[T]) leftKey(s Scope, ix, value, id string) string {
	return string(s) + "/" + c.Name + "/l/" + ix + "/" + valuePart(value) + "/" + keyPart(id)
}

func (c *Collection[T]) indexKey(s Scope, ix, value, id string) string {
	return string(s) + "/" + c.Name + "/i/" + ix + "/" + valuePart(value) + "/" + keyPart(id)
}

// Get returns a record, or ErrNotFound.
func (c *Collection[T]) Get(tx Reading, s Scope, id string) (twinplatform.Record[T], error) {
	e, err := c.load(tx, s, "r", id)
	if err != nil {
		return twinplatform.Record[T]{}, err
	}
	return c.record(tx, s, e)
}

// Value returns the value of a record, or ErrNotFound.
func (c *Collection[T]) Value(tx Reading, s Scope, id string) (*T, error) {
	e, err := c.load(tx, s, "r", id)
	if err != nil {
		return nil, err
	}
	return c.decode(e)
}

// Has reports whether there is such a record.
func (c *Collection[T]) Has(tx Reading, s Scope, id string) (bool, error) {
	_, err := tx.view().r.Get(c.key(s, "r", id))
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (c *Collection[T]) load(tx Reading, s Scope, table, id string) (envelope, error) {
	stored, err := tx.view().r.Get(c.key(s, table, id))
	if errors.Is(err, storage.ErrNotFound) {
		return envelope{}, ErrNotFound
	}
	if err != nil {
		return envelope{}, err
	}
	return c.open(stored)
}

func (c *Collection[T]) record(tx Reading, s Scope, e envelope) (twinplatform.Record[T], error) {
	v, err := c.decode(e)
	if err != nil {
		return twinplatform.Record[T]{}, err
	}
	return twinplatform.Record[T]{Value: *v, ETag: s.etag(tx, e.revision), JSON: e.wire}, nil
}

// Insert adds a record, or fails with ErrExists.
func (c *Collection[T]) Insert(u *Update, s Scope, v *T) (twinplatform.Record[T], error) {
	id := c.ID(v)
	switch has, err := c.Has(u, s, id); {
	case err != nil:
		return twinplatform.Record[T]{}, err
	case has:
		return twinplatform.Record[T]{}, ErrExists
	}
	return c.write(u, s, v, nil, envelope{})
}

// Put adds or replaces a record.
func (c *Collection[T]) Put(u *Update, s Scope, v *T) (twinplatform.Record[T], error) {
	e, err := c.load(u, s, "r", c.ID(v))
	if errors.Is(err, ErrNotFound) {
		return c.write(u, s, v, nil, envelope{})
	}
	if err != nil {
		return twinplatform.Record[T]{}, err
	}
	old, err := c.decode(e)
	if err != nil {
		return twinplatform.Record[T]{}, err
	}
	return c.write(u, s, v, c.indexed(old), e)
}

// Modify changes a record through fn, which leaves its id alone. A non-empty
// ifMatch is the value of an If-Match header; when it does not name the
// record's version, Modify fails with ErrPrecondition. A record that fn leaves
// as it was keeps its revision.
func (c *Collection[T]) Modify(u *Update, s Scope, id, ifMatch string, fn func(*T) error) (twinplatform.Record[T], error) {
	var none twinplatform.Record[T]
	e, err := c.load(u, s, "r", id)
	if err != nil {
		return none, err
	}
	if ifMatch != "" && !twinplatform.NamesETag(ifMatch, s.etag(u, e.revision)) {
		return none, ErrPrecondition
	}
	v, err := c.decode(e)
	if err != nil {
		return none, err
	}
	before := c.indexed(v)
	if err := fn(v); err != nil {
		return none, err
	}
	return c.write(u, s, v, before, e)
}

// Delete turns a record into a tombstone, or fails with ErrNotFound.
func (c *Collection[T]) Delete(u *Update, s Scope, id string) error {
	e, err := c.load(u, s, "r", id)
	if err != nil {
		return err
	}
	v, err := c.decode(e)
	if err != nil {
		return err
	}
	if err := c.unlink(u, s, id, v, e); err != nil {
		return err
	}
	if err := c.bury(u, s, id, v, e); err != nil {
		return err
	}
	return u.w.Put(c.changeKey(s, u.revisions[s]), []byte(id))
}

// bury writes the tombstone of a record at the next revision.
func (c *Collection[T]) bury(u *Update, s Scope, id string, v *T, e envelope) (err error) {
	c.MarkDeleted(v)
	dead := envelope{version: byte(len(c.Upgrades)), created: e.created, ended: u.now()}
	if dead.wire, err = encode(v); err != nil {
		return err
	}
	if dead.hidden, err = c.lasting(v, e.hidden, dead.wire); err != nil {
		return err
	}
	if dead.revision, err = u.next(s); err != nil {
		return err
	}
	key := c.key(s, "t", id)
	if err := u.w.Put(key, dead.seal()); err != nil {
		return err
	}
	return u.enqueueEnd(key, dead.ended)
}

// lasting is what a tombstone keeps of the hidden part of a record: all of it
// where the indexes do not follow from the wire alone, and nothing elsewhere.
func (c *Collection[T]) lasting(v *T, hidden, wire []byte) ([]byte, error) {
	if len(hidden) == 0 || len(c.Indexes) == 0 {
		return nil, nil
	}
	bare, err := c.decode(envelope{wire: wire})
	if err != nil {
		return nil, err
	}
	if slices.Equal(c.indexed(bare), c.indexed(v)) {
		return nil, nil
	}
	return hidden, nil
}

// Erase removes a record for good: no delta tells of it. Erasing what is not
// there is no error.
func (c *Collection[T]) Erase(u *Update, s Scope, id string) error {
	e, err := c.load(u, s, "r", id)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	v, err := c.decode(e)
	if err != nil {
		return err
	}
	if _, err := u.next(s); err != nil { // what listed it is out of date
		return err
	}
	return c.unlink(u, s, id, v, e)
}

// unlink removes a record and what points at it.
func (c *Collection[T]) unlink(u *Update, s Scope, id string, v *T, e envelope) error {
	for _, ix := range c.Indexes {
		if value := ix.Value(v); value != "" {
			if err := u.w.Delete(c.indexKey(s, ix.Name, value, id)); err != nil {
				return err
			}
		}
	}
	if !c.Unlisted {
		if err := u.w.Delete(c.changeKey(s, e.revision)); err != nil {
			return err
		}
	}
	key := c.key(s, "r", id)
	if err := u.dequeueEnd(key, e.ended); err != nil {
		return err
	}
	return u.w.Delete(key)
}

// AddToIndex puts up to limit records, of those whose ids come after one, into
// an index that they were stored without. It returns the id to go on after, which
// is empty when all are in it.
func (c *Collection[T]) AddToIndex(u *Update, s Scope, index, after string, limit int) (last string, err error) {
	i := slices.IndexFunc(c.Indexes, func(ix Index[T]) bool { return ix.Name == index })
	for v, err := range c.From(u, s, after) {
		if err != nil {
			return "", err
		}
		if limit--; limit < 0 {
			return last, nil
		}
		last = c.ID(v)
		value := c.Indexes[i].Value(v)
		if value == "" {
			continue
		}
		if err := u.w.Put(c.indexKey(s, index, value, last), []byte(last)); err != nil {
			return "", err
		}
	}
	return "", nil
}

// indexed returns the record's value in each index.
func (c *Collection[T]) indexed(v *T) []string {
	values := make([]string, len(c.Indexes))
	for i, ix := range c.Indexes {
		values[i] = ix.Value(v)
	}
	return values
}

// write stores v over prior, whose values in the indexes were before; without
// a prior it is new.
func (c *Collection[T]) write(u *Update, s Scope, v *T, before []string, prior envelope) (twinplatform.Record[T], error) {
	var none twinplatform.Record[T]
	id := c.ID(v)
	e := envelope{version: byte(len(c.Upgrades))}
	var err error
	if e.wire, err = encode(v); err != nil {
		return none, fmt.Errorf("writing a record of %s: %w", c.Name, err)
	}
	if c.Hidden != nil {
		if e.hidden, err = encode(c.Hidden(v)); err != nil {
			return none, fmt.Errorf("writing a record of %s: %w", c.Name, err)
		}
	}
	if prior.revision > 0 && bytes.Equal(e.wire, prior.wire) && bytes.Equal(e.hidden, prior.hidden) {
		return twinplatform.Record[T]{Value: *v, ETag: s.etag(u, prior.revision), JSON: prior.wire}, nil
	}
	if e.revision, err = u.next(s); err != nil {
		return none, err
	}
	now := c.indexed(v)
	if e.created, err = c.replace(u, s, id, e.revision, prior, now); err != nil {
		return none, err
	}
	if err := c.reindex(u, s, id, e.revision, now, before); err != nil {
		return none, err
	}
	if err := c.end(u, c.key(s, "r", id), v, &e, prior); err != nil {
		return none, err
	}
	if err := u.w.Put(c.key(s, "r", id), e.seal()); err != nil {
		return none, err
	}
	return twinplatform.Record[T]{Value: *v, ETag: s.etag(u, e.revision), JSON: e.wire}, nil
}

// end notes of a record whether it has come to its end.
func (c *Collection[T]) end(u *Update, key string, v *T, e *envelope, prior envelope) error {
	if c.Ended == nil {
		return nil
	}
	if err := u.dequeueEnd(key, prior.ended); err != nil {
		return err
	}
	if at := c.Ended(v); !at.IsZero() {
		e.ended = momentOf(at)
		return u.enqueueEnd(key, e.ended)
	}
	return nil
}

// replace moves a record to its new place in the order of changes and returns
// the revision at which it was first made.
func (c *Collection[T]) replace(u *Update, s Scope, id string, revision uint64, prior envelope, now []string) (created uint64, err error) {
	created = prior.created
	switch {
	case c.Unlisted && prior.revision == 0:
		return revision, nil
	case c.Unlisted:
		return created, nil
	case prior.revision == 0:
		created, err = c.revive(u, s, id, revision, now)
	default:
		err = u.w.Delete(c.changeKey(s, prior.revision))
	}
	if err != nil {
		return 0, err
	}
	return created, u.w.Put(c.changeKey(s, revision), []byte(id))
}

// revive removes the tombstone of an id that is used again. The record counts
// as made when it was first made: whoever saw it then still follows it.
func (c *Collection[T]) revive(u *Update, s Scope, id string, revision uint64, now []string) (created uint64, err error) {
	dead, err := c.load(u, s, "t", id)
	if errors.Is(err, ErrNotFound) {
		return revision, nil
	}
	if err != nil {
		return 0, err
	}
	v, err := c.decode(dead)
	if err != nil {
		return 0, err
	}
	for i, was := range c.indexed(v) {
		if was == "" || was == now[i] {
			continue
		}
		if err := c.leave(u, s, id, revision, i, was); err != nil {
			return 0, err
		}
	}
	key := c.key(s, "t", id)
	if err := u.dequeueEnd(key, dead.ended); err != nil {
		return 0, err
	}
	if err := u.w.Delete(key); err != nil {
		return 0, err
	}
	return dead.created, u.w.Delete(c.changeKey(s, dead.revision))
}

// reindex moves a record from its values before, none when it is new, to its
// values now.
func (c *Collection[T]) reindex(u *Update, s Scope, id string, revision uint64, now, before []string) error {
	for i, ix := range c.Indexes {
		was := ""
		if before != nil {
			was = before[i]
		}
		if now[i] == was {
			continue
		}
		if was != "" {
			if err := u.w.Delete(c.indexKey(s, ix.Name, was, id)); err != nil {
				return err
			}
			if err := c.leave(u, s, id, revision, i, was); err != nil {
				return err
			}
		}
		if now[i] != "" {
			if err := u.w.Put(c.indexKey(s, ix.Name, now[i], id), []byte(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Reindex finds a record by every index there is: some were added to the
// collection after it was written. The record's revision stays as it is.
func (c *Collection[T]) Reindex(u *Update, s Scope, id string) error {
	v, err := c.Value(u, s, id)
	if err != nil {
		return err
	}
	for _, ix := range c.Indexes {
		if value := ix.Value(v); value != "" {
			if err := u.w.Put(c.indexKey(s, ix.Name, value, id), []byte(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// leave notes that a record has another value than before in the i-th index.
func (c *Collection[T]) leave(u *Update, s Scope, id string, revision uint64, i int, was string) error {
	if c.Unlisted {
		return nil
	}
	key := c.leftKey(s, c.Indexes[i].Name, was, id)
	before, err := getDeparture(u.r, key)
	if err != nil {
		return err
	}
	if err := u.dequeueEnd(key, before.at); err != nil {
		return err
	}
	now := departure{revision: revision, at: u.now()}
	if err := u.w.Put(key, now.seal()); err != nil {
		return err
	}
	return u.enqueueEnd(key, now.at)
}

// purged is the latest revision of which a deletion, or a move out of a filtered
// list, is forgotten: delta tokens from before are refused.
func (c *Collection[T]) purged(tx Reading, s Scope) (uint64, error) {
	return getNumber(tx.view().r, c.key(s, "purged", ""))
}
