package webhooks

import (
	"context"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// invalidEvent refuses what an embedding program would publish. No operation of
// the REST API does.
var invalidEvent = twinplatform.Error{
	Kind: twinplatform.Unprocessable, Code: "InvalidEventRequest", Message: "The request is invalid.",
}

// PublishContent records an event of a twin that the embedding program itself causes,
// such as the end of a job that another service ran:
//
//	hooks.PublishContent(ctx, twinID, event.RealityModelingJobCompleted{JobID: id})
//
// Errors: as Publish.
func (s *Service) PublishContent(
	ctx context.Context, twinID string, content event.Content,
) (twinplatform.Event, error) {
	text, err := wire.Marshal(content)
	if err != nil || string(text) == "null" { // of nil, and of a pointer that is nil
		return twinplatform.Event{}, problem.With(invalidEvent,
			badBody("content", "The content of an event is a JSON object.")).Because(err)
	}
	return s.Publish(ctx, twinplatform.Event{Type: content.EventType(), TwinID: twinID, Content: text})
}

// Publish records an event that the embedding program itself causes: what
// synchronization, reality modeling and other work outside the platform's own
// domains comes to. It is delivered like any other. The program speaks for
// itself, so no permission is asked for.
//
// The type must be documented, and the content a JSON object of at most
// MaxContent bytes with the documented members of that type as texts; further
// members may be added. An id, the time, and the account of a known twin are
// filled in where they are missing.
//
// Errors: InvalidEventRequest with InvalidRequestBody (type, twinId, accountId,
// content and its members).
func (s *Service) Publish(ctx context.Context, e twinplatform.Event) (twinplatform.Event, error) {
	if e.ID == "" {
		e.ID = s.env.NewGUID()
	}
	if e.Time.IsZero() {
		e.Time = s.now()
	}
	var c checks
	kind, ok := event.Lookup(e.Type)
	if !ok {
		c.bad("type", "'%.100s' is not one of the documented event types.", e.Type)
	}
	c.content(kind.Documented(), &e.Content)
	if e.TwinID == "" && e.AccountID == "" {
		c.bad("twinId", "An event happens in a twin or an account.")
	}
	if s.cfg.Twins != nil && e.TwinID != "" && e.AccountID == "" {
		accountID, ok, err := s.cfg.Twins.TwinAccount(ctx, e.TwinID)
		if err != nil {
			return e, err
		}
		if !ok {
			c.bad("twinId", "The twin is not available.")
		}
		e.AccountID = accountID
	}
	if err := c.Err(invalidEvent); err != nil {
		return e, err
	}
	return e, s.db.Update(ctx, func(u *records.Update) error { return u.Emit(e) })
}

// content checks the content of an event, and makes that of none an empty
// object.
func (c *checks) content(documented []string, content *json.RawMessage) {
	if len(*content) == 0 {
		*content = json.RawMessage("{}")
	}
	if len(*content) > MaxContent {
		c.bad("content", "The content of an event has at most %d bytes.", MaxContent)
		return
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(*content, &members); err != nil || members == nil {
		c.bad("content", "The content of an event is a JSON object.")
		return
	}
	for _, name := range documented {
		target := "content." + name
		raw, ok := members[name]
		var text string
		switch {
		case !ok:
			c.bad(target, "The required property '%s' is missing.", name)
		case json.Unmarshal(raw, &text) != nil || string(raw) == "null":
			c.bad(target, "The value of '%s' must be a string.", name)
		}
	}
}
