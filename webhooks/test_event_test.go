package webhooks_test

import (
	"encoding/json"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

func TestAnyDocumentedEventCanBeTried(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}})
	ctx := t.Context()
	hook := create(t, ctx, svc, webhooks.NewWebhook{EventTypes: []webhooks.EventType{event.TypeTwinCreated}}).Value()
	for i, typ := range append(webhooks.EventTypes(), webhooks.TestSent) {
		if _, err := svc.SendTest(ctx, hook.ID, webhooks.TestEvent{EventType: typ}); err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		if _, err := svc.Deliver(ctx); err != nil {
			t.Fatal(err)
		}
		m := in.all()[i].Message
		var content map[string]string
		if err := json.Unmarshal(m.Content, &content); err != nil {
			t.Errorf("%s: content %s: %v", typ, m.Content, err)
		}
		members, _ := webhooks.ContentMembers(typ)
		if typ == webhooks.TestSent {
			members = []string{"webhookId"}
		}
		for _, name := range members {
			if content[name] == "" {
				t.Errorf("%s: the content lacks %s: %s", typ, name, m.Content)
			}
		}
		if m.EventType != string(typ) || len(content) == 0 || len(members) > 0 && len(content) != len(members) || m.TwinID != twinID {
			t.Errorf("%s: got %+v", typ, m)
		}
	}
	if n, err := svc.Replay(ctx, hook.ID, webhooks.ReplayQuery{}); n != 0 || err != nil {
		t.Errorf("%d test events were replayed, %v", n, err)
	}
	_, err := svc.SendTest(ctx, hook.ID, webhooks.TestEvent{EventType: "twins.twinMoved.v1"})
	wantDetail(t, err, "InvalidWebhooksRequest", "eventType")
}

// covers: Create webhook: rule a secret is generated when none is given
func TestNullSecretIsGeneratedAndShownOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replaces  bool
		patch     webhooks.WebhookPatch
		generated bool
	}{
		"null":                         {false, webhooks.WebhookPatch{Secret: twinplatform.Null[webhooks.Secret]()}, true},
		"left out":                     {false, webhooks.WebhookPatch{Active: twinplatform.Set(false)}, false},
		"left out, read to the letter": {true, webhooks.WebhookPatch{Active: twinplatform.Set(true)}, true},
		"nothing given, to the letter": {true, webhooks.WebhookPatch{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := &inbox{}
			svc := newService(memory.New(), webhooks.Config{Transport: inMemory{in}, PatchReplacesSecret: c.replaces})
			ctx := t.Context()
			made := create(t, ctx, svc, webhooks.NewWebhook{})
			res, err := svc.UpdateWebhook(ctx, made.Value().ID, c.patch)
			if err != nil || res.Secret.IsZero() == c.generated {
				t.Fatalf("shown: %t, %v", !res.Secret.IsZero(), err)
			}
			in.secret = made.Secret.Reveal()
			if c.generated {
				in.secret = hush(res.Secret.Reveal(), "a secret that an update generated")
			}
			if len(in.secret) != 64 || c.generated && in.secret == made.Secret.Reveal() {
				t.Error("no secret was generated")
			}
			if _, err := svc.SendTest(ctx, made.Value().ID, webhooks.TestEvent{}); err != nil {
				t.Fatal(err)
			}
			if _, err := svc.Deliver(ctx); err != nil || len(in.all()) != 1 || len(in.bad) > 0 {
				t.Errorf("signed with another secret: %v, %v", in.bad, err)
			}
		})
	}
}
