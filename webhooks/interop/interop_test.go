// Package interop holds deliveries against verifiers that others have published. It is a
// separate module, so that no one who imports the platform imports those.
package interop

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

type verifier struct {
	t      *testing.T
	verify func(body []byte, header http.Header) error
	taken  int
}

func (v *verifier) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if err := v.verify(body, req.Header); err != nil {
		v.t.Errorf("the published verifier refuses a delivery: %v", err)
	}
	if v.verify(append(body, ' '), req.Header) == nil {
		v.t.Error("the published verifier takes a changed body")
	}
	v.taken++
	return &http.Response{StatusCode: http.StatusOK, Header: make(http.Header), Body: http.NoBody, Request: req}, nil
}

// deliver sends one event to a webhook with the secret, or a generated one.
func deliver(t *testing.T, secret webhooks.Secret, verifierFor func(secret string) (*standardwebhooks.Webhook, error)) {
	t.Helper()
	v := &verifier{t: t}
	svc := webhooks.New(memory.New(), webhooks.Config{Transport: v})
	ctx := t.Context()
	made, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/", Scope: webhooks.TwinScope, ScopeID: "tower", EventTypes: webhooks.EventTypes(), Secret: secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	published, err := verifierFor(made.Secret.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	v.verify = published.Verify
	_, err = svc.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = svc.Publish(ctx, twinplatform.Event{
		Type: string(event.TypeRealityConversionJobCompleted), TwinID: "tower", Content: []byte(`{"jobId":"Überprüfung <1>"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Deliver(ctx); err != nil || v.taken != 1 {
		t.Fatalf("%d deliveries, %v", v.taken, err)
	}
}

func TestStandardWebhooksVerifierTakesDeliveries(t *testing.T) {
	t.Parallel()
	raw := func(secret string) (*standardwebhooks.Webhook, error) {
		return standardwebhooks.NewWebhookRaw([]byte(secret))
	}
	t.Run("generated secret", func(t *testing.T) {
		t.Parallel()
		deliver(t, webhooks.Secret{}, raw)
	})
	t.Run("chosen secret", func(t *testing.T) {
		t.Parallel()
		deliver(t, webhooks.NewSecret(strings.Repeat("chosen ", 6)), raw)
	})
	t.Run("secret of the standard", func(t *testing.T) {
		t.Parallel()
		secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32)))
		deliver(t, webhooks.NewSecret(secret), standardwebhooks.NewWebhook)
	})
}
