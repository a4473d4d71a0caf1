package event_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

func TestEveryEventIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	kinds := append(event.Catalogue(), event.Kind{Content: event.TestSent{WebhookID: "w"}})
	seen := make(map[string]bool)
	for _, k := range kinds {
		if seen[k.Type()] {
			t.Errorf("%s is in the catalogue twice", k.Type())
		}
		seen[k.Type()] = true
		at := twinplatform.Target{TwinID: "tower", AccountID: "acme"}
		e, err := event.New(twinplatform.Env{}.WithDefaults(), at, k.Content)
		if err != nil || e.ID == "" || e.Type != k.Type() || e.TwinID != "tower" || e.AccountID != "acme" || e.Time.IsZero() {
			t.Errorf("made was %+v, %v", e, err)
		}
		read, err := event.Decode(e.Type, e.Content)
		if diff := cmp.Diff(k.Content, read); err != nil || diff != "" {
			t.Errorf("%s: %v %s", k.Type(), err, diff)
		}
	}
}

// Receivers take the members of contents for texts, and the examples are the contents of
// test events.
func TestMembersAreTextsOnTheWire(t *testing.T) {
	t.Parallel()
	for _, k := range event.Catalogue() {
		text, err := json.Marshal(k.Content)
		if err != nil {
			t.Fatal(err)
		}
		var wire map[string]string
		if err := json.Unmarshal(text, &wire); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		members, order := make(map[string]string), "{"
		for name, example := range k.Members() {
			members[name] = example
			order += fmt.Sprintf("%q:%q,", name, example)
		}
		if diff := cmp.Diff(wire, members); diff != "" {
			t.Errorf("%s: %s", k.Type(), diff)
		}
		if want := strings.TrimSuffix(order, ",") + "}"; want != string(text) {
			t.Errorf("the order of members: want %s, got %s", want, text)
		}
	}
}

func TestEveryEventDocumentsWhenItHappens(t *testing.T) {
	t.Parallel()
	for _, k := range event.Catalogue() {
		if k.Source == "" || k.When == "" || strings.HasSuffix(k.When, ".") {
			t.Errorf("%s: source %q, when %q", k.Type(), k.Source, k.When)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	if _, err := event.Decode("twins.twinMoved.v1", []byte(`{}`)); !errors.Is(err, event.ErrUnknown) {
		t.Errorf("an unknown type: %v", err)
	}
	if _, err := event.Decode(event.TypeTwinCreated, []byte(`[]`)); err == nil || errors.Is(err, event.ErrUnknown) {
		t.Errorf("content that is no object: %v", err)
	}
}

func ExampleDecode() {
	content, err := event.Decode("twins.twinCreated.v1", []byte(`{"parentId": "site", "twinClass": "Endeavor"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch e := content.(type) {
	case event.TwinCreated:
		fmt.Println("a new", e.TwinClass, "below", e.ParentID)
	case event.TwinDeleted:
		fmt.Println("one less below", e.ParentID)
	}
	// Output: a new Endeavor below site
}
