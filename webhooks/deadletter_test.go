package webhooks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestDeliveryWithoutItsContentDelaysNoOther(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	store := memory.New()
	svc := newService(store, webhooks.Config{Transport: inMemory{in}})
	ctx := t.Context()
	hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
	for i := range 3 {
		publish(t, ctx, svc, fmt.Sprint("event-", i))
	}
	in.answer = answering(500)
	if _, err := svc.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	err := store.Update(ctx, func(w storage.Writer) error {
		for key := range w.Scan("webhookmessages/messages/r/", "") {
			if strings.HasSuffix(key, "1") {
				return w.Delete(key)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	in.answer = nil
	if _, err := svc.Replay(ctx, hook.ID, webhooks.ReplayQuery{}); err != nil {
		t.Fatal(err)
	}
	page, err := svc.Deliveries(ctx, hook.ID, webhooks.DeliveryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for d := range page.OnPage() {
		if _, err := svc.Redeliver(ctx, hook.ID, d.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := svc.Deliver(ctx); n != 2 || err != nil {
		t.Errorf("%d attempts, %v", n, err)
	}
	want := []string{"Delivered: Rejected 500 Accepted 200", "Dead: Rejected 500", "Delivered: Rejected 500 Accepted 200"}
	if diff := cmp.Diff(want, outcomes(t, ctx, svc, hook.ID)); diff != "" {
		t.Errorf("deliveries (-want +got):\n%s", diff)
	}
}
