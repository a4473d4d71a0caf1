package records

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// outbox is the scope of the events that were not yet taken up.
const outbox Scope = "outbox"

// listened is there from the moment that something takes up events.
const listened = string(outbox) + "/listened"

// Listen says that something takes up the store's events from now on. Until
// then none are recorded: nobody would ever take them away.
func (u *Update) Listen() error {
	if on, err := u.listenedTo(); on || err != nil {
		return err
	}
	return u.w.Put(listened, []byte{1})
}

func (u *Update) listenedTo() (bool, error) {
	_, err := u.r.Get(listened)
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Emit records an event in the transaction of the change that caused it, once
// something takes up events.
func (u *Update) Emit(e twinplatform.Event) error {
	if on, err := u.listenedTo(); !on || err != nil {
		return err
	}
	seq, err := u.next(outbox)
	if err != nil {
		return err
	}
	b, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("records: event %s: %w", e.Type, err)
	}
	u.emitted = true
	return u.w.Put(eventKey(seq), b)
}

// Events yields the recorded events in the order in which they were recorded,
// each with its place. A failure ends the sequence.
func Events(tx Reading) iter.Seq2[Queued, error] {
	base := string(outbox) + "/e/"
	return func(yield func(Queued, error) bool) {
		for key, b := range tx.view().r.Scan(base, "") {
			var q Queued
			err := json.Unmarshal(b, &q.Event)
			if err == nil {
				q.seq, err = strconv.ParseUint(key[len(base):], 16, 64)
			}
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// Queued is a recorded event.
type Queued struct {
	Event twinplatform.Event
	seq   uint64
}

// Take removes a recorded event: whoever takes it keeps in the same
// transaction what is to be done about it.
func (u *Update) Take(q Queued) error { return u.w.Delete(eventKey(q.seq)) }

// ForgetEvents removes, in one short transaction, some of the events that were
// recorded at a time or before and that nobody took up, and returns how many.
func (db *DB) ForgetEvents(ctx context.Context, until time.Time) (n int, err error) {
	old := func(tx Reading) iter.Seq2[Queued, error] {
		return func(yield func(Queued, error) bool) {
			for q, err := range Events(tx) {
				if err == nil && q.Event.Time.After(until) || !yield(q, err) {
					return
				}
			}
		}
	}
	due := false
	err = db.View(ctx, func(v *View) (err error) {
		due = false
		for _, err := range old(v) {
			due = true
			return err
		}
		return nil
	})
	if err != nil || !due {
		return 0, err
	}
	err = db.Update(ctx, func(u *Update) error {
		n = 0
		step := newStep()
		for q, err := range old(u) {
			if err != nil {
				return err
			}
			if !step.spend(0) {
				return nil
			}
			if err := u.Take(q); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}

func eventKey(seq uint64) string {
	return string(outbox) + "/e/" + revisionPart(seq)
}
