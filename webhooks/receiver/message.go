package receiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Message is the body of a delivery: an event as a receiver gets it.
type Message struct {
	// Content is the documented content of the event type, a JSON object of at
	// most 64 KiB.
	Content json.RawMessage `json:"content"`
	// EventType is the kind of event, such as twins.twinCreated.v1.
	EventType string `json:"eventType"`
	// EnqueuedDateTime is when the event happened, in ISO 8601.
	EnqueuedDateTime time.Time `json:"enqueuedDateTime"`
	// TwinID is the twin in which it happened; empty for what happens in an
	// account.
	TwinID string `json:"twinId"`
	// MessageID is the same in every attempt to deliver the event, and to every webhook.
	// Receivers recognize repetitions by it.
	MessageID string `json:"messageId"`
	// WebhookID is the webhook that the delivery is for.
	WebhookID string `json:"webhookId"`
}

// ErrMessage reports that a body is none of a delivery.
var ErrMessage = errors.New("receiver: the body is no message")

// Parse reads the body of a delivery, once Verify has found it genuine. Members
// that it does not know are ignored. What is no message, or has no eventType or
// messageId, is ErrMessage.
func Parse(body []byte) (m Message, err error) {
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	if m.EventType == "" || m.MessageID == "" {
		return m, fmt.Errorf("%w: eventType or messageId is missing", ErrMessage)
	}
	return m, nil
}
