package twinplatform

import (
	"encoding/json"
	"time"
)

// Event is something that happened on the platform and that webhooks may deliver. It is
// recorded in the same transaction as the change that caused it.
type Event struct {
	// ID is unique and the same over all deliveries of the event.
	ID string `json:"id"`
	// Type is the documented event type, such as twins.twinCreated.v1.
	Type string `json:"type"`
	// TwinID is the twin in which it happened.
	TwinID string `json:"twinId"`
	// AccountID is the account that the twin belongs to.
	AccountID string `json:"accountId"`
	// Time is when it happened, by the platform's clock.
	Time time.Time `json:"time"`
	// Content is the documented content of the event type, a JSON object.
	Content json.RawMessage `json:"content"`
}
