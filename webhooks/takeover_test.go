package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// TestLeaseOfADeadProcessIsTakenOverAtOnce leaves a lease behind as a kill does:
// in a copy of the file from the middle of an attempt.
func TestLeaseOfADeadProcessIsTakenOverAtOnce(t *testing.T) {
	t.Parallel()
	at := func(name string) storage.Store {
		store, err := buntdb.Open(name, buntdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	dir := t.TempDir()
	living, dead := filepath.Join(dir, "living"), filepath.Join(dir, "dead")
	began, end := make(chan struct{}), make(chan struct{})
	in := &inbox{}
	in.answer = func(n int, _ received, _ http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			close(began)
			<-end
		}
	}
	store := at(living)
	defer store.Close()
	svc := newService(store, webhooks.Config{Transport: inMemory{in}})
	ctx, cancel := context.WithCancel(t.Context())
	subscribe(t, ctx, svc, webhooks.NewWebhook{})
	publish(t, ctx, svc, "event")
	ran := make(chan error, 1)
	go func() { ran <- svc.Run(ctx) }()
	<-began
	raw, err := os.ReadFile(living)
	if err == nil {
		err = os.WriteFile(dead, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	left := at(dead)
	defer left.Close()
	if n, err := newService(left, webhooks.Config{Transport: inMemory{in}}).Deliver(ctx); n != 1 || err != nil {
		t.Errorf("%d attempts of the process that came after, %v; want 1", n, err)
	}
	// Another service over the same store waits for the one that is alive.
	if n, err := newService(store, webhooks.Config{Transport: inMemory{in}}).Deliver(ctx); n != 0 || err != nil {
		t.Errorf("%d attempts besides those of the process that has the lease, %v", n, err)
	}
	close(end)
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

// shared is a store that others may be writing to, as far as is known.
type shared struct{ storage.Store }

func TestLeaseOverASharedStoreIsWaitedFor(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	in.answer = func(int, received, http.ResponseWriter, *http.Request) { time.Sleep(4 * time.Second) }
	store := shared{memory.New()}
	bubbleOn(t, in, webhooks.Config{}, store, func(t *testing.T, ctx context.Context, svc *webhooks.Service) {
		subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "event")
		time.Sleep(time.Second)
		if n, err := newService(store, webhooks.Config{Transport: inMemory{in}}).Deliver(ctx); n != 0 || err != nil {
			t.Errorf("%d attempts, %v", n, err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
	})
}

func TestEventThatAnEndpointCannotTakeDoesNotHideThatItIsBack(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	in.answer = func(_ int, r received, w http.ResponseWriter, req *http.Request) {
		if r.MessageID == "poison" {
			<-req.Context().Done()
		}
	}
	bubble(t, in, webhooks.Config{}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "poison")
		time.Sleep(17 * time.Hour) // nothing else happens, so the endpoint seems down
		if st, err := svc.Status(ctx, hook.ID); err != nil || st.Failures < 20 {
			t.Fatalf("status %+v, %v", st, err)
		}
		for i := range 10 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		time.Sleep(15*time.Minute + 10*time.Second)
		synctest.Wait()
		var got []string
		for _, r := range in.all() {
			if r.MessageID != "poison" {
				got = append(got, r.MessageID)
			}
		}
		var want []string
		for i := range 10 {
			want = append(want, fmt.Sprint("event-", i))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("delivered within a quarter of an hour (-want +got):\n%s", diff)
		}
	})
}
