package webhooks

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// DeliveryState says how far a delivery has come.
type DeliveryState string

// The states of a delivery.
const (
	// Pending deliveries wait for their next attempt.
	Pending DeliveryState = "Pending"
	// Delivered ones were answered with a status of the 200s.
	Delivered DeliveryState = "Delivered"
	// Dead ones are not attempted any more, unless somebody redelivers them.
	Dead DeliveryState = "Dead"
)

var deliveryStates = []DeliveryState{Pending, Delivered, Dead}

// Outcome says what came of an attempt. It tells no more of a failure than
// whoever chose the callback URL may know: not which address the name led to,
// and not what happened there.
type Outcome string

// The outcomes of an attempt.
const (
	// Accepted attempts were answered with a status of the 200s.
	Accepted Outcome = "Accepted"
	// Rejected ones were answered with another status; redirects are not
	// followed.
	Rejected Outcome = "Rejected"
	// Unanswered ones got no answer in time.
	Unanswered Outcome = "Unanswered"
	// Blocked ones were not made: the address is not one that deliveries may
	// go to. They do not count against the endpoint.
	Blocked Outcome = "Blocked"
)

// Attempt is one request of a delivery.
type Attempt struct {
	At twinplatform.DateTime `json:"at"`
	// DurationMS is how long it took, in milliseconds.
	DurationMS int     `json:"durationMs"`
	Outcome    Outcome `json:"outcome"`
	// Status is the HTTP status of the answer; null without one.
	Status *int `json:"status"`
}

// maxAttempts is the number of attempts that a delivery remembers, the latest.
const maxAttempts = 32

// Delivery is one event on its way to one webhook.
type Delivery struct {
	// Attempts are the latest attempts, the oldest first, at most 32.
	Attempts  []Attempt             `json:"attempts"`
	Created   twinplatform.DateTime `json:"created"`
	EventType EventType             `json:"eventType"`
	// ID is the delivery's place in the order of events: ids of later events
	// sort behind it.
	ID        string `json:"id"`
	MessageID string `json:"messageId"`
	// NextAttempt is when the next attempt is due at the earliest; null when
	// none is.
	NextAttempt twinplatform.DateTime `json:"nextAttempt"`
	State       DeliveryState         `json:"state"`
	WebhookID   string                `json:"webhookId"`

	run deliveryState
}

// deliveryState is what is stored of a delivery beside its wire form.
type deliveryState struct {
	Entry string    `json:"entry"` // in the queue
	Tries int       `json:"tries"` // of the present round
	First time.Time `json:"first"` // attempt of the present round
	Test  bool      `json:"test"`
}

// deliveryRecords are kept in the lane of their webhook.
var deliveryRecords = records.Collection[Delivery]{
	Name: "deliveries", Unlisted: true,
	ID:     func(d *Delivery) string { return d.ID },
	Hidden: func(d *Delivery) any { return &d.run },
	Indexes: []records.Index[Delivery]{{Name: "dead", Value: func(d *Delivery) string {
		if d.State == Dead {
			return string(Dead)
		}
		return ""
	}}},
	Upgrades: []records.Upgrade{records.Rewritten[Delivery]()},
}

// attempted notes an attempt.
func (d *Delivery) attempted(a result) {
	d.run.Tries++
	if d.run.First.IsZero() {
		d.run.First = a.at
	}
	made := Attempt{At: twinplatform.At(a.at), DurationMS: int(a.took.Milliseconds()), Outcome: a.outcome}
	if a.status != 0 {
		made.Status = &a.status
	}
	if len(d.Attempts) >= maxAttempts {
		d.Attempts = d.Attempts[len(d.Attempts)-maxAttempts+1:]
	}
	d.Attempts = append(d.Attempts, made)
}
