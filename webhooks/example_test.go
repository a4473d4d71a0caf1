package webhooks_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// A whole conversation: a subscription, an event, and its delivery. A server
// starts Run instead of calling Deliver, and reaches receivers over the network.
func Example() {
	ctx := context.Background()
	there := new(http.ServeMux)
	hooks := webhooks.New(memory.New(), webhooks.Config{Transport: inMemory{there}})

	made, err := hooks.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/events",
		Scope:       webhooks.TwinScope,
		ScopeID:     "3f6b1c1e-5a0e-4f51-9d3f-0f6d1a2b3c4d",
		EventTypes:  []webhooks.EventType{event.TypeRealityConversionJobCompleted},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	// The secret is shown this once, and the owner of the endpoint keeps it.
	there.Handle("POST /events", receiver.New(made.Secret.Reveal(), func(_ context.Context, m receiver.Message) error {
		fmt.Printf("%s: %s\n", m.EventType, m.Content)
		return nil
	}))
	fmt.Println("the secret, printed:", made.Secret)

	// It begins inactive.
	if _, err := hooks.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
		fmt.Println(err)
		return
	}
	_, err = hooks.Publish(ctx, twinplatform.Event{
		Type:    string(event.TypeRealityConversionJobCompleted),
		TwinID:  made.Value().ScopeID,
		Content: []byte(`{"jobId":"a1b2"}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	attempts, err := hooks.Deliver(ctx)
	fmt.Println(attempts, "attempt,", err)
	// Output:
	// the secret, printed: [redacted]
	// realityConversion.jobCompleted.v1: {"jobId":"a1b2"}
	// 1 attempt, <nil>
}

// What became of events can be looked up, and done again.
func ExampleService_Replay() {
	ctx := context.Background()
	svc := webhooks.New(memory.New(), webhooks.Config{})
	made, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/events", Scope: webhooks.AccountScope, ScopeID: "acme",
		EventTypes: webhooks.EventTypes(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	st, err := svc.Status(ctx, made.Value().ID)
	fmt.Println(st.Pending, "pending,", st.Dead, "dead,", err)
	n, err := svc.Replay(ctx, made.Value().ID, webhooks.ReplayQuery{State: webhooks.Dead, Max: 100})
	fmt.Println(n, "replayed,", err)
	// Output:
	// 0 pending, 0 dead, <nil>
	// 0 replayed, <nil>
}

// A receiver that is being set up is sent a test, with the content of a documented
// event.
func ExampleService_SendTest() {
	ctx := context.Background()
	there := new(http.ServeMux)
	hooks := webhooks.New(memory.New(), webhooks.Config{Transport: inMemory{there}})
	made, err := hooks.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/events", Scope: webhooks.AccountScope, ScopeID: "acme",
		EventTypes: webhooks.EventTypes(), Secret: webhooks.NewSecret("a secret of at least thirty-two characters"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	there.Handle("POST /events", receiver.New("another secret than the one that was given", func(context.Context, receiver.Message) error {
		return nil
	}))
	sent, err := hooks.SendTest(ctx, made.Value().ID, webhooks.TestEvent{EventType: event.TypeTwinCreated})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := hooks.Deliver(ctx); err != nil {
		fmt.Println(err)
		return
	}
	delivery, err := hooks.Delivery(ctx, made.Value().ID, sent.Value().ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	attempt := delivery.Value.Attempts[0]
	fmt.Println(delivery.Value.EventType, delivery.Value.State, attempt.Outcome, *attempt.Status)
	// Output: twins.twinCreated.v1 Dead Rejected 401
}
