package records

import (
	"iter"
	"strings"
)

// ScopesFrom yields the scopes in use whose names begin with a prefix, behind one
// of them, without reading what they hold.
func ScopesFrom(tx Reading, prefix, after Scope) iter.Seq[Scope] {
	return func(yield func(Scope) bool) {
		for key := range heads(tx, string(prefix), behind(string(after))) {
			name, _, _ := strings.Cut(key, "/")
			if !yield(Scope(name)) {
				return
			}
		}
	}
}

// heads yields, behind a key, the first key of each group under a prefix: keys
// are in one group up to the first slash behind the prefix.
func heads(tx Reading, prefix, after string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more; {
			more = false
			for key := range tx.view().r.Scan(prefix, after) {
				if !yield(key) {
					return
				}
				group, _, _ := strings.Cut(key[len(prefix):], "/")
				after, more = prefix+behind(group), true
				break
			}
		}
	}
}

// behind is a place behind all keys of a group; without one, before them.
func behind(group string) string {
	if group == "" {
		return ""
	}
	return group + "/\xff"
}
