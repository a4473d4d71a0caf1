package records

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Count is how many records there are. It reads them all, and decodes none.
func (c *Collection[T]) Count(tx Reading, s Scope) (n int) {
	for range tx.view().r.Scan(c.Table().key(s, "r", ""), "") {
		n++
	}
	return n
}

// Summary is a record of what a scope holds, made when it is asked for: it changes its
// version whenever anything in the scope is written.
func Summary[T any](tx Reading, s Scope, v T) (rec twinplatform.Record[T], err error) {
	revision, err := s.Revision(tx)
	if err != nil {
		return rec, err
	}
	json, err := wire.Append(nil, v)
	return twinplatform.Record[T]{Value: v, ETag: s.etag(tx, revision), JSON: json}, err
}

// Initial is a record that every scope has before it is first written: its version is the
// revision of the untouched scope.
func Initial[T any](tx Reading, s Scope, v T) (twinplatform.Record[T], error) {
	json, err := wire.Append(nil, v)
	return twinplatform.Record[T]{Value: v, ETag: s.etag(tx, 0), JSON: json}, err
}
