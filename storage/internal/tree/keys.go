package tree

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// keys are the keys of a node, in their order.
type keys struct {
	prefix string       // what all of them begin with
	rest   []byte       // what follows in each, one behind the other
	ends   [most]uint16 // where each ends in rest
	count  int
}

// What follows in all keys of a node ends at a place that a uint16 holds.
const _ = uint16(most * storage.MaxKeyBytes)

// keysOf are keys that are in order.
func keysOf(all ...string) (k keys) {
	if len(all) == 0 {
		return k
	}
	shared := common(all[0], all[len(all)-1])
	k.prefix = strings.Clone(all[0][:shared])
	size := 0
	for _, key := range all {
		size += len(key) - shared
	}
	k.rest, k.count = slices.Grow(k.rest, size), len(all)
	for i, key := range all {
		k.rest = append(k.rest, key[shared:]...)
		k.ends[i] = uint16(len(k.rest))
	}
	return k
}

// common is how many bytes two texts begin with that are the same.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func (k *keys) len() int { return k.count }

// start is where what follows in a key begins.
func (k *keys) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(k.ends[i-1])
}

// text is a key.
func (k *keys) text(i int) string { return k.prefix + string(k.rest[k.start(i):k.ends[i]]) }

// texts appends the keys from i to before j, which are parts of one text.
func (k *keys) texts(to []string, i, j int) []string {
	if i == j {
		return to
	}
	var b strings.Builder
	b.Grow((j-i)*len(k.prefix) + int(k.ends[j-1]) - k.start(i))
	for n := i; n < j; n++ {
		b.WriteString(k.prefix)
		b.Write(k.rest[k.start(n):k.ends[n]])
	}
	all, from := b.String(), k.start(i)
	for n := i; n < j; n++ {
		length := len(k.prefix) + int(k.ends[n]) - from
		to, all, from = append(to, all[:length]), all[length:], int(k.ends[n])
	}
	return to
}

// greater reports whether a key is greater than another.
func (k *keys) greater(i int, than string) bool {
	rest, ok := strings.CutPrefix(than, k.prefix)
	if !ok {
		return than < k.prefix
	}
	return string(k.rest[k.start(i):k.ends[i]]) > rest
}

// begins reports whether a key begins with a prefix.
func (k *keys) begins(i int, prefix string) bool {
	rest, longer := strings.CutPrefix(prefix, k.prefix)
	if !longer {
		return strings.HasPrefix(k.prefix, prefix)
	}
	own := k.rest[k.start(i):k.ends[i]]
	return len(own) >= len(rest) && string(own[:len(rest)]) == rest
}

// find is the place of a key, and whether it is there.
func (k *keys) find(key string) (i int, found bool) {
	rest, ok := strings.CutPrefix(key, k.prefix)
	switch {
	case ok:
	case key < k.prefix:
		return 0, false
	default:
		return k.len(), false
	}
	low, high := 0, k.len()
	for low < high {
		middle := (low + high) / 2
		if string(k.rest[k.start(middle):k.ends[middle]]) < rest {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < k.len() && string(k.rest[k.start(low):k.ends[low]]) == rest
}

// insert adds a key at its place.
func (k *keys) insert(i int, key string) {
	switch {
	case k.len() == 0:
		k.prefix = strings.Clone(key)
	case !strings.HasPrefix(key, k.prefix):
		k.widen(common(k.prefix, key))
	}
	rest, at := key[len(k.prefix):], k.start(i)
	k.rest = opened(k.rest, at, len(rest))
	copy(k.rest[at:], rest)
	for n := k.count; n > i; n-- {
		k.ends[n] = k.ends[n-1] + uint16(len(rest))
	}
	k.ends[i] = uint16(at + len(rest))
	k.count++
}

// widen shortens the prefix to so many bytes.
func (k *keys) widen(shared int) {
	more := k.prefix[shared:]
	rest := slices.Grow([]byte(nil), len(k.rest)+len(more)*(k.len()+2))
	from := 0
	for i, end := range k.ends[:k.count] {
		rest = append(append(rest, more...), k.rest[from:end]...)
		from, k.ends[i] = int(end), uint16(len(rest))
	}
	k.prefix, k.rest = strings.Clone(k.prefix[:shared]), rest
}

// drop removes a key.
func (k *keys) drop(i int) {
	from, to := k.start(i), int(k.ends[i])
	k.rest = slices.Delete(k.rest, from, to)
	k.count--
	for n := i; n < k.count; n++ {
		k.ends[n] = k.ends[n+1] - uint16(to-from)
	}
}

// grown is a copy with room for n more, or nil.
func grown[T any](s []T, n int) []T {
	if s == nil {
		return nil
	}
	return append(slices.Grow([]T(nil), len(s)+n), s...)
}

// opened makes room for n more at a place. What is allocated is a little more than that takes,
// and not twice as much: nodes that stay as they are are most of a tree.
func opened[T any](s []T, at, n int) []T {
	if len(s)+n > cap(s) {
		s = append(slices.Grow([]T(nil), len(s)+n+len(s)/8+4), s...)
	}
	s = s[:len(s)+n]
	copy(s[at+n:], s[at:])
	return s
}

// closed removes one at a place.
func closed[T any](s []T, at int) []T { return slices.Delete(s, at, at+1) }
