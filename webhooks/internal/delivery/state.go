package delivery

import (
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// State is how the delivery to one endpoint goes. At most one dispatcher, of all
// processes over the store, has the endpoint on lease, and that one has at most
// one attempt under way.
type State struct {
	WebhookID string `json:"id"`
	Slot      string `json:"turn,omitempty"` // in the schedule
	Pending   int    `json:"pending,omitempty"`
	Dead      int    `json:"dead,omitempty"`

	Owner string    `json:"owner,omitempty"` // of the lease
	Until time.Time `json:"until,omitzero"`  // end of the lease
	// Epoch names the run of the store in which the lease was taken; empty when
	// others may be writing to it.
	Epoch string `json:"tenure,omitempty"`
	// Served is when a lease was last given back.
	Served time.Time `json:"served,omitzero"`
	// Numbered are the requests that leases were given numbers for, by which a receiver
	// distinguishes the requests of the present lease from those of one that was taken
	// over.
	Numbered int64 `json:"numbered,omitempty"`
	// Changed asks the holder of the lease to read the webhook again.
	Changed bool `json:"changed,omitempty"`

	// Failures counts the failures in a row, FailingSince the time of the first.
	Failures     int       `json:"failures,omitempty"`
	FailingSince time.Time `json:"failingSince,omitzero"`
	LastSuccess  time.Time `json:"lastSuccess,omitzero"`
	// Last is the last attempt, without what was answered.
	Last        *Attempt  `json:"last,omitempty"`
	PausedUntil time.Time `json:"pausedUntil,omitzero"`
	Warned      int       `json:"warned,omitempty"` // percent of what switches the webhook off
	Full        bool      `json:"full,omitempty"`   // no room for the last events
	// Open reports that so many attempts failed in a row that the endpoint is only
	// probed, as by a circuit breaker that is open; until then, Failed are the deliveries
	// whose attempts they were.
	Open   bool     `json:"down,omitempty"`
	Failed []string `json:"failed,omitempty"`
	// Probe is the place in the queue of the second of its last two probes.
	Probe string `json:"spare,omitempty"`
	// Barred reports that the application that made the webhook may not receive events.
	Barred bool `json:"barred,omitempty"`
	// Gone is since when what the webhook listens to is known to be.
	Gone time.Time `json:"gone,omitzero"`
	// Slow is how many quick answers are still to come before the endpoint
	// counts as quick again.
	Slow int `json:"slow,omitempty"`
}

var states = records.Collection[State]{
	Name: "lanes", Untracked: true,
	ID: func(l *State) string { return l.WebhookID },
}

// StateOf returns the state of an endpoint, or records.ErrNotFound.
func StateOf(tx records.Reading, e *Endpoint) (*State, error) {
	return states.Value(tx, e.Queue.Scope(), e.ID)
}

// Add makes an endpoint known to the engine.
func Add(u *records.Update, e *Endpoint) error {
	_, err := states.Insert(u, e.Queue.Scope(), &State{WebhookID: e.ID})
	return err
}

// Change changes the state of an endpoint and brings the schedule up to date.
func Change(u *records.Update, e *Endpoint, fn func(*State)) error {
	_, err := states.Modify(u, e.Queue.Scope(), e.ID, "", func(l *State) error {
		fn(l)
		return schedule(u, e, l)
	})
	return err
}

// Remove takes an endpoint out of the schedule. Without its state, the holder of its
// lease stops. The rest of its queue is left to the caller.
func Remove(u *records.Update, e *Endpoint) error {
	l, err := StateOf(u, e)
	if err != nil {
		return orMissing(err)
	}
	if err := l.moveSlot(u, ""); err != nil {
		return err
	}
	return states.Erase(u, e.Queue.Scope(), e.ID)
}

// release gives up the lease.
func (l *State) release() {
	l.Owner, l.Until, l.Epoch, l.Changed = "", time.Time{}, "", false
}

// Reset forgets what was counted of failures.
func (l *State) Reset() {
	l.Failures, l.FailingSince, l.PausedUntil, l.Warned = 0, time.Time{}, time.Time{}, 0
	l.Open, l.Failed, l.Probe = false, nil, ""
}

// Paused reports whether the endpoint is left alone at a time.
func (l *State) Paused(now time.Time) bool { return l.PausedUntil.After(now) }

// setBarred records whether the webhook is barred, and sends a notice when that changes.
func (l *State) setBarred(barred bool, now time.Time) (notices []Notice) {
	if l.Barred == barred {
		return nil
	}
	l.Barred = barred
	if barred {
		return []Notice{{Kind: WebhookBarred, WebhookID: l.WebhookID, At: now}}
	}
	if !l.Open {
		l.PausedUntil = time.Time{}
	}
	return nil
}

// add adds the numbers of deliveries that a change comes to.
func (l *State) add(change State) {
	l.Pending, l.Dead = l.Pending+change.Pending, l.Dead+change.Dead
}

// count adds n to the number of deliveries in a state, where that is counted.
func (l *State) count(state string, n int) {
	switch state {
	case Pending:
		l.Pending += n
	case Dead:
		l.Dead += n
	}
}
