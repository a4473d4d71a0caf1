package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	inside "github.com/seed-933f9a09/twinplatform/webhooks/inbox"
)

// noNetwork reports what would have left the process.
type noNetwork struct{ t *testing.T }

func (n noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("a request left for %s", r.URL)
	return nil, errors.New("there is no network")
}

func TestTheInboxReceivesInTheProcessWhatIsSentToItsHost(t *testing.T) {
	t.Parallel()
	box := inside.New(inside.Config{})
	svc := newService(memory.New(), webhooks.Config{Inbox: box, Transport: noNetwork{t}})
	who := twinplatform.Principal{
		ID: "application", AccountID: "account", Kind: twinplatform.Service,
		Scopes: []string{twinplatform.ScopeWebhooksModify}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}
	ctx := twinplatform.WithPrincipal(t.Context(), who)
	for _, url := range []string{"https://" + inside.Host + "/a", "https://Receiver.TwinPlatform.invalid:8443/b"} {
		made := create(t, ctx, svc, webhooks.NewWebhook{
			CallbackURL: url, Scope: webhooks.AccountScope, EventTypes: []webhooks.EventType{"twins.twinCreated.v1"},
		})
		box.Trust(made.Value().ID, who, made.Secret.Reveal())
		if _, err := svc.SendTest(ctx, made.Value().ID, webhooks.TestEvent{}); err != nil {
			t.Fatal(err)
		}
		if _, err := svc.Deliver(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		got := box.Received(made.Value().ID, who)
		if len(got) != 1 || got[0].Err != nil || got[0].URL != url {
			t.Errorf("%s received %+v", url, got)
		}
		status, err := svc.Status(ctx, made.Value().ID)
		if err != nil || status.LastAttempt == nil {
			t.Fatalf("%s: status %+v, %v", url, status, err)
		}
		if s := status.LastAttempt.Status; s == nil || *s != http.StatusNoContent {
			t.Errorf("%s was answered with %v", url, s)
		}
	}
}
