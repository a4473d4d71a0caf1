package records

import (
	"bytes"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// cacheSize is the number of records that a Cache holds.
const cacheSize = 4_096

// Cache spares decoding records that are asked for over and over. It never
// answers with anything but what the transaction reads. The zero value is
// ready, and safe for concurrent use.
type Cache[T any] struct {
	mu sync.RWMutex
	m  map[string]decoded[T]
}

type decoded[T any] struct {
	stored []byte
	value  *T
}

// Value returns the value of a record, or ErrNotFound. It must not be changed.
func (k *Cache[T]) Value(tx Reading, c *Collection[T], s Scope, id string) (*T, error) {
	t := c.Table()
	key := t.keyIn(tx, s, "r", id)
	reading := tx.view()
	reading.spent.Read++
	stored, there, err := storage.Find(reading.r, key)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, ErrNotFound
	}
	k.mu.RLock()
	known, ok := k.m[key]
	k.mu.RUnlock()
	if ok && bytes.Equal(known.stored, stored) && stored[0]&stagedBit == 0 {
		return known.value, nil
	}
	fresh, err := t.read(tx, s, stored)
	if err != nil {
		return nil, err
	}
	v := fresh.(*T)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil || len(k.m) >= cacheSize {
		k.m = make(map[string]decoded[T])
	}
	k.m[strings.Clone(key)] = decoded[T]{stored: stored, value: v}
	return v, nil
}

// Last returns what Value returned last for a record, however old it may be. It
// must not be changed.
func (k *Cache[T]) Last(c *Collection[T], s Scope, id string) (*T, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	known, ok := k.m[c.Table().key(s, "r", id)]
	return known.value, ok
}

// PerDB holds one value for each DB, shared by all transactions over it, such as a cache of
// what is computed from records. Like a Collection it is a constant of its domain, and its
// zero value is ready to use. The zero value of T must be safe for concurrent use.
type PerDB[T any] struct{ _ byte } // each has an address of its own

// Of returns the value for the DB of a transaction.
func (b *PerDB[T]) Of(tx Reading) *T { return b.In(tx.view().db) }

// In returns the value for a DB.
func (b *PerDB[T]) In(db *DB) *T {
	all := &db.perDB
	if v, ok := all.Load(b); ok {
		return v.(*T)
	}
	v, _ := all.LoadOrStore(b, new(T))
	return v.(*T)
}
