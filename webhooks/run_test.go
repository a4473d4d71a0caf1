package webhooks_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestSlowEndpointIsServedByOneProcessAtATime(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	in.answer = func(int, received, http.ResponseWriter, *http.Request) { time.Sleep(4 * time.Second) }
	store := memory.New()
	bubbleOn(t, in, webhooks.Config{Poll: time.Second}, store, func(t *testing.T, ctx context.Context, svc *webhooks.Service) {
		subscribe(t, ctx, svc, webhooks.NewWebhook{})
		for i := range 30 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		time.Sleep(time.Second)
		other := newService(store, webhooks.Config{Transport: inMemory{in}})
		for range 100 {
			if _, err := other.Deliver(ctx); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := len(in.all()); n != 30 {
			t.Errorf("%d requests for 30 events", n)
		}
	})
}

// A process that only takes requests notifies the one that delivers.
func TestEventsOfAProcessThatDeliversNothingAreDeliveredAtOnce(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	store := storetest.Notifying(memory.New())
	bubbleOn(t, in, webhooks.Config{Poll: time.Hour}, store, func(t *testing.T, ctx context.Context, svc *webhooks.Service) {
		subscribe(t, ctx, svc, webhooks.NewWebhook{})
		time.Sleep(time.Minute)
		synctest.Wait()
		other := newService(store, webhooks.Config{})
		publish(t, ctx, other, "event-1")
		time.Sleep(time.Second)
		synctest.Wait()
		if n := len(in.all()); n != 1 {
			t.Errorf("%d requests a second later, want 1", n)
		}
	})
}

func TestRunBringsAttemptsUnderWayToTheirEnd(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	in.answer = func(int, received, http.ResponseWriter, *http.Request) { time.Sleep(3 * time.Second) }
	synctest.Test(t, func(t *testing.T) {
		cfg, stop := overPipes(t, in, webhooks.Config{})
		defer stop()
		svc := newService(memory.New(), cfg)
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- svc.Run(ctx) }()
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "event-1")
		publish(t, ctx, svc, "event-2")
		time.Sleep(time.Second)
		began := time.Now()
		cancel()
		if err := <-ran; err != nil || time.Since(began) != 2*time.Second {
			t.Errorf("Run returned %v after %v", err, time.Since(began))
		}
		want := []string{"Delivered: Accepted 200", "Pending:"}
		if diff := cmp.Diff(want, outcomes(t, t.Context(), svc, hook.ID)); diff != "" {
			t.Errorf("deliveries (-want +got):\n%s", diff)
		}
		// The endpoint was given back: the next process continues at once.
		in.answer = nil
		if n, err := svc.Deliver(t.Context()); n != 1 || err != nil {
			t.Errorf("%d attempts, %v", n, err)
		}
	})
}

func TestRunOutlastsAStoreThatTakesNoWrites(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	store := storetest.Over(memory.New())
	in.answer = func(n int, _ received, _ http.ResponseWriter, _ *http.Request) {
		if n == 2 {
			time.Sleep(time.Second) // until all is published
			store.FailAfter(0, storage.ErrUnavailable)
		}
	}
	bubbleOn(t, in, webhooks.Config{}, store, func(t *testing.T, ctx context.Context, svc *webhooks.Service) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		for i := range 5 {
			publish(t, ctx, svc, fmt.Sprint("event-", i))
		}
		time.Sleep(time.Hour)
		store.Rest()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		st, err := svc.Status(ctx, hook.ID)
		if err != nil || st.Pending != 0 {
			t.Errorf("status %+v, %v", st, err)
		}
		seen := make(map[string]bool)
		for _, r := range in.all() {
			seen[r.MessageID] = true
		}
		if len(seen) != 5 {
			t.Errorf("%d of 5 events arrived", len(seen))
		}
	})
}

func TestSealingKeysAreReadFromFiles(t *testing.T) {
	t.Parallel()
	raw := webhooks.GenerateSealingKey()
	for name, c := range map[string]struct {
		file []byte
		ok   bool
	}{
		"bytes":              {raw, true},
		"digits":             {[]byte(hex.EncodeToString(raw)), true},
		"digits and newline": {[]byte(hex.EncodeToString(raw) + "\n"), true},
		"empty":              {nil, false},
		"too short":          {raw[:16], false},
		"half the digits":    {[]byte(hex.EncodeToString(raw[:16])), false},
		"other text":         {[]byte("this is no key at all, whatever it may look like to some"), false},
	} {
		key, err := webhooks.ParseSealingKey(c.file)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if text := fmt.Sprintf("%v %+v %#v", key, key, struct{ k webhooks.SealingKey }{key}); len(text) > 200 {
			t.Errorf("%s: printed as %s", name, text)
		}
	}
}
