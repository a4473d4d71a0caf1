// Package event is the catalogue of the events that webhooks receive: each event type with
// the Go type of its content, who emits it and when. Subscriptions, documents and test
// events are made from it.
//
// A receiver reads the content of a delivery by it:
//
//	content, err := event.Decode(m.EventType, m.Content)
//	switch e := content.(type) {
//	case event.TwinCreated:
//		fmt.Println("a new twin below", e.ParentID)
//	}
//
// Of the platform, the package imports only the root package.
package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Content is the content of an event. Each event type has its own Go type, whose members
// are all texts on the wire.
type Content interface {
	// EventType is the documented name, such as twins.twinCreated.v1.
	EventType() string
}

// Source is who emits an event.
type Source string

// The sources of events.
const (
	FromTwins       Source = "twins"       // package twins
	FromTransform   Source = "transform"   // package transform
	FromRealityData Source = "realitydata" // package realitydata, and programs whose jobs are done elsewhere
	// FromProgram is the embedding program, by webhooks.Service.PublishContent: the
	// work that such an event is about is done outside the platform.
	FromProgram Source = "program"
)

// Kind is an event type with all that is known of it.
type Kind struct {
	// Content is an example. Its empty members are ids.
	Content Content
	// Source emits it.
	Source Source
	// When is what happens then, a clause such as "a twin is created".
	When string
	// Chosen reports that no specification shows the content: its members are those that
	// this platform chose, and a program that publishes the event may leave them out.
	Chosen bool
}

// Type is the documented name of the event type.
func (k Kind) Type() string { return k.Content.EventType() }

// AreaOf is the part of an event type before the first dot.
func AreaOf(eventType string) string {
	area, _, _ := strings.Cut(eventType, ".")
	return area
}

// Members yields the members of the content as the example has them, in the order of
// the wire. What is empty is an id.
func (k Kind) Members() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if k.Content == nil {
			return
		}
		v := reflect.ValueOf(k.Content)
		for f, member := range v.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !yield(name, fmt.Sprint(member)) {
				return
			}
		}
	}
}

// Documented lists the members that the content of an event of this kind must have:
// none where they are chosen.
func (k Kind) Documented() []string {
	if k.Chosen {
		return nil
	}
	var names []string
	for name := range k.Members() {
		names = append(names, name)
	}
	return names
}

// Catalogue lists the kinds of events that webhooks can subscribe to.
func Catalogue() []Kind { return slices.Clone(catalogue) }

// Lookup returns the kind of an event type that webhooks can subscribe to.
func Lookup(eventType string) (k Kind, ok bool) {
	for _, k := range catalogue {
		if k.Type() == eventType {
			return k, true
		}
	}
	return Kind{}, false
}

// ErrUnknown reports that an event type is not in the catalogue.
var ErrUnknown = errors.New("event: the event type is not in the catalogue")

// Decode reads the content of an event, as the Go type of its event type. It also reads
// that of a [TestSent]. Members that it does not know are ignored. It fails with
// ErrUnknown for a type that it does not know, which later versions may have.
func Decode(eventType string, content []byte) (Content, error) {
	k, ok := Lookup(eventType)
	switch {
	case eventType == TypeTestSent:
		k.Content = TestSent{}
	case !ok:
		return nil, fmt.Errorf("%w: %.100q", ErrUnknown, eventType)
	}
	into := reflect.New(reflect.TypeOf(k.Content))
	if err := json.Unmarshal(content, into.Interface()); err != nil {
		return nil, fmt.Errorf("event: the content of %s: %w", eventType, err)
	}
	return into.Elem().Interface().(Content), nil
}

// New is the event that something happens now in a twin, or in an account where the
// target names no twin. Env is one with its defaults, as [twinplatform.Env.WithDefaults] gives.
func New(env twinplatform.Env, at twinplatform.Target, content Content) (twinplatform.Event, error) {
	text, err := wire.Marshal(content)
	if err != nil {
		return twinplatform.Event{}, fmt.Errorf("event: the content of %s: %w", content.EventType(), err)
	}
	now := env.Now()
	if now.IsZero() { // what is recorded has no date, and happens all the same
		now = time.Now()
	}
	return twinplatform.Event{
		ID: env.NewGUID(), Type: content.EventType(), TwinID: at.TwinID, AccountID: at.AccountID,
		Time: now.UTC(), Content: text,
	}, nil
}
