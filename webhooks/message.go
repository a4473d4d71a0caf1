package webhooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Message is the body of a delivery: an event as a receiver gets it.
type Message struct {
	// Content is the documented content of the event type.
	Content json.RawMessage `json:"content"`
	// EventType is the sort of event.
	EventType EventType `json:"eventType"`
	// EnqueuedDateTime is when the event happened, in ISO 8601.
	EnqueuedDateTime time.Time `json:"enqueuedDateTime"`
	// TwinID is the twin in which it happened.
	TwinID string `json:"twinId"`
	// MessageID is the same in every attempt to deliver the event, and to every
	// webhook. Receivers tell repetitions by it.
	MessageID string `json:"messageId"`
	// WebhookID is the webhook that the delivery is for.
	WebhookID string `json:"webhookId"`
}

// ParseMessage reads the body of a delivery, once Verify has found it genuine.
// Members that it does not know are ignored.
func ParseMessage(body []byte) (m Message, err error) {
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("webhooks: the body is no message: %w", err)
	}
	if m.EventType == "" || m.MessageID == "" {
		return m, fmt.Errorf("webhooks: the body is no message: eventType or messageId is missing")
	}
	return m, nil
}

// message is an event that was taken up. Its content is kept once, whatever the
// number of webhooks that it goes to.
type message struct {
	ID        string          `json:"id"` // place in the order of events
	MessageID string          `json:"messageId"`
	Body      json.RawMessage `json:"body"`  // of deliveries, but for the webhook
	Taken     int64           `json:"taken"` // up, in seconds since 1970
}

// messages is the scope of the events that were taken up.
const messages records.Scope = "webhookmessages"

var messageRecords = records.Collection[message]{
	Name: "messages", Unlisted: true,
	ID: func(m *message) string { return m.ID },
}

func newMessage(id string, e twinplatform.Event, taken time.Time) *message {
	content := []byte(e.Content)
	if len(content) == 0 {
		content = []byte("{}")
	}
	b := make([]byte, 0, 256+len(content))
	b = append(append(b, `{"content":`...), content...)
	b = appendMember(b, "eventType", e.Type)
	b = twinplatform.At(e.Time).AppendJSON(append(b, `,"enqueuedDateTime":`...))
	b = appendMember(b, "twinId", e.TwinID)
	b = appendMember(b, "messageId", e.ID)
	return &message{ID: id, MessageID: e.ID, Body: append(b, '}'), Taken: taken.Unix()}
}

// envelope is the body of a delivery. It is the same in every attempt.
func (m *message) envelope(webhookID string) []byte {
	b := make([]byte, 0, len(m.Body)+64)
	b = append(b, m.Body[:len(m.Body)-1]...)
	return append(appendMember(b, "webhookId", webhookID), '}')
}

func appendMember(b []byte, name, value string) []byte {
	return appendText(append(append(append(b, `,"`...), name...), `":`...), value)
}

func appendText(b []byte, s string) []byte {
	if simple(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// simple reports whether a text stands in JSON as it is.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
