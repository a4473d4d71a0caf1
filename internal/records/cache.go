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
