package delivery

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The states of a delivery.
const (
	Pending   = "Pending"
	Delivered = "Delivered"
	Dead      = "Dead"
)

// The outcomes of an attempt.
const (
	Accepted   = "Accepted"
	Rejected   = "Rejected"
	Unanswered = "Unanswered"
	Blocked    = "Blocked"
)

var outcomes = [...]string{Accepted, Rejected, Unanswered, Blocked}

// Attempt is webhooks.Attempt as it is stored.
type Attempt struct {
	Answer     string                `json:"answer,omitempty"`
	At         twinplatform.DateTime `json:"at"`
	Cause      string                `json:"cause,omitempty"`
	DurationMS int                   `json:"durationMs"`
	Outcome    string                `json:"outcome"`
	Status     *int                  `json:"status"`
}

// asAttempt is the result as it is stored.
func (r result) asAttempt() Attempt {
	a := Attempt{
		Answer: r.answer, At: twinplatform.At(r.at), Cause: r.reason, DurationMS: int(r.took.Milliseconds()),
		Outcome: r.outcome,
	}
	if r.status != 0 {
		a.Status = &r.status
	}
	return a
}

// maxAttempts is the number of attempts that a delivery remembers, the latest.
const maxAttempts = 32

// Delivery is webhooks.Delivery as it is stored.
type Delivery struct {
	Attempts    []Attempt             `json:"attempts"`
	Created     twinplatform.DateTime `json:"created"`
	EventType   string                `json:"eventType"`
	ID          string                `json:"id"` // of its message
	MessageID   string                `json:"messageId"`
	NextAttempt twinplatform.DateTime `json:"nextAttempt"`
	State       string                `json:"state"`
	WebhookID   string                `json:"webhookId"`

	run run
}

// run is what is stored of a delivery in addition to its wire form.
type run struct {
	Entry string    `json:"entry"` // its place in the queue
	Tries int       `json:"tries"` // of the present round
	First time.Time `json:"first"` // attempt of the present round, by the clock of the engine
	Test  bool      `json:"test"`
	// Made is when the delivery was, by the clock of the engine, where that is not Created.
	Made time.Time `json:"made,omitzero"`
}

// Deliveries are kept in the queue of their endpoint.
var Deliveries = records.Collection[Delivery]{
	Name: "deliveries", Untracked: true, Upkeep: true,
	ID:     func(d *Delivery) string { return d.ID },
	Hidden: func(d *Delivery) any { return &d.run },
	Indexes: []records.Index[Delivery]{{Name: DeadLetters, Value: func(d *Delivery) string {
		if d.State == Dead {
			return Dead
		}
		return ""
	}}},
}

// DeadLetters is the index of the dead deliveries; its one value is Dead.
const DeadLetters = "dead"

// Test reports whether the delivery is of a test event.
func (d *Delivery) Test() bool { return d.run.Test }

// newDelivery is one that is made at a time of the engine's.
func (g *Engine) newDelivery(e *Endpoint, m *message, eventType string, made time.Time) *Delivery {
	d := &Delivery{
		Attempts: []Attempt{}, Created: twinplatform.At(g.Shown(made)), EventType: eventType, ID: m.ID,
		MessageID: m.MessageID, State: Pending, WebhookID: e.ID,
	}
	if !d.Created.Equal(twinplatform.At(made).Time) {
		d.run.Made = made
	}
	return d
}

// made is when the delivery was, by the clock of the engine.
func (d *Delivery) made() time.Time {
	if d.run.Made.IsZero() {
		return d.Created.Time
	}
	return d.run.Made
}

// of is a time of people's, which is after the delivery was made, by the clock of the engine as
// far as is known.
func (d *Delivery) of(at time.Time) time.Time {
	made := d.made()
	if since := at.Sub(d.Created.Time); since > 0 {
		return made.Add(since)
	}
	return made
}

// push makes a delivery due at a time of the engine's.
func (g *Engine) push(u *records.Update, q Queue, d *Delivery, due time.Time) error {
	err := q.Push(u, d, due)
	d.NextAttempt = twinplatform.At(g.Shown(due))
	return err
}

// addAttempt remembers an attempt.
func (d *Delivery) addAttempt(r result) {
	d.run.Tries++
	if d.run.First.IsZero() {
		d.run.First = r.began
	}
	d.forgetAnswers()
	if len(d.Attempts) >= maxAttempts {
		d.Attempts = d.Attempts[len(d.Attempts)-maxAttempts+1:]
	}
	d.Attempts = append(d.Attempts, r.asAttempt())
}

// answered is when the answer was received that the delivery remembers; zero without one.
func (d *Delivery) answered() time.Time {
	for _, a := range d.Attempts {
		if a.Answer != "" {
			return a.At.Time
		}
	}
	return time.Time{}
}

// forgetAnswers removes what is kept of answers.
func (d *Delivery) forgetAnswers() {
	for i := range d.Attempts {
		d.Attempts[i].Answer = ""
	}
}
