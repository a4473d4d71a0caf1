package httpapitest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// robot is a service application that may have webhooks.
func robot(tw *httpapitest.Harness) twinplatform.Principal {
	p := tw.Admin()
	p.ID, p.Kind = "robot", twinplatform.Service
	return p
}

// makeTwin makes something happen, over HTTP.
func makeTwin(t *testing.T, tw *httpapitest.Harness, name string) {
	t.Helper()
	if a := send(t, tw.Client(), "POST", tw.URL+"/twins", `{"class":"Thing","displayName":"`+name+`"}`); a.status != http.StatusCreated {
		t.Fatalf("answer %d %s", a.status, a.body)
	}
}

// statuses are what the attempts were answered with.
func statuses(tw *httpapitest.Harness) []int {
	var all []int
	for _, d := range tw.Webhooks.Deliveries() {
		all = append(all, d.Status)
	}
	return all
}

func wantStatuses(t *testing.T, tw *httpapitest.Harness, want ...int) {
	t.Helper()
	if diff := cmp.Diff(want, statuses(tw)); diff != "" {
		t.Fatalf("answers to the deliveries (-want +got):\n%s", diff)
	}
}

func TestEventsAreDeliveredWhenTheyAreDrained(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tw := httpapitest.New(t)
		id := tw.Webhooks.Subscribe(event.TypeTwinCreated)
		makeTwin(t, tw, "Bridge")
		wantStatuses(t, tw)
		if n := tw.Webhooks.Drain(t.Context()); n != 1 {
			t.Errorf("%d attempts were made, want 1", n)
		}
		wantStatuses(t, tw, http.StatusNoContent)
		d := tw.Webhooks.Deliveries()[0]
		if d.Err != nil || d.WebhookID != id || d.EventType != string(event.TypeTwinCreated) || d.URL != httpapitest.CallbackURL || !d.At.Equal(tw.Now()) {
			t.Errorf("the delivery is %+v", d)
		}
		if n := tw.Webhooks.Drain(t.Context()); n != 0 {
			t.Errorf("%d attempts were made of what was delivered", n)
		}
	})
}

func TestFailedDeliveriesComeAgainByTheClock(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tw.Webhooks.Subscribe(event.TypeTwinCreated)
	tw.Webhooks.FailNext(1, http.StatusInternalServerError)
	tw.Webhooks.FailNext(1, 0)
	makeTwin(t, tw, "Bridge")
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, 500)
	tw.Advance(5*time.Second - 1)
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, 500)
	tw.Advance(1)
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, 500, 0)
	tw.Advance(5 * time.Minute)
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, 500, 0, 204)
	got := tw.Webhooks.Deliveries()
	if got[0].MessageID != got[2].MessageID || got[2].Err != nil {
		t.Errorf("the attempts are %+v", got)
	}
}

func TestReplayedDeliveryHasItsMessageID(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tw.Webhooks.Subscribe(event.TypeTwinCreated)
	makeTwin(t, tw, "Bridge")
	makeTwin(t, tw, "Tower")
	tw.Webhooks.Drain(t.Context())
	first := tw.Webhooks.Deliveries()[0]
	tw.Webhooks.Replay(t.Context(), first.MessageID)
	got := tw.Webhooks.Deliveries()
	if len(got) != 3 || got[2].MessageID != first.MessageID || string(got[2].Body) != string(first.Body) || got[2].Err != nil {
		t.Errorf("the attempts are %+v", got)
	}
}

// The secret is known as a client sees it: from the answers.
func TestSecretsOfClientsAreKnown(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]func(*testing.T, *httpapitest.Harness) (*http.Client, string){
		"in process": func(_ *testing.T, tw *httpapitest.Harness) (*http.Client, string) {
			return tw.Client(robot(tw)), tw.URL
		},
		"over a socket": func(t *testing.T, tw *httpapitest.Harness) (*http.Client, string) {
			base := tw.Listen()
			transport := &http.Transport{}
			t.Cleanup(transport.CloseIdleConnections)
			return &http.Client{Transport: bearing{transport, tw.TokenOf(robot(tw))}}, base
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tw := httpapitest.New(t)
			c, base := client(t, tw)
			made := send(t, c, "POST", base+"/webhooks", `{"callbackUrl":"https://elsewhere.example.com/x","scope":"Account","eventTypes":["twins.twinCreated.v1"]}`)
			var hook struct{ ID string }
			if err := json.Unmarshal([]byte(made.body), &hook); err != nil || made.status != http.StatusAccepted {
				t.Fatalf("answer %d %s: %v", made.status, made.body, err)
			}
			send(t, c, "PATCH", base+"/webhooks/"+hook.ID, `{"active":true}`)
			makeTwin(t, tw, "Bridge")
			tw.Webhooks.Drain(t.Context())
			send(t, c, "PATCH", base+"/webhooks/"+hook.ID, `{"secret":"fedcba9876543210fedcba9876543210"}`)
			makeTwin(t, tw, "Tower")
			tw.Webhooks.Drain(t.Context())
			wantStatuses(t, tw, 204, 204)
			if got := tw.Webhooks.Deliveries()[0].URL; got != "https://elsewhere.example.com/x" {
				t.Errorf("it went to %s", got)
			}
		})
	}
}

