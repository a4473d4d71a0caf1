// Package blob keeps bytes of any size in the store, in pieces that fit into its
// values. Whoever keeps some gives them a scope of their own, notes how many pieces
// they have, and erases the scope when it is done with them.
package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// PieceBytes is the size of all pieces but the last. One in the base64 of its JSON
// fits into a value of the store.
const PieceBytes = 256 << 10

// PerStep is how many pieces one transaction has room to write.
const PerStep = 32

// These lines do not compile when the pieces grow out of the store's limits.
var (
	_ [storage.MaxValueBytes - PieceBytes*4/3 - 1<<10]struct{}
	_ [storage.MaxTxBytes - PerStep*(PieceBytes*4/3+1<<10)]struct{}
)

// Piece is a piece of bytes.
type Piece struct {
	Bytes []byte `json:"bytes"`
	Place string `json:"place"`
}

// Pieces keeps them.
var Pieces = records.Collection[Piece]{
	Name: "chunks", Untracked: true,
	ID: func(p *Piece) string { return p.Place },
}

// Place is that of the piece of a number, from 0.
func Place(i int) string { return fmt.Sprintf("%06d", i) }

// Put adds pieces of content behind those that are there so far, and returns how many
// there are then. Every content but the last is of whole pieces, and of at most PerStep.
func Put(u *records.Update, s records.Scope, so int, content []byte) (pieces int, err error) {
	for len(content) > 0 {
		n := min(len(content), PieceBytes)
		if _, err := Pieces.Insert(u, s, &Piece{Bytes: bytes.Clone(content[:n]), Place: Place(so)}); err != nil {
			return so, err
		}
		so, content = so+1, content[n:]
	}
	return so, nil
}

// Erase removes all pieces of a scope. One transaction has room for those of a
// thousand and more megabytes.
func Erase(u *records.Update, s records.Scope) (err error) {
	for more := true; more && err == nil; {
		more, err = s.Erase(u)
	}
	return err
}

// Reader reads bytes piece by piece, each in a transaction of its own.
type Reader struct {
	ctx    context.Context
	db     *records.DB
	scope  records.Scope
	pieces int
	gone   error
	next   int    // the piece to read
	left   []byte // of the piece before
}

// NewReader returns a reader of so many pieces, while ctx lasts. Reading fails with
// gone when they are erased meanwhile.
func NewReader(ctx context.Context, db *records.DB, s records.Scope, pieces int, gone error) *Reader {
	return &Reader{ctx: ctx, db: db, scope: s, pieces: pieces, gone: gone}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.left) == 0 && len(p) > 0 {
		if r.next == r.pieces {
			return 0, io.EOF
		}
		err := r.db.View(r.ctx, func(v *records.View) error {
			piece, err := Pieces.Value(v, r.scope, Place(r.next))
			if errors.Is(err, records.ErrNotFound) {
				return r.gone
			}
			if err == nil {
				r.left = piece.Bytes
			}
			return err
		})
		if err != nil {
			return 0, err
		}
		r.next++
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// Named is bytes that are read by a name alone, which nobody can guess.
type Named struct {
	Name   string // without any path
	Type   string // media type
	Size   int64  // in bytes
	Scope  records.Scope
	Pieces int
}

// Open returns the bytes that one of the records with a value in an index has by their
// name, and a reader of them while ctx lasts. of says what a record has. Open and
// reading fail with gone where there are none, or no more.
func Open[T any](ctx context.Context, db *records.DB, c *records.Collection[T], s records.Scope, index, value, name string, gone error, of func(*T) Named) (n Named, r *Reader, err error) {
	err = db.View(ctx, func(v *records.View) error {
		r = nil
		for rec, err := range c.Find(v, s, index, value) {
			if err != nil {
				return err
			}
			if n = of(rec); n.Name == name && name != "" {
				r = NewReader(ctx, db, n.Scope, n.Pieces, gone)
				return nil
			}
		}
		return gone
	})
	return n, r, err
}
