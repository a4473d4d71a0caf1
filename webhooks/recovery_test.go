package webhooks_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestWebhooksFromBeforeAnIndexAreFoundByIt(t *testing.T) {
	t.Parallel()
	store := memory.New()
	svc := newService(store, webhooks.Config{MaxPerTwin: 2})
	ctx := t.Context()
	for range 2 {
		create(t, ctx, svc, webhooks.NewWebhook{})
	}
	err := store.Update(ctx, func(w storage.Writer) error {
		for key := range w.Scan("webhooks/", "") {
			if strings.Contains(key, "/i/place/") || strings.Contains(key, "/i/account/") {
				if err := w.Delete(key); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := func() int {
		page, err := svc.Webhooks(ctx, webhooks.WebhookQuery{TwinID: twinID})
		if err != nil {
			t.Fatal(err)
		}
		return page.Len()
	}
	if n := found(); n != 0 {
		t.Fatalf("%d webhooks are found without the index", n)
	}
	if _, err := newService(store, webhooks.Config{}).Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	if n := found(); n != 2 {
		t.Errorf("%d webhooks are found, want 2", n)
	}
}
