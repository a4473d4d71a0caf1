package records

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// A store has one writer, so a transaction that has much to read or to encode does
// that ahead of its turn: it runs over a snapshot and keeps its writes to itself, as a
// draft. Only then does it take the writer, where it sees whether what it read still
// stands, and hands over what it wrote. One that was overtaken is run again; one for which
// there is no room is refused before it takes the writer. Over a network there is no such
// writer, and nothing is made ahead.

// looksInside is how often a transaction that holds the writer may look around before
// it has to be made ahead.
const looksInside = 256

// drafts is how often a transaction is made ahead. If it was overtaken each time it
// runs in the writer after all, so that it comes to its end.
const drafts = 4

// errLarge says of a transaction that holds the writer that it is a long one.
var errLarge = errors.New("records: the transaction is a long one")

// errOvertaken says that what a draft has read stands no more.
var errOvertaken = errors.New("records: the transaction was overtaken")

// recordsInside is how many records a transaction writes at most without being [Large].
const recordsInside = 64

// Large declares, as early as possible, how many records a transaction will write.
// One that holds the writer fails by it where that is many, and is made again ahead of
// its turn, which the caller of DB.Update does not notice.
func Large(tx Reading, records int) error {
	if v := tx.view(); v.brief && !v.remote() && records > recordsInside {
		return errLarge
	}
	return nil
}

// Interrupted fails once the context of a transaction is done, and in a transaction
// that holds the writer when it was asked often, like [Large]. Loops that may be long and
// write nothing ask it; those that write ask their [Step].
func Interrupted(tx Reading) error {
	v := tx.view()
	if v.brief && !v.remote() {
		if v.looks++; v.looks > looksInside {
			return errLarge
		}
	}
	return v.ctx.Err()
}

// ahead runs fn in a transaction ahead of its turn at the writer, and returns what is to
// be done afterwards. It fails with errOvertaken where others were faster each time.
func (db *DB) ahead(ctx context.Context, fn func(*Update) error) (way outcome, err error) {
	for range drafts {
		var d *draft
		err := db.store.View(ctx, func(r storage.Reader) (err error) {
			d = &draft{r: r}
			way, err = db.draw(ctx, d, fn)
			return err
		})
		if err != nil {
			return way, err
		}
		if d.writes.Len() == 0 {
			return way, nil
		}
		err = db.store.Update(ctx, func(w storage.Writer) error { return db.handOver(d, w) })
		if !errors.Is(err, errOvertaken) {
			return way, err
		}
	}
	return outcome{}, errOvertaken
}

// draw runs fn over a draft, and fails where there is no room for it at present.
func (db *DB) draw(ctx context.Context, d *draft, fn func(*Update) error) (way outcome, err error) {
	if d.keys, err = db.keysOf(d.r); err != nil {
		return way, err
	}
	u := &Update{View: View{r: d, keys: d.keys, db: db, ctx: ctx}, w: d, began: db.clock()}
	if err := fn(u); err != nil {
		return outcome{spent: u.spent}, err
	}
	d.close(u.revisions)
	d.reserving, d.freeing = u.reserving, u.freeing()
	if err := u.flush(); err != nil {
		return u.outcome(), err
	}
	return u.outcome(), db.ledger.ask(d, d.reserving)
}

// handOver writes what a draft holds, if all that it has read still stands and there is room
// for it still.
func (db *DB) handOver(d *draft, w storage.Writer) error {
	keys, err := db.keysOf(w)
	if err != nil {
		return err
	}
	if keys.history != d.keys.history {
		return errOvertaken
	}
	if err := d.stands(w); err != nil {
		return err
	}
	if err := d.writeTo(w); err != nil {
		return err
	}
	if d.freeing {
		storage.UseReserve(w)
	}
	return db.ledger.ask(w, d.reserving)
}
