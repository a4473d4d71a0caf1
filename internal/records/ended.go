package records

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Whatever ends is remembered for a while: a deleted record as its tombstone,
// that it left an index, an operation that is done. Each of these notes the
// moment of its end, and has an entry in one queue of the store in the order of
// these moments. So what forgetting costs follows what is forgotten, and no
// collection can be left out of it.

// moment is a time in milliseconds since 1970. The zero moment is none.
type moment uint64

func momentOf(t time.Time) moment { return moment(max(t.UnixMilli(), 1)) }

// now is the present by the clock by which what has ended is forgotten.
func (u *Update) now() moment { return momentOf(u.db.Believed()) }

// endedPrefix begins the keys of the queue of records that end at a moment. Every write adds to its end, so
// that it comes behind all other scopes: who reads what stands next to an end is taken for a reader of all
// that is added there, by an engine that finds conflicts by the pages of an index.
const endedPrefix = "zended/"

func endedKey(at moment, key string) string {
	return endedPrefix + revisionPart(uint64(at)) + "/" + key
}

// enqueueEnd notes that what is stored under key ended at a moment, and in which part
// of a divided scope.
func (u *Update) enqueueEnd(s Scope, key string, at moment) error {
	_, part := s.place()
	return u.w.Put(endedKey(at, key), append([]byte{1}, part...))
}

// partOf is the part of a divided scope that what ended at a moment was in.
func partOf(tx Reading, at moment, key string) (string, error) {
	stored, err := lookup(tx, endedKey(at, key))
	if len(stored) == 0 {
		return "", err
	}
	return string(stored[1:]), err
}

// dequeueEnd takes back what enqueueEnd noted. The zero moment was never noted.
func (u *Update) dequeueEnd(key string, at moment) error {
	if at == 0 {
		return nil
	}
	return u.w.Delete(endedKey(at, key))
}

// unnoteEnd takes from the queue what is stored under a key that is erased, and
// reports whether it was there.
func (u *Update) unnoteEnd(key string, value []byte) (noted bool, err error) {
	s, ok := slotOf(key)
	if !ok || !s.expires() {
		return false, nil
	}
	e, err := s.ending(value)
	if err != nil {
		return false, err
	}
	return e.at != 0, u.dequeueEnd(key, e.at)
}

// indexTombstone says when a record was last given another value in an index: only so
// can a delta tell what left a list from what never was in it.
type indexTombstone struct {
	revision uint64
	at       moment
}

func (d indexTombstone) seal() []byte {
	b := binary.BigEndian.AppendUint64(nil, d.revision)
	return binary.BigEndian.AppendUint64(b, uint64(d.at))
}

func openIndexTombstone(stored []byte) (d indexTombstone, err error) {
	if len(stored) != 16 {
		return d, errEnvelope
	}
	d.revision = binary.BigEndian.Uint64(stored)
	d.at = moment(binary.BigEndian.Uint64(stored[8:]))
	return d, nil
}

// getIndexTombstone returns the zero indexTombstone where there was none.
func getIndexTombstone(r storage.Reader, key string) (d indexTombstone, err error) {
	stored, err := r.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	return openIndexTombstone(stored)
}

// Operations is the name of the collections whose live records may end.
const Operations = "operations"

// slot is where a key belongs: a table of a collection in a scope.
type slot struct {
	scope, collection, table string
}

// The tables that hold what may have ended.
const (
	liveTable           = "r"
	indexTombstoneTable = "l"
	tombstoneTable      = "t"
)

// slotOf takes a key apart; ok is false for one of no collection, of which the
// scope alone is known.
func slotOf(key string) (s slot, ok bool) {
	parts := strings.SplitN(key, "/", 4)
	if s.scope = parts[0]; len(parts) < 4 {
		return s, false
	}
	s.collection, s.table = parts[1], parts[2]
	return s, true
}

// expires reports whether what the slot holds may end.
func (s slot) expires() bool {
	return s.table == indexTombstoneTable || s.table == tombstoneTable ||
		s.table == liveTable && s.collection == Operations
}

// in is the part of the slot's scope, which is divided where the part has a name.
func (s slot) in(part string) Scope {
	if part == "" {
		return Scope(s.scope)
	}
	return Scope(s.scope + divides + part)
}

// last comes behind every key of the slot: ids are valid UTF-8.
func (s slot) last() string { return s.scope + "/" + s.collection + "/" + s.table + "/\xff" }

// ending is when something came to its end, and the revision of that.
type ending struct {
	at       moment // none while it has not, or where it is not known
	revision uint64
}

// ending reads a value in the slot.
func (s slot) ending(stored []byte) (ending, error) {
	if s.table == indexTombstoneTable {
		d, err := openIndexTombstone(stored)
		return ending{at: d.at, revision: d.revision}, err
	}
	e, err := open(stored)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.collection, err)
	}
	return ending{at: e.ended, revision: e.revision}, err
}
