package blob

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Draft is bytes that are not in force yet. It is one caller's.
type Draft struct {
	k       *Keeper
	content []byte // of one that goes into the store
	inside  bool   // it is one
	pending Pending
	tail    []Piece // objects that it takes the place of, with what comes
	size    int64   // of the object, once it is written
	put     bool    // a transaction has tried to put it in force
	done    bool    // and was committed
}

// Begin notes that an object of an account will be written.
func (k *Keeper) Begin(u *records.Update, accountID string) (*Draft, error) {
	d := &Draft{k: k, pending: Pending{
		AccountID: accountID, Name: newName(), Since: twinplatform.At(k.env.Now()), Epoch: k.db.Epoch(),
	}}
	_, err := Objects.Insert(u, inObjects, &d.pending)
	return d, err
}

// PartBytes is how many bytes one object has at least, behind which more are to come:
// smaller ones are written again with what comes.
const PartBytes = 8 << 20

// Append is Begin of an object whose bytes come behind those of a scope. It takes the place
// of the last of them, as many as are no longer than what has come since: so a content that
// comes in any number of parts is in a few objects, and each byte is written a few times.
func (k *Keeper) Append(u *records.Update, accountID string, s records.Scope) (*Draft, error) {
	d, err := k.Begin(u, accountID)
	if err != nil {
		return nil, err
	}
	var all []Piece
	for p, err := range objectsOf(u, s) {
		if err != nil {
			return nil, err
		}
		all = append(all, *p)
	}
	since, from := int64(0), len(all)
	for i := len(all) - 1; i >= 0 && all[i].Object.Size < PartBytes; i-- {
		if all[i].Object.Size <= since {
			from = i
		}
		since += all[i].Object.Size
	}
	d.tail = all[from:]
	return d, nil
}

// Write writes the object, once Begin is committed. An error of content is returned as it is.
func (d *Draft) Write(ctx context.Context, content io.Reader) (err error) {
	if len(d.tail) > 0 {
		before := make([]io.Reader, 0, len(d.tail)+1)
		for i := range d.tail {
			part, err := open(ctx, d.k.db, &d.tail[i], 0)
			if err != nil {
				return err
			}
			defer func() { _ = part.Close() }()
			before = append(before, io.LimitReader(part, d.tail[i].Object.Size))
		}
		content = io.MultiReader(append(before, content)...)
	}
	d.size, err = d.k.env.Bytes.WriteBytes(ctx, d.pending.AccountID, d.pending.Name, content)
	return err
}

// Size is how many bytes came, without those that were there before.
func (d *Draft) Size() int64 {
	if d.inside {
		return int64(len(d.content))
	}
	n := d.size
	for i := range d.tail {
		n -= d.tail[i].Object.Size
	}
	return n
}

// errForgotten reports that so much time has passed that the object is being removed.
var errForgotten = (&twinplatform.Error{
	Kind: twinplatform.Unavailable, Code: errUnkept.Code, Message: "The bytes took too long to be written.",
}).Because(errors.New("blob: the draft is no more"))

// Put puts the bytes in force behind the first at bytes of a scope, of which so many pieces
// are in the store, and returns how many are then.
func (d *Draft) Put(u *records.Update, s records.Scope, at int64, pieces int) (int, error) {
	if d.inside {
		return Put(u, s, pieces, d.content)
	}
	d.put, d.done = true, false
	p, err := Objects.Lookup(u, inObjects, d.pending.Name)
	if err == nil && (p == nil || p.Since.IsZero()) {
		err = errForgotten
	}
	if err != nil {
		return pieces, err
	}
	err = removeObjects(u, func(yield func(*Piece, error) bool) {
		for i := range d.tail {
			if !yield(&d.tail[i], nil) {
				return
			}
		}
	})
	for i := range d.tail {
		if err == nil {
			err = Pieces.Erase(u, s, d.tail[i].Place)
		}
		at -= d.tail[i].Object.Size
	}
	if err == nil {
		_, err = Pieces.Insert(u, s, &Piece{Place: outside(at), Object: &Object{
			AccountID: d.pending.AccountID, Name: d.pending.Name, Size: d.size, Start: at,
		}})
	}
	if err == nil {
		err = Objects.Erase(u, inObjects, d.pending.Name)
	}
	u.Committed(func(context.Context) { d.done = true })
	return pieces, err
}

// Discard removes what was not put in force. It is called in the end, always.
func (d *Draft) Discard(ctx context.Context) {
	// A commit whose answer was lost may still have reached another process: Sweep cleans
	// up.
	if d == nil || d.inside || d.done || d.put && d.k.db.Epoch() == "" {
		return
	}
	d.k.removeNow(context.WithoutCancel(ctx), d.pending.Name)
}

// Stage readies a content that is in memory to be put in force: where contents go outside it
// is written there, once allowed says in a transaction whose it is, or refuses it.
func (k *Keeper) Stage(ctx context.Context, content []byte,
	allowed func(*records.Update) (accountID string, err error),
) (d *Draft, err error) {
	if !k.Outside() || len(content) == 0 {
		return &Draft{content: content, inside: true}, nil
	}
	err = k.db.Update(ctx, func(u *records.Update) error {
		accountID, err := allowed(u)
		if err == nil {
			d, err = k.Begin(u, accountID)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := d.Write(ctx, bytes.NewReader(content)); err != nil {
		d.Discard(ctx)
		return nil, err
	}
	return d, nil
}
