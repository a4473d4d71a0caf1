package webhooks_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestSaysWhetherATwinHasWebhooks(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	svc := webhooks.New(store, webhooks.Config{})
	want := func(twinID, what string) {
		t.Helper()
		if got, err := svc.HoldsOf(t.Context(), twinID); got != what || err != nil {
			t.Errorf("HoldsOf(%s) is %q, %v; want %q", twinID, got, err, what)
		}
	}
	create := func(scope webhooks.Scope, id string) string {
		t.Helper()
		made, err := svc.CreateWebhook(t.Context(), webhooks.NewWebhook{
			CallbackURL: "https://receiver.example.com/", Scope: scope, ScopeID: id, EventTypes: []webhooks.EventType{webhooks.TwinCreated},
		})
		if err != nil {
			t.Fatal(err)
		}
		return made.Webhook.ID
	}
	create(webhooks.AccountScope, "tower")
	want("tower", "")
	id := create(webhooks.TwinScope, "tower")
	want("tower", "webhooks")
	want("bridge", "")
	if err := svc.DeleteWebhook(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	want("tower", "")
}
