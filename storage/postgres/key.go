package postgres

import (
	"bytes"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// divider ends the scope of a key.
const divider = '/'

// divide divides a key into its scope, which is what comes before its first '/' with that,
// and the rest. The whole key is the scope where it has none. So one schedule, form, or
// directory of twins is one scope, by which tables can be divided, and keys sort as the
// pairs do: only a scope without '/', which has no rest, can be the beginning of others.
// Neither part is nil.
func divide(key []byte) (scope, rest []byte) {
	n := bytes.IndexByte(key, divider) + 1
	if n == 0 {
		n = len(key)
	}
	return key[:n:n], key[n:]
}

// bounds returns the limits of the keys in a range: the first possible key, and the one
// behind the last.
func bounds(at storage.Range) (from, to []byte) {
	if at.After >= at.Prefix {
		return append([]byte(at.After), 0), beyond(at.Prefix)
	}
	return []byte(at.Prefix), beyond(at.Prefix)
}

// last is greater than every key, and than what any has behind its scope.
var last = bytes.Repeat([]byte{0xff}, storage.MaxKeyBytes+1)

// beyond is a key greater than every one that begins with prefix.
func beyond(prefix string) []byte {
	end := []byte(prefix)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) == 0 {
		return last
	}
	end[len(end)-1]++
	return end
}

// span is a range within one scope, if one is true, and else from a key to another.
type span struct {
	one                bool
	scope, from        []byte
	beforeScope, until []byte
}

// spanOf is a range as pairs.
func spanOf(at storage.Range) (s span) {
	from, to := bounds(at)
	s.scope, s.from = divide(from)
	s.beforeScope, s.until = divide(to)
	prefix, _ := divide([]byte(at.Prefix))
	if n := len(prefix); n == 0 || prefix[n-1] != divider {
		return s
	}
	s.one = true
	if !bytes.Equal(s.beforeScope, prefix) { // to is in the next scope: the prefix is a scope
		s.until = last
	}
	if !bytes.Equal(s.scope, prefix) { // nothing comes after it
		s.scope, s.from = prefix, last
	}
	return s
}
