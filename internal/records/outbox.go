package records

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// outbox is the scope of the events that were not yet taken up. Each account has
// a queue of its own in it, so that no caller's events wait behind another's:
//
//	outbox/a/<account>/<seq>  event of an account
//	outbox/0rev/<account>     the seq of its last event
const outbox Scope = "outbox" + divides

// Queue names the queue of one account.
type Queue string

// accountQueues is what the keys of events begin with.
const accountQueues Queue = "outbox/a/"

// listened is there from the moment that something takes up events. Every write that emits an event looks
// for it, so that it stands where hardly anything is written: before all scopes.
const listened = "\x00listened"

// Listen says that something takes up the store's events from now on. Until
// then none are recorded: they would never be taken up.
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
	if err == nil {
		u.db.heard.Store(true)
	}
	return err == nil, err
}

// DeclareEvents declares what Emit reads of the events of an account, where something was taking them up
// when that was last looked at. Where nothing does none are there, and who looks for one on the page of an
// index is taken for a reader of all that others write there.
func DeclareEvents(tx Reading, accountID string) {
	if tx.view().db.heard.Load() {
		Declare(tx, NeedOfEvents(accountID))
	}
}

// NeedOfEvents is what Emit reads of the events of an account.
func NeedOfEvents(accountID string) Need { return outbox.Of(accountID).Need() }

// Emit records an event in the transaction of the change that caused it, once
// something takes up events.
func (u *Update) Emit(e twinplatform.Event) error {
	DeclareEvents(u, e.AccountID)
	if on, err := u.listenedTo(); !on || err != nil {
		return err
	}
	seq, err := u.next(outbox.Of(e.AccountID), 0)
	if err != nil {
		return err
	}
	b, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("records: event %s: %w", e.Type, err)
	}
	u.emitted = true
	return u.w.Put(string(QueueOf(e.AccountID))+revisionPart(seq), b)
}

// NextQueue returns the first queue with events in it that comes after one, the
// zero queue being before all; the zero queue when there is none.
func NextQueue(tx Reading, after Queue) (Queue, error) {
	past := ""
	if after != "" {
		past = string(after) + "\xff" // no place in a queue begins so
	}
	for key := range tx.view().r.Scan(string(accountQueues), past) {
		account, _, ok := strings.Cut(key[len(accountQueues):], "/")
		if !ok {
			return "", fmt.Errorf("records: %q is no place of an event", key)
		}
		return accountQueues + Queue(account) + "/", nil
	}
	return "", nil
}

// QueueOf is the queue of an account.
func QueueOf(accountID string) Queue { return accountQueues + Queue(valuePart(accountID)) + "/" }

// Scope is a scope for what concerns the events of the queue alone.
func (q Queue) Scope(prefix string) Scope { return Scope(prefix + "-" + Scope(q).mark()) }

// NeedOfLast is what Last reads of the queue of an account.
func NeedOfLast(accountID string) []Need {
	return []Need{NeedOfEvents(accountID), {at: string(QueueOf(accountID)), scan: oneSpan}}
}

// oneSpan is the beginning of a range of which no more is asked than whether it is empty.
var oneSpan = &span{limit: 1}

// Last is the place of the last event that was recorded in the queue of an account, by the transaction itself
// perhaps; empty when no event waits there.
func (q Queue) Last(u *Update) (place string, err error) {
	for range storage.ScanLimit(u.r, string(q), "", 1) {
		at, err := q.standing(u)
		return revisionPart(at.revision), err
	}
	return "", nil
}

// standing is where the events of the queue of an account stand.
func (q Queue) standing(u *Update) (standing, error) {
	key := outbox.revisionKey()
	if account := strings.TrimSuffix(string(q[len(accountQueues):]), "/"); account != "" {
		key += "/" + account
	}
	for s, at := range u.revisions {
		if s.revisionKey() == key {
			return at, nil
		}
	}
	stored, err := lookup(u, key)
	if err == nil && len(stored) < 8 {
		err = fmt.Errorf("records: %q holds no number of an event", key)
	}
	if err != nil {
		return standing{}, err
	}
	return standing{revision: binary.BigEndian.Uint64(stored)}, nil
}

// Events yields all recorded events, those of each account in the order in which
// they were recorded. A failure ends the sequence.
func Events(tx Reading) iter.Seq2[Queued, error] {
	return EventsIn(tx, accountQueues)
}

// EventsIn yields the events of one queue in the order in which they were
// recorded. A failure ends the sequence.
func EventsIn(tx Reading, q Queue) iter.Seq2[Queued, error] {
	return func(yield func(Queued, error) bool) {
		for key, b := range tx.view().r.Scan(string(q), "") {
			e := Queued{key: key}
			err := json.Unmarshal(b, &e.Event)
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Queued is a recorded event.
type Queued struct {
	Event twinplatform.Event
	key   string
}

// Place is where the event stands in its queue: places sort as the events were recorded.
func (q Queued) Place() string { return q.key[strings.LastIndexByte(q.key, '/')+1:] }

// queue is the queue in which the event stands.
func (q Queued) queue() Queue { return Queue(q.key[:strings.LastIndexByte(q.key, '/')+1]) }

// Take removes a recorded event: the caller that takes it keeps in the same
// transaction what is to be done about it.
func (u *Update) Take(q Queued) error { return u.w.Delete(q.key) }

// alsoForget are called once for each queue of which events are forgotten, in the same transaction.
var alsoForget []func(u *Update, q Queue, place string, step *Step) error

// AlsoForget has fn remove, in the transaction that forgets events of a queue up to a place, what was kept for
// these events alone. It is called while packages are initialized, and returns nothing of use.
func AlsoForget(fn func(u *Update, q Queue, place string, step *Step) error) struct{} {
	alsoForget = append(alsoForget, fn)
	return struct{}{}
}

// ForgetEvents removes, in one short transaction, some of the events that were
// recorded at a time or before and that were not taken up, and returns how many.
func (db *DB) ForgetEvents(ctx context.Context, until time.Time) (n int, err error) {
	due := false
	err = db.View(ctx, func(v *View) (err error) {
		due = false
		for _, err := range eventsUntil(v, until) {
			due = true
			return err
		}
		return nil
	})
	if err != nil || !due {
		return 0, err
	}
	err = db.Update(ctx, func(u *Update) error {
		step := NewStep(u)
		forgotten := make(map[Queue]string) // up to a place
		n, err = u.forgetEvents(until, step, forgotten)
		for q, place := range forgotten {
			for _, fn := range alsoForget {
				if err == nil {
					err = fn(u, q, place, step)
				}
			}
		}
		return err
	})
	return n, err
}

// forgetEvents takes as many events as a step holds, and says up to where in each queue.
func (u *Update) forgetEvents(until time.Time, step *Step, upTo map[Queue]string) (n int, err error) {
	for q, err := range eventsUntil(u, until) {
		if err != nil {
			return n, err
		}
		if more, err := step.Next(0); !more || err != nil {
			return n, err
		}
		if err := u.Take(q); err != nil {
			return n, err
		}
		upTo[q.queue()] = q.Place()
		n++
	}
	return n, nil
}

// eventsUntil yields the events of every queue that were recorded at a time or
// before.
func eventsUntil(tx Reading, until time.Time) iter.Seq2[Queued, error] {
	return func(yield func(Queued, error) bool) {
		q, err := NextQueue(tx, "")
		for ; q != "" && err == nil; q, err = NextQueue(tx, q) {
			for e, err := range EventsIn(tx, q) {
				if err == nil && e.Event.Time.After(until) {
					break
				}
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
		if err != nil {
			yield(Queued{}, err)
		}
	}
}
