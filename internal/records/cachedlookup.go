package records

import (
	"bytes"
	"sync"
)

// CachedLookup is a record as it was once read, the only one with a value in an index. Whether
// that is so yet can be asked over and over: the keys are made once.
type CachedLookup struct {
	key    string // of the record
	stored []byte
	index  string // begins the keys of all that have the value
	own    string // its own key there
}

// CachedLookup reads a record, or fails with ErrNotFound.
func (t *Table) CachedLookup(tx Reading, s Scope, id, index, value string) (*CachedLookup, error) {
	at := &CachedLookup{
		key: t.key(s, "r", id), index: t.indexKey(s, index, value, ""),
		own: t.indexKey(s, index, value, id),
	}
	var err error
	if at.stored, err = tx.view().r.Get(at.key); isMissing(err) {
		return nil, ErrNotFound
	}
	return at, err
}

// Holds reports whether the record is as it was, and no other has its value in the index.
func (at *CachedLookup) Holds(tx Reading) (bool, error) {
	r := tx.view().r
	g := glances.Get().(*glance)
	g.own, g.others = at.own, false
	r.Scan(at.index, "")(g.look)
	others := g.others
	glances.Put(g)
	if others {
		return false, nil
	}
	stored, err := r.Get(at.key)
	if isMissing(err) {
		return false, nil
	}
	return bytes.Equal(stored, at.stored), err
}

// glance looks for other keys than one in a scan. Its function is made once: this is asked
// for each call of the system.
type glance struct {
	own    string
	others bool
	look   func(key string, _ []byte) bool
}

var glances = sync.Pool{New: func() any {
	g := new(glance)
	g.look = func(key string, _ []byte) bool {
		g.others = key != g.own
		return !g.others
	}
	return g
}}
