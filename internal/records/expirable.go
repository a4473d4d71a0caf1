package records

import (
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// expirable is something stored that has ended, or may end.
type expirable struct {
	key   string
	value []byte
	slot  slot
	ending
}

// lasting are the scopes that no collection is in.
var lasting = []string{"zended", "outbox", "platform", "scopes"}

// expirables yields what may end under a prefix, behind a key. It hops over live
// records, so that it costs little where nothing has ended. A failure ends the
// sequence.
func expirables(r storage.Reader, prefix, after string) iter.Seq2[expirable, error] {
	return func(yield func(expirable, error) bool) {
		for next, more := after, true; more; {
			next, more = expirablesFrom(r, prefix, next, yield)
		}
	}
}

// expirablesFrom yields as far as there is nothing to hop over, and returns the
// key behind which it continues.
func expirablesFrom(r storage.Reader, prefix, after string, yield func(expirable, error) bool) (next string,
	more bool,
) {
	for key, value := range r.Scan(prefix, after) {
		s, ok := slotOf(key)
		switch {
		case slices.Contains(lasting, s.scope):
			return s.scope + "/\xff", true
		case !ok:
			continue
		case !s.expires():
			return s.last(), true
		}
		e, err := s.ending(value)
		if !yield(expirable{key: key, value: value, slot: s, ending: e}, err) || err != nil {
			break
		}
	}
	return "", false
}