// bearing sends a token with each request.
type bearing struct {
	http.RoundTripper

	token string
}

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}

func TestBadSignaturesAreFound(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	id := tw.Webhooks.Subscribe(event.TypeTwinCreated)
	tw.Webhooks.Trust(id, "a secret that is not the one of the webhook")
	makeTwin(t, tw, "Bridge")
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, http.StatusUnauthorized)
	if err := tw.Webhooks.Deliveries()[0].Err; !errors.Is(err, receiver.ErrSignature) {
		t.Errorf("found is %v", err)
	}
}

func TestSecretThatWasNotShownIsUnknown(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tw.TokenOf(robot(tw))
	ctx := twinplatform.WithPrincipal(t.Context(), robot(tw))
	made, err := tw.Webhooks.Service.CreateWebhook(ctx, webhooks.NewWebhook{CallbackURL: httpapitest.CallbackURL, Scope: webhooks.AccountScope, EventTypes: []webhooks.EventType{event.TypeTwinCreated}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tw.Webhooks.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
		t.Fatal(err)
	}
	makeTwin(t, tw, "Bridge")
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, http.StatusUnauthorized)
	if err := tw.Webhooks.Deliveries()[0].Err; !errors.Is(err, httpapitest.ErrUnknownSecret) {
		t.Errorf("found is %v", err)
	}
	tw.Webhooks.Trust(made.Value().ID, made.Secret.Reveal())
	tw.Advance(5 * time.Second)
	tw.Webhooks.Drain(t.Context())
	wantStatuses(t, tw, http.StatusUnauthorized, http.StatusNoContent)
}

// An endpoint of one's own is tested without a socket.
func TestEndpointOfATestAnswersDeliveries(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	id := tw.Webhooks.Subscribe(event.TypeTwinCreated)
	const secret = "0123456789abcdef0123456789abcdef"
	ctx := twinplatform.WithPrincipal(t.Context(), robot(tw))
	tw.TokenOf(robot(tw))
	if _, err := tw.Webhooks.UpdateWebhook(ctx, id, webhooks.WebhookPatch{Secret: twinplatform.Set(webhooks.NewSecret(secret))}); err != nil {
		t.Fatal(err)
	}
	var handled []string
	tw.Webhooks.Handle(receiver.New(secret, func(_ context.Context, m receiver.Message) error {
		handled = append(handled, m.MessageID)
		return nil
	}))
	makeTwin(t, tw, "Bridge")
	tw.Webhooks.Drain(t.Context())
	tw.Webhooks.Replay(t.Context(), tw.Webhooks.Deliveries()[0].MessageID)
	wantStatuses(t, tw, 204, 204)
	if len(handled) != 1 {
		t.Errorf("the endpoint handled %v, one event twice", handled)
	}
}

func TestForkDeliversToItsOwnReceiver(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tw.Webhooks.Subscribe(event.TypeTwinCreated)
	fork := tw.Fork(t)
	makeTwin(t, fork, "Bridge")
	tw.Webhooks.Drain(t.Context())
	fork.Webhooks.Drain(t.Context())
	wantStatuses(t, tw)
	wantStatuses(t, fork, http.StatusNoContent)
}

func TestMisuseOfTheReceiverFailsTheTest(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*httpapitest.Webhooks){
		"no attempt":            func(w *httpapitest.Webhooks) { w.FailNext(0, 500) },
		"a failure that is 200": func(w *httpapitest.Webhooks) { w.FailNext(1, 200) },
		"nothing to replay":     func(w *httpapitest.Webhooks) { w.Replay(t.Context(), "nothing") },
		"no such event":         func(w *httpapitest.Webhooks) { w.Subscribe("twins.twinMoved.v1") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endsTheTest(t, func(tw *httpapitest.Harness) { do(tw.Webhooks) })
		})
	}
}
