package webhooks

import (
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// DeliveryState is how far a delivery has come.
type DeliveryState string

// The states of a delivery.
const (
	// Pending deliveries wait for their next attempt.
	Pending DeliveryState = "Pending"
	// Delivered ones were answered with a status of the 200s.
	Delivered DeliveryState = "Delivered"
	// Dead ones are not attempted any more, unless someone redelivers them.
	Dead DeliveryState = "Dead"
)

var deliveryStates = []DeliveryState{Pending, Delivered, Dead}

// Outcome is what came of an attempt. Of a failure it says only what the one who chose
// the callback URL may know: neither which address the name led to nor what happened
// there.
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

var outcomes = []Outcome{Accepted, Rejected, Unanswered, Blocked}

// Cause is why an attempt failed, as far as the one who chose the callback URL may know it.
type Cause string

// The causes of failures.
const (
	// AddressNotAllowed: the URL leads to an address that deliveries may not go to.
	AddressNotAllowed Cause = "AddressNotAllowed"
	// NameNotFound: the host of the URL could not be resolved.
	NameNotFound Cause = "NameNotFound"
	// ConnectionRefused: nothing listens at the address.
	ConnectionRefused Cause = "ConnectionRefused"
	// Unreachable: there is no route to the address.
	Unreachable Cause = "Unreachable"
	// TLSFailed: the handshake failed, for example for a certificate that is not trusted.
	TLSFailed Cause = "TLSFailed"
	// TimedOut: there was no answer within Config.Timeout.
	TimedOut Cause = "TimedOut"
	// Disconnected: the connection was closed before there was an answer.
	Disconnected Cause = "Disconnected"
	// StatusNotAccepted: the answer had a status outside the 200s.
	StatusNotAccepted Cause = "StatusNotAccepted"
	// OtherCause: anything else; the log of the service has the error.
	OtherCause Cause = "Other"
)

var causes = []Cause{
	AddressNotAllowed, NameNotFound, ConnectionRefused, Unreachable, TLSFailed, TimedOut, Disconnected,
	StatusNotAccepted, OtherCause,
}

// Attempt is one request of a delivery.
type Attempt struct {
	// Answer is the beginning of the body that a rejected attempt was answered with, at
	// most 1,024 bytes, with U+FFFD for what is not UTF-8. Only the last attempt of a
	// delivery has one. It is removed a day after the attempt, and not kept at all with
	// Config.DiscardAnswers.
	Answer string `json:"answer,omitempty"`
	// At is when the request began.
	At twinplatform.DateTime `json:"at"`
	// Cause is why the attempt failed; absent when it was accepted.
	Cause Cause `json:"cause,omitempty"`
	// DurationMS is how long it took, in milliseconds.
	DurationMS int `json:"durationMs"`
	// Outcome is Accepted, Rejected, Unanswered or Blocked.
	Outcome Outcome `json:"outcome"`
	// Status is the HTTP status of the answer; null without one.
	Status *int `json:"status"`
}

// Delivery is one event on its way to one webhook.
type Delivery struct {
	// Attempts are the latest attempts, the oldest first, at most 32.
	Attempts []Attempt `json:"attempts"`
	// Created is when the event was taken up for the webhook.
	Created twinplatform.DateTime `json:"created"`
	// EventType names the kind of the event; webhooks.testSent.v1 for a test of no other type.
	EventType EventType `json:"eventType"`
	// ID is the delivery's place in the order of events: ids of later events
	// sort behind it.
	ID string `json:"id"`
	// MessageID is the id of the event, the same in the deliveries to all webhooks.
	MessageID string `json:"messageId"`
	// NextAttempt is when the next attempt is due at the earliest; null when
	// none is.
	NextAttempt twinplatform.DateTime `json:"nextAttempt"`
	// State is Pending, Delivered or Dead.
	State DeliveryState `json:"state"`
	// WebhookID is the webhook that the delivery is for.
	WebhookID string `json:"webhookId"`
}

// publicDeliveries are deliveries as callers see them.
func publicDeliveries(stored ...twinplatform.Record[delivery.Delivery]) ([]twinplatform.Record[Delivery], error) {
	out := make([]twinplatform.Record[Delivery], len(stored))
	for i, rec := range stored {
		out[i].ETag, out[i].JSON = rec.ETag, rec.JSON
		if err := json.Unmarshal(rec.JSON, &out[i].Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}
