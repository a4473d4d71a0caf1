package delivery

import (
	"encoding/json"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// message is an event that was taken up. Its content is kept once, whatever the
// number of webhooks that it goes to.
type message struct {
	ID        string          `json:"id"` // place in the order of events
	MessageID string          `json:"messageId"`
	Body      json.RawMessage `json:"body"`  // of deliveries, but for the webhook
	Taken     int64           `json:"taken"` // up, in seconds since 1970
}

// messageScope is where the events of all accounts are kept that were taken up:
// their numbers are one order.
const messageScope records.Scope = "webhookmessages"

var messages = records.Collection[message]{
	Name: "messages", Unversioned: true,
	ID: func(m *message) string { return m.ID },
}

// keepMessage keeps an event under the next number of the cursor.
func keepMessage(u *records.Update, id string, e twinplatform.Event, taken time.Time) (*message, error) {
	m := newMessage(id, e, taken)
	_, err := messages.Put(u, messageScope, m)
	return m, err
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

// Body is the body of the requests of a delivery to an endpoint, byte for byte. It fails with records.ErrNotFound once
// the event is no longer kept.
func (g *Engine) Body(tx records.Reading, e *Endpoint, deliveryID string) ([]byte, error) {
	m, err := messages.Value(tx, messageScope, deliveryID)
	if err != nil {
		return nil, err
	}
	return g.bodyOf(m, e), nil
}

// bodyOf is the body of a delivery as it is sent.
func (g *Engine) bodyOf(m *message, e *Endpoint) []byte {
	body := m.envelope(e.ID)
	if g.cfg.Envelope != nil {
		body = g.cfg.Envelope(body)
	}
	return body
}

func appendMember(b []byte, name, value string) []byte {
	return wire.AppendString(append(append(append(b, `,"`...), name...), `":`...), value)
}
