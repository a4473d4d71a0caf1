package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestEventsThatNobodyHearsDoNotPileUp(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	s := newServices(store, twinplatform.Env{}, nil, webhooks.Config{})
	waiting := func() (n int) {
		t.Helper()
		err := store.View(t.Context(), func(r storage.Reader) error {
			for _, value := range r.Scan("", "") {
				if bytes.Contains(value, []byte(webhooks.TwinCreated)) {
					n++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	// Events are recorded from the first webhook on, whatever it listens to.
	_, err := s.webhooks.CreateWebhook(t.Context(), webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/", Scope: webhooks.AccountScope, ScopeID: "another",
		EventTypes: []webhooks.EventType{webhooks.TwinDeleted},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if _, err := s.twins.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Thing, DisplayName: fmt.Sprint("Pump ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := waiting(); n != 5 {
		t.Fatalf("%d events wait, want 5", n)
	}
	if _, err := s.webhooks.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := waiting(); n != 0 {
		t.Errorf("%d events stay although nobody hears them", n)
	}
}
