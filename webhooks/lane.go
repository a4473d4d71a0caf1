package webhooks

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// lane is the state of delivery to one webhook. At most one dispatcher, of all
// processes over the store, has it on lease, and that one has at most one
// attempt under way.
type lane struct {
	WebhookID string `json:"id"`
	Turn      string `json:"turn,omitempty"` // when it is to be looked at next
	Pending   int    `json:"pending,omitempty"`
	Dead      int    `json:"dead,omitempty"`

	Owner string    `json:"owner,omitempty"` // of the lease
	Until time.Time `json:"until,omitzero"`  // end of the lease
	// Tenure is that of the store in which the lease was taken; empty when
	// others may be writing to it.
	Tenure string `json:"tenure,omitempty"`
	// Served is when a lease was last given back.
	Served time.Time `json:"served,omitzero"`
	// Changed tells whoever has the lease to read the webhook anew.
	Changed bool `json:"changed,omitempty"`

	// Failures are those in a row, FailingSince the time of the first.
	Failures     int       `json:"failures,omitempty"`
	FailingSince time.Time `json:"failingSince,omitzero"`
	LastSuccess  time.Time `json:"lastSuccess,omitzero"`
	PausedUntil  time.Time `json:"pausedUntil,omitzero"`
	Warned       int       `json:"warned,omitempty"` // percent of what switches the webhook off
	Full         bool      `json:"full,omitempty"`
	// Down says that so many attempts failed in a row that the endpoint is
	// only probed; until then, Failed are the deliveries whose attempts they
	// were.
	Down   bool     `json:"down,omitempty"`
	Failed []string `json:"failed,omitempty"`
	// Spare is the place in the queue of the second of its last two probes.
	Spare string `json:"spare,omitempty"`
	// Barred says that whoever made the webhook may not hear.
	Barred bool `json:"barred,omitempty"`
	// Gone is since when the twin is known to be.
	Gone time.Time `json:"gone,omitzero"`
	// Slow is how many quick answers are still to come before the endpoint
	// counts as quick again.
	Slow int `json:"slow,omitempty"`
}

// release gives up the lease.
func (l *lane) release() {
	l.Owner, l.Until, l.Tenure, l.Changed = "", time.Time{}, "", false
}

func (l *lane) class() class {
	if l.Slow > 0 {
		return slow
	}
	return quick
}

// forgive forgets what was counted of failures.
func (l *lane) forgive() {
	l.Failures, l.FailingSince, l.PausedUntil, l.Warned = 0, time.Time{}, time.Time{}, 0
	l.Down, l.Failed, l.Spare = false, nil, ""
}

var lanes = records.Collection[lane]{
	Name: "lanes", Unlisted: true,
	ID: func(l *lane) string { return l.WebhookID },
}

// entry is a delivery's place in the queue of its lane. Its id is the time at
// which the delivery is due, and the delivery's id.
type entry struct {
	ID string `json:"id"`
}

var queue = records.Collection[entry]{
	Name: "queue", Unlisted: true,
	ID: func(e *entry) string { return e.ID },
}

// The two parts of a queue. Tests go first, and also to a webhook that is
// inactive or left alone.
const (
	testQueue     = "0"
	ordinaryQueue = "1"
)

const stampSize = 16

// stamp is a time as part of an id: stamps sort as times do.
func stamp(t time.Time) string { return fmt.Sprintf("%0*x", stampSize, max(t.UnixNano(), 0)) }

// stamped is the id of what is due at a time.
func stamped(t time.Time, id string) string { return records.Join(stamp(t), id) }

// unstamp takes a stamped id apart.
func unstamp(s string) (at time.Time, id string, err error) {
	var n int64
	if len(s) < stampSize+1 {
		return at, "", errStamp
	}
	if _, err := fmt.Sscanf(s[:stampSize], "%x", &n); err != nil {
		return at, "", errStamp
	}
	return time.Unix(0, n).UTC(), s[stampSize+1:], nil
}

var errStamp = errors.New("webhooks: a stored time is malformed")

// enqueue makes a delivery due at a time.
func enqueue(u *records.Update, s records.Scope, d *Delivery, at time.Time) error {
	if err := dequeue(u, s, d); err != nil {
		return err
	}
	part := ordinaryQueue
	if d.run.Test {
		part = testQueue
	}
	d.State, d.NextAttempt, d.run.Entry = Pending, twinplatform.At(at), part+stamped(at, d.ID)
	_, err := queue.Put(u, s, &entry{d.run.Entry})
	return err
}

// dequeue takes a delivery out of the queue.
func dequeue(u *records.Update, s records.Scope, d *Delivery) error {
	if d.run.Entry == "" {
		return nil
	}
	id := d.run.Entry
	d.run.Entry, d.NextAttempt = "", twinplatform.DateTime{}
	return queue.Erase(u, s, id)
}

// head is when a lane is to be looked at for its deliveries, without a lease;
// the zero time when none waits. A lane that had its turn goes behind those that
// were due meanwhile. One that is down is looked at when its pause is over, with
// whatever waits.
func head(u *records.Update, w *Webhook, l *lane) (at time.Time, err error) {
	tests, err := first(u, w.lane, testQueue)
	if err != nil {
		return at, err
	}
	at = tests
	if w.Active {
		ordinary, err := first(u, w.lane, ordinaryQueue)
		if err != nil {
			return at, err
		}
		if !ordinary.IsZero() && !l.PausedUntil.IsZero() && (l.Down || l.PausedUntil.After(ordinary)) {
			ordinary = l.PausedUntil
		}
		if at.IsZero() || !ordinary.IsZero() && ordinary.Before(at) {
			at = ordinary
		}
	}
	if !at.IsZero() && at.Before(l.Served) {
		at = l.Served
	}
	return at, nil
}

// first is when the first delivery of a part of the queue is due.
func first(u *records.Update, s records.Scope, part string) (at time.Time, err error) {
	for e, err := range queue.All(u, s, part) {
		if err != nil {
			return at, err
		}
		at, _, err = unstamp(e.ID[len(part):])
		return at, err
	}
	return at, nil
}

// changeLane changes the state of a lane and brings its turn up to date.
func changeLane(u *records.Update, w *Webhook, fn func(*lane)) error {
	_, err := lanes.Modify(u, w.lane, w.ID, "", func(l *lane) error {
		fn(l)
		return setTurn(u, w, l)
	})
	return err
}

// removeLane takes a lane out of the order of lanes. Without its record,
// whoever has it on lease stops.
func removeLane(u *records.Update, s records.Scope, webhookID string) error {
	l, err := lanes.Value(u, s, webhookID)
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := moveTurn(u, l, ""); err != nil {
		return err
	}
	return lanes.Erase(u, s, webhookID)
}
