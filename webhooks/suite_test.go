package webhooks_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Everything that the services of all tests log goes to one place, and when the
// suite is done no secret that they handled may be found there.
var suite = struct {
	sync.Mutex
	log     bytes.Buffer
	secrets map[string]string // what each is
}{secrets: make(map[string]string)}

type suiteWriter struct{}

func (suiteWriter) Write(b []byte) (int, error) {
	suite.Lock()
	defer suite.Unlock()
	return suite.log.Write(b)
}

// hush notes a text that no log may hold.
func hush(secret, what string) string {
	suite.Lock()
	defer suite.Unlock()
	suite.secrets[secret] = what
	return secret
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childArgument {
		os.Exit(child(os.Args[2:]))
	}
	heapgauge.Relax()
	code := m.Run()
	suite.Lock()
	defer suite.Unlock()
	log := suite.log.Bytes()
	for secret, what := range suite.secrets {
		if bytes.Contains(log, []byte(secret)) {
			fmt.Fprintf(os.Stderr, "the log of the suite holds %s\n", what)
			code = 1
		}
	}
	os.Exit(code)
}

// newService returns a service whose log and secrets are watched.
func newService(store storage.Store, cfg webhooks.Config) *webhooks.Service {
	if cfg.Env.Logger == nil {
		cfg.Env.Logger = slog.New(slog.NewJSONHandler(suiteWriter{}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return webhooks.New(store, cfg)
}

const callback = "https://receiver.example.com/events"

// subscribe makes an active webhook.
func subscribe(t testing.TB, ctx context.Context, svc *webhooks.Service, n webhooks.NewWebhook) (webhooks.Webhook, string) {
	t.Helper()
	made := create(t, ctx, svc, n)
	res, err := svc.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
	if err != nil {
		t.Fatalf("activating the webhook: %v", err)
	}
	return res.Value(), made.Secret.Reveal()
}

// create makes a webhook, with defaults for what n leaves out.
func create(t testing.TB, ctx context.Context, svc *webhooks.Service, n webhooks.NewWebhook) webhooks.WebhookResult {
	t.Helper()
	if n.CallbackURL == "" {
		n.CallbackURL = callback
	}
	if n.Scope == "" {
		n.Scope, n.ScopeID = webhooks.TwinScope, twinID
	}
	if n.EventTypes == nil {
		n.EventTypes = webhooks.EventTypes()
	}
	made, err := svc.CreateWebhook(ctx, n)
	if err != nil {
		t.Fatalf("creating a webhook: %v", err)
	}
	hush(made.Secret.Reveal(), "the secret of a webhook")
	return made
}

const (
	twinID    = "3f6b1c1e-5a0e-4f51-9d3f-0f6d1a2b3c4d"
	accountID = "78202ffd-272b-4207-a4ad-7d2b1af5dafc"
)

// publish records an event of the twin.
func publish(t testing.TB, ctx context.Context, svc *webhooks.Service, id string) twinplatform.Event {
	t.Helper()
	e, err := svc.Publish(ctx, twinplatform.Event{
		ID: id, Type: string(event.TypeRealityConversionJobCompleted), TwinID: twinID, AccountID: accountID,
		Content: []byte(`{"jobId":"job"}`),
	})
	if err != nil {
		t.Fatalf("publishing an event: %v", err)
	}
	return e
}
