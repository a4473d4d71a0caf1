package records

import (
	"errors"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Copying is how far a copy of what lies in a scope has come. The payload of long work
// keeps it.
//
// Others write to the scope meanwhile. So its collections are copied in the order of
// their changes, and in rounds: a round copies what was written since the one before it
// began. A record that is written again moves on in that order, and is copied again by
// a later round; one that was deleted is taken out of the copy. The round that begins
// and ends within one transaction finds nothing else written: there the copy equals the
// scope.
//
// Copies have the revisions of what they are copies of. Tombstones, and what is
// Untracked, are not copied, and neither is what Erase takes away unnoticed.
type Copying struct {
	From Scope `json:"from"`
	To   Scope `json:"to"` // holds nothing else, and no one reads it yet
	// Upto is the revision up to which rounds have copied everything.
	Upto uint64 `json:"upto,omitempty"`
	// Round is the revision up to which the round under way copies; 0 between rounds.
	Round uint64 `json:"round,omitempty"`
	// Collection is the one under way, and Since the revision up to which it is copied.
	Collection string `json:"collection,omitempty"`
	Since      uint64 `json:"since,omitempty"`
	Copied     int    `json:"copied,omitempty"` // counts the copies made
}

// Run copies as much of the collections as the step takes, and reports whether the copy
// equals what it is a copy of. It fails with [ErrDeltaExpired] when deletions were
// forgotten of what had been copied: the copy is to be erased and begun again.
func (c *Copying) Run(u *Update, collections []*Table, step *Step) (whole bool, err error) {
	now, err := c.From.Revision(u)
	for err == nil && !whole {
		if c.Round == 0 {
			c.Round, c.Collection = now, ""
		}
		if ended, err := c.round(u, collections, step); !ended || err != nil {
			return false, err
		}
		whole = c.Round == now
		c.Upto, c.Round = c.Round, 0
	}
	if err == nil {
		u.reach(c.To, now)
	}
	return whole, err
}

// round continues the round under way and reports whether it has ended.
func (c *Copying) round(u *Update, collections []*Table, step *Step) (ended bool, err error) {
	at := slices.IndexFunc(collections, func(t *Table) bool { return t.name == c.Collection })
	for _, t := range collections[max(at, 0):] {
		since := c.Upto
		if c.Collection == t.name {
			since = c.Since
		}
		u.declareOrder(t, c.From, since)
	}
	for _, t := range collections[max(at, 0):] {
		if c.Collection != t.name {
			c.Collection, c.Since = t.name, c.Upto
		}
		if whole, err := c.collection(u, t, step); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// collection copies what the round has to of the collection under way.
func (c *Copying) collection(u *Update, t *Table, step *Step) (whole bool, err error) {
	if err := c.followed(u, t); err != nil {
		return false, err
	}
	originalsAndCopies := func(prefix, after string) iter.Seq2[string, []byte] {
		return u.following(prefix, after, u.most(), func(id string) []string {
			return []string{t.key(c.From, "r", id), t.key(c.To, "r", id)}
		})
	}
	for change, err := range t.orderBy(u, c.From, c.Since, originalsAndCopies) {
		if err != nil {
			return false, err
		}
		if change.Revision > c.Round {
			break
		}
		if more, err := step.More(); !more || err != nil {
			return false, err
		}
		bytes, err := t.copy(u, c.From, c.To, change.ID)
		if err != nil {
			return false, err
		}
		step.Spend(bytes)
		c.Since = change.Revision
		c.Copied++
	}
	return true, nil
}

// declareOrder declares the beginning of the order of changes of a collection behind a revision.
func (u *Update) declareOrder(t *Table, s Scope, since uint64) {
	if u.reads == nil {
		return
	}
	base := s.key() + t.name + "/c/"
	order := &span{after: base + revisionPart(since), limit: longScan}
	u.reads.open = append(u.reads.open, Need{at: t.purgedKey(s)}, Need{at: base, scan: order})
}

// followed fails when deletions are forgotten that the copy does not know of.
func (c *Copying) followed(tx Reading, t *Table) error {
	if c.Upto == 0 {
		return nil // what has not been copied is not missed
	}
	purged, err := t.purged(tx, c.From)
	if err == nil && purged > c.Upto {
		err = ErrDeltaExpired
	}
	return err
}

// copy makes a record in one scope what it is in another, and returns how long it is.
func (t *Table) copy(u *Update, from, to Scope, id string) (bytes int, err error) {
	if err := t.uncopy(u, to, id); err != nil {
		return 0, err
	}
	stored, err := u.r.Get(t.key(from, "r", id))
	if errors.Is(err, storage.ErrNotFound) {
		return len(id), nil // it was deleted
	}
	if err != nil {
		return 0, err
	}
	e, err := t.open(u, from, stored)
	if errors.Is(err, ErrNotFound) {
		return len(id), nil // it is only staged
	}
	if err != nil {
		return 0, err
	}
	if e.proposal != nil {
		e.proposal = nil
		stored = e.seal()
	}
	v, err := t.decode(e)
	if err != nil {
		return 0, err
	}
	if err := t.enter(u, to, id, v); err != nil {
		return 0, err
	}
	if err := t.noteChange(u, to, e.revision, id); err != nil {
		return 0, err
	}
	u.spent.Written++
	return len(stored), u.w.Put(t.key(to, "r", id), stored)
}

// uncopy removes the copy of a record, if there is one.
func (t *Table) uncopy(u *Update, to Scope, id string) error {
	v, e, err := t.found(u, to, id)
	if v == nil || err != nil {
		return err
	}
	return t.unlink(u, to, id, v, e)
}
