// Package blob keeps bytes of any size: in objects outside the store where Env.Bytes is set,
// and otherwise in pieces that fit into the values of the store. A caller that keeps some
// gives them their own scope, records how many bytes they are, and erases the scope when it
// is done with them.
//
// An object is written while no transaction is open, between two that are: the first notes
// that it may be there, the second puts it in force. What is noted and never put in force,
// and what is no longer in force, is removed by its writer or by [Keeper.Sweep], so
// that a process may die between any two steps.
package blob

import (
	"bytes"
	"context"
	"fmt"

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

// Piece is a piece of bytes, in the store or in an object outside.
type Piece struct {
	Bytes  []byte  `json:"bytes"`
	Object *Object `json:"object,omitempty"` // where the bytes are; nil: here
	Place  string  `json:"place"`
}

// Pieces keeps them: those in the store at their [Place], and behind them those outside, at
// that of their first byte.
var Pieces = records.Collection[Piece]{
	Name: "chunks", Untracked: true,
	ID: func(p *Piece) string { return p.Place },
}

// Place is the id of the piece with a number, from 0. Six digits keep ids in the order of
// numbers.
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

// Erase removes all bytes of a scope. One transaction has room for those of a
// thousand and more megabytes. Objects outside are removed once it is committed.
func Erase(u *records.Update, s records.Scope) (err error) {
	records.Declare(u, s.NeedOfErase())
	if err := removeObjects(u, objectsOf(u, s)); err != nil {
		return err
	}
	for more := true; more && err == nil; {
		more, err = s.Erase(u)
	}
	return err
}

// Named is bytes that are read by a name alone, which cannot be guessed.
type Named struct {
	Name  string // without any path
	Type  string // media type
	Size  int64  // in bytes
	Scope records.Scope
}

// Open returns the bytes that one of the records with a value in an index has by their
// name, and a reader of them while ctx lasts. of says what a record has. Open and
// reading fail with gone where there are none, or no more.
func Open[T any](ctx context.Context, db *records.DB, c *records.Collection[T], s records.Scope, index, value,
	name string, gone error, of func(*T) Named,
) (n Named, r *Reader, err error) {
	err = db.View(ctx, func(v *records.View) error {
		r = nil
		for rec, err := range c.Find(v, s, index, value) {
			if err != nil {
				return err
			}
			if n = of(rec); n.Name == name && name != "" {
				r = NewReader(ctx, db, n.Scope, n.Size, gone)
				return r.Find(v)
			}
		}
		return gone
	})
	if err == nil {
		err = r.Begin()
	}
	return n, r, err
}
