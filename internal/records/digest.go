package records

import (
	"errors"
	"hash/maphash"
	"iter"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// maxDigests is how many digests a Digests holds.
const maxDigests = 1 << 15

// Digests are what is made of records that are asked for over and over, for those that take
// too much room to be held as a Cache does. A D takes little, and it is another one for each
// version of its record, also of another store or after a restoration: of what is stored a
// sum is kept. The zero value is ready, and safe for concurrent use.
type Digests[T, D any] struct {
	mu sync.RWMutex
	m  map[string]digest[D]
}

type digest[D any] struct {
	size  int
	sum   uint64 // of the bytes that are stored
	value *D
}

// summing is the seed of the sums, which cannot be known.
var summing = maphash.MakeSeed()

// Value is what read makes of a record, or ErrNotFound. It must not be changed.
func (k *Digests[T, D]) Value(tx Reading, c *Collection[T], s Scope, id string, read func(*T) *D) (*D, error) {
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
	return k.of(tx, t, s, key, stored, read)
}

// All yields what read makes of the records of a scope, in the order of their ids. A
// failure ends the sequence.
func (k *Digests[T, D]) All(tx Reading, c *Collection[T], s Scope, read func(*T) *D) iter.Seq2[*D, error] {
	t := c.Table()
	return func(yield func(*D, error) bool) {
		reading := tx.view()
		for key, stored := range reading.r.Scan(t.key(s, "r", ""), "") {
			reading.spent.Read++
			v, err := k.of(tx, t, s, key, stored, read)
			if errors.Is(err, ErrNotFound) {
				continue // it is only staged
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func (k *Digests[T, D]) of(tx Reading, t *Table, s Scope, key string, stored []byte, read func(*T) *D) (*D, error) {
	sum := maphash.Bytes(summing, stored)
	k.mu.RLock()
	known, ok := k.m[key]
	k.mu.RUnlock()
	if ok && known.size == len(stored) && known.sum == sum && stored[0]&stagedBit == 0 {
		return known.value, nil
	}
	v, err := t.read(tx, s, stored)
	if err != nil {
		return nil, err
	}
	next := digest[D]{len(stored), sum, read(v.(*T))}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil || len(k.m) >= maxDigests {
		k.m = make(map[string]digest[D])
	}
	k.m[strings.Clone(key)] = next
	return next.value, nil
}
