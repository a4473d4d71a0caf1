package webhooks

import "github.com/seed-933f9a09/twinplatform/webhooks/event"

// EventType is a documented kind of event.
type EventType string

// TestSent is the type of the events that SendTest makes. No one subscribes to it.
const TestSent EventType = event.TypeTestSent

// EventTypes lists the event types that webhooks can subscribe to: those of the catalogue
// of package event, which has the content of each and when it is emitted.
func EventTypes() []EventType {
	var out []EventType
	for _, k := range event.Catalogue() {
		out = append(out, EventType(k.Type()))
	}
	return out
}

// ContentMembers lists the documented members of an event type's content, all
// of them texts. It is empty for types whose content is not documented, and ok
// is false for what is no event type.
func ContentMembers(t EventType) (members []string, ok bool) {
	k, ok := event.Lookup(string(t))
	return k.Documented(), ok
}
