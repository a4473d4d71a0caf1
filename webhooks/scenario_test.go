package webhooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

var quiet = log.New(io.Discard, "", 0)

// bubble runs a scenario with a receiver and a running service in fake time.
func bubble(t *testing.T, in *inbox, cfg webhooks.Config, scenario func(t *testing.T, ctx context.Context, svc *webhooks.Service, store storage.Store)) {
	t.Helper()
	store := memory.New()
	bubbleOn(t, in, cfg, store, func(t *testing.T, ctx context.Context, svc *webhooks.Service) { scenario(t, ctx, svc, store) })
}

func bubbleOn(t *testing.T, in *inbox, cfg webhooks.Config, store storage.Store, scenario func(t *testing.T, ctx context.Context, svc *webhooks.Service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		stop := func() {}
		if in.network {
			cfg, stop = overPipes(t, in, cfg)
		} else {
			cfg.Transport = impatient{inMemory{in}}
		}
		if cfg.Poll == 0 {
			cfg.Poll = 10 * time.Minute // so that days pass quickly
		}
		ctx, cancel := context.WithCancel(t.Context())
		svc := newService(store, cfg)
		ran := make(chan error, 1)
		go func() { ran <- svc.Run(ctx) }()
		defer func() {
			cancel()
			if err := <-ran; err != nil {
				t.Errorf("Run: %v", err)
			}
			stop()
			for _, err := range in.bad {
				t.Errorf("the receiver refused a request: %v", err)
			}
			if in.overlaps > 0 {
				t.Errorf("%d attempts overlapped others to the same endpoint", in.overlaps)
			}
		}()
		scenario(t, ctx, svc)
	})
}

func outcomes(t *testing.T, ctx context.Context, svc *webhooks.Service, webhookID string) (out []string) {
	t.Helper()
	page, err := svc.Deliveries(ctx, webhookID, webhooks.DeliveryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		line := string(d.State) + ":"
		for _, a := range d.Attempts {
			line += " " + string(a.Outcome)
			if a.Status != nil {
				line += fmt.Sprint(" ", *a.Status)
			}
		}
		out = append(out, line)
	}
	return out
}

func TestDeliveryOutlastsErrorsAndAHangingReceiver(t *testing.T) {
	t.Parallel()
	in := &inbox{network: true}
	in.answer = func(n int, _ received, w http.ResponseWriter, req *http.Request) {
		switch n {
		case 1, 2:
			w.WriteHeader(http.StatusInternalServerError)
		case 3:
			<-req.Context().Done()
		}
	}
	bubble(t, in, webhooks.Config{Jitter: webhooks.Off, Poll: time.Second}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, store storage.Store) {
		// The event comes from another domain, which notifies no one.
		others := twins.New(store, twins.Config{})
		account, err := others.CreateTwin(ctx, twins.NewTwin{Class: twins.Account, DisplayName: "Acme", ID: accountID})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		hook, secret := subscribe(t, ctx, svc, webhooks.NewWebhook{
			Scope: webhooks.AccountScope, ScopeID: account.Value().ID, EventTypes: []webhooks.EventType{event.TypeTwinCreated},
		})
		in.secret = secret
		began := time.Now()
		made, err := others.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower", AccountID: accountID})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		want := []string{"Delivered: Rejected 500 Rejected 500 Unanswered Accepted 200"}
		if diff := cmp.Diff(want, outcomes(t, ctx, svc, hook.ID)); diff != "" {
			t.Fatalf("deliveries (-want +got):\n%s", diff)
		}
		got := in.all()
		var after []time.Duration
		for _, r := range got {
			after = append(after, r.at.Sub(got[0].at).Truncate(time.Millisecond))
			if r.MessageID == "" || r.MessageID != got[0].MessageID || string(r.body) != string(got[0].body) {
				t.Errorf("an attempt has another id or body: %s", r.body)
			}
		}
		// The third attempt fails 5 s after it began.
		wantAfter := []time.Duration{0, 5 * time.Second, 5*time.Minute + 5*time.Second, 35*time.Minute + 10*time.Second}
		if diff := cmp.Diff(wantAfter, after); diff != "" {
			t.Errorf("times of the attempts (-want +got):\n%s", diff)
		}
		if first := got[0].at.Sub(began); first > time.Second {
			t.Errorf("the first attempt came after %v", first)
		}
		m := got[0].Message
		if m.TwinID != made.Value().ID || m.WebhookID != hook.ID || m.EventType != string(event.TypeTwinCreated) || !m.EnqueuedDateTime.Equal(began) {
			t.Errorf("message %+v", m)
		}
		members, _ := webhooks.ContentMembers(event.TypeTwinCreated)
		var content map[string]string
		if err := json.Unmarshal(m.Content, &content); err != nil {
			t.Fatal(err)
		}
		for _, name := range members {
			if _, ok := content[name]; !ok {
				t.Errorf("the content lacks %s: %s", name, m.Content)
			}
		}
	})
}

func TestReceiverDownForFourDaysGetsEverythingAtOnceInOrder(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 25} {
		t.Run(fmt.Sprint(n, " events"), func(t *testing.T) {
			t.Parallel()
			in := &inbox{}
			down := true
			in.answer = func(_ int, _ received, w http.ResponseWriter, _ *http.Request) {
				in.mu.Lock()
				defer in.mu.Unlock()
				if down {
					w.WriteHeader(http.StatusBadGateway)
				}
			}
			bubble(t, in, webhooks.Config{}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
				hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
				var want []string
				for i := range n {
					id := fmt.Sprint("event-", 100+i)
					want = append(want, id)
					publish(t, ctx, svc, id)
					time.Sleep(3 * time.Hour)
				}
				time.Sleep(96*time.Hour - time.Duration(n)*3*time.Hour)
				in.mu.Lock()
				down = false
				failed := len(in.requests)
				in.mu.Unlock()
				time.Sleep(15*time.Minute + 5*time.Second)
				synctest.Wait()
				var got []string
				for _, r := range in.all()[failed:] {
					got = append(got, r.MessageID)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("delivered within a quarter of an hour after four days (-want +got):\n%s", diff)
				}
				if most := 2 * 96 * 4; failed > most+10 {
					t.Errorf("a receiver that was down was asked %d times", failed)
				}
				st, err := svc.Status(ctx, hook.ID)
				if err != nil || st.Pending != 0 || st.Dead != 0 || st.Failures != 0 {
					t.Errorf("status %+v, %v", st, err)
				}
			})
		})
	}
}
